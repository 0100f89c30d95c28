"""Runs a session's leader in this process, until there is nothing left that it can do."""

import asyncio
import signal
from collections.abc import Sequence
from dataclasses import dataclass

from teamlead.core.events import Recorded
from teamlead.core.state.team_state import TeamState
from teamlead.engine.leader import Leader
from teamlead.engine.parts import Observer, Person
from teamlead.engine.stopping import End
from teamlead.journal.inbox import SqliteInbox
from teamlead.prompts.library import Templates
from teamlead.sessions.account_holds import UserHolds
from teamlead.sessions.desk import Desk
from teamlead.sessions.disk_space import require_disk_space_to_resume
from teamlead.sessions.led_journal import OpenJournal
from teamlead.sessions.projections import Projections
from teamlead.system.awake import KeepAwake
from teamlead.system.clock import SteadyClock
from teamlead.system.process_limits import Threads
from teamlead.system.user_folders import state_home
from teamlead.wiring.leader_parts import disk_floor, parts_of, secrets_of, workspace_of


@dataclass(frozen=True)
class Led:
    end: End
    state: TeamState
    warning: str
    """What went wrong beside the work itself; empty if nothing did."""
    changed_files: tuple[str, ...] = ()
    """In the user's checkouts, while agents worked that could get at them."""


def run_leader(
    desk: Desk,
    journal: OpenJournal,
    holder: str,
    *,
    staffed: bool,
    templates: Templates = Templates(),  # noqa: B008 - immutable
    linger: bool = False,
    observe: Observer | None = None,
    person: Person | None = None,
) -> Led:
    """For one who holds the lease, as `holder`."""
    state = journal.replay()
    require_disk_space_to_resume(desk.repository, state, disk_floor(desk))
    vigil = KeepAwake(f"a team is at work on {desk.repository.main_root}")
    clock = SteadyClock(after=state.updated_at)
    holds = UserHolds(state_home() / "holds", clock.now)
    projections = Projections(desk.repository, journal.events, state)
    secrets = secrets_of(desk)
    workspace = workspace_of(desk, state, journal.epoch, secrets)
    with SqliteInbox.lead(desk.folder.inbox) as inbox, projections, workspace, vigil:
        parts = parts_of(
            desk,
            state,
            journal=journal.events,
            inbox=inbox,
            workspace=workspace,
            secrets=secrets,
            clock=clock,
            holds=holds,
            templates=templates,
            observe=_awake(desk, vigil, _all(holds.follow, projections.following(observe))),
            person=person,
        )
        leader = Leader(state, parts, staffed=staffed, linger=linger)
        try:
            end = asyncio.run(_run(leader, holder, journal.events.epoch))
        except Exception:
            # What a leader stumbles over once it was replaced is the other one's doing.
            journal.events.verify()
            raise
    return Led(end, state, projections.problem, workspace.changed_files)


def _all(*observers: Observer) -> Observer:
    def observe(recorded: Sequence[Recorded], state: TeamState) -> None:
        for observer in observers:
            observer(recorded, state)

    return observe


def _awake(desk: Desk, vigil: KeepAwake, observe: Observer) -> Observer:
    """The machine may sleep while only a person can move things."""
    if desk.settings is None or not desk.settings.keep_awake:
        return observe

    def observer(recorded: Sequence[Recorded], state: TeamState) -> None:
        vigil.keep(wanted=bool(state.leader and (state.active or state.startable or state.checking_whole)))
        observe(recorded, state)

    return observer


async def _run(leader: Leader, holder: str, epoch: int) -> End:
    loop = asyncio.get_running_loop()
    loop.set_default_executor(Threads())
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, leader.stop, f"received {signal.Signals(number).name}")
    # A closed terminal must not end the night's work half-way: the leader stops in an orderly manner.
    loop.add_signal_handler(signal.SIGHUP, leader.stop, "its terminal was closed")
    return await leader.run(holder, epoch)
