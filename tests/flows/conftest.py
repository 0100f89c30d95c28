import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from pathlib import Path

import pytest

# The helpers of this folder are imported by their path from the root, under every import mode of pytest.
ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from tests.flows.other_user import USERS, OtherUser, install  # noqa: E402 - findable from here on
from tests.flows.support import Project  # noqa: E402

KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "COVERAGE_PROCESS_START")


@contextmanager
def user(folder: Path, kind: Callable[[Path, dict[str, str]], Project] = Project) -> Iterator[Project]:
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
    project = kind(place, environment).settings("")
    yield project
    project.close()


class Prepared:
    """A project that many tests begin with: made once, and for each of them put back to where it stood."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._kept = project.place.with_name(f"{project.place.name}-kept")
        shutil.copytree(project.place, self._kept, symlinks=True)

    @contextmanager
    def again(self) -> Iterator[Project]:
        """At the same path, which sessions and copies know."""
        shutil.rmtree(self._project.place)
        shutil.copytree(self._kept, self._project.place, symlinks=True)
        project = deepcopy(self._project)
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


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Path]:
    """Not pytest's own, which is closed to other users."""
    folder = Path(tempfile.mkdtemp(prefix="teamlead-flows-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def program(open_folder: Path) -> Path:
    return install(open_folder)


@pytest.fixture(params=USERS)
def owner(request: pytest.FixtureRequest, tmp_path: Path, open_folder: Path) -> Iterator[Project]:
    """A user with a repository: whoever runs the tests, and where they are root, one without any rights."""
    if request.param == "own":
        with user(tmp_path) as project:
            yield project.has_repository()
        return
    place = Path(tempfile.mkdtemp(dir=open_folder))
    place.chmod(0o755)
    with user(place, partial(OtherUser, program=request.getfixturevalue("program"))) as project:
        yield project.has_repository()
