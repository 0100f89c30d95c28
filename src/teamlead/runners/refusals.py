"""Who is refused where the system does not let a program hold its own commands."""

from collections.abc import Sequence

from teamlead.errors import Refused

UNHELD = "--dangerously-bypass-approvals-and-sandbox"
"""The user's own argument for a machine that is a sandbox itself."""
_UNHELD = {UNHELD, "--yolo"}
REMEDY = (
    "allow user namespaces, choose another agent, or where the machine is a sandbox itself "
    f"let roles that may write have the argument {UNHELD}"
)


def is_unheld(arguments: Sequence[str]) -> bool:
    return not _UNHELD.isdisjoint(arguments)


def cannot_hold(reason: str) -> str:
    return f"cannot hold its commands on this machine: {reason}"


def refuse_unheld(agent: str, reason: str, arguments: Sequence[str]) -> None:
    """`reason`: why the system does not let it; empty: it does."""
    if reason and not is_unheld(arguments):
        raise Refused(f"{agent} {cannot_hold(reason)}", remedy=REMEDY)
