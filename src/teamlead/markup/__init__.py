"""Markdown that people write for us: its blocks, the values behind its labels, and what is wrong with it.

What a document means is known to the room that reads it: plans, or teams.
"""
