"""Where a rehearsal takes place: a clone of the repository, its own homes, and no way to a real service."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from teamlead.errors import UsageError
from teamlead.system.git import as_user

KEY = "no-key-in-a-rehearsal"
_SERVICES = ("ANTHROPIC_", "CLAUDE_", "OPENAI_", "CODEX_", "GEMINI_", "GOOGLE_")
"""Variables of these prefixes choose an endpoint or hold a credential; none of the user's is passed on."""


@dataclass
class RehearsalClone:
    place: Path
    stays: bool

    @property
    def root(self) -> Path:
        """The root of the clone."""
        return self.place / "repository"

    @property
    def script(self) -> Path:
        """What the scripted agent follows."""
        return self.place / "agent.toml"


@contextmanager
def built(root: Path, directory: Path | None) -> Iterator[RehearsalClone]:
    """Builds it in a folder of the user's choice, which stays, or in one that goes unless `stays` is set."""
    stage = RehearsalClone(_place(directory), stays=directory is not None)
    try:
        _clone(root, stage.root)
        yield stage
    finally:
        if not stage.stays:
            shutil.rmtree(stage.place, ignore_errors=True)


def _place(directory: Path | None) -> Path:
    if directory is None:
        return Path(tempfile.mkdtemp(prefix="teamlead-rehearsal-")).resolve()
    place = directory.expanduser().resolve()
    if place.exists() and any(place.iterdir()):
        raise UsageError(f"{str(place)!r} is not empty", remedy="choose a folder that does not exist yet")
    place.mkdir(parents=True, exist_ok=True)
    return place


def _clone(root: Path, clone: Path) -> None:
    as_user(root, "clone", "--quiet", str(root), str(clone))
    # No way back to the user's repository.
    as_user(clone, "remote", "remove", "origin")
    for key in ("user.name", "user.email"):
        if name := as_user(root, "config", key, ok=(0, 1)).text:
            as_user(clone, "config", key, name)


@contextmanager
def environment(stage: RehearsalClone, url: str) -> Iterator[None]:
    """Sets the environment of this process, and so of all agents, until the end of the rehearsal."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(_without_services(before) | _own(stage, url))
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _without_services(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if not name.startswith(_SERVICES)}


def _own(stage: RehearsalClone, url: str) -> dict[str, str]:
    near = "127.0.0.1,localhost"
    return {
        "XDG_STATE_HOME": str(stage.place / "state"),
        "XDG_CONFIG_HOME": str(stage.place / "config"),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": KEY,
        "OPENAI_BASE_URL": f"{url}/v1",
        "CODEX_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_API_KEY": KEY,
        # The model is on this machine, whatever stands between it and the world.
        "NO_PROXY": near,
        "no_proxy": near,
    }
