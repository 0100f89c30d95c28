"""Readable files in `.teamlead/sessions/<id>/`, beside the user's code. Losing them loses nothing.

They lie where anybody may put a link: none is followed.
"""

import json
import math
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

import msgspec

from teamlead.core import phases
from teamlead.core.events import PhaseChanged, Recorded, StageClosed
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import FINAL_PHASES
from teamlead.engine.parts import Observer
from teamlead.errors import Refused, StaleLeader
from teamlead.journal.writer import SqliteJournal
from teamlead.sessions.active_session import point_at_active
from teamlead.system.faults import reach
from teamlead.system.file_modes import make_usual_folder
from teamlead.system.repository import PROJECTIONS, Repository
from teamlead.system.untrusted_folder import Unlinked, refuse_links, unlinked
from teamlead.views.documents.base import SCHEMA_VERSION
from teamlead.views.findings import FOLDER, findings_files
from teamlead.views.gate import FOLDER as APPROVALS
from teamlead.views.gate import Gate, answered, gate
from teamlead.views.recorded import event_document
from teamlead.views.report import report_document
from teamlead.views.report_text import report_markdown
from teamlead.views.session_file import session_document
from teamlead.views.tickets import FOLDER as TICKETS
from teamlead.views.tickets import edition, ticket

EVENTS = "events.ndjson"
OFTEN = 1.0
SHARE = 20
"""A write may take at most one in this many parts of the leader's time."""


def written_at_once(recorded: Recorded) -> bool:
    """What a stage found lies there before the next one begins, and what is approved before one can."""
    event = recorded.event
    if isinstance(event, PhaseChanged):
        return phases.awaits_approval(event.phase)
    return isinstance(event, StageClosed) and bool(event.found)


def _begins_or_ends(recorded: Recorded) -> bool:
    event = recorded.event
    return recorded.seq == 1 or (isinstance(event, PhaseChanged) and event.phase in FINAL_PHASES)


