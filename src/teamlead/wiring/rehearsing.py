"""A rehearsal: the real leader and the real programs, on a clone, with models that follow a script."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, get_args

import msgspec

from teamlead.core.events import Recorded
from teamlead.core.facts import Command, Resolve
from teamlead.core.model import Plan
from teamlead.core.roles import role_named
from teamlead.core.runs import Consultant
from teamlead.core.state.team_state import TeamState
from teamlead.errors import NotFound, Refused
from teamlead.prompts.library import load_templates
from teamlead.rehearsal import faults, rehearsal_clone
from teamlead.rehearsal.faults import Fault
from teamlead.rehearsal.made_up_work import CONTENT, made_up
from teamlead.rehearsal.rehearsal_clone import RehearsalClone
from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.script import Script, check_script, script_text
from teamlead.runners.script_steps import Player
from teamlead.sessions.desk import Desk
from teamlead.sessions.opening import Wishes, open_session
from teamlead.sessions.preconditions import all_asked
from teamlead.sessions.staffing import Tell
from teamlead.settings import consent
from teamlead.settings.loading import Settings, load
from teamlead.settings.roles import roles
from teamlead.system.repository import Repository, claim, discover
from teamlead.system.sessions import SessionFolder
from teamlead.wiring.leader_process import Led
from teamlead.wiring.leadership import lead

STAND_IN = "the rehearsal, in your place"
SCRIPTED = "scripted"
REHEARSABLE = ("claude", "codex", "gemini", SCRIPTED)
"""Of other programs we do not know how to keep them from a real model."""
QUIET = 20
"""Seconds without a word that end a run, where a model is to hang."""


@dataclass(frozen=True)
class Piece:
    """What is to be rehearsed."""

    plan: Plan
    flags: Mapping[str, object]
    """Settings that the user gave for this rehearsal."""
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


def perform(
    repository: Repository, piece: Piece, place: RehearsalClone, screen: Screen, tell: Tell
) -> Rehearsed:
    """`tell` gets what `start` would say before agents begin."""
    all_judged = load(repository.root, piece.flags).judge in {"all", "undecided"}
    placed = faults.place(piece.faults, piece.plan.tasks, all_judged=all_judged)
    settings = load(repository.root, {**piece.flags, **_hurry(piece, placed, place)})
    consent.require(repository.id, all_asked(settings, load_templates(repository.root)))
    plan = _plan(piece, place)
    _require_rehearsable(settings, plan)
    place.script.write_text(script_text(_script(piece, placed, settings, place, "agent")), encoding="utf-8")
    with (
        ScriptedModel(_script(piece, placed, settings, place, "model"), remembers=0) as model,
        rehearsal_clone.environment(place, model.url),
    ):
        clone = claim(discover(place.root))
        # What the user allowed in the repository is allowed in its clone.
        consent.allow(clone.id, all_asked(settings, load_templates(clone.root)))
        folder = open_session(clone, settings, plan, Wishes(auto_approve=True), tell)
        with screen(folder) as shown:
            desk = Desk(clone, folder, settings)
            led = lead(desk, "teamlead rehearse", observe=shown.observe, person=_stand_in)
        return Rehearsed(led, placed, model.asked)


def _hurry(piece: Piece, placed: Sequence[Fault], place: RehearsalClone) -> dict[str, object]:
    """Nobody waits longer than needed, no failure goes to the user too early, and nothing runs but agents."""
    flags: dict[str, object] = {"retry_delay": 0.5, "grace": 2, "question_wait": 1, "keep_awake": False}
    # Its checks run in the clone when work is there to be checked.
    flags["preflight"] = False
    # What is not in git is not in the clone either.
    flags |= {"copy": [], "link": []}
    if piece.flags.get("agent") == SCRIPTED:
        flags["agent"] = _agent(SCRIPTED, place)
    if not piece.checks:
        flags |= {"checks": [], "post_create": []}
    if placed:
        flags["attempts"] = 1 + len(placed)
    if any(fault.kind == "hang" for fault in placed):
        flags["idle_timeout"] = QUIET
    return flags


def _plan(piece: Piece, place: RehearsalClone) -> Plan:
    replace = msgspec.structs.replace
    tasks = [replace(task, agent=_agent(task.agent, place)) for task in piece.plan.tasks]
    if not piece.checks:
        # What only commands say nobody judges: made-up work would have to pass them.
        tasks = [replace(task, acceptance=task.criteria, checks=()) for task in tasks]
    return replace(piece.plan, tasks=tuple(tasks))


def _agent(agent: str, place: RehearsalClone) -> str:
    return f"{SCRIPTED}:{place.script}" if agent == SCRIPTED else agent


def _require_rehearsable(settings: Settings, plan: Plan) -> None:
    named = {role.name: role.agent for role in roles(settings)}
    agents = {role: named.get(role, "") for role in get_args(Consultant)}
    agents |= {task.id: task.agent or named.get(task.role) or settings.agent for task in plan.tasks}
    for who, agent in agents.items():
        if agent and agent.partition(":")[0] not in REHEARSABLE:
            raise Refused(
                f"{who}: agent {agent!r} cannot be rehearsed: nothing would keep it from a real model",
                remedy=f"only {', '.join(REHEARSABLE)} can",
            )


def _script(
    piece: Piece, placed: Sequence[Fault], settings: Settings, place: RehearsalClone, player: Player
) -> Script:
    tasks = piece.plan.tasks
    if piece.script is not None:
        script = check_script(_read(piece.script), str(piece.script), player)
    else:
        known = roles(settings)
        work = {task.id: [made_up(task, role_named(task.role, known).policy, place.root)] for task in tasks}
        script = work | CONTENT
    return faults.staged(script, placed, tasks, player)


def _read(script: Path) -> str:
    try:
        return script.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotFound(f"cannot read the script {str(script)!r}: {error}") from error


async def _stand_in(state: TeamState) -> Command | None:
    """Agents get an answer, and another try; what the lead itself cannot decide is left to the user."""
    for record in state.open.values():
        if record.kind in {"question", "permission"}:
            options = record.question.options if record.question else ()
            return Resolve(record.id, options[0] if options else "yes", by=STAND_IN)
        if record.kind in {"agent", "judge"}:
            return Resolve(record.id, "retry", by=STAND_IN)
    return None
