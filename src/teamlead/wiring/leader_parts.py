"""What a leader is made of: the engine's parts and their adapters, as its session and settings want them."""

import os
import time
from collections.abc import Sequence
from functools import lru_cache, partial

from teamlead.core.model import TaskSpec
from teamlead.core.state.team_state import TeamState
from teamlead.engine.parts import Observer, Parts, Person
from teamlead.evidence.checks import ShellChecker
from teamlead.evidence.clean_copies import CleanCopies, CleanTrials, Earlier
from teamlead.evidence.examiner import RepositoryExaminer
from teamlead.evidence.negative_control import CleanControl
from teamlead.evidence.obstacles import CheckoutComparison
from teamlead.evidence.proofs.prover import RunningProver
from teamlead.ports.clock import Clock
from teamlead.ports.journal import Inbox, Journal
from teamlead.ports.leadership import Epoch
from teamlead.ports.rooms import House
from teamlead.ports.team import Listener, TeamServerPort
from teamlead.prompts.library import Templates
from teamlead.prompts.long_texts import long_texts
from teamlead.runners.registry import runner_for
from teamlead.sessions.account_holds import UserHolds
from teamlead.sessions.agent_rooms import conditions, house_of
from teamlead.sessions.desk import Desk
from teamlead.sessions.disk_space import watch_disk_space
from teamlead.sessions.excerpts import read_excerpts
from teamlead.sessions.hidden_files import hidden_files
from teamlead.settings import consent
from teamlead.system.git import read_settings
from teamlead.system.notifying import CommandNotifier
from teamlead.system.repository import Repository
from teamlead.system.secrets import Known, Secrets, known_secrets
from teamlead.views.rows import view_rows
from teamlead.wiring.prompting import consulting, prompting
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.left_findings import FOLDERS
from teamlead.workspaces.provisions import Provisions
from teamlead.workspaces.surroundings import surroundings


def parts_of(
    desk: Desk,
    state: TeamState,
    *,
    journal: Journal,
    inbox: Inbox,
    workspace: GitWorkspace,
    secrets: Known,
    clock: Clock,
    holds: UserHolds,
    templates: Templates,
    observe: Observer,
    person: Person | None,
) -> Parts:
    checker = ShellChecker(network=_network(desk), secrets=secrets)
    require_disk_space = watch_disk_space(desk.repository, disk_floor(desk))
    clean = CleanCopies(
        workspace,
        checker,
        first_slot=state.session.limits.live_attempts,
        conditions=conditions(_provisions(desk), _house(desk, state), network=_network(desk)),
        require_disk_space=require_disk_space,
    )
    provided = (*_provisions(desk).link, *_provisions(desk).copy)
    trials = CleanTrials(clean, desk.folder.path / "trials", earlier_of(desk.repository, provided))
    return Parts(
        journal=journal,
        inbox=inbox,
        workspace=workspace,
        runner_for=lru_cache(runner_for),
        checker=checker,
        trials=trials,
        prover=RunningProver(desk.repository.git(), trials),
        obstacles=CheckoutComparison(desk.repository.git(), desk.repository.root, provided),
        examiner=_examiner(desk, state, secrets),
        control=CleanControl(desk.repository.git(), clean, desk.folder.path / "controls"),
        clock=clock,
        view=view_rows,
        prompt=prompting(templates, sparse=_sparse(desk), report=_all_report(desk)),
        long_texts=long_texts,
        consulting=consulting(templates, Secrets({}, secrets), desk.repository.git()),
        attempts=desk.folder.attempts,
        observe=observe,
        person=person,
        homes=desk.folder.path / "homes",
        held=holds.held,
        unseen=hidden_files,
        radar=desk.settings.radar if desk.settings else 0.0,
        permission_wait=desk.settings.permission_wait if desk.settings else 0.0,
        team=partial(_team_server, desk, secrets),
        secrets=secrets,
        excerpts=read_excerpts,
        notifier=CommandNotifier(desk.repository.main_root),
        require_disk_space=require_disk_space,
    )


def earlier_of(repository: Repository, provided: Sequence[str]) -> Earlier:
    told = partial(surroundings, repository.root, provided)
    return Earlier(repository.state_dir / "trials", told, time.time)


def workspace_of(desk: Desk, state: TeamState, epoch: Epoch, secrets: Known) -> GitWorkspace:
    given = desk.settings
    return GitWorkspace(
        desk.repository,
        read_settings(desk.repository.root),
        session=state.session.id,
        base_commit=state.session.base_commit,
        copies=desk.repository.state_dir / "copies" / state.session.id,
        provisions=_provisions(desk)._replace(secrets=secrets),
        logs=desk.folder.copies,
        epoch=epoch,
        house=_house(desk, state),
        roomless=lambda task: _is_roomless(state, task),
        keep_ignored=given.keep_ignored if given else consent.keep_ignored(desk.repository),
        pooled=state.session.limits.jobs,
        limited_to=lambda task: state.tasks[task].spec.scope if _sparse(desk) else (),
        leaves_findings=lambda task: _leaves_findings(state.tasks[task].spec),
    )


def _leaves_findings(spec: TaskSpec) -> bool:
    """A member of a team does, unless such a file is what it was to make."""
    folders = tuple(f"{folder}/" for folder in FOLDERS)
    return bool(spec.member) and not any(path.startswith(folders) for path in spec.outputs)


def secrets_of(desk: Desk) -> Known:
    return known_secrets(desk.repository.root, desk.settings.copy if desk.settings else ())


def disk_floor(desk: Desk) -> int:
    """Megabytes that should stay free; 0: nobody looks."""
    return desk.settings.min_free_space if desk.settings else 0


def _team_server(desk: Desk, secrets: Known, listener: Listener) -> TeamServerPort:
    from teamlead.mcp.server import TeamServer as Server  # noqa: PLC0415 - only where an agent needs it

    patience = desk.settings.question_wait if desk.settings else 0.0
    return Server(listener, patience=patience, environment=os.environ, known=secrets)


def _sparse(desk: Desk) -> bool:
    return desk.settings is not None and desk.settings.sparse


def _network(desk: Desk) -> bool:
    return desk.settings is None or desk.settings.check_network


def _provisions(desk: Desk) -> Provisions:
    given = desk.settings
    return Provisions(given.post_create, given.copy, given.link) if given else Provisions()


def _examiner(desk: Desk, state: TeamState, secrets: Known) -> RepositoryExaminer:
    git, session = desk.repository.git(), state.session.id
    return RepositoryExaminer(git, session, all_report=_all_report(desk), secrets=secrets)


def _all_report(desk: Desk) -> bool:
    return desk.settings is not None and desk.settings.require_reports


def _house(desk: Desk, state: TeamState) -> House | None:
    """Who only decides starts nothing in a copy."""
    return house_of(desk.repository, desk.settings, strict=state.session.strict) if desk.settings else None


def _is_roomless(state: TeamState, task: str) -> bool:
    """Not what the lead performs itself: no program runs for it."""
    found = state.tasks[task]
    if found.live is None or found.spec.function:
        return False
    return bool(runner_for(found.live.run.agent).capabilities.roomless)
