"""What the change alone says against an attempt's work.

Every reason goes into the agent's next prompt, so it says what to do differently.
"""

from collections.abc import Iterable

from teamlead.core.evidence.values import Evidence, Found
from teamlead.core.model import TaskSpec, ToolPolicy
from teamlead.core.policy.calls import may_change
from teamlead.core.policy.scope import names_exactly, outside, protected
from teamlead.core.quoting import in_a_line

SHOWN = 10
LINK, SUBMODULE = "120000", "160000"
STEERING = (".gitattributes", ".gitmodules")
"""Files that change how git reads every other file."""

WORKED = "an agent has worked on it"
CHANGED = "it is a change"
UNCHANGED = "nothing was changed, although the task requires a change"
IN_SCOPE = "only what it may change was changed"


def refusals(
    spec: TaskSpec, work: Found, policy: ToolPolicy, calls: int | None = None, *, must_change: bool
) -> tuple[Evidence, ...]:
    """Why this work does not hold; empty if nothing speaks against it. `calls` of tools: None is unknown."""
    changed = _wrong_change(work, must_change=must_change)
    idle = _idle(work, calls, must_change=must_change)
    return (
        *(Evidence("change", "refused", CHANGED, found) for found in changed),
        *(Evidence("scope", "refused", IN_SCOPE, found) for found in _beyond(spec, work, policy)),
        *(Evidence("activity", "refused", WORKED, found) for found in idle),
    )


def _wrong_change(work: Found, *, must_change: bool) -> Iterable[str]:
    if work.unmerged:
        yield f"an unfinished merge was left in {listed(work.unmerged)}: finish or abort it"
    if must_change and not work.commit:
        yield UNCHANGED


def _beyond(spec: TaskSpec, work: Found, policy: ToolPolicy) -> Iterable[str]:
    beyond = outside((change.path for change in work.changes), spec.scope)
    if beyond:
        allowed = ", ".join(spec.scope)
        yield f"changed outside the task's scope ({allowed}): {listed(beyond)}: undo these changes"
    kept = [change.path for change in work.changes if protected(change.path, spec.protects, spec.scope)]
    if kept:
        allowed = ", ".join(spec.protects)
        yield f"changed what the task has to leave as it is ({allowed}): {listed(kept)}: undo these changes"
    forbidden = [change.path for change in work.changes if not may_change(policy, change.path)]
    if forbidden:
        yield f"changed what the role {spec.role} may not change: {listed(forbidden)}: undo these changes"
    unnamed = [c for c in work.changes if not names_exactly(c.path, spec.scope)]
    links = [c.path for c in unnamed if c.after == LINK != c.before]
    if links:
        yield f"added symbolic links, which the scope must name explicitly: {listed(links)}"
    submodules = [c.path for c in unnamed if SUBMODULE in {c.before, c.after}]
    if submodules:
        what = "a nested repository or submodule, which the scope must name explicitly"
        yield f"added or changed {what}: {listed(submodules)}"
    steering = [c.path for c in unnamed if c.path.rsplit("/", 1)[-1] in STEERING]
    if steering:
        yield f"changed {listed(steering)}, which the scope must name explicitly: undo these changes"
    yield from (f"changed something outside of its copy: {trespass}" for trespass in work.trespasses)


def _idle(work: Found, calls: int | None, *, must_change: bool) -> Iterable[str]:
    if calls == 0 and not work.commit and not must_change:
        yield "no tool was used and nothing was changed: look at the repository itself, then report"


def listed(paths: Iterable[str]) -> str:
    names = list(paths)
    shown = ", ".join(map(in_a_line, names[:SHOWN]))
    return f"{shown} and {len(names) - SHOWN} more" if len(names) > SHOWN else shown
