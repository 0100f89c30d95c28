"""What is in the way of a check in a clean copy: told by its end, and by what git ignores in the checkout."""

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from teamlead.core.evidence.obstacles import Obstacle
from teamlead.core.evidence.values import SuiteRun
from teamlead.evidence.obstacles import CheckoutComparison
from teamlead.ports.checking import CheckEnd
from teamlead.system.git import Git

Explain = Callable[..., Obstacle | None]
IGNORED = "node_modules/\n.venv/\nbuild/\ndist/\n*.so\n_version.py\n__pycache__/\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text(IGNORED)
    return tmp_path


def explain(
    root: Path,
    command: str,
    code: int | None,
    output: str,
    *provided: str,
    suite: SuiteRun | None = None,
) -> Obstacle | None:
    comparison = CheckoutComparison(Git(root / ".git", root), root, provided)
    return asyncio.run(comparison.explain(command, CheckEnd(code, 1.0, output, "", suite), 900))


def has(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("")


def told(found: Obstacle | None) -> tuple[str, str] | None:
    return (found.hindrance, found.thing) if found else None


@pytest.mark.parametrize(
    ("command", "code", "output", "program"),
    [
        ("tool --all", 127, "/bin/sh: 1: tool: not found", "tool"),
        ("tool --all", 127, "/bin/sh: line 1: tool: command not found", "tool"),
        ("npm test", 127, "> test\n> jest\n\nsh: 1: jest: not found", "jest"),
        (
            "make test",
            2,
            "make: tool: No such file or directory\nmake: *** [Makefile:2: t] Error 127",
            "tool",
        ),
        ("./run", 127, "/usr/bin/env: 'node': No such file or directory", "node"),
        ("python3 -m pytest", 1, "/usr/bin/python3: No module named pytest", "pytest"),
        ("tool", 127, "", "tool"),
        (".venv/bin/tool", 127, "/bin/sh: 1: .venv/bin/tool: not found", ".venv/bin/tool"),
    ],
)
def test_a_program_that_is_nowhere_is_named(
    checkout: Path, command: str, code: int, output: str, program: str
) -> None:
    assert told(explain(checkout, command, code, output)) == ("no program", program)


@pytest.mark.parametrize(
    ("output", "file", "lacking"),
    [
        ("sh: 1: jest: not found", "node_modules/.bin/jest", "node_modules"),
        ("/bin/sh: 1: tool: not found", ".venv/bin/tool", ".venv"),
        ("/usr/bin/python3: No module named tool", ".venv/lib/python3.11/site-packages/tool.py", ".venv"),
        ("ModuleNotFoundError: No module named 'a._version'", "a/_version.py", "a/_version.py"),
        ("ImportError: No module named 'fast'", "fast.cpython-311-x86_64-linux-gnu.so", None),
        ("Error: Cannot find module '@a/b/c'", "node_modules/@a/b/index.js", "node_modules"),
        ("Error: Cannot find module '../dist/index.js'", "dist/index.js", "dist"),
        ("cat: build/version.txt: No such file or directory", "build/version.txt", "build"),
    ],
)
def test_what_only_the_checkout_has_is_named_with_the_setting_that_brings_it(
    checkout: Path, output: str, file: str, lacking: str | None
) -> None:
    has(checkout, file)
    found = explain(checkout, "make test", 127, output)
    assert told(found) == ("lacks files", lacking or file)
    assert found is not None
    assert f'`link = ["{lacking or file}"]`' in found.remedy
    assert (
        explain(checkout, "true; false", 1, output, lacking or file) is None
        or "No module named tool" in output
    )


@pytest.mark.parametrize(
    ("code", "output"),
    [
        (0, "sh: 1: jest: not found"),
        (1, "2 failed"),
        (4, "ERROR: file or directory not found: tests/test_new.py"),
        (127, "/bin/sh: 1: ./new.sh: not found"),
        (127, "bash: new.sh: No such file or directory"),
        (1, "writing build/app.js\nerror: a name is missing in src/app.ts"),
    ],
)
def test_what_agents_may_mend_is_no_obstacle(checkout: Path, code: int, output: str) -> None:
    has(checkout, "build/app.js")
    assert explain(checkout, "bash new.sh", code, output) is None


def test_tests_that_ran_need_nothing(checkout: Path) -> None:
    has(checkout, "dist/index.js")
    output = "Error: Cannot find module '../dist/index.js'"
    assert explain(checkout, "npm test", 1, output, suite=SuiteRun("jest", 3, 1, 0)) is None


def test_one_that_does_not_end_is_told_with_its_time(checkout: Path) -> None:
    found = explain(checkout, "npm start", None, "listening")
    assert found is not None
    assert (told(found), found.told) == (("no end", ""), "it did not end within 900 seconds")


def test_what_is_equal_in_its_cause_is_one_question() -> None:
    lacking = Obstacle("lacks files", "node_modules")
    assert lacking.cause("npm test") == lacking.cause("npm run lint")
    assert Obstacle("no end").cause("npm test") != Obstacle("no end").cause("npm start")
