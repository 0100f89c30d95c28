"""Gemini CLI, as a program that works through one turn and tells of it in JSON lines.

invocation.py   its command line, environment and settings
limits.py       its tools in our words: a policy file of its own form
dialect.py      what it says
"""
