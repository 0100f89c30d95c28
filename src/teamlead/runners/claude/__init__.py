"""Claude Code, as a program that talks JSON lines both ways.

invocation.py          its command line and environment
dialect.py             what it says
outgoing_messages.py   what is said to it
decisions.py           its questions before a tool is used, and who answers them
permissions.py         its tools in our words, and what the policy says to a call
results.py             how a turn ended, and what it used
"""
