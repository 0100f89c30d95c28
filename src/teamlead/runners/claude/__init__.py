"""Claude Code, as a program that talks JSON lines both ways.

invocation.py          its command line and environment
dialect.py             what it says
outgoing_messages.py   what is said to it
permissions.py         its questions before a tool is used, in our words, and who answers them
results.py             how a turn ended, and what it used
"""
