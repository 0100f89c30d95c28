"""Source that notes which of its statements run, and in which test."""

from pathlib import Path

import pytest

from teamlead.evidence.proofs.python_probes import MORE, MOST_TESTS, TEST, VARIABLE, with_probes
from teamlead.evidence.proofs.python_statements import added_statements, parsed

SOURCE = '''"""Says what it is."""
from __future__ import annotations

import enum; import functools

class Colour(enum.Enum):
    """Of something."""
    RED = 1
    BLUE = 2

@functools.cache
def short(much): return much + 1

def long(each, *, really=False):
    """Says what it does."""
    if each: word = "é"; each = 0
    else: each = 2
    match each:
        case 0:
            found = (
                short(each)
            )
        case _:
            found = 5
    try:
        found += 1
    except TypeError as error:
        really = error
        found = 7
    return [found, really][0]
'''


def after(source: str, call: str, folder: Path) -> object:
    """What `call` gives after the source."""
    tree = parsed(source)
    assert tree is not None
    space: dict[str, object] = {"__name__": "shop", "__file__": str(folder / "shop.py")}
    exec(with_probes(source, tree, added_statements(tree, range(1, 100)), 3), space)
    return eval(call, space)


def noted(source: str, call: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[object, list[str]]:
    """That, and which of its lines ran."""
    notes = folder / "notes"
    notes.touch()
    monkeypatch.setenv(VARIABLE, str(notes))
    value = after(source, call, folder)
    found = (line.partition(" ")[0] for line in notes.read_text().splitlines())
    places = {line.removeprefix("3:") for line in found if line.startswith("3:")}
    return value, sorted(places, key=int)


def test_what_ran_is_noted_line_by_line_and_nothing_else_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value, places = noted(SOURCE, "long(1)", tmp_path, monkeypatch)

    assert value == 2
    assert places == [str(line) for line in (0, 4, 8, 9, 12, 16, 20, 26, 30)]


@pytest.mark.parametrize(
    "source",
    ["def f():\n    return 1\n", "@staticmethod\ndef f():\n    return 1\n", "if True:\n    f = int\n", ""],
    ids=["function", "decorated", "branch", "nothing"],
)
def test_a_module_may_begin_with_anything(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, places = noted(source, "1", tmp_path, monkeypatch)

    assert places[:1] == ["0"] * bool(source)


def test_where_nothing_can_be_noted_the_source_runs_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))

    assert after(SOURCE, "long(1)", tmp_path) == 2


def test_what_nobody_would_miss_does_not_count() -> None:
    source = """
from typing import TYPE_CHECKING, Protocol
if TYPE_CHECKING:
    import decimal
class Payer(Protocol):
    def pay(self): x = 1
def later():
    raise NotImplementedError
def f(x):
    if x < 0:
        told = str(x)
        raise ValueError(told)
    try:
        assert False
    except OSError:
        return None
    return x
if __name__ == "__main__":
    f(1)
"""
    tree = parsed(source)
    assert tree is not None

    assert [statement.line for statement in added_statements(tree, range(1, 30))] == [2, 17]


def test_a_line_is_noted_with_each_test_that_runs_it_up_to_a_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes"
    monkeypatch.setenv(VARIABLE, str(notes))
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    call = after("def f(much):\n    return much\n", "f", tmp_path)
    assert callable(call)

    def told() -> list[str]:
        return [line.removeprefix("3:2 ") for line in notes.read_text().splitlines() if "3:2" in line]

    for phase in ("setup", "call"):
        monkeypatch.setenv("PYTEST_CURRENT_TEST", f"test_a.py::test_it[a (b)] ({phase})")
        call(1)
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    monkeypatch.setenv(TEST, "test_b.Some.test_it (call)")
    call(2)
    assert told() == ["test_a.py::test_it[a (b)]", "test_b.Some.test_it"]

    monkeypatch.delenv(TEST)
    call(3)
    assert told()[2:] == [MORE]

    for number in range(2 * MOST_TESTS):
        monkeypatch.setenv(TEST, f"test_b.Some.test_{number} (call)")
        call(number)
    assert len(told()) == MOST_TESTS


CONDITIONS = """def f(each, *rest):
    if each and not rest: found = 1
    elif (
        each and (rest or None)
    ):
        found = 2
    elif n := len(rest):
        found = n
    else:
        found = 4
    return found
"""


@pytest.mark.parametrize(
    ("call", "value", "lines"),
    [
        ("f(1)", 1, "0 2 11"),
        ("f(1, 2)", 2, "0 2 4 6 11"),
        ("f(0, 1)", 1, "0 2 4 8 11"),
        ("f(0)", 4, "0 2 4 10 11"),
    ],
)
def test_conditions_are_noted_and_decide_as_before(
    call: str, value: int, lines: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, places = noted(CONDITIONS, call, tmp_path, monkeypatch)

    assert (found, places) == (value, lines.split())
