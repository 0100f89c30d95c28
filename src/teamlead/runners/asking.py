"""A person's yes before each use of a tool needs a program that waits for it."""

from teamlead.errors import Refused
from teamlead.ports import RunSpec


def refuse_asking(agent: str, spec: RunSpec) -> None:
    """For programs that use a tool unasked, or not at all."""
    if spec.policy.asks:
        tools = ", ".join(spec.policy.asks)
        raise Refused(
            f"{agent} cannot ask before it uses a tool, as role {spec.role!r} must (asks: {tools})",
            remedy="choose claude or an agent that speaks ACP for the role, or take these tools away from it",
        )
