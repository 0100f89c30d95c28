"""What is remembered of one session of Claude Code, from hook to hook. Hooks may run at the same time."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from teamlead.core.policy.exemptions import Context, Portion
from teamlead.guard.delegation import Occasion
from teamlead.system.disk import storing
from teamlead.system.locks import locked
from teamlead.system.user_folders import state_home

TRIES = 2
"""An agent that failed so often may be replaced by the lead's own hands."""


class Session:
    def __init__(self, stored: dict[str, Any] | None = None) -> None:
        stored = stored or {}
        self.portions: list[list[Any]] = stored.get("portions", [])
        """What was read in this lookup: path and lines."""
        self.searches: int = stored.get("searches", 0)
        """In this lookup."""
        self.granted: dict[str, Any] = stored.get("granted", {})
        """Calls that were allowed and are not finished, by their id."""
        self.analysed: dict[str, str] = stored.get("analysed", {})
        """Files that an agent has read, and which."""
        self.agents: dict[str, str] = stored.get("agents", {})
        """Their kinds, by their ids."""
        self.outputs: list[str] = stored.get("outputs", [])
        """Files in which agents report."""
        self.failures: dict[str, int] = stored.get("failures", {})
        """How often in a row agents of a kind failed."""
        self.fast: bool = stored.get("fast", False)
        """The user asked for speed."""
        self.own_prompts: bool = stored.get("own_prompts", False)
        """The lead has scheduled prompts: what is asked is no longer surely asked by the user."""

    def read(self) -> list[Portion]:
        return [Portion(*pair) for pair in self.portions]

    def begin_lookup(self) -> None:
        """With a prompt of the user, or a delegation."""
        self.portions, self.searches = [], 0

    @property
    def context(self) -> Context:
        return "fallback" if self._failed else "reference"

    @property
    def occasion(self) -> Occasion | None:
        return "user-asked-for-speed" if self.fast else "agent-failed" if self._failed else None

    @property
    def _failed(self) -> bool:
        return any(number >= TRIES for number in self.failures.values())


def folder_of(session: str) -> Path:
    return state_home() / "guard" / "sessions" / session


@contextmanager
def remembered(session: str) -> Iterator[Session]:
    """What is changed inside is stored at the end, unless that raises."""
    folder = folder_of(session)
    path = folder / "state.json"
    with locked(folder / "lock"):
        found = Session(_load(path))
        yield found
        with storing(path):
            new = path.with_name(f"{path.name}.new")
            new.write_text(json.dumps(vars(found)), encoding="utf-8")
            new.replace(path)


def _load(path: Path) -> dict[str, Any] | None:
    """A file that is none is as good as no file: nothing of it can be believed."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return stored if isinstance(stored, dict) else None


def forget(session: str) -> None:
    import shutil  # noqa: PLC0415 - only the end of a session needs it

    shutil.rmtree(folder_of(session), ignore_errors=True)
