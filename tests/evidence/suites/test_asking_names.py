"""Programs that are really there, asked for the names of their tests behind a script that hides them."""

import asyncio
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from teamlead.core.evidence.asking_names import asking, tells_all
from teamlead.core.evidence.values import SuiteRun
from teamlead.evidence.checks import ShellChecker


def names(folder: Path, script: str) -> dict[str, str]:
    """What a hidden program told when it was asked; it had told numbers only."""
    (folder / "run").write_text(script)
    before = told(folder, "sh run")
    assert before is not None
    assert not tells_all(before)
    asked = asking("sh run", before)
    assert asked is not None
    after = told(folder, asked.command, asked.environment)
    assert after is not None
    assert tells_all(after)
    return dict(after.names or {})


def told(folder: Path, command: str, environment: Mapping[str, str] = {}) -> SuiteRun | None:
    log = folder / "logs" / "check.txt"
    check = ShellChecker().check(command, folder, log, 60.0, 0, environment=environment)
    return asyncio.run(check).suite


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


@pytest.mark.parametrize("options", ["-q", ""])
def test_pytest_tells_names_however_terse_it_was_told_to_be(tmp_path: Path, options: str) -> None:
    (tmp_path / "test_it.py").write_text(
        "import pytest\ndef test_a(): pass\n@pytest.mark.skip\ndef test_b(): pass\n"
    )
    script = f"{sys.executable} -B -m pytest -p no:cacheprovider {options} .\n"
    assert names(tmp_path, script) == {"test_it.py::test_a": "passed", "test_it.py::test_b": "skipped"}


@needs("go")
def test_go_tells_tests_and_not_packages(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module example.com/s\ngo 1.19\n")
    (tmp_path / "a_test.go").write_text('package s\nimport "testing"\nfunc TestA(t *testing.T) {}\n')
    assert names(tmp_path, "go test ./...\n") == {"example.com/s::TestA": "passed"}


@needs("node")
def test_node_tells_names_where_what_tests_print_disturbs_them(tmp_path: Path) -> None:
    (tmp_path / "a.test.js").write_text(
        'const { test } = require("node:test");\ntest("adds", () => { console.log("✔ printed (1ms)"); });\n'
    )
    script = 'export NODE_OPTIONS="${NODE_OPTIONS:---test-reporter=spec}"; node --test\n'
    assert names(tmp_path, script) == {"tap › adds": "passed"}


@needs("node")
@pytest.mark.parametrize(
    ("program", "option"),
    [("jest", "--verbose"), ("vitest.mjs", "--reporter=verbose"), ("mocha.js", "--reporter=spec")],
)
def test_programs_of_node_find_one_more_option_before_what_is_no_option(
    tmp_path: Path, program: str, option: str
) -> None:
    (tmp_path / program).write_text("console.log(process.argv.slice(2).join(' '));\n")
    asked = asking("x", SuiteRun(program.partition(".")[0], 1, 0, 0))
    assert asked is not None
    log = tmp_path / "log"
    check = ShellChecker().check(
        f"node {program} run -- a", tmp_path, log, 60.0, 0, environment=asked.environment
    )
    assert asyncio.run(check).output.strip() == f"run {option} -- a"
