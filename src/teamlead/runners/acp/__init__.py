"""Agents that speak the Agent Client Protocol, version 1: JSON-RPC over their standard input and output.

By hand: the protocol's own library needs pydantic, and one turn needs eight of its methods.

dialect.py        one turn: requests and answers both ways
opening.py        from the greeting to a session that is ready for its prompt
choices.py        mode, model and effort, whatever an agent calls them
decisions.py      each call that it asks about, decided by the policy or a person
permissions.py    its tools in our words, and our answers in its words
updates.py        what it tells while it works
costs.py          what a conversation has cost before
ends.py           how a turn ended
known_agents.py   what is known of some agents beyond the protocol
rpc.py            the frames
"""
