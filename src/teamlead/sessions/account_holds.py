"""Which kinds of agents this user's account may not use for now: known to every session of theirs.

A file a kind, in the user's state folder. It is a hint, not a truth: each session keeps its own holds in its
journal, and an unreadable or outdated file holds nobody.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from teamlead.core.events import AgentHeld, AgentReleased, Recorded
from teamlead.core.state.records import MACHINE
from teamlead.core.state.team_state import TeamState
from teamlead.errors import MachineUnable, StorageFailed
from teamlead.ports.runner import Held
from teamlead.system.atomic_files import write_atomically
from teamlead.system.disk import storing


class UserHolds:
    def __init__(self, folder: Path, now: Callable[[], float]) -> None:
        self._folder = folder
        self._now = now

    def held(self, kind: str) -> Held | None:
        try:
            held = msgspec.json.decode(self._file(kind).read_bytes(), type=Held)
        except (OSError, msgspec.DecodeError):
            return None
        return held if held.until > self._now() else None

    def hold(self, kind: str, held: Held) -> None:
        with storing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self._file(kind), msgspec.json.encode(held))

    def follow(self, recorded: Sequence[Recorded], _: TeamState) -> None:
        """Writes down what a session of this process meets. No leader ends over a hint."""
        for entry in recorded:
            with suppress(OSError, StorageFailed, MachineUnable):
                match entry.event:
                    case AgentHeld(kind=kind) if kind == MACHINE:
                        pass  # Another session finds out by itself: its programs may be other ones.
                    case AgentHeld(kind=kind, until=float(until), reason=reason):
                        self.hold(kind, Held(until, reason))
                    case AgentReleased(kind=kind):
                        self._file(kind).unlink(missing_ok=True)

    def _file(self, kind: str) -> Path:
        # A kind may be a whole command line.
        return self._folder / f"{hashlib.sha256(kind.encode()).hexdigest()[:16]}.json"
