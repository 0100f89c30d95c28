"""Constants and tables that are wrong in one place."""

import pytest

from teamlead.evidence.proofs import constants as of_words
from teamlead.evidence.proofs.constants import another, worn
from teamlead.evidence.proofs.faults import Fault
from teamlead.evidence.proofs.python_constants import constants

ALL = range(1, 60)
PYTHON = """import re
UNITS = {
    "weeks": 7 * 86400,
    "days": 86400,
}
PAIRS = [("years", "y"),
    ("months", "m"), ("w", 1)]
PATTERN = re.compile(r"(?:mo|mths?|months?)$")
KEEP = {"a",
   "b"}
__all__ = ["a", "b"]
class A:
    LIMIT: int = 10
    def f(self, parts, timeout=3):
        \"\"\"Takes 3.\"\"\"
        if len(parts) > 3:
            parts = [x.zfill(2) for x in parts]
        log.info("x", 4)
        call(timeout=5)
        raise ValueError("a", 6)
"""
JAVASCRIPT = """const UNITS = {
  weeks: 7,
  "days": 86400,
};
const list = ["a",
 'd'];
const re = /^(?:mo|mths?|months?)$/;
function f(a, b) {
  if (a.length > 3) { return a[0]; }
  console.log(4);
  const { c, d } = b;
  f(a, b);
}
"""
GO = """package x

var units = map[string]int{
	"weeks": 7 * 86400,
	"days":  86400,
}

var list = []string{"a", "b"}

func F(a []int) int {
	if len(a) > 3 {
		return a[0] + 2
	}
	panic("no 5")
}
"""


def sentences(faults: list[Fault]) -> set[str]:
    return {fault.sentence for fault in faults}


def test_of_python_entries_go_pairs_turn_numbers_and_words_are_others() -> None:
    found = constants(PYTHON, ALL, ALL)

    assert {fault.sentence: fault.line for fault in found[:7]} == {
        '`"days": 86400` is left out': 4,
        '`("w", 1)` is left out': 7,
        "`r\"(?:mo|mths?|months?)$\"` is '(?:mo|mths?)$'": 8,
        '`"b"` is left out': 10,
        "`10` is 11": 13,
        "`2` is 3": 17,
        "`7` is 8": 3,
    }
    assert '`"months", "m"` is the other way round' in sentences(found)
    assert '[("years", "y"),\n    ("m", "months"), ("w", 1)]' in "".join(fault.text for fault in found)


@pytest.mark.parametrize("never", ["__all__", "Takes 3", "`3` is 4 at timeout", "`4`", "`5`", "`6`"])
def test_what_is_only_told_or_says_how_long_to_wait_stays(never: str) -> None:
    assert not any(never in sentence for sentence in sentences(constants(PYTHON, ALL, ALL)))


def test_only_lines_that_were_added_in_statements_that_ran_are_changed() -> None:
    assert sentences(constants(PYTHON, {2}, {4})) == {
        '`"days": 86400` is left out',
        "`86400` is 86401",
        "`\"days\"` is 'day_'",
    }
    assert constants(PYTHON, {2}, {13}) == constants(PYTHON, {12}, {4}) == []
    # A condition counts where something ran that hangs on it.
    assert sentences(constants(PYTHON, {17}, {16})) == {"`3` is 4"}
    assert constants("def broken(:\n", {1}, {1}) == []


def test_of_javascript_and_go_too() -> None:
    found = sentences(of_words.constants(JAVASCRIPT, "javascript", ALL, ALL))
    assert {'`"days": 86400` is left out', "`'d'` is left out", "`3` is 4"} <= found
    assert "`/^(?:mo|mths?|months?)$/` is /^(?:mo|mths?)$/" in found
    assert not any("`4`" in sentence or "`b` is left out" in sentence for sentence in found)

    found = sentences(of_words.constants(GO, "go", ALL, ALL))
    assert {'`"days":  86400` is left out', '`"b"` is left out', "`2` is 3"} <= found
    assert not any("`5`" in sentence for sentence in found)
    assert sentences(of_words.constants(GO, "go", {11, 12}, {11})) == {"`3` is 4"}


def test_what_stood_in_the_lines_before_is_not_made_wrong_in_those_in_their_place() -> None:
    before = "def plural(n):\n    return n >= 1.5 and 's' or 'x'\n"
    after = "def plural(n):\n    return abs(n) >= 1.5 and 's' or 'y'\n"
    kept = worn(before, after)
    assert kept == {"1.5", "s", "x"}
    assert sentences(constants(after, ALL, ALL, kept)) == {"`'y'` is '_'"}
    script = "function plural(n) {\n  return Math.abs(n) >= 1.5 ? 's' : 'y';\n}\n"
    assert sentences(of_words.constants(script, "javascript", ALL, ALL, kept)) == {'`"y"` is "_"'}


def test_another_text_is_no_longer_than_the_one_it_is_in_the_place_of() -> None:
    """In a set of letters, one more changes nothing for the others."""
    assert [another(text) for text in ("~", "", "a_", "\\n")] == ["_", "_", "a-", "\\n_"]


def test_numbers_that_stand_behind_the_same_words_are_made_wrong_together() -> None:
    """One of them alone would break what both sides of a comparison have in common."""
    text = "def less(a, b):\n    é = a.zfill(2)\n    ö = b.zfill(2)\n    return é[2:] < ö[2:]\n"
    found = {fault.sentence: fault for fault in constants(text, ALL, ALL)}
    both = found["`2` is 3 (2 times)"]
    assert (both.line, both.text) == (3, text.replace("zfill(2)", "zfill(3)"))
    assert "zfill(2)" in "".join(
        fault.text for fault in constants(text, ALL, {3, 4}) if "2" in fault.sentence
    )

    script = "function less(a, b) {\n  return a.padStart(2) < b.padStart(2) || a.at(2);\n}\n"
    both = next(
        fault
        for fault in of_words.constants(script, "javascript", ALL, ALL)
        if fault.sentence == "`2` is 3 (2 times)"
    )
    assert both.text == script.replace("padStart(2)", "padStart(3)")


def test_what_a_program_wrote_in_one_line_stays_as_it_is() -> None:
    assert of_words.constants(f"const a = [{'1, ' * 400}2];", "javascript", ALL, ALL) == []
