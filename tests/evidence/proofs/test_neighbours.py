"""Functions that read what was changed for another one, called before and after."""

import pytest
from tests.evidence.proofs.world import PYTEST, UNITTEST, Shop, only

from teamlead.core.model import TaskSpec
from teamlead.evidence.proofs.neighbours import neighbours
from teamlead.evidence.proofs.shared_values import given, shared

PROOFS = (neighbours,)
WORDS = """import re

MARKS = "._,"
SPLIT = re.compile("[" + re.escape(MARKS) + "]+")


def _parts(text):
    return SPLIT.split(text)


def words(text):
    return _parts(text)


def slug(text):
    return "-".join(_parts(text))
"""
CHANGED = WORDS.replace('"._,"', '","')
TEST = "import words\n\n\ndef test_slug():\n    assert words.slug('a.b,c') == 'a.b-c'\n"
OLD = "import words\n\n\ndef test_old():\n    assert words.words('a,b') == ['a', 'b']\n"
OF_UNITTEST = """import unittest
import words


class T(unittest.TestCase):
    def test_slug(self):
        self.assertEqual(words.slug('a.b,c'), 'a.b-c')
"""


def task(said: str) -> TaskSpec:
    return TaskSpec("task-1", "Keep dots in `slug()`", description=said)


@pytest.mark.parametrize(
    ("folder", "test", "command"),
    [("", TEST, PYTEST), ("src/", TEST, f"PYTHONPATH=src {PYTEST}"), ("", OF_UNITTEST, UNITTEST)],
)
@pytest.mark.parametrize("said", ["`words()` stays as it is.", "With a test."])
def test_what_gives_something_else_beside_what_was_meant_is_told(
    shop: Shop, folder: str, test: str, command: str, said: str
) -> None:
    base = {f"{folder}words.py": WORDS, "test_old.py": OLD}

    flag = only(
        shop.prove(base, {f"{folder}words.py": CHANGED, "test_slug.py": test}, command, task=task(said)),
        "flagged",
    )

    assert flag.found == (
        "functions that read what was changed for another one: "
        "words('a.b,c') gave ['a', 'b', 'c'], and gives ['a.b', 'c'] now"
    )
    assert flag.question.endswith("Which sentence of the plan asks for this?")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (CHANGED, "So does `words()`."),
        (WORDS.replace('return "-".join(_parts(text))', 'return "-".join(text.split(","))'), "With a test."),
        (
            CHANGED.replace(
                "def words(text):\n    return _parts(text)", "def words(text):\n    return text.split()"
            ),
            "With a test.",
        ),
    ],
    ids=["named, too", "changed by itself", "changed, too"],
)
def test_what_was_meant_and_what_reads_nothing_that_was_changed_is_not_called(
    shop: Shop, changed: str, said: str
) -> None:
    proofs = shop.prove({"words.py": WORDS}, {"words.py": changed, "test_slug.py": TEST}, task=task(said))

    assert (proofs.evidence, proofs.runs) == ((), 0)


def test_what_gives_the_same_is_no_question(shop: Shop) -> None:
    base = {"words.py": WORDS, "test_old.py": OLD}
    same = WORDS.replace('"._,"', '"_.,"')
    test = TEST.replace("'a.b-c'", "'a-b-c'")

    proofs = shop.prove(base, {"words.py": same, "test_slug.py": test}, task=task("With a test."))

    assert proofs.evidence == ()


def test_a_value_of_a_value_and_a_function_of_a_function_are_read_too() -> None:
    found = shared(WORDS, CHANGED, "slug() keeps dots")
    assert found == (("MARKS",), ("slug",), ("words",))
    assert shared(WORDS, CHANGED, "dots are kept") is None
    found = shared(WORDS, CHANGED, "slug() keeps dots; words() is left alone")
    assert found is not None
    assert found.neighbours == ("words",)
    assert shared("def broken(:\n", CHANGED, "slug") is None


def test_what_looks_like_a_place_is_given_to_no_other_function() -> None:
    tests = ["slug('a/b')\nslug('c', 3)\nwords('/d')\nslug(name)\nother('e')\n"]
    assert given(tests, "words", ("slug",), WORDS) == ["('/d',)", "('c',)"]
    assert given(tests, "MARKS", ("slug",), WORDS) == []
