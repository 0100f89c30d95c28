"""Heads that were read before, by what they hold: reading YAML takes longer than all else in choosing a team.

What is remembered is never needed: it is read anew wherever it is missing, or not what it should be.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from teamlead import __version__
from teamlead.errors import StorageFailed
from teamlead.markup.problems import Problem
from teamlead.system.user_folders import state_home
from teamlead.teams.front_matter import Head, ReadHead, read_head

READER: Final = f"{__version__}/1"
"""Raised when the same text is read otherwise."""
MOST: Final = 2000
LONGEST: Final = 4096
"""Characters of a head that is remembered. It is known by its text itself: to load a hash takes longer."""


def _file() -> Path:
    return state_home() / "team-heads.json"


class KnownHeads:
    def __init__(self) -> None:
        self._known = _remembered()
        self._new = False

    def read(self, text: str | None, missing: str = "") -> ReadHead:
        if text is None:
            return read_head(None, missing)
        with suppress(KeyError, TypeError, ValueError):
            return _from(self._known[text])
        found = read_head(text)
        if len(text) <= LONGEST:
            # What was read last is kept longest.
            self._known.pop(text, None)
            self._known[text] = [list(found.head), [list(problem) for problem in found.problems]]
            self._new = True
        return found

    def keep(self) -> None:
        """Where the disk refuses it, it is read anew the next time."""
        if not self._new:
            return
        from teamlead.system.atomic_files import write_atomically  # noqa: PLC0415 - seldom needed

        kept = dict(list(self._known.items())[-MOST:])
        with suppress(OSError, StorageFailed):
            _file().parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomically(_file(), json.dumps({"reader": READER, "heads": kept}).encode(), mode=0o600)


def _remembered() -> dict[str, Any]:
    with suppress(OSError, ValueError, TypeError, KeyError):
        document = json.loads(_file().read_bytes())
        heads = document["heads"]
        if document["reader"] == READER and isinstance(heads, dict):
            return heads
    return {}


def _from(kept: Any) -> ReadHead:
    (name, description, keywords), problems = kept
    texts = (name, description, *keywords)
    found = tuple(Problem(*each) for each in problems)
    if not all(isinstance(text, str) for text in texts) or not all(type(p.line) is int for p in found):
        raise TypeError
    return ReadHead(Head(name, description, tuple(keywords)), found)
