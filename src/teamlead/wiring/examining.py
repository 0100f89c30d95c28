"""A change that no session made, looked at as if an agent had handed it in: by the same rules and code.

The rules are told what agents and checks came to, turn by turn. Nothing of it is kept.
"""

import asyncio
import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack
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
from teamlead.evidence.checks import ShellChecker
from teamlead.evidence.clean_copies import CleanCopies, CleanTrials
from teamlead.evidence.examiner import RepositoryExaminer
from teamlead.evidence.negative_control import CleanControl
from teamlead.evidence.proofs.prover import RunningProver, changed_files
from teamlead.ports.checking import Case, CheckEnd, Claim, Trials
from teamlead.ports.leadership import Epoch
from teamlead.sessions.desk import Desk
from teamlead.sessions.preconditions import require_offline
from teamlead.settings import consent
from teamlead.system.clock import SteadyClock
from teamlead.system.file_modes import private_files
from teamlead.system.repository import claim
from teamlead.system.sessions import SessionFolder, close_state, new_session_id
from teamlead.wiring.leader_parts import secrets_of, workspace_of
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.proposed_changes import ProposedChange

TASK = "task-1"
SHOWN = 20
"""Lines of what a check that failed said."""
UNASKED = frozenset({"activity", "merged", "whole"})
"""Kinds of evidence that speak of agents, or of more than one change."""


class Asked(NamedTuple):
    task: TaskSpec
    """What was to be done, as far as anybody says."""
    said: str = ""
    """What is said of the change."""


class Examination(NamedTuple):
    evidence: tuple[Evidence, ...]

    @property
    def holds(self) -> bool:
        return not any(item.verdict in {"refused", "objected"} for item in self.evidence)


@private_files()
def examine(desk: Desk, change: ProposedChange, asked: Asked, tell: Callable[[str], None]) -> Examination:
    """`desk`: of the repository and its settings; its folder is a new one that nobody sees."""
    settings = desk.settings
    assert settings is not None, "checks run as the settings say"
    consent.require(desk.repository.id, consent.asked(settings))
    require_offline(settings)
    repository = claim(desk.repository)
    close_state(repository)
    name = f"prove-{new_session_id(time.time())}"
    desk = desk._replace(repository=repository, folder=SessionFolder(repository.state_dir / "proofs" / name))
    desk.folder.path.mkdir(parents=True)
    state = TeamState()
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, desk.folder.path, ignore_errors=True)
        _turn(state, f.Open(_session(name, change, asked.task, settings.limits())))
        workspace = stack.enter_context(workspace_of(desk, state, Epoch(), secrets_of(desk)))
        return asyncio.run(_examine(desk, state, workspace, asked, change, tell=tell))


def _session(name: str, change: ProposedChange, task: TaskSpec, limits: Limits) -> SessionSpec:
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
    desk: Desk,
    state: TeamState,
    workspace: GitWorkspace,
    asked: Asked,
    change: ProposedChange,
    *,
    tell: Callable[[str], None],
) -> Examination:
    git, clock, secrets = desk.repository.git(), SteadyClock(), secrets_of(desk)
    checker = ShellChecker(network=desk.settings is None or desk.settings.check_network, secrets=secrets)
    copies = CleanCopies(workspace, checker, first_slot=1)
    trials = CleanTrials(copies, desk.folder.path / "trials")
    control = CleanControl(git, copies, desk.folder.path / "controls")
    checks = Checks(_CleanPlaces(trials), trials, control, clock)
    examiner = RepositoryExaminer(git, state.session.id, secrets=secrets)
    claim_made = Claim(
        task=asked.task,
        attempt=1,
        checks=asked.task.checks,
        text=asked.said,
        result=None,
        base=change.base,
        commit=change.commit,
        copies=(desk.repository.root,),
        folder=desk.folder.attempts / "task-1-1",
        changes=changed_files(git, change.base, change.commit),
    )
    tell(f"looking at {change.told}")
    _turn(state, f.LeaderArrived(1, "prove"))
    _turn(state, f.CopyReady(TASK, 1, change.base))
    _turn(state, f.RunOver(f"{TASK}-1", RunEnd("ok", summary=asked.task.title)))
    examined = await examiner.examine(claim_made)
    found = Found(commit=change.commit, changes=claim_made.changes, tree=await workspace.tree(change.commit))
    _turn(state, f.WorkFound(TASK, 1, found, examined))
    attempt = state.tasks[TASK].attempts[0]
    while (effect := state.due.get(attempt.due)) is not None:
        match effect:
            case do.Check():
                tell(f"running `{effect.command}`")
                _turn(state, await checks.run(state, effect))
            case do.Prove():
                tell("running it on variants of the change")
                case = Case(
                    claim=claim_made,
                    checks=tuple(attempt.checks),
                    timeout=state.session.limits.check_timeout,
                    times=state.session.limits.proof_times,
                )
                proofs = await RunningProver(git, trials).prove(case)
                _turn(state, f.WorkProved(TASK, 1, proofs))
            case _:
                break
    items = evidence_of(state, state.tasks[TASK], attempt)
    return Examination(tuple(_without_log(item, attempt) for item in items if _is_asked(item, asked)))


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
