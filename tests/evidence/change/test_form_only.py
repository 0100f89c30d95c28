"""Work that was to change the form alone."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Files, Repository

from teamlead.evidence.change.changed_code import examine_code
from teamlead.evidence.change.form_only import examine_form_only

PYTHON = (
    "import os\n\n\ndef clamp(x, low, high):\n    if high < low:\n        raise ValueError('%s' % low)\n"
    "    return min(max(x, low), high)\n\n\nclass Box:\n    def __repr__(self):\n        return 'box'\n"
)
SCRIPT = (
    "function key (name) {\n  return (\n    isNaN(name) ||\n    name.indexOf('.') !== -1\n  ) ? name : 1\n}\n"
    "const first = (one) => one[0];\nmodule.exports = { key, first };\n"
)
BASE = {"shop/prices.py": PYTHON, "shop/cart.js": SCRIPT, "README.md": "# Shop\n"}
FORMAT = "Format the module: double quotes, and no other change"
MOVE = "Move clamp to shop/limits.py"
RENAME = "Rename clamp to limit"


def details(root: Path, files: Files, title: str, **spec: object) -> list[str]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(repository.commit(files), spec={"title": title, **spec})
    items = list(examine_form_only(claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail for item in items for detail in item.details]


def quoted(text: str) -> str:
    return text.replace("'", '"')


CHECK = "    if high < low:\n        raise ValueError('%s' % low)\n"
MOVED = {
    "shop/prices.py": f"from shop.limits import clamp\n\n\n{PYTHON[PYTHON.index('class') :]}",
    "shop/limits.py": PYTHON[: PYTHON.index("class")],
}


@pytest.mark.parametrize(
    ("files", "title", "told"),
    [
        ({"shop/prices.py": quoted(PYTHON.replace(CHECK, ""))}, FORMAT, "if high < low"),
        ({"shop/prices.py": quoted(PYTHON.replace("high)", "high + 0)"))}, FORMAT, "high + 0"),
        (
            {
                "shop/cart.js": quoted(
                    SCRIPT.replace("isNaN(name) ||\n    name.indexOf('.') !== -1", "isNaN(name)")
                )
            },
            FORMAT,
            "name.indexOf",
        ),
        (
            {"shop/cart.js": SCRIPT.replace("one[0]", "one[1]")},
            "Add missing comments, and nothing else",
            "one[1]",
        ),
        (
            {"shop/prices.py": PYTHON.replace("(x, low,", "(x: int, low,").replace("< low", "<= low")},
            "Add type hints",
            "<=",
        ),
        ({**MOVED, "shop/limits.py": MOVED["shop/limits.py"].replace(CHECK, "")}, MOVE, "raise ValueError"),
        ({"shop/prices.py": PYTHON.replace(CHECK, "").replace("clamp", "limit")}, RENAME, "high < low"),
    ],
)
def test_what_is_dropped_or_added_besides_the_form_is_asked_about(
    tmp_path: Path, files: Files, title: str, told: str
) -> None:
    assert any(told in detail for detail in details(tmp_path, files, title))


@pytest.mark.parametrize(
    ("files", "title"),
    [
        ({"shop/prices.py": quoted(PYTHON)}, FORMAT),
        (
            {
                "shop/prices.py": PYTHON.replace(
                    "min(max(x, low), high)", "min(\n        max(x, low), high\n    )"
                )
            },
            FORMAT,
        ),
        ({"shop/cart.js": quoted(SCRIPT).replace(";", "").replace("(one)", "one")}, FORMAT),
        ({"shop/cart.js": SCRIPT.replace("isNaN(name) ||\n    ", "isNaN(name) || ")}, FORMAT),
        (
            {
                "shop/prices.py": PYTHON.replace("(x, low,", "(x: int, low: int,").replace(
                    "high):", "high) -> int:"
                )
            },
            "Add type hints",
        ),
        (MOVED, MOVE),
        ({"shop/prices.py": PYTHON.replace("clamp", "limit")}, RENAME),
        ({"shop/prices.py": PYTHON.replace("clamp", "limit") + "\n\nclamp = limit\n"}, RENAME),
        ({"shop/cart.js": None, "shop/lib/cart.js": SCRIPT}, "The cart moves to shop/lib/"),
    ],
)
def test_another_form_alone_is_left_alone(tmp_path: Path, files: Files, title: str) -> None:
    assert details(tmp_path, files, title) == []


@pytest.mark.parametrize(
    ("title", "description"),
    [
        ("Format prices with two digits", ""),
        ("Format the module and fix clamp, no other change", ""),
        (FORMAT, "Then remove the check."),
        ("Support comments in settings, and nothing else", ""),
        ("Move to Python 3.12", ""),
        ("Move the settings to pyproject.toml", ""),
        ("Rename clamp to limit, and drop the check", ""),
        ("Mend clamp", "No other change."),
    ],
)
def test_a_task_that_asks_for_more_may_drop_and_add(tmp_path: Path, title: str, description: str) -> None:
    files = {"shop/prices.py": PYTHON.replace(CHECK, "")}
    assert details(tmp_path, files, title, description=description) == []


@pytest.mark.parametrize(("title", "number"), [(FORMAT, 0), ("Tidy up the shop", 1)])
def test_where_the_form_is_all_that_is_asked_for_it_is_all_that_changes(
    tmp_path: Path, title: str, number: int
) -> None:
    repository = Repository(tmp_path / "r", BASE)
    claim = repository.claim(repository.commit({"shop/prices.py": quoted(PYTHON)}), spec={"title": title})
    assert len(list(examine_code(repository.git, claim, repository.texts(claim)))) == number
