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


class ReflogEntry(NamedTuple):
    old: str
    new: str
    email: str
    message: str
    at: int = 0
    """In seconds."""

    @property
    def by_an_agent(self) -> bool:
        return self.email.endswith(AGENTS)

    @property
    def by_a_lead(self) -> bool:
        return self.message.startswith(REASON) and not self.by_an_agent


def log_of(common_dir: Path, ref: str) -> Path:
    return common_dir / "logs" / ref


def entries(log: Path, since: int = 0) -> Iterator[ReflogEntry]:
    """Yields entries beyond the first `since` bytes, or all if the log has been cut meanwhile."""
    yield from map(entry_of, tail(log, since).splitlines())


def entries_after(log: Path, line: bytes) -> list[ReflogEntry]:
    """Returns entries beyond this line, or all where it is not there."""
    lines = tail(log).splitlines()
    while line in lines:
        del lines[: lines.index(line) + 1]
    return [entry_of(each) for each in lines]


def entry_of(line: bytes) -> ReflogEntry:
    head, _, message = line.decode(errors="replace").partition("\t")
    commits, _, person = head.partition(" <") if " <" in head else (head, "", "")
    old, _, rest = commits.partition(" ")
    new, _, _ = rest.partition(" ")
    email, _, moment = person.partition("> ")
    seconds = moment.partition(" ")[0]
    return ReflogEntry(
        old.strip("0") and old,
        new.strip("0") and new,
        email.partition(">")[0],
        message,
        int(seconds) if seconds.isdecimal() else 0,
    )


def marked(log: Path, email: str) -> list[ReflogEntry]:
    """Returns the moves that were made under this address."""
    if email.encode() not in tail(log):
        return []
    return [entry for entry in entries(log) if entry.email == email]


def stashed(common_dir: Path) -> list[str]:
    """Returns the commits in the stash, whose list is a log."""
    return [entry.new for entry in entries(log_of(common_dir, STASH))]


def tail(log: Path, since: int = 0) -> bytes:
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