class Projections:
    def __init__(self, repository: Repository, journal: SqliteJournal, state: TeamState) -> None:
        self._repository = repository
        self._root = repository.main_root
        self._below = f"{PROJECTIONS}{state.session.id}"
        self._state = state
        self._journal = journal
        self._written = 0
        self._next = 0.0
        self._gate: Gate | None = None
        """What a person is asked, or was last."""
        self._known: dict[str, bytes] = {}
        """What this leader wrote last, by path: of files that seldom change."""
        self._tickets: dict[str, object] = {}
        """Which edition of each is there, by task."""
        self._points = False
        """Which session is active is to be told anew."""
        self.problem = ""
        """Why the files are not up to date. The work goes on without them."""

    def __enter__(self) -> Self:
        """Raises Refused where its folder is a link."""
        refuse_links(self._root, self._below)
        self._written = self._last_seq()
        self._points = not self._written
        self._gate = gate(self._state)
        if self._written == self._state.seq:
            tasks = self._state.tasks
            self._tickets = {name: edition(tasks[name]) for name in self._ticket_names() if name in tasks}
        return self

    def __exit__(self, *_: object) -> None:
        self._try_to_write()

    def following(self, observe: Observer | None) -> Observer:
        """Passes everything on to `observe`, and keeps the files up to date now and then."""

        def observer(recorded: Sequence[Recorded], state: TeamState) -> None:
            if observe is not None:
                observe(recorded, state)
            self._points = self._points or any(map(_begins_or_ends, recorded))
            if any(map(written_at_once, recorded)) or time.monotonic() >= self._next:
                self._try_to_write()

        return observer

    def _try_to_write(self) -> None:
        try:
            self._write()
        except StaleLeader:
            # The files are the other leader's now.
            self._next = math.inf
        except (OSError, Refused) as error:
            self._next = time.monotonic() + SHARE
            why = error.strerror if isinstance(error, OSError) else error
            self.problem = f"the files in {str(self._root / self._below)!r} could not be written: {why}"
        else:
            self.problem = ""

    def _write(self) -> None:
        begun = time.monotonic()
        make_usual_folder(self._root / self._below.partition("/")[0])
        for below in (FOLDER, APPROVALS):
            with unlinked(self._root, f"{self._below}/{below}"):
                pass
        with unlinked(self._root, self._below) as folder:
            self._append_events(folder)
            document = msgspec.json.format(msgspec.json.encode(session_document(self._state)))
            self._replace(folder, "session.json", document + b"\n")
            self._replace(folder, "report.md", report_markdown(report_document(self._state)).encode())
        for name, text in findings_files(self._state).items():
            self._replace_in(FOLDER, name, text.encode())
        self._write_gate()
        self._write_tickets()
        if self._points:
            point_at_active(self._repository)
            self._points = False
        ended = time.monotonic()
        self._next = ended + max(OFTEN, SHARE * (ended - begun))

    def _replace(self, folder: Unlinked, name: str, content: bytes, *, of: str = "") -> None:
        """`of`: the folder of one whose name nobody can know before."""
        fresh = f".{name}.new"
        with folder.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as stream:
            stream.write(content)
        reach(f"file of {of}: written" if of else f"file {name}: written")
        self._journal.verify()
        folder.replace(fresh, name)

    def _write_tickets(self) -> None:
        """Of all tasks whose ticket says something else by now, at once: there may be thousands."""
        editions = {name: edition(task) for name, task in self._state.tasks.items()}
        stale = [name for name, found in editions.items() if self._tickets.get(name) != found]
        if not stale:
            return
        with unlinked(self._root, f"{self._below}/{TICKETS}") as folder:
            for name in stale:
                told = {"schema_version": SCHEMA_VERSION, **ticket(self._state, self._state.tasks[name])}
                with folder.open(f".{name}.json.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as stream:
                    stream.write(msgspec.json.format(msgspec.json.encode(told)) + b"\n")
            reach("files of tickets: written")
            self._journal.verify()
            for name in stale:
                folder.replace(f".{name}.json.new", f"{name}.json")
                self._tickets[name] = editions[name]

    def _ticket_names(self) -> list[str]:
        with (
            suppress(OSError, Refused),
            unlinked(self._root, f"{self._below}/{TICKETS}", make=False) as folder,
        ):
            names = folder.names()
            return [name.removesuffix(".json") for name in names if name.endswith(".json")]
        return []

    def _write_gate(self) -> None:
        """As it was asked: what comes in later is for another one."""
        self._gate = gate(self._state) or (self._gate and answered(self._state, self._gate))
        if self._gate is not None:
            told = {"schema_version": SCHEMA_VERSION, **self._gate.document}
            content = msgspec.json.format(msgspec.json.encode(told)) + b"\n"
            self._replace_in(APPROVALS, self._gate.name, content)

    def _replace_in(self, below: str, name: str, content: bytes) -> None:
        """Where it is not so already."""
        path = f"{below}/{name}"
        if self._known.get(path) != content:
            with unlinked(self._root, f"{self._below}/{below}") as folder:
                self._replace(folder, name, content, of=below)
            self._known[path] = content

    def _append_events(self, folder: Unlinked) -> None:
        last = self._written
        self._journal.verify()
        with folder.open(EVENTS, os.O_WRONLY | os.O_CREAT | os.O_APPEND) as stream:
            for recorded in self._journal.read(self._written):
                stream.write(
                    msgspec.json.encode({"schema_version": SCHEMA_VERSION, **event_document(recorded)})
                    + b"\n"
                )
                last = recorded.seq
            reach("file events.ndjson: growing")
        # Only now: what could not be written is written the next time.
        self._written = last

    def _last_seq(self) -> int:
        """Where the file ends; a file that does not end well is begun anew."""
        with suppress(OSError, Refused), unlinked(self._root, self._below, make=False) as folder:
            try:
                with folder.open(EVENTS, os.O_RDONLY) as stream:
                    stream.seek(max(0, os.fstat(stream.fileno()).st_size - 1_000_000))
                    last = stream.read().rsplit(b"\n", 2)
                seq = int(json.loads(last[-2])["seq"]) if last[-1] == b"" else -1
            except (OSError, ValueError, KeyError, IndexError, TypeError):
                seq = -1
            if 0 <= seq <= self._state.seq:
                return seq
            folder.remove(EVENTS)
        return 0
