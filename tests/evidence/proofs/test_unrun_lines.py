"""Lines that a change adds, and that no check runs."""

import shutil
import sys

import pytest
from tests.evidence.proofs.test_frozen_harness import OTHER, RIGHT, TEST, WRONG
from tests.evidence.proofs.world import NODE, PYTEST, UNITTEST, Files, Shop

from teamlead.core.evidence.values import Proofs
from teamlead.core.model import TaskSpec
from teamlead.evidence.proofs.unrun_lines import LINES_RUN, unrun_lines

PROOFS = (unrun_lines,)

BASE: Files = {"tax.py": WRONG, "test_tax.py": TEST.replace("120", "100"), "test_other.py": OTHER}

ADDED = (
    RIGHT
    + """

def net(gross):
    if gross < 0:
        raise ValueError(gross)
    return gross / 1.2


def rounded(net):
    if net > 1000:
        found = round(net, 1)
        return found
    return round(net, 2)
"""
)
TESTS = (
    TEST.replace("import gross", "import gross, rounded")
    + """

def test_rounded():
    assert rounded(1.234) == 1.23
    for each in []:
        assert rounded(each) == each


def helper():
    return 1
"""
)


def lines(proofs: Proofs, verdict: str = "flagged") -> list[str]:
    return [item.found for item in proofs.evidence if item.claim == LINES_RUN and item.verdict == verdict]


def test_functions_branches_modules_and_lines_of_tests_that_never_run_are_told(shop: Shop) -> None:
    change = {"tax.py": ADDED, "test_tax.py": TESTS, "idle.py": "WORD = 1\n"}

    assert lines(shop.prove(BASE, change)) == [
        "no check loads idle.py",
        "no check runs tax.py:8 (net), tax.py:13-14",
        "of the tests themselves these lines never ran: test_tax.py:11",
    ]


def test_where_all_of_it_runs_also_in_processes_of_its_own_it_is_said_to(shop: Shop) -> None:
    """Whatever the command makes of PYTHONPATH."""
    calls = """
import subprocess
import sys
import unittest


class T(unittest.TestCase):
    def test_in_a_process_of_its_own(self):
        call = "import tax, threading; threading.Thread(target=tax.gross, args=(1,)).start()"
        subprocess.run([sys.executable, "-c", call], check=True)
"""
    change = {"src/tax.py": RIGHT, "test_tax.py": calls}

    proofs = shop.prove({"test_other.py": calls}, change, f"PYTHONPATH=src {UNITTEST}")

    assert lines(proofs, "flagged") == []
    assert lines(proofs, "proven") == ["6 of 6 new statements run"]
    assert (proofs.runs, len(proofs.evidence)) == (1, 1)


def test_checks_that_tell_of_no_test_cost_no_run(shop: Shop) -> None:
    proofs = shop.prove(BASE, {"tax.py": ADDED}, "true")

    assert (proofs.runs, proofs.evidence) == (0, ())


def test_node_tells_lines_of_javascript(shop: Shop) -> None:
    base = {
        "tax.mjs": "export const gross = (net) => net;\n",
        "tax.test.mjs": "import {gross} from './tax.mjs';\nimport test from 'node:test';\nimport assert from "
        "'node:assert';\ntest('gross', () => assert.equal(gross(100), 120));\n",
    }
    gross = """export const gross = (net) => {
  if (net < 0) {
    throw new Error("é");
  }
  if (net > 1000) {
    const much = net * 1.1;
    return much;
  }
  return net * 1.2;
};

export function net(gross) {
  // Not tested.
  return gross / 1.2;
}
"""

    proofs = shop.prove(base, {"tax.mjs": gross, "idle.cjs": "exports.word = 1;\n"}, NODE)

    assert lines(proofs) == ["no check loads idle.cjs", "no check runs tax.mjs:6-7, tax.mjs:14"]


@pytest.mark.skipif(not shutil.which("go"), reason="needs go")
@pytest.mark.parametrize("command", ["go test ./...", "make", "go test ./... && go test -run=Other ./..."])
def test_go_tells_lines_of_go_whatever_calls_it(shop: Shop, command: str) -> None:
    gross = "package shop\n\nfunc Gross(net int) int {\n\treturn net * 2\n}\n"
    net = "\nfunc Net(gross int) int {\n\thalf := gross / 2\n\treturn half\n}\n"
    test = 'package shop\n\nimport "testing"\n\nfunc TestGross(t *testing.T) {\n\tGross(1)\n}\n'
    base = {"go.mod": "module example.org/shop\n\ngo 1.19\n", "tax.go": gross, "tax_test.go": test}
    base["Makefile"] = "test:\n\tgo test ./...\n"

    proofs = shop.prove(base, {"tax.go": gross + net}, command)

    assert lines(proofs) == ["no check runs tax.go:7-9"]


