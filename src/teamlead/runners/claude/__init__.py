"""Claude Code, as a program that talks JSON lines both ways.

invocation.py    its command line and environment
dialect.py       what it says, and what is said to it
permissions.py   its tools in our words, each call decided by the policy
results.py       how a turn ended, and what it used
"""

from teamlead.runners.claude.runner import ClaudeRunner

__all__ = ["ClaudeRunner"]
