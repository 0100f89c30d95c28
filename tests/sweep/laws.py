"""What must hold in a world at its end, wherever its leaders were killed."""

import time
from collections import Counter
from typing import NamedTuple

from tests.sweep.world import LEAVING_PLAN, World

from teamlead.core.events import (
    ApprovalApplied,
    AttemptEnded,
    EscalationAnswered,
    EscalationResolved,
    TeamDeleted,
    WorkCollected,
)
from teamlead.sessions.replay import read_state
from teamlead.system.sessions import SessionFolder

PATIENCE = 10.0
"""Seconds until a bounded wait gives up."""


class Result(NamedTuple):
    """What has to be as if nothing had happened."""

    phase: str
    tree: str
    """Of the user's branch."""
    merged: tuple[str, ...]
    """The integration branch's first-parent history, by name: tasks may be merged in another order."""
    approvals: int
    answers: int
    reopened: tuple[str, ...]
    """Tasks that ran again, from the merged work."""
    moves: int
    """How often the user's branch moved."""
    own: tuple[str, ...]
    """What is the user's own, besides that branch."""


def result(world: World) -> Result:
    assert world.session is not None
    events = world.events()
    return Result(
        phase=str(world.view()["phase"]),
        tree=world.git("rev-parse", "main^{tree}"),
        merged=_merged(world, f"refs/heads/teamlead/{world.session.name}/integration"),
        approvals=sum(isinstance(event, ApprovalApplied) for event in events),
        answers=sum(isinstance(event, EscalationResolved | EscalationAnswered) for event in events),
        reopened=tuple(world.reopened),
        moves=len((world.root / ".git/logs/refs/heads/main").read_text().splitlines()),
        own=_own(world),
    )


def _merged(world: World, branch: str) -> tuple[str, ...]:
    tip = world.git("for-each-ref", "--format=%(objectname)", branch)
    return tuple(sorted(world.git("log", "--first-parent", "--format=%s", tip).splitlines())) if tip else ()


def _own(world: World) -> tuple[str, ...]:
    refs = world.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    files = [world.root / ".git" / name for name in ("HEAD", "config", "info/exclude")]
    return (
        *(ref for ref in refs if "/teamlead/" not in ref and not ref.startswith("refs/heads/main ")),
        *(file.read_text() for file in files),
        world.git("status", "--porcelain"),
        f"{world.git('worktree', 'list').count(str(world.place))} working trees",
    )


def broken_laws(world: World) -> list[str]:
    """In words; none if all hold."""
    return [
        *(f"still alive: {line}" for line in still_alive(world).values()),
        *(f"{run} ran {times} times" for run, times in _runs(world).items() if times > 1),
        *(f"an agent met an earlier one alive: {run}" for run in world.marked("overlaps")),
        *(f"nowhere to be found: {text!r}" for text in sorted(_lost(world))),
        *(f"collected, and on no ref: {commit}" for commit in sorted(_unreachable(world))),
        *_damage(world),
        *_team_left(world),
    ]


def _team_left(world: World) -> list[str]:
    """A team is deleted once, after everything else that can happen to its members."""
    if world.plan != LEAVING_PLAN:
        return []
    events = world.events()
    deleted = [number for number, event in enumerate(events) if isinstance(event, TeamDeleted)]
    after = [event for event in events[deleted[0] :] if isinstance(event, AttemptEnded)] if deleted else []
    return [f"the team was deleted {len(deleted)} times, and {after} came after it"] * (
        len(deleted) != 1 or bool(after)
    )


def still_alive(world: World) -> dict[int, str]:
    deadline = time.monotonic() + PATIENCE
    while (found := world.processes()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return found


def _runs(world: World) -> Counter[str]:
    return Counter(line.rpartition(" ")[0] for line in world.marked("runs"))


def _lost(world: World) -> set[str]:
    """What agents wrote is on a ref, in a copy, or was in the hands of a later run in the same copy."""
    objects = world.git("rev-list", "--objects", "--all", "--no-object-names")
    contents = world.git("cat-file", "--batch=%(objecttype)", stdin=objects).splitlines()
    files = world.place.glob("state/teamlead/*/copies/*/*/*.txt")
    in_copies = [line for file in files for line in file.read_text().splitlines()]
    return set(world.marked("written")) - {*contents, *in_copies, *world.marked("seen")}


def _unreachable(world: World) -> set[str]:
    collected = {event.work.commit for event in world.events() if isinstance(event, WorkCollected)} - {""}
    return collected - set(world.git("rev-list", "--all").splitlines())


def _damage(world: World) -> list[str]:
    assert world.session is not None
    world.git("fsck", "--strict", "--no-dangling", "--no-progress")
    folded, shown = read_state(SessionFolder(world.session)).phase, world.view()["phase"]
    locks = [path for path in (world.root / ".git").rglob("*.lock") if path.parent.name != "teamlead"]
    return [
        *([f"the journal folds to {folded}, its rows say {shown}"] if folded != shown else []),
        *(f"left locked: {path}" for path in locks),
    ]
