"""Runs a session's leader in this process, until there is nothing left that it can do."""

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache, partial

from teamlead.core.events import Recorded
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.engine.leader import Leader
from teamlead.engine.parts import Briefing, Observer, Parts, Person
from teamlead.engine.stopping import End
from teamlead.errors import LeaseHeld
from teamlead.evidence.checks import ShellChecker
from teamlead.evidence.clean_copies import CleanCopies, CleanTrials
from teamlead.evidence.examiner import RepositoryExaminer
from teamlead.evidence.negative_control import CleanControl
from teamlead.journal.inbox import SqliteInbox
from teamlead.journal.lease import Lease, acquire, holder
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.rooms import House
from teamlead.ports.team import Listener, TeamServerPort
from teamlead.prompts.dependencies import long_results
from teamlead.prompts.library import Templates, load_templates
from teamlead.prompts.worker import Circumstances, continuation_prompt, worker_prompt
from teamlead.runners.registry import runner_for
from teamlead.sessions.account_holds import UserHolds
from teamlead.sessions.agent_rooms import house_of
from teamlead.sessions.desk import Desk
from teamlead.sessions.disk_space import require_disk_space_to_resume, watch_disk_space
from teamlead.sessions.excerpts import read_excerpts
from teamlead.sessions.preconditions import all_asked, require_offline
from teamlead.sessions.projections import Projections
from teamlead.sessions.replay import fold
from teamlead.settings import consent
from teamlead.system.awake import Vigil
from teamlead.system.clock import SteadyClock
from teamlead.system.environment import work_for
from teamlead.system.file_modes import private_files
from teamlead.system.git import read_settings
from teamlead.system.notifying import CommandNotifier
from teamlead.system.process_limits import Threads, raise_limit
from teamlead.system.processes import prepare
from teamlead.system.secrets import Known, Secrets, known_secrets
from teamlead.system.sessions import SessionFolder, close_state
from teamlead.system.user_folders import state_home
from teamlead.views.rows import view_rows
from teamlead.wiring.consulting import consulting
from teamlead.workspaces.fence import Leadership
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.provisions import Provisions

APPLYING = "teamlead, applying a command"
INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
PATIENCE = 5.0
POLL = 0.01


@dataclass(frozen=True)
class Led:
    end: End
    state: TeamState
    warning: str
    """What went wrong beside the work itself; empty if nothing did."""
    changed_files: tuple[str, ...] = ()
    """In the user's checkouts, while agents worked that could get at them."""


@private_files()
def lead(
    desk: Desk,
    command: str,
    *,
    staffed: bool = True,
    linger: bool = False,
    observe: Observer | None = None,
    person: Person | None = None,
) -> Led:
    """Takes the lease; raises LeaseHeld if somebody else leads."""
    templates = load_templates(desk.repository.root) if staffed else Templates()
    if staffed:
        assert desk.settings is not None
        consent.require(desk.repository.id, all_asked(desk.settings, templates, fixed=False))
        require_offline(desk.settings)
    work_for(desk.repository.common_dir)
    close_state(desk.repository, desk.folder.path)
    floor = desk.settings.min_free_space if desk.settings else 0
    with (
        _lease(desk.folder, command, patient=staffed) as lease,
        closing(SqliteJournal.open(desk.folder.journal)) as journal,
        SqliteInbox.lead(desk.folder.inbox) as inbox,
    ):
        if staffed:
            raise_limit()
            prepare()
        state = fold(journal.read(), str(journal.path))
        require_disk_space_to_resume(desk.repository, state, floor)
        vigil = Vigil(f"a team is at work on {desk.repository.main_root}")
        clock = SteadyClock(after=state.updated_at)
        holds = UserHolds(state_home() / "holds", clock.now)
        projections = Projections(desk.repository, journal, state)
        secrets = _secrets(desk)
        workspace = _workspace(desk, state, Leadership(journal.epoch, journal.verify, journal.rise), secrets)
        checker = ShellChecker(network=_network(desk), secrets=secrets)
        require_disk_space = watch_disk_space(desk.repository, floor)
        clean = CleanCopies(
            workspace,
            checker,
            first_slot=state.session.limits.live_attempts,
            conditions=_conditions(desk, state),
            require_disk_space=require_disk_space,
        )
        parts = Parts(
            journal=journal,
            inbox=inbox,
            workspace=workspace,
            runner_for=lru_cache(runner_for),
            checker=checker,
            trials=CleanTrials(clean, desk.folder.path / "trials"),
            examiner=_examiner(desk, state, secrets),
            control=CleanControl(desk.repository.git(), clean, desk.folder.path / "controls"),
            clock=clock,
            view=view_rows,
            prompt=partial(_prompt, sparse=_sparse(desk), report=_all_report(desk), templates=templates),
            long_results=long_results,
            consulting=consulting(templates, Secrets({}, secrets)),
            attempts=desk.folder.attempts,
            observe=_awake(desk, vigil, _all(holds.follow, projections.following(observe))),
            person=person,
            homes=desk.folder.path / "homes",
            held=holds.held,
            radar=desk.settings.radar if desk.settings else 0.0,
            permission_wait=desk.settings.permission_wait if desk.settings else 0.0,
            team=partial(_team_server, desk, secrets),
            secrets=secrets,
            excerpts=read_excerpts,
            notifier=CommandNotifier(desk.repository.main_root),
            require_disk_space=require_disk_space,
        )
        leader = Leader(state, parts, staffed=staffed, linger=linger)
        who = f"pid {lease.holder.pid} on {lease.holder.host}"
        with projections, workspace, vigil:
            try:
                end = asyncio.run(_run(leader, who, journal.epoch))
            except Exception:
                # What a leader stumbles over once it was replaced is the other one's doing.
                journal.verify()
                raise
    return Led(end, state, projections.problem, workspace.changed_files)


