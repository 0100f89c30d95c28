import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

# The helpers of this folder are imported by their path from the root, under every import mode of pytest.
ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from tests.sweep.world import make_template  # noqa: E402 - findable from here on

MEMORY = Path("/dev/shm")
"""A kill loses nothing that is in memory, and syncing it takes no time."""


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A user's home and repository, to be copied; copies lie beside it."""
    if not MEMORY.is_dir():
        folder = tmp_path_factory.mktemp("sweep")
        make_template(folder / "template")
        yield folder / "template"
        return
    with tempfile.TemporaryDirectory(
        dir=MEMORY, prefix="teamlead-sweep-", ignore_cleanup_errors=True
    ) as name:
        make_template(Path(name) / "template")
        yield Path(name) / "template"
