import contextlib
import os
import signal
from collections.abc import Iterator

import pytest
from tests.system.wardens.support import Tree

from teamlead.system import warden_client

SUPPORTED = warden_client.supported()


@pytest.fixture(autouse=True)
def with_wardens() -> None:
    if not SUPPORTED:
        pytest.skip("this system has no wardens")


@pytest.fixture
def tree() -> Iterator[Tree]:
    tree = Tree()
    yield tree
    while left := tree.alive():
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
