"""The work, made wrong in one place: its checks have to notice."""

import shutil
from pathlib import Path

import pytest
from tests.evidence.proofs.test_frozen_harness import OTHER, RIGHT, TEST
from tests.evidence.proofs.world import NODE, PYTEST, UNITTEST, Shop, only, told

from teamlead.core.model import TaskSpec
from teamlead.evidence.proofs import selected_tests
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.planted_faults import planted_faults

PROOFS = (planted_faults,)
BASE = {"test_other.py": OTHER}

JAVASCRIPT = """exports.gross = (net) => {
  return net * 1.2;
};
"""
OF_NODE = """const test = require("node:test"), assert = require("node:assert"), tax = require("./tax.js");
test("gross", () => LOOK);
"""
GO = """package shop

type Till struct{ sum int }

func (t *Till) Add(price int) int {
	t.sum += price
	return t.sum
}
"""
OF_GO = """package shop

import "testing"

func TestAdd(t *testing.T) {
	till := Till{}
	till.Add(1)
	if till.Add(2) WRONG {
		t.Fatal()
	}
}
"""
MODULE = "module example.org/shop\n\ngo 1.19\n"
THEY_PASS = "planted faults they pass:"
OF_GROSS = (
    "tax.js:2 (gross returns nothing)",
    "tax.js:2 (`1.2` is 2.2)",
    "tax.js:2 (gross returns net as it is)",
)
OF_ADD = (
    "tax.go:7 (Add returns nothing)",
    "tax.go:6 (`t.sum += price` is left out)",
    "tax.go:7 (Add returns price as it is)",
)
OLD_TEST = "require('node:test')('old', () => {});\n"
needs_go = pytest.mark.skipif(not shutil.which("go"), reason="needs go")


