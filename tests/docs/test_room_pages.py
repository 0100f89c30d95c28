"""The page of a room names what is in it, and nothing else."""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src/teamlead"
PAGES = [page for page in sorted(SOURCE.rglob("README.md")) if "demo" not in page.parts]
NAMED = re.compile(r"`([\w/]+(?:\.py|/))`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_a_rooms_page_has_every_module_of_the_room(page: Path) -> None:
    there = {path.name for path in page.parent.glob("*.py") if path.name != "__init__.py"}
    there |= {f"{path.parent.name}/" for path in page.parent.glob("*/__init__.py")}
    named = {name for name in NAMED.findall(page.read_text(encoding="utf-8")) if "/" not in name[:-1]}
    assert named == there
