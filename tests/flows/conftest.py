import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

# The helpers of this folder are imported by their path from the root, under every import mode of pytest.
ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from tests.flows.support import Project  # noqa: E402 - findable from here on

KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "COVERAGE_PROCESS_START")


@contextmanager
def user(folder: Path) -> Iterator[Project]:
    place = folder.resolve()
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | {
        "HOME": str(place / "home"),
        "XDG_STATE_HOME": str(place / "state"),
        "XDG_CONFIG_HOME": str(place / "config"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "PYTHONWARNINGS": "error",
    }
    (place / "home").mkdir()
    project = Project(place, environment)
    yield project
    project.close()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Project]:
    """A user of whom nothing is known but their home; there is no repository yet."""
    with user(tmp_path) as project:
        yield project


@pytest.fixture
def project(home: Project) -> Project:
    """A user with a repository of one commit on the branch main."""
    return home.has_repository()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """The same, for tests that only look at what one of them has made."""
    with user(tmp_path_factory.mktemp("shared")) as project:
        yield project.has_repository()
