"""What `./check` leaves out is there, and what it runs still shows every feature and every command."""

import ast
import re
import subprocess
import sys
from pathlib import Path, PurePath

import pytest
from tests import tiers

from teamlead.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
FLOWS = sorted(
    path.relative_to(ROOT)
    for folder in tiers.FLOWS
    for path in ([ROOT / folder] if folder.endswith(".py") else (ROOT / folder).glob("test_*.py"))
)


def functions(file: PurePath) -> list[ast.FunctionDef]:
    body = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
    return [node for node in body if isinstance(node, ast.FunctionDef)]


def names_in(file: PurePath) -> list[str]:
    return [f"{file}::{each.name}" for each in functions(file) if each.name.startswith("test_")]


@pytest.mark.parametrize("name", [*tiers.NAMES, *tiers.SHOWN])
def test_what_is_named_is_there(name: str) -> None:
    path, _, part = name.partition("::")
    assert (ROOT / path).exists()
    assert not part or part in (ROOT / path).read_text(encoding="utf-8")


def test_nothing_is_left_to_all_twice() -> None:
    assert len(set(tiers.NAMES)) == len(tiers.NAMES)
    parts = [name.partition("::")[0] for name in (*tiers.NAMES, *tiers.SHOWN) if "::" in name]
    assert [name for name in parts if tiers.leaves_out_path(PurePath(name))] == []


def test_the_first_flow_of_each_file_runs_with_every_check() -> None:
    missing = [
        str(file)
        for file in FLOWS
        if not tiers.leaves_out_path(file) and tiers.leaves_out(names_in(file)) >= {*names_in(file)}
    ]
    assert len(FLOWS) > 50
    assert missing == []


def test_what_is_not_named_runs_with_every_check() -> None:
    new = ["tests/core/test_new.py::test_a", "tests/core/test_new.py::test_b[claude]"]
    assert tiers.leaves_out(new) == set()


def test_of_new_flows_the_first_runs_with_every_check() -> None:
    first, *others = (f"tests/flows/test_new.py::test_{name}" for name in "abc")
    assert tiers.leaves_out([first, *others]) == {*others}


def test_what_is_left_to_all_is_not_in_a_run_without_it(request: pytest.FixtureRequest) -> None:
    tests = [item.nodeid for item in request.session.items]
    files = {PurePath(test.partition("::")[0]) for test in tests}
    left_out = [file for file in files if any(map(tiers.leaves_out_path, (file, *file.parents)))]
    assert request.config.option.all or (left_out, tiers.leaves_out(tests)) == ([], set())


def test_a_folder_that_is_named_is_run_whole() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests/simulation"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "tests/simulation/test_mutants.py::" in told
    assert "[further 1]" in told


def called(file: PurePath) -> set[str]:
    """Commands that tests of a file call with every check; what its helpers call counts for each test."""
    if tiers.leaves_out_path(file):
        return set()
    left_out = tiers.leaves_out(names_in(file))
    return {
        word
        for function in functions(file)
        if f"{file}::{function.name}" not in left_out
        for call in ast.walk(function)
        if isinstance(call, ast.Call)
        for word in [command_of(call)]
    }


def command_of(call: ast.Call) -> str:
    """Of a call of the program, in the words of the tests; "" for others."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in {"teamlead", "background"} and call.args and isinstance(call.args[0], ast.Constant):
        return str(call.args[0].value)
    return {"start": "start", "start_in_background": "start", "resolve": "resolve"}.get(name, "")


def test_every_command_is_called_with_every_check() -> None:
    files = [*FLOWS, *(path.relative_to(ROOT) for path in (ROOT / "tests/cli").glob("test_*.py"))]
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")]
    shown = {word for page in pages for word in re.findall(r"^\$ teamlead (\w+)", page, re.MULTILINE)}
    # Agents start it: tests/mcp/test_stdio_bridge.py shows it.
    shown.add("mcp")
    assert sorted(COMMANDS.keys() - shown.union(*map(called, files))) == []
