"""What the task names, and the work has nowhere."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Files, Repository

from teamlead.evidence.change.named_things import examine_named_things

BASE = {
    "shop/prices.py": "def total(x):\n    if x is None:\n        raise ValueError(x)\n    return sum(x)\n",
    "tests/test_prices.py": "def test_total():\n    assert True\n",
}
CUT = BASE["shop/prices.py"] + "\n\ndef cut(x, n):\n    return x[:n]\n"
CHECKED = CUT.replace("    return x[:n]", "    if n < 0:\n        raise ValueError(n)\n    return x[:n]")
TESTED = "import pytest\n\n\ndef test_cut():\n    with pytest.raises(ValueError):\n        cut('a', 'b')\n"
RAISES = "Where n is below 0, it raises `ValueError`."


def named(
    root: Path, files: Files, description: str, title: str = "Add cut(x, n)", **spec: object
) -> list[str]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(
        repository.commit(files), spec={"title": title, "description": description, **spec}
    )
    items = list(examine_named_things(repository.git, claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail.partition(":")[0] for item in items for detail in item.details]


@pytest.mark.parametrize(
    ("description", "name"),
    [
        (RAISES, "ValueError"),
        ("Below 0 it throws a shop.CutError", "CutError"),
        ("Too small an n is a TypeError; a large one is none.", "TypeError"),
        ("Add `quick_cut(x)` beside it.", "quick_cut"),
        ("`shop.prices.quickCut` does the same.", "quickCut"),
    ],
)
def test_what_the_task_names_and_the_work_has_nowhere_is_asked_about(
    tmp_path: Path, description: str, name: str
) -> None:
    assert named(tmp_path, {"shop/prices.py": CUT}, description) == [name]


@pytest.mark.parametrize(
    ("files", "description"),
    [
        ({"shop/prices.py": CHECKED}, RAISES),
        ({"shop/prices.py": CUT, "tests/test_prices.py": TESTED}, RAISES),
        ({"shop/prices.py": CUT}, "It no longer raises ValueError"),
        ({"shop/prices.py": CUT}, "It does not raise `KeyError`, nor `key_error`"),
        ({"shop/prices.py": CUT}, "`test_total` passes; `pytest` and `None` are known"),
        ({"shop/prices.py": CUT}, "`str(total)` gives `TOTAL_4`, which is too long."),
        ({"shop/prices.py": CUT}, "It has `total_4`; logs should have `t4` in place of it."),
        ({"README.md": "# Shop\n"}, RAISES),
    ],
)
def test_what_stands_there_or_is_not_to_be_is_left_alone(
    tmp_path: Path, files: Files, description: str
) -> None:
    assert named(tmp_path, files, description) == []


@pytest.mark.parametrize(("acceptance", "names"), [((), []), ((RAISES,), ["ValueError"])])
def test_what_is_to_be_mended_may_raise_what_is_to_go(
    tmp_path: Path, acceptance: tuple[str, ...], names: list[str]
) -> None:
    told = "It raises ValueError for an empty text."
    assert named(tmp_path, {"shop/prices.py": CUT}, told, "Mend cut", acceptance=acceptance) == names


def test_what_the_task_lets_go_was_there_before(tmp_path: Path) -> None:
    files = {"tests/test_prices.py": "def test_sum():\n    assert True\n"}
    assert named(tmp_path, files, "Remove `test_total`") == []


def test_a_task_of_one_line_names_what_stands_in_it(tmp_path: Path) -> None:
    assert named(tmp_path, {"shop/prices.py": CUT}, "", "Add `net_total`") == ["net_total"]


GO = {"go.mod": "module shop\n", "shop.go": "package shop\n\ntype Till struct{}\n"}
OF_TESTS = (
    'package shop\n\nimport "testing"\n\nfunc (t *Till) AddAll(p []int) int { return len(p) }\n\n'
    "func TestAddAll(t *testing.T) { t.Log((&Till{}).AddAll(nil)) }\n"
)


@pytest.mark.parametrize(
    ("source", "description", "found"),
    [
        ("", "Add a method `func (t *Till) AddAll(prices []int) int`.", ["AddAll"]),
        ("\nfunc (t *Till) AddAll(p []int) int { return 1 }\n", "Add Till.AddAll.", []),
        ("", "Add another method.", []),
    ],
)
def test_what_nothing_but_tests_has_is_asked_about_where_the_task_names_it(
    tmp_path: Path, source: str, description: str, found: list[str]
) -> None:
    repository = Repository(tmp_path / "r", GO)
    files = {"shop.go": GO["shop.go"] + source, "shop_test.go": OF_TESTS}
    spec = {"title": "Till", "description": description}
    claim = repository.claim(repository.commit(files), spec=spec)
    items = list(examine_named_things(repository.git, claim, repository.texts(claim)))

    assert [detail.partition(":")[0] for item in items for detail in item.details] == found


@pytest.mark.parametrize(
    ("description", "found"),
    [
        ("`shop --count 5` prints five.", ["--count"]),
        ("`shop --name` is as it was.", []),
        ("`git commit --amend` is for others.", []),
        ("It takes --count.", []),
    ],
)
def test_an_option_of_the_own_command_line_that_no_source_has_is_asked_about(
    tmp_path: Path, description: str, found: list[str]
) -> None:
    told = f"{CUT}\n\ndef count(names):\n    return names['--name']\n"
    assert named(tmp_path, {"shop/prices.py": told}, description) == found
