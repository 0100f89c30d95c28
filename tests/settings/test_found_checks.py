"""Which test commands are proposed, by what a repository's root holds."""

from pathlib import Path

import pytest

from teamlead.settings.found_checks import found_checks

TEST = '{"scripts": {"test": "vitest run"}}'
UNWRITTEN = '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        ({}, []),
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, ["python -m pytest -q"]),
        ({"tests/test_a.py": ""}, ["python -m pytest -q"]),
        ({"tox.ini": "[tox]\n"}, ["tox"]),
        ({"pyproject.toml": "= no toml"}, []),
        ({"package.json": TEST}, ["npm test"]),
        ({"package.json": TEST, "pnpm-lock.yaml": ""}, ["pnpm test"]),
        ({"package.json": TEST, "yarn.lock": ""}, ["yarn test"]),
        ({"package.json": UNWRITTEN}, []),
        ({"package.json": "[1]"}, []),
        ({"Cargo.toml": ""}, ["cargo test"]),
        ({"go.mod": "module a\n"}, ["go test ./..."]),
        ({"Makefile": "all:\n\ntest: all\n\tpytest\n"}, ["make test"]),
        ({"Makefile": "test := 1\ncheck:\n\ttrue\n"}, ["make check"]),
        ({"Makefile": "test:\n\tgo test\n", "go.mod": "module a\n"}, ["go test ./..."]),
        (
            {"go.mod": "", "package.json": TEST, "pytest.ini": ""},
            ["python -m pytest -q", "npm test", "go test ./..."],
        ),
    ],
)
def test_each_toolchain_has_its_command(tmp_path: Path, files: dict[str, str], commands: list[str]) -> None:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert list(found_checks(tmp_path)) == commands


@pytest.mark.parametrize(("installed", "command"), [(True, "tox"), (False, "python -m pytest -q")])
def test_a_wrapper_that_is_not_installed_gives_way_to_the_runner_beneath(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, *, installed: bool
) -> None:
    programs, root = tmp_path / "programs", tmp_path / "root"
    (root / "tests").mkdir(parents=True)
    (root / "tox.ini").write_text("[tox]\n")
    (root / "tests/test_a.py").write_text("")
    programs.mkdir()
    if installed:
        (programs / "tox").write_text("#!/bin/sh\n")
        (programs / "tox").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    assert found_checks(root) == (command,)
