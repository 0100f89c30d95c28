import os

import pytest

from teamlead.system.rooms.availability import look


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.getuid() != 0:
        of_root = [item for item in items if item.get_closest_marker("root")]
        items[:] = [item for item in items if item not in of_root]
        config.hook.pytest_deselected(items=of_root)


@pytest.fixture(scope="session")
def rooms() -> None:
    """Agents and checks have rooms of their own."""
    found = look()
    if not found.program:
        pytest.skip(f"no rooms here: {found.why_not}")
