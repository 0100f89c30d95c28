"""The files of a session, of which only those go that teamlead or its agents' programs have written."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from teamlead.system.repository import PROJECTIONS, Repository
from teamlead.system.untrusted_folder import below

TRANSCRIPTS = re.compile(
    r"attempts/[^/]+/(?:(?:prompt|report)\.md|script\.toml|started\.json|alive\.lock|events\.jsonl|raw\.jsonl|stderr\.txt"
    r"|result\.json|check-\d+[a-z-]*\.txt|(?:started|result)\.[0-9a-f]+\.new)"
    r"|copies/[^/]+\.(?:log|lock)"
    r"|copies/trial_merge/.+"
    r"|copies/trial-\d+/(?:alive\.lock|[0-9a-f]+\.txt)"
    r"|trials/\.?[0-9a-f]+\.json(?:\.[0-9a-f]+\.tmp)?"
    # What agents' programs remember of their conversations, under names of their own.
    r"|homes/.+",
    re.DOTALL,
)
SESSION = re.compile(
    r"(?:journal|inbox)\.db(?:-wal|-shm)?|leader\.log|leader\.lock|shown|\.shown\.[0-9a-f]+\.tmp|plan\.md"
    r"|copies/(?:watch\.json|(?:reference|checkouts)\.bin|\.(?:watch|(?:reference|checkouts)\.bin)\.[0-9a-f]+\.tmp|mended/.+)"
    rf"|{TRANSCRIPTS.pattern}",
    re.DOTALL,
)
FOR_READING = re.compile(
    r"report\.md|session\.json|events\.ndjson|\.(?:report\.md|session\.json)\.new"
    r"|findings/\.?[^/]+\.md(?:\.new)?|(?:approvals|tickets)/\.?[^/]+\.json(?:\.new)?"
)
LAST = "leader.lock"
"""Held while the others go."""


def projections(repository: Repository, session: str) -> Path:
    return repository.main_root / PROJECTIONS / session


def size(folder: Path) -> int:
    """Bytes of all files below a folder, which somebody may be at work in."""
    total = 0
    for path in _files(folder):
        with suppress(FileNotFoundError):
            total += path.lstat().st_size
    return total


def remove(folder: Path, known: re.Pattern[str]) -> list[str]:
    """Removes the files we know, and folders that are empty then. Returns the names of what is left."""
    files = sorted(_files(folder), key=lambda path: (path.name == LAST, path.name != "journal.db", str(path)))
    for path in files:
        if known.fullmatch(_name(folder, path)):
            path.unlink()
    for entry in sorted(below(folder), key=lambda entry: entry.path, reverse=True):
        if entry.is_dir(follow_symlinks=False):
            with suppress(OSError):
                Path(entry.path).rmdir()
    with suppress(OSError):
        folder.rmdir()
    return [_name(folder, path) for path in _files(folder)]


def _files(folder: Path) -> Iterator[Path]:
    return (Path(entry.path) for entry in below(folder) if not entry.is_dir(follow_symlinks=False))


def _name(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()
