import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from teamlead.core.model import Change
from teamlead.evidence.shadowed_programs import examine_shadows, shadows
from teamlead.system.git import Git

CHECKS = ("python -m pytest -q",)


@pytest.mark.parametrize(
    ("path", "check", "program"),
    [
        ("pytest.py", "make test", "pytest"),
        ("pytest/__init__.py", "python -m pytest", "pytest"),
        ("unittest.py", "python -m unittest", "unittest"),
        ("backend/_pytest/__init__.py", "cd backend && python -m pytest", "_pytest"),
        ("lib/pluggy.py", "PYTHONPATH=lib python -m pytest", "pluggy"),
        ("node_modules/.bin/jest", "npm test", "jest"),
        ("web/node_modules/vitest/index.js", "npm test", "vitest"),
    ],
)
def test_a_file_in_the_place_of_a_test_program_is_found(path: str, check: str, program: str) -> None:
    (found,) = shadows([path], [check])
    assert (found.program, found.sure) == (program, True)


@pytest.mark.parametrize(
    "path",
    ["tests/pytest.py", "pytest.ini", "pytest.txt", "docs/pytest/index.md", "node_modules/lodash/index.js"],
)
def test_what_no_check_would_load_in_its_place_is_not_found(path: str) -> None:
    assert not list(shadows([path], CHECKS))


def test_without_checks_nothing_is_loaded() -> None:
    assert not list(shadows(["pytest.py"], []))


def commit(root: Path, files: Mapping[str, str]) -> str:
    def git(*arguments: str) -> str:
        who = ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "commit.gpgsign=false"]
        return subprocess.run(
            ["git", *who, *arguments], cwd=root, check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "-q")
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    git("add", ".")
    git("commit", "-qm", "x")
    return git("rev-parse", "HEAD")


def test_a_shadow_of_a_program_is_objected_to_and_one_of_a_part_of_python_is_flagged(tmp_path: Path) -> None:
    base = commit(tmp_path, {"calc.py": "x = 1\n"})
    work = commit(tmp_path, {"pytest.py": "", "statistics.py": ""})
    changes = [Change(path, "000000", "100644", 0, 0) for path in ("pytest.py", "statistics.py")]
    found = list(examine_shadows(Git(tmp_path / ".git", tmp_path), base, work, changes, CHECKS))
    assert [(item.verdict, item.found.partition(":")[0]) for item in found] == [
        ("objected", "pytest.py is loaded in the place of 'pytest'"),
        ("flagged", "statistics.py is loaded in the place of 'statistics'"),
    ]


def test_a_module_that_becomes_a_package_was_there_before(tmp_path: Path) -> None:
    base = commit(tmp_path, {"coverage.py": ""})
    work = commit(tmp_path, {"coverage/__init__.py": ""})
    changes = [Change("coverage/__init__.py", "000000", "100644", 0, 0)]
    assert not list(examine_shadows(Git(tmp_path / ".git", tmp_path), base, work, changes, CHECKS))
