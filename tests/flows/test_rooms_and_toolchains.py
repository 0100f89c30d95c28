"""Toolchains in rooms: what agents and checks install, build and run there."""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.flows.installed import NODE, PYTHON
from tests.flows.other_user import USERS, is_open
from tests.flows.support import Project, done, run

RUST = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "1.0.0"\nedition = "2021"\n',
    "src/lib.rs": "pub fn gross(net: u32) -> u32 {\n    net * 12 / 10\n}\n",
    "tests/tax.rs": "#[test]\nfn tax() {\n    assert_eq!(shop::gross(100), 120);\n}\n",
    ".gitignore": "target/\nCargo.lock\n",
}


class Toolchain(NamedTuple):
    files: Mapping[str, str]
    use: Callable[[Project], str]
    """What the agent does."""
    check: Callable[[Project], str]
    programs: tuple[str, ...] = ()

    def is_for(self, user: str) -> bool:
        found = [shutil.which(program) for program in self.programs]
        return all(path and (user == "own" or is_open(Path(path))) and _works(path) for path in found)


def _works(program: str) -> bool:
    """Some are launchers of what the user may not have installed."""
    return subprocess.run([program, "--version"], capture_output=True, check=False).returncode == 0


def _install(project: Project) -> str:
    options = "--quiet --disable-pip-version-check --no-index --no-build-isolation"
    return (
        f"{project.toolbox} -m venv --without-pip .venv"
        f" && {project.toolbox} -m pip --python .venv/bin/python install {options} --editable ."
        " && .venv/bin/python -m unittest discover --start-directory tests"
    )


TOOLCHAINS = {
    "pip and pytest": Toolchain(
        {**PYTHON, ".gitignore": f"{PYTHON['.gitignore']}.pytest_cache/\n"},
        _install,
        lambda project: f"PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 PYTHONPATH=src {project.toolbox} -m pytest tests",
    ),
    "npm and node": Toolchain(
        NODE,
        # To pack, it needs a cache that it can write to.
        lambda _: (
            "npm pack --pack-destination /tmp ./packages/tax"
            " && npm install --offline --no-audit --no-fund && node packages/till/till.test.js"
        ),
        lambda _: "node --check packages/tax/index.js",
        ("npm", "node"),
    ),
    "cargo": Toolchain(
        RUST, lambda _: "cargo test --offline --test tax", lambda _: "cargo build --offline", ("cargo", "cc")
    ),
}
CASES = [
    pytest.param(user, toolchain, id=f"{user}-{name}")
    for name, toolchain in TOOLCHAINS.items()
    for user in USERS
    if toolchain.is_for(user)
]

pytestmark = pytest.mark.usefixtures("rooms")


@pytest.fixture
def builder(owner: Project) -> Project:
    """A home of a test has no toolchains of its own."""
    for name, place in (("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")):
        used = os.environ.get(name) or str(Path.home() / place)
        if os.access(used, os.R_OK):
            owner.environment[name] = used
    return owner


@pytest.mark.parametrize(("owner", "toolchain"), CASES, indirect=["owner"])
def test_it_installs_builds_and_tests_in_the_copy_and_in_a_clean_one(
    builder: Project, toolchain: Toolchain
) -> None:
    builder.commit("A shop", toolchain.files)
    used = run(f"( {toolchain.use(builder)} ) > built.txt 2>&1 || {{ cat built.txt; exit 1; }}")
    builder.task(1, [used, done("Built.")], checks=[toolchain.check(builder)])

    builder.start()

    assert builder.outcomes(1) == ["accepted"], builder.teamlead("evidence", "1").out
    assert sorted(builder.files(builder.integration)) == sorted({*builder.files("main"), "built.txt"})
