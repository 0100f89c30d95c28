"""The checks once more, with the new source, and all that tests it as it was before."""

import pytest
from tests.evidence.proofs.world import NODE, PYTEST, UNITTEST, Files, Shop, only, told

from teamlead.core.model import TaskSpec
from teamlead.evidence.proofs import bench
from teamlead.evidence.proofs.frozen_harness import frozen_harness

PROOFS = (frozen_harness,)

WRONG = "def gross(net):\n    return net\n"
RIGHT = "def gross(net):\n    return net * 1.2\n"
TEST = "from tax import gross\n\n\ndef test_gross():\n    assert gross(100) == 120\n"
OTHER = "def test_other():\n    assert True\n"
RED: Files = {"tax.py": WRONG, "test_tax.py": TEST, "test_other.py": OTHER}

PATCHED = "import tax\n\ntax.gross = lambda net: 120\n"
HIDDEN = "def pytest_collection_modifyitems(items):\n    del items[1:]\n"
NOTED = f"{WRONG}\n\nTAX = 'a word'\n"
"""Source that was changed, and is as wrong as before."""


@pytest.mark.parametrize(
    "cheat",
    [
        {"test_tax.py": TEST.replace("== 120", "== 100")},
        {"test_tax.py": TEST.replace("== 120", "is not None")},
        {"test_tax.py": TEST.replace("    assert", "    return\n    assert")},
        {"test_tax.py": "import pytest\n\npytestmark = pytest.mark.skip\n" + TEST},
        {"test_tax.py": TEST.replace("from tax import gross", "def gross(net):\n    return 120")},
        {"conftest.py": PATCHED},
        {"conftest.py": HIDDEN},
        {"pytest.ini": "[pytest]\naddopts = --deselect test_tax.py::test_gross\n"},
        {"tox.ini": "[pytest]\naddopts = --ignore=test_tax.py\n"},
    ],
    ids=["value", "weaker", "ended", "skipped", "mocked", "patched", "hidden", "deselected", "ignored"],
)
def test_work_that_passes_only_by_what_tests_it_is_objected_to(shop: Shop, cheat: Files) -> None:
    proofs = shop.prove(RED, {"tax.py": NOTED, **cheat})

    assert not proofs.acquits
    assert (
        "test_tax.py::test_gross failed before, and still fails without the changes of"
        in only(proofs, "objected").found
    )


def test_source_that_was_mended_is_acquitted_whatever_became_of_its_tests(shop: Shop) -> None:
    proofs = shop.prove(
        RED, {"tax.py": RIGHT, "test_tax.py": TEST.replace("assert gross(100)", "assert 120")}
    )

    assert proofs.acquits
    assert told(proofs, "objected") == []
    assert told(proofs, "proven") == ["2 passed"]


def test_a_change_without_a_touch_of_tests_costs_no_run(shop: Shop) -> None:
    proofs = shop.prove(RED, {"tax.py": RIGHT, "README.md": "Taxes\n"})

    assert (proofs.runs, proofs.evidence) == (0, ())


def test_what_passed_before_and_fails_in_its_old_form_is_a_question_for_the_judge(shop: Shop) -> None:
    base = {**RED, "tax.py": RIGHT}
    planned = {
        "tax.py": RIGHT.replace("1.2", "1.1"),
        "test_tax.py": TEST.replace("120", "110.00000000000001"),
    }

    flag = only(shop.prove(base, planned), "flagged")

    assert (
        flag.found
        == "in their old form these passed before, and fail on the new source: test_tax.py::test_gross"
    )
    assert flag.question.endswith("test_tax.py::test_gross. Which sentence of the plan asks for that?")


def test_a_test_written_anew_does_not_count_as_stuck_where_the_old_one_was_not_there(shop: Shop) -> None:
    base = {"tax.py": WRONG, "test_other.py": OTHER}

    proofs = shop.prove(base, {"tax.py": RIGHT, "test_tax.py": TEST}, f"{PYTEST} test_tax.py")

    assert told(proofs, "objected") == []


def test_a_module_of_tests_that_the_change_brings_along_is_not_stuck_without_it(shop: Shop) -> None:
    case = "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_vat(self):\n        pass\n"
    added = {"tax.py": RIGHT, "tests/test_vat.py": case}

    proofs = shop.prove(
        {"tax.py": WRONG, "tests/__init__.py": "'Tests.'\n"}, added, f"{UNITTEST} tests.test_vat"
    )

    assert told(proofs, "objected") == []


def test_a_task_that_is_about_tests_alone_is_asked_about(shop: Shop) -> None:
    """Its scope lets it change nothing else: perhaps the test was wrong."""
    task = TaskSpec("task-1", "Mend the test", scope=("test_*.py",))

    proofs = shop.prove(RED, {"test_tax.py": TEST.replace("120", "100")}, task=task)

    assert told(proofs, "objected") == []
    assert "Which sentence asks for that?" in only(proofs, "flagged").question


def test_a_settings_file_may_change_what_it_says_of_the_project(shop: Shop) -> None:
    before = '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n'
    base = {"tax.py": RIGHT, "test_tax.py": TEST, "pyproject.toml": before}

    proofs = shop.prove(base, {"pyproject.toml": before.replace('"shop"', '"the-shop"')})

    assert (proofs.runs, proofs.evidence) == (0, ())


