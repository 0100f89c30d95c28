"""A plugin of pytest's: of all tests, only these run. Of two calls of pytest one may have none of them.

It is put into a copy with TESTS or FILES at its end, and is loaded by the project's own pytest.
"""

from __future__ import annotations

import os
from typing import Any

TESTS: set[str] = set()
FILES: set[str] = set()
"""All of these."""
_NONE = 5
"""How pytest ends that has no tests."""


def pytest_configure(config: Any) -> None:
    """A few tests reach no threshold of coverage."""
    if coverage := config.pluginmanager.getplugin("_cov"):
        coverage.options.cov_fail_under = None


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    rest = [item for item in items if not _is_chosen(item)]
    if rest:
        config.hook.pytest_deselected(items=rest)
        items[:] = [item for item in items if _is_chosen(item)]


def _is_chosen(item: Any) -> bool:
    here = os.path.dirname(os.path.abspath(__file__))
    file = os.path.relpath(str(getattr(item, "path", None) or item.fspath), here)
    return item.nodeid in TESTS or file in FILES


def pytest_sessionfinish(session: Any, exitstatus: int) -> None:
    if exitstatus == _NONE:
        session.exitstatus = 0
