"""Whether a change that was to change what a program does changes any code."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Repository

from teamlead.core.evidence.values import Evidence
from teamlead.evidence.change.changed_code import PLAIN, examine_code

SOURCES = {
    "shop/prices.py": '"""Prices."""\n\n\ndef total(prices):\n    return sum(prices)  # all of them\n',
    "shop/cart.js": "// the cart\nexport const name = 'cart';\n",
    "shop/cart.go": 'package shop\n\n// Name is its name.\nconst Name = "cart"\n',
    "shop/cart.rs": "/// Its name.\npub fn name<'a>() -> &'a str { \"cart\" }\n",
    "shop/rates.yaml": "a:\n  b: 1\n",
    "tests/test_prices.py": "def test_total():\n    assert total([1]) == 1\n",
    "README.md": "# Shop\n",
}


def examined(root: Path, path: str, text: str | None, **spec: object) -> list[Evidence]:
    repository = Repository(root / "r", SOURCES)
    claim = repository.claim(repository.commit({path: text}), spec=spec)
    return list(examine_code(repository.git, claim, repository.texts(claim)))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "shop/prices.py",
            '"""All prices."""\n\n\ndef total(prices):\n    """Fast."""\n    return sum(prices)\n',
        ),
        ("shop/prices.py", '"""Prices."""\ndef total(prices):\n    return (\n        sum(prices)\n    )\n'),
        ("shop/prices.py", SOURCES["shop/prices.py"] + "    pass\n    'faster'\n"),
        ("shop/cart.js", '/* fast */ export const name = "cart"; // faster\n'),
        ("shop/cart.go", 'package shop\n\n// Fast.\nconst Name =   "cart"\n'),
        ("shop/cart.rs", "/// Fast.\npub fn name<'a>() -> &'a str {\n    \"cart\"\n}\n"),
        ("README.md", "# Shop\n\nNow faster.\n"),
    ],
)
def test_a_task_that_asks_for_behaviour_is_not_done_by_comments(tmp_path: Path, path: str, text: str) -> None:
    (item,) = examined(tmp_path, path, text)
    assert item.verdict == "objected"
    assert PLAIN in item.found


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "shop/prices.py",
            '"""Prices."""\n\n\ndef total(prices):\n    return sum(list(prices))  # all of them\n',
        ),
        (
            "shop/prices.py",
            '"""Prices."""\n\n\ndef total(prices):\n    return sum("prices")  # all of them\n',
        ),
        ("shop/cart.js", "// the cart\nexport const name = 'Cart';\n"),
        ("shop/cart.js", "// @ts-nocheck\nexport const name = 'cart';\n"),
        ("shop/cart.go", 'package shop\n\n//go:build linux\nconst Name = "cart"\n'),
        ("shop/cart.rs", "/// Its name.\npub fn name<'a>() -> &'a str { \"//cart\" }\n"),
        ("shop/rates.yaml", "a:\nb: 1\n"),
        ("shop/rates.yaml", None),
        ("shop/prices.py", None),
        ("shop/broken.py", "def (:\n"),
    ],
)
def test_a_change_of_code_is_one(tmp_path: Path, path: str, text: str | None) -> None:
    assert [item for item in examined(tmp_path, path, text) if PLAIN in item.found] == []


@pytest.mark.parametrize(
    ("spec", "verdicts"),
    [
        ({"title": "Say in the docstring of total() what it returns"}, []),
        ({"title": "Explain total() in a comment, and make it faster"}, ["flagged"]),
        ({"title": "Fix the typo in shop/prices.py"}, ["flagged"]),
        ({"title": "Tidy up shop/"}, ["flagged"]),
        ({"title": "total() を速くする"}, ["flagged"]),
        ({"title": "Add a guide", "scope": ("docs/**", "*.md")}, []),
        ({"title": "Add a guide", "scope": ("README.md",)}, []),
        ({"type": "documentation"}, []),
        ({"type": "investigation"}, []),
    ],
)
def test_a_task_that_may_mean_comments_is_not_stopped(
    tmp_path: Path, spec: dict[str, object], verdicts: list[str]
) -> None:
    found = examined(
        tmp_path, "shop/prices.py", SOURCES["shop/prices.py"].replace("all of", "every one of"), **spec
    )
    assert [item.verdict for item in found] == verdicts
    assert all(item.question for item in found)


@pytest.mark.parametrize(
    ("title", "number"),
    [("Make total() faster", 1), ("Test total() with nothing", 0), ("Mend the flaky spec", 0)],
)
def test_tests_alone_are_worth_a_question_where_nobody_asked_for_tests(
    tmp_path: Path, title: str, number: int
) -> None:
    found = examined(
        tmp_path, "tests/test_prices.py", "def test_total():\n    assert total([]) == 0\n", title=title
    )
    assert [item.verdict for item in found] == ["flagged"] * number
