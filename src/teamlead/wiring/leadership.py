"""Who leads a session: a leader with agents, or, for a moment, a command that is applied.

A running leader takes commands from its inbox. If nobody leads, the process of a command takes the lease,
applies the command and its git effects, starts no agent, and leaves again.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

from msgspec.structs import replace

from teamlead.core.facts import Command
from teamlead.engine.parts import Observer, Person
from teamlead.errors import DiskUnusable, Failed, LeaseHeld, NotFound, Refused, TeamleadError, UsageError
from teamlead.journal.inbox import SqliteInbox
from teamlead.journal.lease import Lease, acquire
from teamlead.journal.reader import Answer, JournalReader
from teamlead.ports.leadership import APPLYING
from teamlead.prompts.library import load_templates
from teamlead.sessions.desk import Desk
from teamlead.sessions.leader import leader_of
from teamlead.sessions.led_journal import OpenJournal, open_journal
from teamlead.sessions.preconditions import all_asked, require_offline
from teamlead.settings import consent
from teamlead.system.environment import work_for
from teamlead.system.file_modes import private_files
from teamlead.system.person import this_person
from teamlead.system.process_limits import raise_limit
from teamlead.system.processes import prepare
from teamlead.system.repository import PROJECTIONS
from teamlead.system.sessions import SessionFolder, close_state
from teamlead.system.untrusted_folder import refuse_links
from teamlead.wiring.leader_process import Led, run_leader

POLL = 0.01
LEADER_WAITS = 5.0
"""Seconds for a command that is just being applied."""
NOT_AT_ONCE = 2.0
"""Seconds until the caller of a command is told what it waits for."""
COMMAND_WAITS = 60.0
"""Seconds until a leader that holds the lease and does not answer is reported."""


class SessionTerm:
    """Implements `ports.leadership.Term`."""

    def __init__(self, desk: Desk, lease: Lease) -> None:
        self._desk = desk
        self.holder = f"pid {lease.holder.pid} on {lease.holder.host}"

    def journal(self) -> AbstractContextManager[OpenJournal]:
        return open_journal(self._desk.repository, self._desk.folder)


class SessionLeadership:
    """Implements `ports.leadership.Leadership`. `tell` gets what a caller that has to wait should know."""

    def __init__(self, desk: Desk, tell: Callable[[str], None] = lambda _: None) -> None:
        self._desk = desk
        self._tell = tell

    @contextmanager
    def lead(self, command: str = APPLYING, *, patient: bool = False) -> Iterator[SessionTerm]:
        """`patient`: waits for a command that is just being applied."""
        work_for(self._desk.repository.common_dir)
        with private_files():
            close_state(self._desk.repository, self._desk.folder.path)
            with _lease(self._desk.folder, command, patient=patient) as lease:
                yield SessionTerm(self._desk, lease)

    def submit(self, command: Command) -> None:
        desk = self._desk
        if leader_of(desk.folder) is None:
            # Before it is put there: what is refused must not be done later.
            refuse_links(desk.repository.main_root, PROJECTIONS)
        with SqliteInbox(desk.folder.inbox) as inbox, JournalReader(desk.folder.journal) as reader:
            name = self._put(inbox, replace(command, who=this_person()))
            asked, told = time.monotonic(), False
            while (answer := reader.outcome(name)) is None:
                try:
                    apply_waiting(desk)
                except LeaseHeld as held:
                    waited = time.monotonic() - asked
                    if waited > NOT_AT_ONCE and not told:
                        self._tell(
                            f"{held.message}, which does not answer yet; it gets {COMMAND_WAITS:.0f} s"
                        )
                        told = True
                    if waited > COMMAND_WAITS:
                        raise Failed(
                            f"the leader does not answer: {held.message}",
                            remedy="your command is in its inbox and will be applied when it goes on",
                        ) from held
                    time.sleep(POLL)
                except DiskUnusable as full:
                    raise DiskUnusable(
                        full.message,
                        remedy=f"{full.remedy}. Your command is in the inbox, and will be applied then",
                    ) from full
        _raise_refusal(answer)

    def _put(self, inbox: SqliteInbox, command: Command) -> str:
        try:
            return inbox.put(command)
        except Refused:
            # What was an older leader's word may be a dead one's: if nobody leads, this version's counts.
            with suppress(LeaseHeld), self.lead():
                SqliteInbox.lead(self._desk.folder.inbox).close()
            return inbox.put(command)


def lead(
    desk: Desk,
    command: str,
    *,
    linger: bool = False,
    observe: Observer | None = None,
    person: Person | None = None,
) -> Led:
    """With agents, until there is nothing left that it can do. Raises LeaseHeld if somebody else leads."""
    assert desk.settings is not None
    templates = load_templates(desk.repository.root)
    consent.require(desk.repository.id, all_asked(desk.settings, templates, fixed=False))
    require_offline(desk.settings)
    with SessionLeadership(desk).lead(command, patient=True) as term, term.journal() as journal:
        raise_limit()
        prepare()
        return run_leader(
            desk,
            journal,
            term.holder,
            staffed=True,
            templates=templates,
            linger=linger,
            observe=observe,
            person=person,
        )


def apply_waiting(desk: Desk) -> None:
    """Applies the commands in the inbox, and does what a session that is over has left to do.

    Starts no agent. Raises LeaseHeld if somebody leads.
    """
    with SessionLeadership(desk).lead() as term, term.journal() as journal:
        run_leader(desk, journal, term.holder, staffed=False)


def _lease(folder: SessionFolder, command: str, *, patient: bool) -> Lease:
    """A leader waits for a command that is just being applied; another leader it does not wait for."""
    deadline = time.monotonic() + LEADER_WAITS
    while True:
        try:
            return acquire(folder.path, command)
        except LeaseHeld:
            held = leader_of(folder)
            # One that has not written its name yet has only just come.
            passing = held is None or held.command in {APPLYING, ""}
            if not (patient and passing) or time.monotonic() > deadline:
                raise
            time.sleep(POLL)


_ERRORS: dict[int, type[TeamleadError]] = {2: UsageError, 4: NotFound, 5: Refused}


def _raise_refusal(answer: Answer) -> None:
    if not answer.accepted:
        raise _ERRORS.get(answer.exit_code, Failed)(answer.message)
