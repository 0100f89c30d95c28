"""A plugin of pytest's: of all tests, only those of these files run, in reverse, and then once more.

It is put into a copy with FILES at its end, and is loaded by the project's own pytest.
"""

from __future__ import annotations

import copy
import os
from typing import Any

FILES: list[str] = []


def pytest_collection_modifyitems(items: list[Any]) -> None:
    of_these = [item for item in items if _file(item) in FILES and hasattr(item, "_initrequest")]
    if of_these:
        items[:] = [*reversed(of_these), *map(_another, of_these)]


def _file(item: Any) -> str:
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.relpath(str(getattr(item, "path", None) or item.fspath), here)


def _another(item: Any) -> Any:
    """The same test with fixtures of its own: pytest does not set one up again that follows itself."""
    another = copy.copy(item)
    another._initrequest()
    return another
