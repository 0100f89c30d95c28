"""The same code in another place, left as it was."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Files, Repository

from teamlead.evidence.change.twins import examine_twins

TABLE = """parse.second = 1000
parse.minute = parse.second * 60
parse.hour = parse.minute * 60
parse.day = parse.hour * 24
parse.week = parse.day * 7
parse.year = parse.day * 365.25
"""
ADDED = TABLE.replace("parse.year", "parse.fortnight = parse.day * 14\nparse.year")
BUG = """def low(values):
    found = sorted(values)
    if not found:
        raise ValueError('nothing to look at')
    return found[-1]
"""
MENDED = BUG.replace("found[-1]", "found[0]")
TWICE = BUG + "\n\n" + BUG.replace("low", "lowest")


def told(root: Path, base: Files, files: Files) -> list[str]:
    repository = Repository(root / "r", base)
    claim = repository.claim(repository.commit(files))
    items = list(examine_twins(repository.git, claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail.partition(": ")[0] for item in items for detail in item.details]


@pytest.mark.parametrize(
    ("base", "files", "found"),
    [
        ({"index.js": TABLE, "index.mjs": TABLE}, {"index.js": ADDED}, ["index.mjs:4"]),
        ({"index.js": TABLE, "index.mjs": TABLE}, {"index.js": ADDED, "index.mjs": ADDED}, []),
        (
            {"index.js": TABLE, "index.mjs": TABLE},
            {"index.js": ADDED, "index.mjs": f"// With fortnights.\n{TABLE}"},
            ["index.mjs:5"],
        ),
        ({"a.py": TWICE}, {"a.py": TWICE.replace(BUG, MENDED)}, ["a.py:10"]),
        ({"a.py": BUG}, {"a.py": MENDED}, []),
        ({"a.py": BUG}, {"a.py": MENDED, "b.py": BUG}, []),
        ({"a.js": TABLE, "dist/a.js": TABLE}, {"a.js": ADDED}, []),
        ({"a.js": TABLE, "a.test.js": TABLE}, {"a.js": ADDED}, []),
        ({f"{name}.js": TABLE for name in "abcdefgh"}, {"a.js": ADDED}, []),
        ({"a.js": TABLE, "b.js": TABLE}, {"a.js": f"{TABLE}// Years are long.\n"}, []),
        ({"a.js": TABLE, "b.js": TABLE}, {"a.js": TABLE.replace("parse.week", "// parse.week")}, []),
    ],
    ids=[
        "another entry",
        "both",
        "a comment alone",
        "in the same file",
        "alone",
        "new there",
        "built",
        "a test",
        "everywhere",
        "only words here",
        "only words in its place",
    ],
)
def test_what_is_the_same_elsewhere_and_was_left_is_asked_about(
    tmp_path: Path, base: Files, files: Files, found: list[str]
) -> None:
    assert told(tmp_path, base, files) == found


INIT = '__version__ = "1.0.11"\n'
PROJECT = '[project]\nname = "short"\nversion = "1.0.11"\n'


@pytest.mark.parametrize(
    ("base", "files", "found"),
    [
        ({"a.py": INIT, "pyproject.toml": PROJECT}, {"a.py": INIT.replace("11", "12")}, ["pyproject.toml:3"]),
        ({"a.py": INIT, "CHANGES.md": "1.0.11: first\n"}, {"a.py": INIT.replace("11", "12")}, []),
        ({"a.py": INIT, "package-lock.json": PROJECT}, {"a.py": INIT.replace("11", "12")}, []),
        ({"a.py": INIT, "test_a.py": INIT}, {"a.py": INIT.replace("11", "12")}, []),
        ({"a.py": INIT, "pyproject.toml": PROJECT}, {"a.py": INIT + "x = 1\n"}, []),
        ({"a.py": INIT, "b.py": 'LEAST = "1.0.110"\n'}, {"a.py": INIT.replace("11", "12")}, []),
        (
            {"a.py": "at = '/api/v1/users'\n", "b.py": "to = '/api/v1/users'\n"},
            {"a.py": "at = '/api/v2/users'\n"},
            ["b.py:1"],
        ),
        ({"a.py": "at = 'somewhere'\n", "b.py": "to = 'somewhere'\n"}, {"a.py": "at = 'elsewhere'\n"}, []),
    ],
    ids=["a version", "told of", "a lock", "a test", "still there", "another", "an address", "a word"],
)
def test_a_value_that_still_stands_elsewhere_is_asked_about(
    tmp_path: Path, base: Files, files: Files, found: list[str]
) -> None:
    assert told(tmp_path, base, files) == found
