import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.flows.other_user import STRANGER, install, python_for_all
from tests.system.rooms.support import Guest

from teamlead.system.rooms.availability import look
from teamlead.system.untrusted_folder import remove_tree

FOUND = look()
USERS = ["user"] if os.getuid() else ["root", *(["stranger"] if python_for_all() else [])]


@pytest.fixture(scope="session")
def program_for_all() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="teamlead-program-") as folder:
        Path(folder).chmod(0o755)
        yield str(install(Path(folder)))


@pytest.fixture(params=USERS)
def guest(request: pytest.FixtureRequest) -> Iterator[Guest]:
    if not FOUND.program:
        pytest.skip(f"no rooms here: {FOUND.why_not}")
    # Not pytest's own: that is closed to other users.
    folder = Path(tempfile.mkdtemp(prefix="teamlead-guest-"))
    folder.chmod(0o755)
    if request.param == "stranger":
        guest = Guest(folder, STRANGER, request.getfixturevalue("program_for_all"))
    else:
        guest = Guest(folder, os.getuid(), sys.executable)
    yield guest
    if guest.scratch.exists():
        remove_tree(guest.scratch)
    shutil.rmtree(folder)
