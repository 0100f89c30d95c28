"""A change that no session made, looked at as if an agent had handed it in: by the same rules and code.

The rules are told what agents and checks came to, turn by turn. Nothing of it is kept.
"""

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.attempts.proof import evidence_of
from teamlead.core.evidence.values import Evidence, Found
from teamlead.core.model import Limits, Plan, SessionSpec, TaskSpec
from teamlead.core.runs import RunEnd
from teamlead.core.state.records import Attempt
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import step
from teamlead.engine.task_checks import Checks
from teamlead.evidence.clean_copies import CleanTrials
from teamlead.evidence.examiner import RepositoryExaminer
from teamlead.evidence.negative_control import CleanControl
from teamlead.evidence.proofs.prover import RunningProver, changed_files
from teamlead.ports.checking import Case, CheckEnd, Claim, Trials
from teamlead.sessions.clean_place import clean_place
from teamlead.sessions.preconditions import require_offline
from teamlead.settings import consent
from teamlead.settings.loading import Settings
from teamlead.system.clock import SteadyClock
from teamlead.system.file_modes import private_files
from teamlead.system.repository import Repository, claim
from teamlead.system.sessions import close_state
from teamlead.workspaces.proposed_changes import ProposedChange

TASK = "task-1"
SHOWN = 20
"""Lines of what a check that failed said."""
UNASKED = frozenset({"activity", "merged", "whole"})
"""Kinds of evidence that speak of agents, or of more than one change."""


class Asked(NamedTuple):
    task: TaskSpec
    """What was to be done, as far as anybody says: it has no title if nobody does."""
    said: str = ""
    """What is said of the change."""


class Examination(NamedTuple):
    evidence: tuple[Evidence, ...]

    @property
    def holds(self) -> bool:
        return not any(item.verdict in {"refused", "objected"} for item in self.evidence)


@private_files()
def examine(
    repository: Repository,
    settings: Settings,
    change: ProposedChange,
    asked: Asked,
    tell: Callable[[str], None],
) -> Examination:
    consent.require(repository.id, consent.asked(settings))
    require_offline(settings)
    repository = claim(repository)
    close_state(repository)
    return asyncio.run(_examine(repository, settings, change, asked, tell))


def _session(name: str, change: ProposedChange, asked: TaskSpec, limits: Limits) -> SessionSpec:
    task = replace(asked, title=asked.title or change.told)
    return SessionSpec(
        id=name,
        plan=Plan(task.title, task.description, (task,)),
        base_commit=change.base,
        target_branch="",
        agent="nobody",
        limits=limits,
    )


class _CleanPlaces:
    """Implements `engine.task_checks.Places`: on clean copies of the change."""

    def __init__(self, trials: Trials) -> None:
        self._trials = trials

    async def check(self, state: TeamState, effect: do.Check, _: Attempt, suffix: str) -> CheckEnd:
        limit = state.session.limits.check_timeout
        return await self._trials.run(effect.commit, effect.command, limit, repetition=int(bool(suffix)))


async def _examine(
    repository: Repository,
    settings: Settings,
    change: ProposedChange,
    asked: Asked,
    tell: Callable[[str], None],
) -> Examination:
    state = TeamState()
    git, clock = repository.git(), SteadyClock()
    async with clean_place(repository, settings, change.base) as place:
        _turn(state, f.Open(_session(place.name, change, asked.task, settings.limits())))
        trials = CleanTrials(place.copies, place.folder / "trials")
        control = CleanControl(git, place.copies, place.folder / "controls")
        checks = Checks(_CleanPlaces(trials), trials, control, clock)
        claim_made = Claim(
            task=asked.task,
            attempt=1,
            checks=asked.task.checks,
            text=asked.said,
            result=None,
            base=change.base,
            commit=change.commit,
            copies=(repository.root,),
            folder=place.folder / "attempt",
            own_git=git.git_dir,
            changes=changed_files(git, change.base, change.commit),
        )
        tell(f"looking at {change.told}")
        _turn(state, f.LeaderArrived(1, "prove"))
        _turn(state, f.CopyReady(TASK, 1, change.base))
        _turn(state, f.RunOver(f"{TASK}-1", RunEnd("ok", summary=asked.task.title or change.told)))
        examined = await RepositoryExaminer(git, place.name, secrets=place.secrets).examine(claim_made)
        tree = await place.workspace.tree(change.commit)
        found = Found(commit=change.commit, changes=claim_made.changes, tree=tree)
        _turn(state, f.WorkFound(TASK, 1, found, examined))
        prover = RunningProver(git, trials)
        await _carry_out(state, claim_made, checks, prover, tell)
    attempt = state.tasks[TASK].attempts[0]
    items = evidence_of(state, state.tasks[TASK], attempt)
    return Examination(tuple(_without_log(item, attempt) for item in items if _is_asked(item, asked)))


async def _carry_out(
    state: TeamState, claim_made: Claim, checks: Checks, prover: RunningProver, tell: Callable[[str], None]
) -> None:
    """What the rules ask for, one after the other."""
    attempt = state.tasks[TASK].attempts[0]
    limits = state.session.limits
    while (effect := state.due.get(attempt.due)) is not None:
        match effect:
            case do.Check():
                tell(f"running `{effect.command}`")
                _turn(state, await checks.run(state, effect))
            case do.Prove():
                tell("running it on variants of the change")
                case = Case(claim_made, tuple(attempt.checks), limits.check_timeout, limits.proof_times)
                _turn(state, f.WorkProved(TASK, 1, await prover.prove(case)))
            case _:
                return


def _without_log(item: Evidence, attempt: Attempt) -> Evidence:
    """Logs go with the folder: what a check that failed said last is told at once."""
    failed = (check for check in attempt.checks if not check.passed and f"`{check.command}`" in item.claim)
    said = next((check.output for check in failed), "") if item.kind == "check" else ""
    return replace(item, log="", details=(*item.details, *said.splitlines()[-SHOWN:]))


def _turn(state: TeamState, fact: f.AnyFact) -> None:
    turn = step(state, [fact], time.time())
    for refusal in turn.refusals.values():
        raise refusal


def _is_asked(item: Evidence, asked: Asked) -> bool:
    return item.kind not in UNASKED and (
        bool(asked.said) or item.kind not in {"report", "references", "claims"}
    )
