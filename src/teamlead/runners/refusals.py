"""Agents that are refused: they cannot ask before they use a tool, or cannot hold their own commands here."""

from collections.abc import Sequence

from teamlead.errors import Refused
from teamlead.ports.runner import RunSpec

UNHELD = "--dangerously-bypass-approvals-and-sandbox"
"""The user's own argument for a machine that is a sandbox itself."""
_UNHELD = {UNHELD, "--yolo"}
REMEDY = (
    "allow user namespaces, choose another agent, or where the machine is a sandbox itself "
    f"let roles that may write have the argument {UNHELD}"
)


def refuse_asking(agent: str, spec: RunSpec) -> None:
    """For programs that use a tool unasked, or not at all: a person's yes needs one that waits for it."""
    if spec.policy.asks:
        tools = ", ".join(spec.policy.asks)
        raise Refused(
            f"{agent} cannot ask before it uses a tool, as role {spec.role!r} must (asks: {tools})",
            remedy="choose claude or an agent that speaks ACP for the role, or take these tools away from it",
        )


def is_unheld(arguments: Sequence[str]) -> bool:
    return not _UNHELD.isdisjoint(arguments)


def cannot_hold(reason: str) -> str:
    return f"cannot hold its commands on this machine: {reason}"


def refuse_unheld(agent: str, reason: str, arguments: Sequence[str]) -> None:
    """`reason`: why the system does not let it hold its commands; "" if it does."""
    if reason and not is_unheld(arguments):
        raise Refused(f"{agent} {cannot_hold(reason)}", remedy=REMEDY)
