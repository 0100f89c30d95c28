"""Whether the work an attempt left can be accepted, as far as code can tell from the change alone.

Every reason goes into the agent's next prompt, so it says what to do differently.
"""

from collections.abc import Iterable

from teamlead.core.facts import CheckEnded, WorkFound
from teamlead.core.model import TaskSpec, ToolPolicy
from teamlead.core.policy import may_change
from teamlead.core.scope import names_exactly, outside

SHOWN = 10
LINK, SUBMODULE = "120000", "160000"
STEERING = (".gitattributes", ".gitmodules")
"""Files that change how git reads every other file."""


def refusals(spec: TaskSpec, work: WorkFound, policy: ToolPolicy) -> tuple[str, ...]:
    """Why this work does not hold; empty if nothing speaks against it."""
    reasons = []
    if work.unmerged:
        reasons.append(f"an unfinished merge was left in {listed(work.unmerged)}: finish or abort it")
    if not work.commit and spec.needs_change:
        reasons.append("nothing was changed, although the task requires a change")
    beyond = outside((change.path for change in work.changes), spec.scope)
    if beyond:
        allowed = ", ".join(spec.scope)
        reasons.append(f"changed outside the task's scope ({allowed}): {listed(beyond)}: undo these changes")
    forbidden = [change.path for change in work.changes if not may_change(policy, change.path)]
    if forbidden:
        reasons.append(
            f"changed what the role {spec.role} may not change: {listed(forbidden)}: undo these changes"
        )
    links = [c.path for c in work.changes if c.after == LINK != c.before]
    if links:
        reasons.append(f"added symbolic links, which are not accepted: {listed(links)}")
    submodules = [c.path for c in work.changes if SUBMODULE in {c.before, c.after}]
    if submodules:
        reasons.append(f"added or changed a nested repository or submodule: {listed(submodules)}")
    steering = [
        c.path
        for c in work.changes
        if c.path.rsplit("/", 1)[-1] in STEERING and not names_exactly(c.path, spec.scope)
    ]
    if steering:
        reasons.append(
            f"changed {listed(steering)}, which the scope must name explicitly: undo these changes"
        )
    reasons += [f"changed something outside of its copy: {trespass}" for trespass in work.trespasses]
    return tuple(reasons)


def check_failure(check: CheckEnded) -> str:
    ended = "did not end in time" if check.exit_code is None else f"failed with exit code {check.exit_code}"
    output = f":\n{check.output}" if check.output else ""
    return f"the check `{check.command}` {ended}{output}"


def listed(paths: Iterable[str]) -> str:
    names = list(paths)
    shown = ", ".join(names[:SHOWN])
    return f"{shown} and {len(names) - SHOWN} more" if len(names) > SHOWN else shown
