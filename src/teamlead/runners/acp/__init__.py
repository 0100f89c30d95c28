"""Agents that speak the Agent Client Protocol, version 1: JSON-RPC over their standard input and output.

By hand: the protocol's own library needs pydantic, and one turn needs six of its methods.
"""
