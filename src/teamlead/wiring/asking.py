"""Puts a command to a session, and brings back what became of it.

A running leader takes it from the inbox. If nobody leads, this process takes the lease, applies the command
and its git effects, starts no agent, and leaves again.
"""

import time
from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from teamlead.core.facts import Command
from teamlead.errors import DiskUnusable, Failed, LeaseHeld, NotFound, Refused, TeamleadError, UsageError
from teamlead.journal.inbox import SqliteInbox
from teamlead.journal.lease import acquire, holder
from teamlead.journal.reader import Answer, JournalReader
from teamlead.sessions.desk import Desk
from teamlead.system.process_owner import this_person
from teamlead.system.repository import PROJECTIONS
from teamlead.system.untrusted_folder import refuse_links
from teamlead.wiring.leading import APPLYING, lead

POLL = 0.01
NOT_AT_ONCE = 2.0
"""Seconds until the caller is told what it waits for."""
PATIENCE = 60.0
"""Seconds until a leader that holds the lease and does not answer is reported."""


def submit(desk: Desk, command: Command, tell: Callable[[str], None]) -> None:
    """Returns once the command is in the journal with what it caused; raises its refusal."""
    if holder(desk.folder.path) is None:
        # Before it is put there: what is refused must not be done later.
        refuse_links(desk.repository.main_root, PROJECTIONS)
    with SqliteInbox(desk.folder.inbox) as inbox, JournalReader(desk.folder.journal) as reader:
        name = _put(desk, inbox, replace(command, who=this_person()))
        asked, told = time.monotonic(), False
        while (answer := reader.outcome(name)) is None:
            try:
                lead(desk, APPLYING, staffed=False)
            except LeaseHeld as held:
                waited = time.monotonic() - asked
                if waited > NOT_AT_ONCE and not told:
                    tell(f"{held.message}, which does not answer yet; it gets {PATIENCE:.0f} s")
                    told = True
                if waited > PATIENCE:
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


def _put(desk: Desk, inbox: SqliteInbox, command: Command) -> str:
    try:
        return inbox.put(command)
    except Refused:
        # What was an older leader's word may be a dead one's: if nobody leads, this version's counts.
        with suppress(LeaseHeld), acquire(desk.folder.path, APPLYING):
            SqliteInbox.lead(desk.folder.inbox).close()
        return inbox.put(command)


_ERRORS: dict[int, type[TeamleadError]] = {2: UsageError, 4: NotFound, 5: Refused}


def _raise_refusal(answer: Answer) -> None:
    if not answer.accepted:
        raise _ERRORS.get(answer.exit_code, Failed)(answer.message)
