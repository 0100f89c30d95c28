"""Files that no agent may read: a plan with hidden checks, and what these name outside of the repository."""

import shlex
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from teamlead.core.state.team_state import TeamState

PROGRAMS = frozenset({"bin", "sbin"})


def hidden_files(state: TeamState) -> tuple[Path, ...]:
    """Of a session whose plan has hidden checks; none of any other."""
    return _files(state.session.plan.source, tuple(state.hidden_checks)) if state.hidden_checks else ()


@lru_cache(maxsize=1)
def _files(plan: str, commands: tuple[str, ...]) -> tuple[Path, ...]:
    """Each run of an agent asks for them."""
    named = dict.fromkeys(path for command in commands for path in named_files(command))
    return tuple(path for path in (Path(plan), *named) if path.is_absolute())


def named_files(command: str) -> Iterator[Path]:
    """What may be files, but no programs: those are there for everybody."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    for place, word in enumerate(words):
        path = Path(word).expanduser()
        may_be_one = "/" in word if place == 0 else word.strip("-") == word != ""
        if may_be_one and path.parent.name not in PROGRAMS:
            yield path
