import os
from pathlib import Path

import hypothesis
import pytest
from tests import tiers

from teamlead.system.rooms.availability import look

ROOT = Path(__file__).parents[1]

# How long an example takes says little where the machine is busy.
hypothesis.settings.register_profile("any time", deadline=None)
hypothesis.settings.load_profile("any time")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="also run what tests/tiers.py leaves out")


def pytest_configure(config: pytest.Config) -> None:
    # Whoever names something gets all of it.
    config.option.all |= config.args_source is pytest.Config.ArgsSource.ARGS


def pytest_report_header(config: pytest.Config) -> str | None:
    return None if config.option.all else "without what tests/tiers.py leaves to --all"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if config.option.all or not collection_path.is_relative_to(ROOT):
        return None
    return tiers.leaves_out_path(collection_path.relative_to(ROOT)) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    deselect(
        config, items, {item.nodeid for item in items if item.get_closest_marker("root") and os.getuid()}
    )
    if not config.option.all:
        deselect(config, items, tiers.leaves_out([item.nodeid for item in items]))


def deselect(config: pytest.Config, items: list[pytest.Item], names: set[str]) -> None:
    left_out = [item for item in items if item.nodeid in names]
    items[:] = [item for item in items if item.nodeid not in names]
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def rooms() -> None:
    """Agents and checks have rooms of their own."""
    found = look()
    if not found.program:
        pytest.skip(f"no rooms here: {found.why_not}")
