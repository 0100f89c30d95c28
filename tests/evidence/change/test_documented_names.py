"""Calls that pages show, and that no source has."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Repository

from teamlead.evidence.change.documented_names import examine_documented_names

BASE = {
    "schedule/__init__.py": "def every(n):\n    return n\n\n\ndef cancel_job(job):\n    return job\n",
    "tests/test_cancel.py": "def test_cancel_jobs():\n    pass\n",
    "package.json": '{"name": "@shop/cart"}',
    "index.js": "exports.total = () => 1\n",
}


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("    schedule.cancel_jobs(tag='daily')\n", ["README.md:1"]),
        ("    schedule.cancel_job(job)\n    schedule.every(2)\n", []),
        ("Call `cart.totals()` for all.\n", ["README.md:1"]),
        ("Call `cart.total()`, and `os.makedirs('a')` before.\n", []),
        ("Nothing to call.\n", []),
    ],
)
def test_a_page_that_shows_what_is_nowhere_is_asked_about(
    tmp_path: Path, page: str, found: list[str]
) -> None:
    repository = Repository(tmp_path / "r", BASE)
    claim = repository.claim(repository.commit({"README.md": page}))
    items = list(examine_documented_names(repository.git, claim))

    assert all(item.verdict == "flagged" and item.question for item in items)
    assert [detail.partition(": ")[0] for item in items for detail in item.details] == found
