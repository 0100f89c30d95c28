"""The tests that a change brings along, on the source as it was before."""

import json
import shutil
from pathlib import Path

import pytest
from tests.evidence.proofs.test_frozen_harness import OTHER, RIGHT, TEST, WRONG
from tests.evidence.proofs.world import NODE, PYTEST, UNITTEST, Shop, only, told

from teamlead.core.model import TaskSpec
from teamlead.evidence.proofs import selected_tests
from teamlead.evidence.proofs.new_tests import new_tests

PROOFS = (new_tests,)

BASE = {"tax.py": WRONG, "test_other.py": OTHER}


def test_new_tests_that_pass_on_the_old_source_prove_nothing_about_the_change(shop: Shop) -> None:
    vague = TEST.replace("== 120", "is not None")

    flag = only(shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": vague}), "flagged")

    assert flag.found == "they pass on the old source, too: test_tax.py::test_gross"
    assert flag.question.endswith("Which sentence of the plan asks for tests of what held before?")


def test_new_tests_of_which_an_assertion_fails_there_have_force(shop: Shop) -> None:
    proofs = shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": TEST})

    assert told(proofs, "flagged") == []
    assert "an assertion fails there" in told(proofs, "proven")


TAXED = f"{WRONG}\n\ndef tax(net):\n    return net / 5\n"


def of_tax(asserted: str) -> str:
    return f"from tax import tax\n\n\ndef test_tax():\n    assert {asserted}\n"


def test_a_missing_name_is_no_force_and_is_given_to_the_old_source(shop: Shop) -> None:
    proofs = shop.prove(BASE, {"tax.py": TAXED, "test_tax.py": of_tax("tax(100) == 20")})

    assert told(proofs, "proven") == ["an assertion fails there"]


def test_a_test_that_passes_where_the_new_name_does_nothing_is_a_question(shop: Shop) -> None:
    flag = only(shop.prove(BASE, {"tax.py": TAXED, "test_tax.py": of_tax("tax is not None")}), "flagged")

    assert flag.found == "they pass where what is new does nothing, too: test_tax.py::test_tax"


def test_a_file_that_cannot_be_loaded_there_hides_no_other(shop: Shop) -> None:
    strange = "from tax import tax\n\nSTAND = tax(100).real\n\n\ndef test_tax():\n    assert STAND\n"
    idle = "def test_idle():\n    assert 1\n"

    proofs = shop.prove(BASE, {"tax.py": TAXED, "test_tax.py": strange, "test_idle.py": idle})

    assert only(proofs, "flagged").found.endswith("too: test_idle.py::test_idle")


def test_where_a_test_fails_by_an_error_alone_nobody_can_tell(shop: Shop) -> None:
    proofs = shop.prove(BASE, {"tax.py": TAXED, "test_tax.py": of_tax("tax(100).real == 20")})

    assert told(proofs, "unknown") == ["they fail there, and not by what they assert"]
    assert (told(proofs, "flagged"), told(proofs, "proven")) == ([], [])


ASKED = TaskSpec("task-1", "Add a tax to gross(), with a test")
VAGUE = TEST.replace("== 120", "is not None")


def test_new_tests_without_force_are_objected_to_where_the_task_asks_for_tests_of_what_is_new(
    shop: Shop,
) -> None:
    item = only(shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": VAGUE}, task=ASKED), "objected")

    assert item.found == (
        "they pass on the old source, too: test_tax.py::test_gross: write one that fails without the change"
    )


@pytest.mark.parametrize(
    "title",
    [
        "Add a tax to gross()",
        "Refactor gross(), with a test",
        "Make gross() faster, with a test",
        "Simplify gross() without a change of behaviour, and pin its behaviour by tests",
        "Say more in the docstring of gross(), with a test",
    ],
)
def test_what_is_to_stay_as_it_was_may_be_tested(shop: Shop, title: str) -> None:
    task = TaskSpec("task-1", title)

    proofs = shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": VAGUE}, task=task)

    assert (told(proofs, "objected"), len(told(proofs, "flagged"))) == ([], 1)


def test_where_an_old_test_shows_the_change_new_ones_may_show_what_they_like(shop: Shop) -> None:
    red = {**BASE, "test_tax.py": TEST}

    proofs = shop.prove(
        red, {"tax.py": RIGHT, "test_more.py": "def test_more():\n    assert 1\n"}, task=ASKED
    )

    assert (told(proofs, "objected"), told(proofs, "flagged")) == ([], [])


def test_node_is_given_the_names_too(shop: Shop) -> None:
    base = {
        "tax.mjs": "export const gross = (net) => net;\n",
        "tax.test.mjs": "import {gross} from './tax.mjs';\nimport test from 'node:test';\n"
        "test('old', () => gross(1));\n",
    }
    test = (
        "import {tax} from './tax.mjs';\nimport test from 'node:test';\nimport assert from 'node:assert';\n"
        "test('tax', () => assert.equal(tax(100), 20));\n"
    )
    added = {"tax.mjs": base["tax.mjs"] + "export const tax = (net) => net / 5;\n", "more.test.mjs": test}
    assert told(shop.prove(base, added, NODE), "proven") == ["an assertion fails there"]


def test_go_is_given_the_names_too(shop: Shop) -> None:
    head = 'package tax\n\nimport "testing"\n\n'
    base = {
        "go.mod": "module shop\n\ngo 1.19\n",
        "tax.go": "package tax\n\nfunc Gross(net int) int {\n\treturn net\n}\n",
        "tax_test.go": f"{head}func TestOld(t *testing.T) {{\n\tGross(1)\n}}\n",
    }
    asserts = '\tif got, err := Tax(100); got != 20 || err != nil {\n\t\tt.Errorf("got %d", got)\n\t}\n'
    added = {
        "tax.go": base["tax.go"] + "\nfunc Tax(net int) (int, error) {\n\treturn net / 5, nil\n}\n",
        "more_test.go": f"{head}func TestTax(t *testing.T) {{\n{asserts}}}\n",
    }
    assert told(shop.prove(base, added, "go test -v ./..."), "proven") == ["an assertion fails there"]


def test_a_task_that_only_adds_tests_owes_nothing(shop: Shop) -> None:
    proofs = shop.prove({"tax.py": RIGHT, "test_other.py": OTHER}, {"test_tax.py": TEST})

    assert told(proofs, "flagged") == []


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a letter for each time that an old test ran. Checks count as slow."""
    monkeypatch.setattr(selected_tests, "QUICK", 0.0)
    return tmp_path / "counted"


needs_go = pytest.mark.skipif(not shutil.which("go"), reason="needs go")
OF_UNITTEST = """import unittest
import tax


class T(unittest.TestCase):
    def test_it(self):
        BODY
"""
OF_GO = """package shop

import "testing"

func TestNAME(t *testing.T) {
	BODY
}
"""
WRITES = "with open(PLACE, 'a') as file: file.write('x')"
SLOW = {
    "pytest": (
        {"tax.py": WRONG, "test_old.py": "def test_old():\n    open(PLACE, 'a').write('x')\n"},
        {"tax.py": RIGHT, "test_tax.py": "from tax import gross\n\n\ndef test_gross():\n    assert BODY\n"},
        ("gross(100) == 120", "gross(100)"),
        PYTEST,
    ),
    "unittest": (
        {
            "tax.py": WRONG,
            "test_old.py": OF_UNITTEST.replace("BODY", WRITES),
        },
        {"tax.py": RIGHT, "test_tax.py": OF_UNITTEST.replace("BODY", "assert BODY")},
        ("tax.gross(100) == 120", "tax.gross(100)"),
        UNITTEST,
    ),
    "go": (
        {
            "go.mod": "module example.org/shop\n\ngo 1.19\n",
            "tax.go": "package shop\n\nfunc Gross(net int) int { return net }\n",
            "old_test.go": OF_GO.replace("NAME", "Old")
            .replace('"testing"', '(\n\t"os"\n\t"testing"\n)')
            .replace(
                "BODY",
                "file, _ := os.OpenFile(PLACE, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)\n"
                '\tfile.WriteString("x")',
            ),
        },
        {
            "tax.go": "package shop\n\nfunc Gross(net int) int { return net * 12 / 10 }\n",
            "tax_test.go": OF_GO.replace("NAME", "Gross").replace("BODY", "if !(BODY) {\n\t\tt.Fatal()\n\t}"),
        },
        ("Gross(100) == 120", "Gross(100) > 0"),
        "go test -v -count=1 ./...",
    ),
}


@pytest.mark.parametrize(
    "program",
    ["pytest", "unittest", pytest.param("go", marks=needs_go)],
)
def test_of_a_slow_check_the_touched_tests_alone_run_on_the_old_source(
    shop: Shop, counted: Path, program: str
) -> None:
    before, after, (strong, weak), command = SLOW[program]
    before = {name: text.replace("PLACE", json.dumps(str(counted))) for name, text in before.items()}

    found = shop.prove(before, {name: text.replace("BODY", weak) for name, text in after.items()}, command)
    assert only(found, "flagged").found.startswith("they pass on the old source, too")
    # On the base, on the work, and once more on the base where its program is asked for names.
    assert counted.read_text() in {"xx", "xxx"}
    assert found.runs == len(counted.read_text()) - 1

    gone = dict.fromkeys(path for path in after if path not in before)
    strong_ones = {name: text.replace("BODY", strong) for name, text in after.items()}
    found = shop.prove({**before, **gone}, strong_ones, command)
    assert told(found, "flagged") == []
    assert only(found, "proven").found == "an assertion fails there"
