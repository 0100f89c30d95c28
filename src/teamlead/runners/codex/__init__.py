"""Codex, as a program that works through one turn and tells of it in JSON lines.

invocation.py   its command line and environment
dialect.py      what it says, and what it writes down meanwhile and does not say
runner.py       where it runs, and whether the system lets it hold its commands there
"""
