"""Runs of the planner's agent: each in a clean copy of the last commit, which it may only read.

Whatever ends this process, the agents' wardens end them; a copy that was left behind goes with the next
planning, or with `teamlead clean`.
"""

import asyncio
import os
import signal
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from teamlead.core.budget import Purse, amount, left_of
from teamlead.core.model import Plan, SessionSpec, TaskSpec
from teamlead.core.runs import Consultant, RunEnd
from teamlead.core.staffing import Staff, kind_of
from teamlead.errors import Failed, TeamleadError, UsageError
from teamlead.journal.lease import acquire
from teamlead.ports import RunSpec
from teamlead.prompts.library import Templates, load_templates
from teamlead.runners.registry import runner_for
from teamlead.settings import consent
from teamlead.settings.loading import Settings
from teamlead.settings.roles import roles
from teamlead.system.environment import work_for
from teamlead.system.file_modes import private_files
from teamlead.system.git import read_settings
from teamlead.system.processes import prepare
from teamlead.system.repository import Repository, require_startable
from teamlead.system.secrets import secrets_in
from teamlead.system.sessions import close_state
from teamlead.system.user_folders import state_home
from teamlead.wiring.allowing import all_asked
from teamlead.wiring.consultants import able
from teamlead.wiring.disk_space import require_disk_space
from teamlead.wiring.holds import UserHolds
from teamlead.wiring.planner_holds import Patience
from teamlead.wiring.planner_sessions import PlannerFolder, all_plannings
from teamlead.wiring.rooms import house_of
from teamlead.wiring.staffing import Tell, staff, staffed_with
from teamlead.workspaces.git_workspace import GitWorkspace

PLANNER: Consultant = "planner"
COMMAND = "teamlead plan"

Result = TypeVar("Result")


def planner_of(settings: Settings, tell: Tell) -> Staff:
    """The agent that plans, checked. Raises where there is none, or where it cannot plan."""
    task = TaskSpec("task-1", PLANNER, role=PLANNER)
    draft = SessionSpec(
        id="",
        plan=Plan("", "", (task,)),
        base_commit="",
        target_branch="",
        agent=settings.agent,
        model=settings.model,
        effort=settings.effort,
        arguments=settings.arguments,
        roles=roles(settings),
    )
    session = staff(draft, settings, tell).session
    found = staffed_with(session, session.plan.tasks[0])
    if not able(session, PLANNER):
        raise UsageError(
            f"the agent {found.agent!r} does not plan",
            remedy="name one that does with --agent, or as `agent` of [roles.planner] in the configuration",
        )
    return found


class ConversationLost(Failed):
    """What was to be continued is not there any more."""


class Word(NamedTuple):
    text: str
    conversation: str
    """In which it was said, if it can be continued."""


@dataclass
class Planner:
    """An agent that plans, for one planning."""

    folder: PlannerFolder
    commit: str
    staff: Staff
    templates: Templates
    _settings: Settings
    _workspace: GitWorkspace
    _purse: Purse
    _patience: Patience

    def ask(self, prompt: str, number: int, conversation: str = "") -> Word:
        """Its last words, once it may be asked. Raises Failed if it does not come to them."""
        interruptible(self._patience.wait())
        started = time.monotonic()
        end = interruptible(self._run(prompt, number, conversation))
        spent = amount(end.usage, time.monotonic() - started, end.turns)
        self._purse.spent = self._purse.spent.plus(spent)
        self._patience.heed(end)
        if conversation and end.status == "lost":
            raise ConversationLost(f"{self.staff.agent} has forgotten what was said: {end.detail}")
        if end.status != "ok":
            raise Failed(
                f"{self.staff.agent} gave no answer ({end.status}): {end.detail or 'without a word'}",
                remedy=f"what it said is in {self.folder.run(number)}",
            )
        return Word(end.report or end.summary, end.conversation)

    async def _run(self, prompt: str, number: int, conversation: str) -> RunEnd:
        runner = runner_for(self.staff.agent)
        async with self._workspace.borrow(self.commit, provided=False) as loan:
            spec = self._spec(prompt, number, loan.path)._replace(room=loan.room)
            handle = await runner.start(spec._replace(conversation=conversation))
            try:
                return await handle.result()
            except asyncio.CancelledError:
                await handle.cancel(self._settings.grace)
                await handle.result()
                raise

    def _spec(self, prompt: str, number: int, copy: Path) -> RunSpec:
        return RunSpec(
            session=self.folder.id,
            task=PLANNER,
            attempt=number,
            role=PLANNER,
            model=self.staff.model,
            prompt=prompt,
            cwd=copy,
            folder=self.folder.run(number),
            hard_timeout=self._settings.hard_timeout,
            idle_timeout=self._settings.idle_timeout,
            slot=0,
            effort=self.staff.effort,
            arguments=self.staff.arguments,
            policy=self.staff.policy,
            scope=(),
            budget=left_of([self._purse]),
            home=self.folder.path / "homes" / PLANNER,
            secrets=secrets_in(os.environ),
        )


@contextmanager
def planner(
    repository: Repository, settings: Settings, staffed: Staff, folder: PlannerFolder, tell: Tell
) -> Iterator[Planner]:
    """Nobody else goes on with this planning meanwhile."""
    work_for(repository.common_dir)
    close_state(repository, folder.path)
    templates = load_templates(repository.root)
    consent.require(repository.id, all_asked(settings, templates))
    start = require_startable(repository)
    require_disk_space(repository, start.commit, 1, settings.min_free_space)
    _tidy(repository)
    with (
        private_files(),
        acquire(folder.path, COMMAND),
        _workspace(repository, folder, settings) as workspace,
    ):
        prepare()
        interruptible(workspace.tidy())
        purse = Purse(f"role:{PLANNER}", staffed.budget, staffed.budget)
        shared = UserHolds(state_home() / "holds", time.time)
        patience = Patience(kind_of(staffed.agent), shared, tell)
        yield Planner(
            folder=folder,
            commit=start.commit,
            staff=staffed,
            templates=templates,
            _settings=settings,
            _workspace=workspace,
            _purse=purse,
            _patience=patience,
        )


def _tidy(repository: Repository) -> None:
    """What plannings that were killed left behind. What cannot be removed now stays for the next."""
    for folder in all_plannings(repository):
        if (repository.state_dir / "copies" / folder.id).is_dir():
            with (
                suppress(TeamleadError),
                acquire(folder.path, COMMAND),
                _workspace(repository, folder, None) as workspace,
            ):
                interruptible(workspace.tidy())


def _workspace(repository: Repository, folder: PlannerFolder, settings: Settings | None) -> GitWorkspace:
    return GitWorkspace(
        repository,
        read_settings(repository.root),
        session=folder.id,
        base_commit="",
        copies=repository.state_dir / "copies" / folder.id,
        logs=folder.path / "copies",
        house=house_of(repository, settings) if settings else None,
    )


def interruptible(work: Coroutine[Any, Any, Result]) -> Result:
    """A closed terminal and a polite end are as good as Ctrl-C: what was begun is put away."""

    async def run() -> Result:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, task.cancel)
        return await work

    try:
        return asyncio.run(run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
