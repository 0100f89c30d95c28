import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# The helpers of this folder are imported by their path from the root, under every import mode of pytest.
ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from tests.flows.support import Project  # noqa: E402 - findable from here on

KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "COVERAGE_PROCESS_START")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Project]:
    """A user of whom nothing is known but their home; there is no repository yet."""
    place = tmp_path.resolve()
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
def project(home: Project) -> Project:
    """A user with a repository of one commit on the branch main."""
    return home.has_repository()
