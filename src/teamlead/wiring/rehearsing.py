"""A rehearsal: the real leader and the real programs, on a clone, with models that follow a script."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from teamlead.core.events import Recorded
from teamlead.core.facts import Command, Resolve
from teamlead.core.model import Plan
from teamlead.core.roles import role_named
from teamlead.core.state import TeamState
from teamlead.errors import NotFound, Refused
from teamlead.rehearsal import faults, stage
from teamlead.rehearsal.acting import made_up
from teamlead.rehearsal.faults import Fault
from teamlead.rehearsal.server import ScriptedModel
from teamlead.rehearsal.stage import Stage
from teamlead.rehearsal.toml import written
from teamlead.runners.script import Player, Script, check_script
from teamlead.settings import consent
from teamlead.settings.loading import Origin, Settings
from teamlead.system.repository import Repository, claim, discover
from teamlead.system.sessions import SessionFolder
from teamlead.wiring.leading import Desk, Led, lead
from teamlead.wiring.opening import Wishes, open_session

STAND_IN = "the rehearsal, in your place"
SCRIPTED = "scripted"
REHEARSABLE = ("claude", "codex", "gemini", SCRIPTED)
"""Of other programs we do not know how to keep them from a real model."""
QUIET = 20.0
"""Seconds without a word that end a run, where a model is to hang."""


@dataclass(frozen=True)
class Piece:
    """What is to be rehearsed."""

    plan: Plan
    settings: Settings
    faults: Sequence[Fault] = ()
    script: Path | None = None
    """In place of made-up work."""
    checks: bool = False
    """Commands of the plan and the configuration are run."""


class Rehearsed(NamedTuple):
    led: Led
    faults: Sequence[Fault]
    """Each with the task and attempt that it was meant for."""
    requests: int


class Shown(Protocol):
    def observe(self, recorded: Sequence[Recorded], state: TeamState) -> None: ...


Screen = Callable[[SessionFolder], AbstractContextManager[Shown]]


def perform(repository: Repository, piece: Piece, place: Stage, screen: Screen) -> Rehearsed:
    placed = faults.place(piece.faults, piece.plan.tasks)
    settings = _settings(piece, placed, place)
    consent.require(repository.id, settings)
    # What the user allowed in the repository is allowed in its clone.
    settings = replace(settings, origins=dict.fromkeys(settings.origins, Origin("flag")))
    plan = _plan(piece, settings, place)
    place.script.write_text(written(_script(piece, placed, place, "agent")), encoding="utf-8")
    with (
        ScriptedModel(_script(piece, placed, place, "model")) as model,
        stage.environment(place, model.url),
    ):
        clone = claim(discover(place.root))
        folder = open_session(clone, settings, plan, Wishes(auto_approve=True))
        with screen(folder) as shown:
            desk = Desk(clone, folder, settings)
            led = lead(desk, "teamlead rehearse", observe=shown.observe, person=_stand_in)
        return Rehearsed(led, placed, sum(bool(request.task) for request in model.requests))


def _settings(piece: Piece, placed: Sequence[Fault], place: Stage) -> Settings:
    """Nobody waits longer than needed, and nothing runs but agents."""
    settings = piece.settings
    hangs = any(fault.kind == "hang" for fault in placed)
    return replace(
        settings,
        agent=_agent(settings.agent, place),
        attempts=max(settings.attempts, 1 + len(placed)),
        checks=settings.checks if piece.checks else (),
        post_create=settings.post_create if piece.checks else (),
        # What is not in git is not in the clone either.
        copy=(),
        link=(),
        retry_delay=min(settings.retry_delay, 0.5),
        idle_timeout=QUIET if hangs else settings.idle_timeout,
        grace=min(settings.grace, 2.0),
    )


def _plan(piece: Piece, settings: Settings, place: Stage) -> Plan:
    tasks = tuple(
        msgspec.structs.replace(
            task, agent=_agent(task.agent, place), checks=task.checks if piece.checks else ()
        )
        for task in piece.plan.tasks
    )
    for agent in dict.fromkeys(task.agent or settings.agent for task in tasks):
        kind = agent.partition(":")[0]
        if kind and kind not in REHEARSABLE:
            raise Refused(
                f"agent {agent!r} cannot be rehearsed: it could not be kept from a real model",
                remedy=f"rehearse with --agent {', '.join(REHEARSABLE)}",
            )
    return msgspec.structs.replace(piece.plan, tasks=tasks)


def _agent(agent: str, place: Stage) -> str:
    return f"{SCRIPTED}:{place.script}" if agent == SCRIPTED else agent


def _script(piece: Piece, placed: Sequence[Fault], place: Stage, player: Player) -> Script:
    tasks = piece.plan.tasks
    if piece.script is None:
        script: Script = {
            task.id: [made_up(task, role_named((), task.role).policy, lambda p: (place.root / p).is_dir())]
            for task in tasks
        }
    else:
        script = check_script(_read(piece.script), str(piece.script), player)
    return faults.staged(script, placed, tasks, player)


def _read(script: Path) -> str:
    try:
        return script.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotFound(f"cannot read the script {str(script)!r}: {error}") from error


async def _stand_in(state: TeamState) -> Command | None:
    """Agents get an answer, and another try; what the lead itself cannot decide is left to the user."""
    for record in state.open.values():
        if record.kind == "question":
            options = record.question.options if record.question else ()
            return Resolve(record.id, options[0] if options else "yes", by=STAND_IN)
        if record.kind == "agent":
            return Resolve(record.id, "retry", by=STAND_IN)
    return None
