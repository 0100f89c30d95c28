"""What the engine needs from the outside, as Protocols, and the values that cross. One file a family.

An adapter looks at the world before it acts: called twice with the same arguments, it does the work once.
Expected failures are `TeamleadError`s.
"""
