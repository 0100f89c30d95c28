"""Tests that told the old source from the new one, and do not any more."""

import pytest
from tests.evidence.proofs.test_frozen_harness import OTHER, PATCHED, RIGHT, TEST, WRONG
from tests.evidence.proofs.world import NODE, UNITTEST, Files, Shop, only, told

from teamlead.core.model import TaskSpec
from teamlead.evidence.proofs import bench
from teamlead.evidence.proofs.told_apart import told_apart

PROOFS = (told_apart,)

GREEN: Files = {"tax.py": RIGHT, "test_tax.py": TEST, "test_other.py": OTHER}
BROKEN = WRONG


@pytest.mark.parametrize(
    "cheat",
    [
        {"test_tax.py": TEST.replace("== 120", "is not None")},
        {"test_tax.py": TEST.replace("    assert", "    return\n    assert")},
        {"test_tax.py": TEST.replace("from tax import gross", "def gross(net):\n    return 120")},
        {"test_tax.py": TEST.replace("== 120", "in (100, 120)")},
        {"test_tax.py": TEST.replace("test_gross", "test_gross_of_net").replace("== 120", "> 0")},
        {"conftest.py": PATCHED},
    ],
    ids=["weaker", "ended", "mocked", "either", "other name", "patched"],
)
def test_one_that_its_new_form_made_blunt_is_objected_to(shop: Shop, cheat: Files) -> None:
    proofs = shop.prove(GREEN, {"tax.py": BROKEN, **cheat})

    item = only(proofs, "objected")
    assert item.found.startswith(
        "in their old form these fail on the new source; now they pass on the old one"
    )
    assert "test_tax.py::test_gross: let them assert what holds now" in item.found
    assert proofs.retested


def test_one_that_expects_what_is_new_is_as_sharp_as_before(shop: Shop) -> None:
    planned = {
        "tax.py": RIGHT.replace("1.2", "1.1"),
        "test_tax.py": TEST.replace("== 120", "== 110.00000000000001"),
    }

    proofs = shop.prove(GREEN, planned)

    assert (proofs.evidence, proofs.retested) == ((), True)


def test_one_that_leaned_on_a_name_of_the_inside_is_a_question(shop: Shop) -> None:
    """A refactoring takes the name away; the outcome is tested as before."""
    inside = RIGHT.replace("net * 1.2", "_taxed(net)") + "\n\ndef _taxed(net):\n    return net * 1.2\n"
    test = "import tax\n\n\ndef test_gross():\n    assert tax._taxed(100) == 120\n"
    base = {"tax.py": inside, "test_tax.py": test, "test_other.py": OTHER}

    proofs = shop.prove(base, {"tax.py": RIGHT, "test_tax.py": test.replace("_taxed", "gross")})

    assert told(proofs, "objected") == []
    assert only(proofs, "flagged").question.endswith("Which sentence of the plan asks for that?")


def test_it_is_one_too_where_another_test_fails_by_what_it_asserts(shop: Shop) -> None:
    inside = RIGHT.replace("net * 1.2", "_taxed(net)") + "\n\ndef _taxed(net):\n    return net * 1.2\n"
    test = "import tax\n\n\ndef test_there():\n    assert tax._taxed\n\n\n"
    value = "def test_gross():\n    assert tax.gross(100) == 120\n"
    base = {"tax.py": inside, "test_tax.py": test + value}
    planned = test.replace("_taxed", "gross") + value.replace("120", "130")

    proofs = shop.prove(base, {"tax.py": RIGHT.replace("1.2", "1.3"), "test_tax.py": planned})

    assert told(proofs, "objected") == []
    assert only(proofs, "flagged").found.endswith("test_tax.py::test_there")


@pytest.mark.parametrize("title", ["Drop the tax", "Let test_gross be vague"])
def test_what_the_plan_gives_up_is_a_question(shop: Shop, title: str) -> None:
    blunt = {"tax.py": BROKEN, "test_tax.py": TEST.replace("== 120", "> 0")}

    proofs = shop.prove(GREEN, blunt, task=TaskSpec("task-1", title))

    assert told(proofs, "objected") == []
    assert only(proofs, "flagged").question.endswith("Which sentence of the plan asks for that?")


def test_where_nothing_of_the_base_broke_the_tests_may_say_what_they_like(shop: Shop) -> None:
    proofs = shop.prove(GREEN, {"tax.py": f"{RIGHT}\n", "test_tax.py": TEST.replace("== 120", "> 0")})

    assert (proofs.evidence, proofs.retested) == ((), True)


def test_unittest_and_node_tell_too(shop: Shop) -> None:
    unit = (
        "import unittest\nfrom tax import gross\n\n\nclass T(unittest.TestCase):\n    def test_gross(self):\n"
    )
    base = {"tax.py": RIGHT, "test_tax.py": f"{unit}        self.assertEqual(gross(100), 120)\n"}
    bent = {"tax.py": BROKEN, "test_tax.py": f"{unit}        self.assertTrue(gross(100))\n"}
    assert "test_gross" in only(shop.prove(base, bent, UNITTEST), "objected").found

    base = {
        "tax.mjs": "export const gross = (net) => net * 2;\n",
        "tax.test.mjs": "import {gross} from './tax.mjs';\nimport test from 'node:test';\nimport assert from "
        "'node:assert';\ntest('gross', () => assert.equal(gross(100), 200));\n",
    }
    bent = {
        "tax.mjs": base["tax.mjs"].replace(" * 2", ""),
        "tax.test.mjs": base["tax.test.mjs"].replace("equal(gross(100), 200)", "ok(gross(100))"),
    }
    assert "gross" in only(shop.prove(base, bent, NODE), "objected").found


@pytest.mark.parametrize(
    "command",
    ["grep -q gross tax.py", "python -B -m unittest 2>&1 | tail -n 3"],
    ids=["no tests", "numbers"],
)
def test_without_the_names_of_tests_nothing_is_decided(shop: Shop, command: str) -> None:
    base = {
        "tax.py": RIGHT,
        "test_tax.py": "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_it(self): ...\n",
    }

    proofs = shop.prove(base, {"tax.py": BROKEN, "test_tax.py": TEST}, command)

    assert (proofs.evidence, proofs.retested) == ((), False)


def test_of_a_file_with_its_own_tests_the_old_source_is_tried(shop: Shop) -> None:
    text = (
        "pub fn gross(net: i64) -> i64 {\n    net * 2\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
        "    #[test]\n    fn of_ten() {\n        assert_eq!(gross(10), 20);\n    }\n}\n"
    )
    base = {
        "Cargo.toml": '[package]\nname = "tax"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": text,
    }
    planned = {"src/lib.rs": text.replace("* 2", "* 3").replace(", 20)", ", 30)")}
    blunt = {"src/lib.rs": text.replace("* 2", "* 3").replace("_eq!(gross(10), 20)", "!(gross(10) > 0)")}

    assert shop.prove(base, planned, "cargo test --offline").evidence == ()
    assert "of_ten" in only(shop.prove(base, blunt, "cargo test --offline"), "objected").found


def test_without_time_nothing_is_decided(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "LEAST", 0.0)

    proofs = shop.prove(GREEN, {"test_tax.py": TEST.replace("120", "100 * 1.2")}, times=0.0)

    assert not proofs.retested