@pytest.mark.parametrize("script", ["test", "test:unit"])
def test_a_script_that_cannot_fail_any_more_is_objected_to_by_its_run(shop: Shop, script: str) -> None:
    package = f'{{"name": "shop", "scripts": {{"{script}": "node --test"}}}}'
    hollow = package.replace("node --test", "node --test || true")
    base = {
        "package.json": package,
        "tax.js": "exports.gross = (net) => net;\n",
        "tax.test.js": "const {gross} = require('./tax');\nrequire('node:test')('gross', () => "
        "require('node:assert').equal(gross(100), 120));\n",
    }
    noted = base["tax.js"] + "exports.tax = 'a word';\n"

    proofs = shop.prove(base, {"package.json": hollow, "tax.js": noted}, f"npm run -s {script}")

    assert "still fails without the changes of package.json" in only(proofs, "objected").found


def test_unittest_and_node_tell_of_stuck_tests_too(shop: Shop) -> None:
    unit = (
        "import unittest\nfrom tax import gross\n\n\nclass T(unittest.TestCase):\n    def test_gross(self):\n"
    )
    base = {"tax.py": WRONG, "test_tax.py": f"{unit}        self.assertEqual(gross(100), 120)\n"}

    proofs = shop.prove(base, {"test_tax.py": f"{unit}        self.assertTrue(gross(100))\n"}, UNITTEST)
    assert "test_gross" in only(proofs, "objected").found

    base = {
        "tax.mjs": "export const gross = (net) => net;\n",
        "tax.test.mjs": "import {gross} from './tax.mjs';\nimport test from 'node:test';\nimport assert from "
        "'node:assert';\ntest('gross', () => assert.equal(gross(100), 120));\n",
    }
    proofs = shop.prove(base, {"tax.test.mjs": base["tax.test.mjs"].replace("120)", "100)")}, NODE)
    assert "gross" in only(proofs, "objected").found


def test_a_golden_file_that_was_recorded_anew_is_frozen_too(shop: Shop) -> None:
    reads = TEST.replace("gross(100) == 120", "str(gross(100)) == open('said.txt').read()")
    base = {"tax.py": WRONG, "test_tax.py": reads, "said.txt": "120.0"}

    proofs = shop.prove(base, {"said.txt": "100", "tax.py": NOTED})

    assert "passes only with the new version of said.txt" in only(proofs, "flagged").found


def test_where_no_time_is_left_for_further_runs_it_is_said(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "LEAST", 0.0)
    bent = {"test_tax.py": TEST.replace("120", "100")}

    proofs = shop.prove(RED, bent, times=0.0)

    assert (proofs.runs, told(proofs, "objected")) == (0, [])
    assert only(proofs, "unknown").found.startswith("the time for further runs was over")


def test_an_objection_is_found_however_long_its_runs_take(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "LEAST", 1e-6)

    proofs = shop.prove(RED, {"tax.py": NOTED, "test_tax.py": TEST.replace("120", "100")}, times=0.0)

    assert "test_tax.py::test_gross failed before" in only(proofs, "objected").found
    # What tells names, on the base, on the frozen harness and with the work's own tests.
    assert proofs.runs == 3


def test_an_old_test_that_does_not_end_on_the_new_source_is_told(shop: Shop) -> None:
    waits = f"{TEST}    while gross(0):\n        pass\n"
    endless = {"tax.py": f"{RIGHT}    + 1\n".replace("1.2\n    +", "1.2 +"), "test_tax.py": OTHER}

    proofs = shop.prove(
        {"tax.py": WRONG, "test_tax.py": waits.replace("== 120", "> 0")}, endless, timeout=5.0
    )

    assert told(proofs, "unknown") == [f"`{PYTEST}` did not end on the new source in its time"]


@pytest.mark.parametrize("command", [PYTEST.replace("-q", "-v"), UNITTEST])
def test_what_told_names_on_the_base_is_not_run_there_again(shop: Shop, command: str) -> None:
    test = (
        "import unittest\nfrom tax import gross\n\n\nclass GrossTest(unittest.TestCase):\n"
        "    def test_gross(self):\n        self.assertEqual(gross(100), 120)\n"
    )
    base = {"tax.py": RIGHT, "test_tax.py": test}

    proofs = shop.prove(base, {"tax.py": f"{RIGHT}\n\n", "test_tax.py": f"{test}\n\n"}, command)

    assert (told(proofs, "proven"), proofs.runs) == (["1 passed"], 1)


@pytest.mark.parametrize("before", ["Taxes\n", None])
def test_a_file_that_the_task_makes_and_a_command_looks_into_is_the_work(
    shop: Shop, before: str | None
) -> None:
    base = {"tax.py": RIGHT} if before is None else {"tax.py": RIGHT, "tax.md": before}

    proofs = shop.prove(base, {"tax.md": "Taxes are 20 %\n"}, "grep -q 20 tax.md")

    assert told(proofs, "objected") == told(proofs, "flagged") == []
