"""git's own log of each ref: who moved it, from where, to where.

Every agent commits under an address of its attempt, by which a move that it made is known.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from teamlead.system.environment import AGENTS
from teamlead.workspaces.fence import REASON

STASH = "refs/stash"
TAIL = 1 << 18
"""Bytes at the end of a log that are looked at: over a thousand moves."""


class Entry(NamedTuple):
    old: str
    new: str
    email: str
    message: str

    @property
    def by_an_agent(self) -> bool:
        return self.email.endswith(AGENTS)

    @property
    def by_a_lead(self) -> bool:
        return self.message.startswith(REASON) and not self.by_an_agent


def log_of(common_dir: Path, ref: str) -> Path:
    return common_dir / "logs" / ref


def entries(log: Path, since: int = 0) -> Iterator[Entry]:
    """Beyond the first `since` bytes, or all if the log has been cut meanwhile."""
    for line in _tail(log, since).decode(errors="replace").splitlines():
        head, _, message = line.partition("\t")
        commits, _, person = head.partition(" <") if " <" in head else (head, "", "")
        old, _, rest = commits.partition(" ")
        new, _, _ = rest.partition(" ")
        yield Entry(old.strip("0") and old, new.strip("0") and new, person.partition(">")[0], message)


def marked(log: Path, email: str) -> list[Entry]:
    """The moves that were made under this address."""
    if email.encode() not in _tail(log, 0):
        return []
    return [entry for entry in entries(log) if entry.email == email]


def stashed(common_dir: Path) -> list[str]:
    """The commits in the stash: its list is a log."""
    return [entry.new for entry in entries(log_of(common_dir, STASH))]


def _tail(log: Path, since: int) -> bytes:
    try:
        with log.open("rb") as stream:
            size = stream.seek(0, 2)
            start = max(since if since <= size else 0, size - TAIL)
            stream.seek(start)
            found = stream.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return b""
    # The first line of what was cut out is no line.
    return found if start in {0, since} else found.partition(b"\n")[2]
