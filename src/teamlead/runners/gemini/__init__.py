"""Gemini CLI, as a program that works through one turn and tells of it in JSON lines.

invocation.py   its command line, environment and settings, and the tools of a role
dialect.py      what it says
"""
