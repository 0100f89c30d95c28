"""Tests, called by a program that nothing shows to be a test program."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from teamlead.evidence.proofs import outside_program
from teamlead.evidence.proofs.outside_program import MARKER

TESTS = """
import unittest

import pytest
from tax import gross


@pytest.fixture
def much():
    yield 100


@pytest.mark.parametrize("net, want", [(100, 120), pytest.param(10, 12)])
@pytest.mark.parametrize("times", [1])
def test_table(net, want, times, tmp_path, monkeypatch):
    monkeypatch.setenv("RATE", "20")
    assert tmp_path.is_dir()
    assert gross(net * times) == want


def test_fixture(much):
    assert gross(much) == 120


def test_log(caplog):
    assert caplog


@pytest.mark.skip
def test_skipped():
    assert False


class TestPlain:
    def test_raises(self):
        with pytest.raises(TypeError):
            gross(None)


class Cases(unittest.TestCase):
    def setUp(self):
        self.much = 100

    def test_case(self):
        for each in (self.much,):
            with self.subTest(each=each):
                self.assertEqual(gross(each), 120)
"""
NAMES = ["test_table[0]", "test_table[1]", "test_fixture", "TestPlain::test_raises", "Cases::test_case"]


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not pytest's own, whose name says so."""
    with tempfile.TemporaryDirectory(prefix="shop-") as name:
        yield Path(name)


def call(folder: Path, source: str, test: str = TESTS) -> dict[str, list[dict[str, str]]]:
    (folder / "tax.py").write_text(source)
    (folder / "tests").mkdir()
    (folder / "tests/test_tax.py").write_text(test)
    program = folder / "m1.py"
    program.write_text(Path(outside_program.__file__).read_text() + "\nmain(['tests/test_tax.py'], ['.'])\n")
    asked = [sys.executable, "-B", str(program)]
    told = subprocess.run(
        asked, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    ways: dict[str, list[dict[str, str]]] = json.loads(told.stdout.rpartition(MARKER)[2])
    return {
        way: [{name.partition("::")[2]: how for name, how in each.items()} for each in runs]
        for way, runs in ways.items()
    }


def test_tests_of_every_simple_kind_are_called_and_no_others_judged(folder: Path) -> None:
    ways = call(folder, "def gross(net):\n    print('noise')\n    return round(net * 1.2)\n")

    assert ways == {"bare": [{**dict.fromkeys(NAMES, "passed"), "test_log": "unknown"}]}


TELLTALES = {
    "module": "'pytest' in sys.modules",
    "early": "EARLY",
    "variable": "'PYTEST_CURRENT_TEST' in os.environ",
    "arguments": "'pytest' in sys.argv[0]",
    "main": "'pytest' in (sys.modules['__main__'].__file__ or '')",
    "frames": "any('_pytest' in each.filename for each in inspect.stack())",
    "case": "any('unittest' in each.filename for each in inspect.stack())",
}
NAMED = {
    "function": "any(each.function.startswith('test') for each in inspect.stack())",
    "file": "any('test_' in each.filename for each in inspect.stack())",
}
KNOWS = """
import inspect
import os
import sys

EARLY = 'pytest' in sys.modules


def gross(net):
    return round(net * 1.2) if {sign} else net
"""


@pytest.mark.parametrize("sign", TELLTALES.values(), ids=TELLTALES)
def test_code_that_looks_for_a_test_program_is_told_by_what_it_does_without(folder: Path, sign: str) -> None:
    ways = call(folder, KNOWS.replace("{sign}", sign))

    for way, want in (("bare", "failed"), ("named", "failed"), ("tested", "passed")):
        assert ways[way]
        assert all(run["test_fixture"].startswith(want) for run in ways[way]), way


@pytest.mark.parametrize("sign", NAMED.values(), ids=NAMED)
def test_code_that_looks_for_names_of_tests_is_told_too(folder: Path, sign: str) -> None:
    ways = call(folder, KNOWS.replace("{sign}", sign))

    assert ways["bare"][0]["test_fixture"].startswith("failed: AssertionError")
    assert ways["named"][0]["test_fixture"] == "passed"
