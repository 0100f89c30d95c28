"""Working copies of the user's repository, one a task, and the way of their work back to it.

A copy has a git directory of its own. What an agent changes in the user's repository all the same, by its
path, is noticed, told, and put back if the user says so.
"""