def test_a_check_that_fails_where_its_lines_are_noted_is_told(shop: Shop) -> None:
    looks = "import tax\n\n\ndef test_text():\n    assert '_teamlead' not in open('tax.py').read()\n"

    proofs = shop.prove(
        {"tax.py": "ONE = 1\n", "test_text.py": looks}, {"tax.py": "ONE = 2\nTWO = 1 + ONE\n"}
    )

    assert lines(proofs) == []
    assert lines(proofs, "unknown") == [
        f"which new lines `{PYTEST}` runs is not known: it fails where its lines are noted"
    ]


def test_what_is_transformed_before_it_runs_is_not_said_to_run(shop: Shop) -> None:
    test = """const test = require("node:test"), vm = require("node:vm");
const fs = require("fs"), path = require("path");
const file = path.resolve("tax.js"), module_ = {exports: {}};
const text = "(function (exports) { " + fs.readFileSync(file, "utf8") + "\\n})";
vm.runInThisContext(text, {filename: file})(module_.exports);
test("gross", () => module_.exports.gross(1));
"""
    unrun = "exports.gross = (net) => net;\nexports.net = (gross) => {\n  return gross - 1;\n};\n"

    proofs = shop.prove({"tax.test.js": test, "tax.js": ""}, {"tax.js": unrun}, NODE)

    assert lines(proofs) == lines(proofs, "proven") == []
    assert lines(proofs, "unknown") == [
        "tax.js: loaded in another form: which of its new lines run is not known"
    ]


NET = RIGHT + "\n\ndef net(gross):\n    return gross / 1.2\n"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ('-c "import tax; assert tax.net(120) == 100"', []),
        ('-c "import tax; tax.gross(1)"', ["no check runs tax.py:6 (net)"]),
        # It fails where its source was changed, as linters do.
        (
            "-c \"assert '_teamlead' not in open('tax.py').read(); import tax; tax.net(1)\"",
            ["no check that tells of tests runs tax.py:6 (net)"],
        ),
    ],
)
def test_what_a_check_runs_that_tells_of_no_test_is_not_said_to_be_unrun(
    shop: Shop, command: str, told: list[str]
) -> None:
    base = {"tax.py": RIGHT + "\nnet = float\n", "test_tax.py": TEST}

    proofs = shop.prove(base, {"tax.py": NET}, PYTEST, f"{sys.executable} -B {command}")

    assert lines(proofs) == told
    assert lines(proofs, "unknown") == []


def test_of_what_hidden_checks_run_nothing_is_said(shop: Shop) -> None:
    task = TaskSpec("task-1", "Do it", checks=(PYTEST,), hidden_checks=("python hidden.py",))

    proofs = shop.prove({"tax.py": RIGHT, "test_tax.py": TEST}, {"tax.py": NET}, task=task)

    assert lines(proofs) == ["no check that agents know of runs tax.py:6 (net)"]


RUNS_ONE_FOLDER = """const fs = require("fs");
global.it = (name, body) => body();
for (const name of fs.readdirSync("test")) if (name.endsWith(".js")) require("./test/" + name);
console.log("TAP version 13\\n1..1\\nok 1 - all of them");
"""
A_TEST = "it('holds ' + 1, () => { require('assert')(true); });\n"


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("test/deeper/other.js", A_TEST, ["no check loads test/deeper/other.js"]),
        ("test/other.js", A_TEST, []),
        ("test/deeper/words.js", "module.exports = ['a', 'b'];\n", []),
    ],
    ids=["where nobody looks", "where they are run", "no tests"],
)
def test_a_file_of_tests_that_its_program_does_not_find_is_told(
    shop: Shop, path: str, text: str, found: list[str]
) -> None:
    base = {"run.js": RUNS_ONE_FOLDER, "test/one.js": A_TEST}

    assert lines(shop.prove(base, {path: text}, "node run.js")) == found
