"""A new session: everything that can be refused is refused before anything exists."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from teamlead.core.facts import Open
from teamlead.core.model import Pipeline, Plan, SessionSpec, TeamSpec
from teamlead.core.pipeline.pipelines import pipeline_of
from teamlead.core.state.team_state import TeamState
from teamlead.journal.filesystem import refuse_network_filesystem
from teamlead.journal.inbox import SqliteInbox
from teamlead.journal.writer import SqliteJournal
from teamlead.plans.preview import preview, told_before_start
from teamlead.prompts.library import load_templates
from teamlead.sessions.agent_rooms import STRICT, house_of
from teamlead.sessions.announcements import announcements, overridden, told_of_roomless, told_of_rooms
from teamlead.sessions.disk_space import require_disk_space
from teamlead.sessions.estimates import estimate
from teamlead.sessions.led_journal import commit_of
from teamlead.sessions.preconditions import all_asked, require_logins, require_offline
from teamlead.sessions.staffing import Tell, staff
from teamlead.settings import consent
from teamlead.settings.consent import Asked
from teamlead.settings.loading import Settings
from teamlead.settings.roles import roles
from teamlead.system.disk import storing
from teamlead.system.faults import reach
from teamlead.system.file_modes import private_files
from teamlead.system.git import read_settings
from teamlead.system.person import this_person
from teamlead.system.repository import (
    PROJECTIONS,
    Repository,
    claim,
    dirty_paths,
    exclude_projections,
    require_startable,
)
from teamlead.system.sessions import (
    SessionFolder,
    close_state,
    new_session_ids,
    sessions_folder,
    team_session_ids,
)
from teamlead.system.untrusted_folder import refuse_links
from teamlead.system.user_folders import agent_at
from teamlead.workspaces.provisions import Provisions, passed_over, refuse_obstacles
from teamlead.workspaces.repository_watch import refuse_changed

SHOWN = 8


class Team(NamedTuple):
    """Whose work a plan is that a preset was made into."""

    spec: TeamSpec
    pipeline: Pipeline
    asked: tuple[Asked, ...] = ()
    """What its preset needs the user's consent for."""


class Wishes(NamedTuple):
    """What the user asked for with `start`, beyond the settings."""

    auto_approve: bool = False
    stop_on_escalation: bool = False


@private_files()
def open_session(
    repository: Repository,
    settings: Settings,
    plan: Plan,
    wishes: Wishes,
    tell: Tell = lambda _: None,
    *,
    team: Team | None = None,
) -> SessionFolder:
    """`tell` gets what the user should know before agents begin, line by line."""
    refuse_links(repository.main_root, PROJECTIONS)
    refuse_changed(repository)
    start = require_startable(repository)
    identity = read_settings(repository.root)
    draft = SessionSpec(
        id="",
        plan=_located(plan),
        pipeline=team.pipeline if team else pipeline_of(plan.tasks),
        base_commit=start.commit,
        target_branch=start.branch,
        agent=settings.agent,
        limits=settings.limits(),
        model=settings.model,
        effort=settings.effort,
        arguments=settings.arguments,
        roles=roles(settings),
        budget=settings.budget(),
        autonomy=settings.autonomy,
        agent_settings=settings.agent_settings,
        checks=settings.checks,
        preflight=settings.preflight,
        notify=settings.notify,
        auto_approve=wishes.auto_approve,
        stop_on_escalation=wishes.stop_on_escalation,
        strict=settings.room == STRICT,
    )
    house = house_of(repository, settings)
    templates = load_templates(repository.root)
    staffed = staff(draft, settings, tell)
    # A repository without an id on disk has been allowed nothing, whatever id it gets.
    consent.require(repository.id, (*all_asked(settings, templates), *(team.asked if team else ())))
    require_offline(settings)
    require_logins(staffed.agents)
    provisions = Provisions(copy=settings.copy, link=settings.link)
    if not settings.sparse:
        refuse_obstacles(repository, start.commit, provisions)
    copies = min(settings.jobs, len(plan.tasks))
    require_disk_space(repository, start.commit, copies, settings.min_free_space)
    told = (
        *_told_of_unseen(dirty_paths(repository, identity)),
        *_outlook(repository, staffed.session),
        *announcements(staffed.session, staffed.agents),
        told_of_rooms(settings, house),
        *told_of_roomless(house, staffed.agents),
        *overridden(templates),
        *passed_over(repository.root, provisions),
    )
    for line in told:
        tell(line)
    return create(repository, staffed.session, team=team.spec if team else None)


@private_files()
def create(
    repository: Repository, spec: SessionSpec, prefix: str = "", *, team: TeamSpec | None = None
) -> SessionFolder:
    """Its folder, and its journal with the first events. The id is made here."""
    repository = claim(repository)
    with storing(sessions_folder(repository)):
        sessions_folder(repository).mkdir(parents=True, exist_ok=True)
    close_state(repository)
    refuse_network_filesystem(sessions_folder(repository))
    exclude_projections(repository)
    now = time.time()
    ids = team_session_ids(now, team.preset) if team else new_session_ids(now, prefix)
    folder = _new_folder(repository, ids)
    reach("session folder: after")
    SqliteInbox.create(folder.inbox)
    formed = msgspec.structs.replace(team, name=folder.id) if team else None
    _write_first(folder, Open(msgspec.structs.replace(spec, id=folder.id), formed, who=this_person()), now)
    return folder


def _told_of_unseen(paths: Sequence[str]) -> Iterator[str]:
    """Agents start from the last commit."""
    unseen = [path for path in paths if path != ".teamlead/"]
    if unseen:
        more = f" and {len(unseen) - SHOWN} more" if len(unseen) > SHOWN else ""
        yield f"Not committed, so agents will not see it: {', '.join(unseen[:SHOWN])}{more}"


def _outlook(repository: Repository, session: SessionSpec) -> Iterator[str]:
    plan, jobs = session.plan, session.limits.jobs
    return told_before_start(plan, preview(plan), jobs, estimate(repository, session))


def _located(plan: Plan) -> Plan:
    """A script named in a plan lies beside the plan, wherever the leader is started from later."""
    if not plan.source:
        return plan
    source = Path(plan.source).absolute()
    tasks = [msgspec.structs.replace(t, agent=agent_at(t.agent, source.parent)) for t in plan.tasks]
    return msgspec.structs.replace(plan, tasks=tuple(tasks), source=str(source))


def _new_folder(repository: Repository, ids: Iterator[str]) -> SessionFolder:
    """Of the first id that nobody has."""
    while True:
        path: Path = sessions_folder(repository) / next(ids)
        with storing(path), suppress(FileExistsError):
            path.mkdir()
            return SessionFolder(path)


def _write_first(folder: SessionFolder, wish: Open, now: float) -> None:
    """The journal is the last file to appear, with its first events: a folder without one is no session."""
    commit = commit_of(TeamState(), [wish], now)
    SqliteJournal.create(folder.journal, commit)