def test_tests_without_force_are_told_with_the_fault_that_they_let_pass(shop: Shop) -> None:
    calls = "from tax import gross\n\n\ndef test_gross():\n    gross(100)\n"

    flag = only(shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": calls}), "flagged")

    assert flag.found == (
        "with 3 of 3 planted faults they pass: tax.py:2 (gross returns nothing), tax.py:2 (`1.2` is 2.2), "
        "tax.py:2 (gross returns net as it is)"
    )
    assert "Which sentence of the plan asks for what stands there?" in flag.question


def test_tests_that_look_notice_each_fault(shop: Shop) -> None:
    proofs = shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": TEST})

    assert told(proofs, "proven") == ["each of 3 planted faults makes one fail"]
    assert told(proofs, "flagged") == []
    assert proofs.runs == 4


@pytest.mark.parametrize(
    ("test", "command"),
    [
        (TEST, f"grep -q 'return net . 1.2' tax.py && {PYTEST}"),
        (
            TEST.replace("assert gross(100) == 120", "gross(100)"),
            f"{PYTEST} && grep -q 'return net . 1.2' tax.py",
        ),
    ],
)
def test_what_another_program_than_tests_turns_down_proves_nothing(
    shop: Shop, test: str, command: str
) -> None:
    proofs = shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": test}, command)

    assert (proofs.runs, proofs.evidence) == (4, ())


def test_a_test_that_cannot_even_load_what_is_wrong_has_noticed(shop: Shop) -> None:
    loads = RIGHT + "\n\nHALF = -gross(True)\n"

    proofs = shop.prove(BASE, {"tax.py": loads, "test_tax.py": TEST})

    assert told(proofs, "proven") == ["each of 3 planted faults makes one fail"]


@pytest.mark.parametrize(
    ("look", "verdict", "found"),
    [
        ("assert.equal(tax.gross(100), 120)", "proven", "each of 3 planted faults makes one fail"),
        (
            "tax.gross(100)",
            "flagged",
            f"with 3 of 3 {THEY_PASS} {', '.join(OF_GROSS)}",
        ),
    ],
)
def test_tests_of_javascript_look_or_are_told_what_they_let_pass(
    shop: Shop, look: str, verdict: str, found: str
) -> None:
    change = {"tax.js": JAVASCRIPT, "tax.test.js": OF_NODE.replace("LOOK", look)}

    proofs = shop.prove({"other.test.js": "require('node:test')('other', () => {});\n"}, change, NODE)

    assert only(proofs, verdict).found == found
    assert len(proofs.evidence) == 1


def test_what_node_does_not_know_as_javascript_proves_nothing(shop: Shop) -> None:
    """Though its tests make JavaScript of it, and fail."""
    makes = """const test = require("node:test"), assert = require("node:assert"), fs = require("node:fs");
const text = fs.readFileSync("tax.js", "utf8").replace("@shop", "");
const module_ = require("node:vm").runInThisContext(text, {filename: require.resolve("./tax.js")});
test("gross", () => assert.equal(module_(100), 120));
"""
    source = "@shop\nconst gross = (net) => net * 1.2;\ngross;\n"

    proofs = shop.prove(
        {"other.test.js": "require('node:test')('other', () => {});\n"},
        {"tax.js": source, "tax.test.js": makes},
        NODE,
    )

    assert (proofs.runs, proofs.evidence) == (4, ())


@needs_go
@pytest.mark.parametrize(
    ("wrong", "verdict", "found"),
    [
        ("!= 3", "proven", "each of 3 planted faults makes one fail"),
        (
            "< 0",
            "flagged",
            f"with 3 of 3 {THEY_PASS} {', '.join(OF_ADD)}",
        ),
    ],
)
def test_tests_of_go_look_or_are_told_what_they_let_pass(
    shop: Shop, wrong: str, verdict: str, found: str
) -> None:
    base = {"go.mod": MODULE, "other.go": "package shop\n"}
    change = {"tax.go": GO, "tax_test.go": OF_GO.replace("WRONG", wrong)}

    proofs = shop.prove(base, change, "go test ./...")

    assert only(proofs, verdict).found == found
    assert len(proofs.evidence) == 1


@needs_go
def test_what_go_does_not_compile_proves_nothing(shop: Shop) -> None:
    most = "package shop\n\nfunc Most() uint64 {\n\treturn 1 << 63\n}\n"
    test = OF_GO.partition("\ttill :=")[0] + "\tif Most() == 0 {\n\t\tt.Fatal()\n\t}\n}\n"

    proofs = shop.prove({"go.mod": MODULE}, {"tax.go": most, "tax_test.go": test}, "go test ./...")

    assert (proofs.runs, proofs.evidence) == (4, ())


@pytest.mark.parametrize(
    ("look", "flags"),
    [
        ("gross(100)", ["with 1 of 1 planted faults the new tests pass: tax.py:2 (gross returns nothing)"]),
        (
            "assert gross(100) == gross(100)",
            ["with 1 of 1 planted faults the new tests pass: tax.py:2 (gross returns nothing)"],
        ),
        ("assert gross(100) == 120", []),
    ],
)
def test_where_tests_alone_were_added_what_they_speak_of_is_made_wrong(
    shop: Shop, look: str, flags: list[str]
) -> None:
    tests = f"from tax import gross\n\n\ndef test_gross():\n    {look}\n"

    proofs = shop.prove({**BASE, "tax.py": RIGHT}, {"test_tax.py": tests})

    assert told(proofs, "flagged") == flags


def test_new_tests_have_to_notice_by_themselves_what_old_ones_would(shop: Shop) -> None:
    old = "from tax import gross\n\n\ndef test_gross():\n    assert gross(100) == 120\n"
    mocked = (
        "from unittest import mock\n\nimport tax\n\n\ndef test_it():\n    it = mock.Mock(spec=tax.gross)\n"
        "    it.return_value = 1\n    assert it(5) == 1\n"
    )

    verbose = PYTEST.replace(" -q", " -v")
    proofs = shop.prove({"tax.py": RIGHT, "test_old.py": old}, {"test_new.py": mocked}, verbose)

    assert told(proofs, "flagged") == [
        "with 1 of 1 planted faults the new tests pass: tax.py:2 (gross returns nothing)"
    ]


COMBINED = """module.exports = parseAll;
function parseAll(text) {
  return joined(text.split(",").map(Number));
}
function joined(numbers) {
  const kept = [];
  for (const each of numbers) {
    if (each > 0) {
      kept.push(each);
    }
  }
  return kept;
}
"""


@pytest.mark.parametrize(
    ("expected", "survive"),
    [("parse('1,-2')", True), ("[1]", False)],
    ids=["what it gives itself", "a value"],
)
def test_a_function_that_the_task_names_is_made_wrong_in_every_way(
    shop: Shop, expected: str, survive: bool
) -> None:
    """What a module exports as a whole has any name in a test."""
    tests = (
        "const test = require('node:test'), assert = require('node:assert'), parse = require('./all.js');\n"
        f"test('drops', () => assert.deepStrictEqual(parse('1,-2').slice(), {expected}.slice()));\n"
    )
    task = TaskSpec("task-1", "Test `joined()`", checks=(NODE,))

    proofs = shop.prove({"all.js": COMBINED, "a.test.js": OLD_TEST}, {"b.test.js": tests}, NODE, task=task)

    assert bool(told(proofs, "flagged")) == survive


def test_what_tests_only_have_a_word_in_common_with_is_left_alone(shop: Shop) -> None:
    words = "def plural(word):\n    return f'{word}s'\n"
    tax = "def gross(net, plural=False):\n    return net * 1.2\n"
    tests = "from tax import gross\n\n\ndef test_gross():\n    assert gross(100, plural=True) == 120\n"

    proofs = shop.prove({**BASE, "tax.py": tax, "words.py": words}, {"test_tax.py": tests})

    assert [item.found for item in proofs.evidence] == ["each of 1 planted faults makes one fail"]


def test_a_condition_in_an_expression_is_turned_round_too(shop: Shop) -> None:
    signed = "def show(value, plus=False):\n    sign = ''\n    return sign + str(value)\n"
    plus = signed.replace("sign = ''", "sign = '+' if plus and value > 0 else ''")
    calls = "from show import show\n\n\ndef test_show():\n    show(1, plus=True)\n"

    flag = only(shop.prove({**BASE, "show.py": signed}, {"show.py": plus, "test_show.py": calls}), "flagged")

    assert "show.py:2 (`if plus and value > 0` is the other way round)" in flag.found


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a letter for each time that a test ran. Checks count as slow."""
    monkeypatch.setattr(selected_tests, "QUICK", 0.0)
    return tmp_path / "counted"


def counts(place: Path, body: str) -> str:
    return f"open({str(place)!r}, 'a').write('x')\n    {body}"


@pytest.mark.parametrize("command", [PYTEST, f"{PYTEST} -n 2", f"make PYTEST='{PYTEST}'"])
def test_of_a_slow_check_the_tests_that_ran_the_line_are_asked(
    shop: Shop, counted: Path, command: str
) -> None:
    makefile = "test:\n\t$(PYTEST) test_other.py\n\t$(PYTEST) test_tax.py\n"
    base = {
        "test_other.py": f"import tax\n\n\ndef test_other():\n    {counts(counted, 'assert True')}\n",
        "Makefile": makefile,
        "tax.py": "",
    }

    found = shop.prove(base, {"tax.py": RIGHT, "test_tax.py": TEST}, command)

    assert told(found, "proven") == ["each of 3 planted faults makes one fail"]
    # On the base, on the work, and where it was noted what runs.
    assert counted.read_text() == "xxx"


def test_of_a_slow_check_of_unittest_too(shop: Shop, counted: Path) -> None:
    head = "import unittest\nfrom tax import gross\n\n\n"
    head += "class SomeTest(unittest.TestCase):\n    def test_it(self):\n        "
    base = {"test_other.py": head + counts(counted, "    self.assertTrue(1)\n"), "tax.py": "gross = None\n"}
    test = f"{head}self.assertEqual(gross(100), 120)\n"

    found = shop.prove(base, {"tax.py": RIGHT, "test_tax.py": test}, UNITTEST)

    assert told(found, "proven") == ["each of 3 planted faults makes one fail"]
    assert counted.read_text() == "xxx"


CACHED = """import functools

import pytest
import tax


@functools.cache
def known():
    return tax.gross(100)


def test_first():
    known()


def test_second():
    assert known() == 120
"""


def test_a_fault_that_another_test_notices_is_none_where_there_is_time_to_ask_it(
    shop: Shop, counted: Path
) -> None:
    found = shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": CACHED})

    assert told(found, "proven") == ["each of 3 planted faults makes one fail"]


def test_without_that_time_it_is_said_which_tests_were_asked(
    shop: Shop, counted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bench, "has_time_for", lambda *_: False)
    weak = TEST.replace("assert gross(100) == 120", "gross(100)")

    flag = only(shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": weak}), "flagged")

    assert flag.found.startswith("with 3 of 3 planted faults the tests that run these lines pass: tax.py:2")


@needs_go
def test_where_nobody_knows_who_runs_a_line_the_touched_tests_are_asked_first(
    shop: Shop, counted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bench, "has_time_for", lambda *_: False)
    slow = (
        'package shop\n\nimport ("os"; "testing")\n\nfunc TestSlow(t *testing.T) {\n\tfile, _ := os.OpenFile('
    )
    slow += f'"{counted}", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)\n\tfile.WriteString("x")\n' + "}\n"
    base = {"go.mod": MODULE, "slow_test.go": slow}

    found = shop.prove(base, {"tax.go": GO, "tax_test.go": OF_GO.replace("WRONG", "!= 3")}, "go test ./...")
    assert told(found, "proven") == ["each of 3 planted faults makes one fail"]
    assert counted.read_text() == "xxx"

    weak = OF_GO.replace("WRONG", "< 0")
    found = shop.prove(
        {"tax.go": None, "tax_test.go": None}, {"tax.go": GO, "tax_test.go": weak}, "go test ./..."
    )
    assert only(found, "unknown").found.startswith("the touched tests pass with these faults, and there was")


JEST = """const fs = require("fs"), path = require("path");
const named = process.argv.slice(2).filter((word) => word !== "--verbose");
const files = named.length ? named : fs.readdirSync(".").filter((name) => name.endsWith(".test.js"));
let failed = 0;
for (const file of files) try { require(path.resolve(file)); } catch { failed += 1; }
const told = failed ? `${failed} failed, ` : "";
console.log(`Tests:       ${told}${files.length - failed} passed, ${files.length} total\\n`);
process.exit(failed ? 1 : 0);
"""
"""A program of tests that is called by the files of these, as jest is."""


def test_of_jest_the_touched_files_are_asked_first(shop: Shop, counted: Path) -> None:
    base = {
        "jest.js": JEST,
        "slow.test.js": f"require('fs').appendFileSync({str(counted)!r}, 'x');\n",
        "tax.js": "",
    }
    test = "if (require('./tax.js').gross(100) !== 120) throw new Error();\n"

    found = shop.prove(base, {"tax.js": JAVASCRIPT, "tax.test.js": test}, "node jest.js")

    assert told(found, "proven") == ["each of 3 planted faults makes one fail"]
    assert counted.read_text() == "xxx"


ORDER = """def ordered(parts):
    parts = list(parts)
    return sorted(parts)
"""
OF_ORDER = """from order import ordered


def test_ordered():
    assert ordered(["10", "2"]) == ["2", "10"]
"""


def test_a_number_that_only_fits_the_tests_is_told_where_no_function_can_be_made_wrong(shop: Shop) -> None:
    fits = ORDER.replace("list(parts)", "[part.zfill(2) for part in parts]").replace(
        "sorted(parts)", "[part.lstrip('0') for part in sorted(parts)]"
    )
    start = ORDER.replace("sorted(parts)", "[part.lstrip('0') for part in sorted(parts)]")

    flag = only(
        shop.prove({**BASE, "order.py": start}, {"order.py": fits, "test_order.py": OF_ORDER}), "flagged"
    )

    assert flag.found == "with 1 of 1 planted faults they pass: order.py:2 (`2` is 3)"


TABLES = {
    "python": (
        "units.py",
        "UNITS = {\n    'day': 86400,\n    'week': 604800,\n}\n",
        {"test_units.py": "from units import UNITS\n\n\ndef test_day():\n    assert UNITS['day'] == 86400\n"},
        PYTEST,
        "units.py:3 (`'week': 604800` is left out), units.py:3 (`604800` is 604801)",
    ),
    "javascript": (
        "units.js",
        "exports.units = {\n  day: 86400,\n  week: 604800,\n};\n",
        {
            "units.test.js": "const test = require('node:test'), assert = require('node:assert');\n"
            "test('day', () => assert.equal(require('./units.js').units.day, 86400));\n"
        },
        NODE,
        "units.js:3 (`week: 604800` is left out), units.js:3 (`604800` is 604801)",
    ),
    "go": (
        "units.go",
        'package shop\n\nvar units = map[string]int{\n\t"day":  86400,\n\t"week": 604800,\n}\n',
        {
            "units_test.go": 'package shop\n\nimport "testing"\n\nfunc TestDay(t *testing.T) {\n'
            '\tif units["day"] != 86400 {\n\t\tt.Fatal()\n\t}\n}\n',
            "go.mod": MODULE,
            "shop.go": "package shop\n\nfunc Shop() {}\n",
        },
        "go test ./...",
        'units.go:5 (`"week": 604800` is left out), units.go:5 (`604800` is 604801)',
    ),
}


@pytest.mark.parametrize("spoken", ["python", "javascript", pytest.param("go", marks=needs_go)])
def test_what_stands_in_a_table_of_a_module_is_left_out_and_made_another(shop: Shop, spoken: str) -> None:
    name, table, tests, command, survive = TABLES[spoken]
    base = {path: text for path, text in tests.items() if path in {"go.mod", "shop.go"}}

    flag = only(shop.prove({"README": "", **base}, {name: table, **tests}, command), "flagged")

    assert flag.found.partition(" they pass: ")[2].startswith(survive)


def test_where_nothing_can_be_made_wrong_in_what_ran_its_lines_are_named(shop: Shop) -> None:
    copies = "from order import ordered\n\nin_order = ordered\n"
    test = "from names import in_order\n\n\ndef test_it():\n    assert in_order([2, 1]) == [1, 2]\n"

    proofs = shop.prove({**BASE, "order.py": ORDER}, {"names.py": copies, "test_names.py": test})

    assert [item.found for item in proofs.evidence] == [
        "there is nothing in these lines that could be made wrong: names.py:3"
    ]
    assert only(proofs, "unknown").claim == "its checks notice where its new code is wrong"