def _lease(folder: SessionFolder, command: str, *, patient: bool) -> Lease:
    """A leader waits for a command that is just being applied; another leader it does not wait for."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return acquire(folder.path, command)
        except LeaseHeld:
            held = holder(folder.path)
            # One that has not written its name yet has only just come.
            passing = held is None or held.command in {APPLYING, ""}
            if not (patient and passing) or time.monotonic() > deadline:
                raise
            time.sleep(POLL)


def _prompt(
    state: TeamState, task: Task, briefing: Briefing, *, sparse: bool, report: bool, templates: Templates
) -> str:
    write = continuation_prompt if briefing.continues else worker_prompt
    found = tuple(name for name in INSTRUCTIONS if (briefing.copy / name).is_file())
    lent = tuple((each.excerpt, each.text) for each in briefing.lent)
    return write(
        state,
        task,
        Circumstances(
            team=briefing.team,
            sparse=sparse,
            instructions=found,
            lent=lent,
            report=report,
            templates=templates,
        ),
    )


def _team_server(desk: Desk, secrets: Known, listener: Listener) -> TeamServerPort:
    from teamlead.mcp.server import TeamServer as Server  # noqa: PLC0415 - only where an agent needs it

    patience = desk.settings.question_wait if desk.settings else 0.0
    return Server(listener, patience=patience, environment=os.environ, known=secrets)


def _all(*observers: Observer) -> Observer:
    def observe(recorded: Sequence[Recorded], state: TeamState) -> None:
        for observer in observers:
            observer(recorded, state)

    return observe


def _sparse(desk: Desk) -> bool:
    return desk.settings is not None and desk.settings.sparse


def _awake(desk: Desk, vigil: Vigil, observe: Observer) -> Observer:
    """The machine may sleep while only a person can move things."""
    if desk.settings is None or not desk.settings.keep_awake:
        return observe

    def observer(recorded: Sequence[Recorded], state: TeamState) -> None:
        vigil.keep(wanted=bool(state.leader and (state.active or state.startable or state.checking_whole)))
        observe(recorded, state)

    return observer


def _network(desk: Desk) -> bool:
    return desk.settings is None or desk.settings.check_network


def _provisions(desk: Desk) -> Provisions:
    given = desk.settings
    return Provisions(given.post_create, given.copy, given.link) if given else Provisions()


def _secrets(desk: Desk) -> Known:
    return known_secrets(desk.repository.root, desk.settings.copy if desk.settings else ())


def _examiner(desk: Desk, state: TeamState, secrets: Known) -> RepositoryExaminer:
    git, session = desk.repository.git(), state.session.id
    return RepositoryExaminer(git, session, all_report=_all_report(desk), secrets=secrets)


def _all_report(desk: Desk) -> bool:
    return desk.settings is not None and desk.settings.require_reports


def _conditions(desk: Desk, state: TeamState) -> str:
    """What a run on a clean copy depends on, beside the command and the files."""
    house = _house(desk, state)
    seen = (house.kind, house.strict, house.exposed) if house else None
    return repr((_provisions(desk), _network(desk), seen))


def _house(desk: Desk, state: TeamState) -> House | None:
    """Who only decides starts nothing in a copy."""
    return house_of(desk.repository, desk.settings, strict=state.session.strict) if desk.settings else None


def _workspace(desk: Desk, state: TeamState, leadership: Leadership, secrets: Known) -> GitWorkspace:
    given = desk.settings
    return GitWorkspace(
        desk.repository,
        read_settings(desk.repository.root),
        session=state.session.id,
        base_commit=state.session.base_commit,
        copies=desk.repository.state_dir / "copies" / state.session.id,
        provisions=_provisions(desk)._replace(secrets=secrets),
        logs=desk.folder.copies,
        leadership=leadership,
        house=_house(desk, state),
        roomless=lambda task: _is_roomless(state, task),
        keep_ignored=given.keep_ignored if given else consent.keep_ignored(desk.repository),
        pooled=state.session.limits.jobs,
        limited_to=lambda task: state.tasks[task].spec.scope if _sparse(desk) else (),
    )


def _is_roomless(state: TeamState, task: str) -> bool:
    live = state.tasks[task].live
    return live is not None and bool(runner_for(live.run.agent).capabilities.roomless)


async def _run(leader: Leader, holder: str, epoch: int) -> End:
    loop = asyncio.get_running_loop()
    loop.set_default_executor(Threads())
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, leader.stop, f"received {signal.Signals(number).name}")
    # A closed terminal must not end the night's work half-way: the leader stops in an orderly manner.
    loop.add_signal_handler(signal.SIGHUP, leader.stop, "its terminal was closed")
    return await leader.run(holder, epoch)
