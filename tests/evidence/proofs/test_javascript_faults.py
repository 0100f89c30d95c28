"""JavaScript source that is wrong in one place."""

import shutil
import subprocess
from pathlib import Path

import pytest

from teamlead.evidence.proofs.javascript_faults import faults

SOURCE = """import x from "y";

export const gross = (net) => net * 1.2;

class Till {
  add(price, amount = 1) {
    if (amount < 0) {
      throw new Error("no");
    }
    if (amount > 3) {
      price = price / 2
    } else console.log("many");
    this.sum += price * amount;
    console.log("added");
    this.paper
      .pin(price)
    return this.items
      .map(({ price }) => price)
      .filter((each) => { return each + `${2}(` })
  }

  toString() { return "a till"; }
}

exports.load = async function (place, next) {
  const found = await read(place, /[)"]/);
  if (found.err) return next(found.err);
  switch (found) {
    case 1: return null;
    default:
      return {
        place,
      };
  }
};
"""
LINES = range(1, 40)


def changed(text: str) -> dict[str, tuple[int, list[str]]]:
    """Each fault with its line and with the lines that were not there."""
    before = text.split("\n")
    return {
        fault.sentence: (fault.line, [line.strip() for line in fault.text.split("\n") if line not in before])
        for fault in faults(text, LINES)
    }


def test_a_function_returns_nothing_or_its_argument_a_condition_turns_a_statement_goes() -> None:
    found = changed(SOURCE)

    named = {sentence: fault for sentence, fault in found.items() if not sentence.startswith("a function")}
    assert named == {
        "gross returns nothing": (3, ["export const gross = (net) => undefined;"]),
        "add returns nothing": (17, ["return undefined"]),
        "load returns nothing": (31, ["return undefined;"]),
        "gross returns net as it is": (3, ["export const gross = (net) => net;"]),
        "`if amount > 3` is the other way round": (10, ["if (!(amount > 3)) {"]),
        "`this.paper` is left out": (15, [";"]),
        "add returns price as it is": (17, ["return price"]),
        "load returns place as it is": (31, ["return place;"]),
    }
    assert found["a function returns each as it is"][1] == [".filter((each) => { return each })"]


def test_functions_with_a_name_come_first_and_each_before_a_second_fault_of_another() -> None:
    sentences = [fault.sentence for fault in faults(SOURCE, LINES)]

    assert sentences[:4] == [
        "gross returns nothing",
        "add returns nothing",
        "load returns nothing",
        "a function returns nothing",
    ]


def test_only_what_ran_is_changed_and_nothing_that_cannot_be_read() -> None:
    assert faults(SOURCE, {1, 2, 8, 14, 22}) == []
    # That it was asked is not enough: something has to depend on it.
    assert faults(SOURCE, {10}) == []
    assert [fault.line for fault in faults(SOURCE, {10, 11})] == [10, 11]
    assert faults("function broken( {\n", {1}) == []
    assert faults(f"const packed = (a) => a + 1; {'x();' * 300}\n", {1}) == []


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_node_knows_each_of_them_as_javascript(tmp_path: Path) -> None:
    found = faults(SOURCE, LINES)
    for number, fault in enumerate(found):
        (tmp_path / f"{number}.mjs").write_text(fault.text)

    for number in range(len(found)):
        subprocess.run(["node", "--check", f"{number}.mjs"], cwd=tmp_path, check=True)


@pytest.mark.parametrize(
    ("head", "value", "can_be_told_apart"),
    [
        ("look", "x.trim()", True),
        ("look", "/^a/.test(x)", False),
        ("look", "x === 3", False),
        ("look", "!x", False),
        ("isNumber", "look(x)", False),
        ("look", "x > 3 ? 1 : 2", True),
    ],
)
def test_who_says_yes_or_no_does_not_return_what_it_was_asked_about(
    head: str, value: str, can_be_told_apart: bool
) -> None:
    found = {fault.sentence for fault in faults(f"function {head}(x) {{\n  return {value};\n}}\n", {2})}
    assert (f"{head} returns x as it is" in found) is can_be_told_apart
    assert f"{head} returns nothing" in found
