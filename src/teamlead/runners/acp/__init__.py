"""Agents that speak the Agent Client Protocol, version 1: JSON-RPC over their standard input and output.

By hand: the protocol's own library needs pydantic, and one turn needs eight of its methods.

dialect.py        one turn: requests and answers both ways
opening.py        from the greeting to a session that is ready for its prompt, in its mode, model and effort
permissions.py    each call that it asks about, in our words, decided by the policy or a person
updates.py        what it tells while it works
ends.py           how a turn ended, and what a conversation has cost before
known_agents.py   what is known of some agents beyond the protocol
rpc.py            the frames
"""
