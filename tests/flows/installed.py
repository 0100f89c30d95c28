"""Projects whose tools know the user's checkout by its absolute path, and what an agent does to them."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.flows.support import SETTINGS, Project, Step, done, write

BACKEND = '''
"""Builds an install, editable or not, and needs nothing for it."""

import os
import zipfile

NAME = "shop-1.0.dist-info"
FILES = {
    f"{NAME}/METADATA": "Metadata-Version: 2.1\\nName: shop\\nVersion: 1.0\\n",
    f"{NAME}/WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
}


def build_editable(folder, config_settings=None, metadata_directory=None):
    return _build(folder, {"shop.pth": os.path.abspath("src")})


def build_wheel(folder, config_settings=None, metadata_directory=None):
    names = [f"shop/{name}" for name in os.listdir("src/shop")]
    return _build(folder, {name: open(f"src/{name}").read() for name in names})


def _build(folder, files):
    with zipfile.ZipFile(os.path.join(folder, "shop-1.0-py3-none-any.whl"), "w") as wheel:
        for name, text in {**FILES, **files}.items():
            wheel.writestr(name, text)
        wheel.writestr(f"{NAME}/RECORD", "".join(f"{name},,\\n" for name in wheel.namelist()))
    return "shop-1.0-py3-none-any.whl"
'''
PYTHON = {
    "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
    "backend.py": BACKEND,
    "src/shop/__init__.py": "",
    "src/shop/tax.py": "def gross(net):\n    return net * 1.2\n",
    "tests/test_tax.py": (
        "import unittest\nfrom shop.tax import gross\n\n\nclass Tax(unittest.TestCase):\n"
        "    def test_gross(self):\n        self.assertAlmostEqual(gross(100), 120)\n"
    ),
    ".gitignore": ".venv/\n__pycache__/\n*.egg-info/\n",
}
NODE = {
    "package.json": json.dumps({"name": "shop", "private": True, "workspaces": ["packages/*"]}),
    "packages/tax/package.json": json.dumps({"name": "@shop/tax", "version": "1.0.0"}),
    "packages/tax/index.js": "exports.gross = (net) => net * 1.2;\n",
    "packages/till/package.json": json.dumps({"name": "@shop/till", "version": "1.0.0"}),
    "packages/till/till.test.js": (
        'const { gross } = require("@shop/tax");\n'
        'require("assert").strictEqual(Math.round(gross(100)), 120);\n'
    ),
    ".gitignore": "node_modules/\npackage-lock.json\n",
}
C = {
    "CMakeLists.txt": (
        "cmake_minimum_required(VERSION 3.10)\nproject(shop C)\nenable_testing()\n"
        "add_executable(test_tax tests/test_tax.c src/tax.c)\nadd_test(tax test_tax)\n"
    ),
    "src/tax.c": "int gross(int net) { return net * 12 / 10; }\n",
    "tests/test_tax.c": "int gross(int net);\nint main(void) { return gross(100) != 120; }\n",
    ".gitignore": "build/\n",
}


class Case(NamedTuple):
    """One way to be installed."""

    install: Callable[[Project], str]
    """What the user does once, beforehand. Returns the check."""
    source: str
    broken: str
    honest: str
    settings: str = ""
    without_room: str = ""
    """More of the user's settings, for a copy that lies elsewhere to have what it needs."""

    def attempt(self, text: str) -> list[Step]:
        return [write(self.source, text), done("All tests pass.")]


def environment(project: Project, place: Path, how: tuple[str, ...] = ("--editable", ".")) -> str:
    """The Python of a virtual environment in which the project is installed, by pip."""
    _run(project, project.python, "-m", "venv", "--without-pip", place)
    python = f"{place}/bin/python"
    options = ("--quiet", "--disable-pip-version-check", "--no-index", "--no-build-isolation")
    _run(project, sys.executable, "-m", "pip", "--python", python, "install", *options, *how)
    return python


def _inside(project: Project) -> str:
    project.commit("A shop", PYTHON)
    environment(project, project.root / ".venv")
    return ".venv/bin/python -m unittest discover -s tests"


def _inside_by_its_path(project: Project) -> str:
    project.commit("A shop", PYTHON)
    return f"{environment(project, project.root / '.venv')} -m unittest discover -s tests"


def _not_ignored(project: Project) -> str:
    project.commit("A shop", {**PYTHON, ".gitignore": "__pycache__/\n"})
    environment(project, project.root / ".venv")
    return ".venv/bin/python -m unittest discover -s tests"


def _behind_a_link(project: Project) -> str:
    project.commit("A shop", PYTHON)
    place = Path(project.environment["HOME"]) / "environments" / "shop"
    environment(project, place)
    (project.root / ".venv").symlink_to(place)
    return ".venv/bin/python -m unittest discover -s tests"


def _of_tox(project: Project) -> str:
    project.commit("A shop", {**PYTHON, ".gitignore": ".tox/\n__pycache__/\n"})
    environment(project, project.root / ".tox" / "py311")
    return ".tox/py311/bin/python -m unittest discover -s tests"


def _outside(project: Project) -> str:
    project.commit("A shop", PYTHON)
    place = Path(project.environment["HOME"]) / "environments" / "shop"
    return f"{environment(project, place)} -m unittest discover -s tests"


def _not_editable(project: Project) -> str:
    project.commit("A shop", PYTHON)
    return f"{environment(project, project.root / '.venv', ('.',))} -m unittest discover -s tests"


def _of_another_clone(project: Project) -> str:
    project.commit("A shop", PYTHON)
    main = Path(project.environment["HOME"]) / "shop"
    known = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    project.git("clone", "--quiet", *known, str(project.root), str(main))
    return f"{environment(project, main / '.venv', ('--editable', str(main)))} -m unittest discover -s tests"


def _of_the_main_working_tree(project: Project) -> str:
    """The user works in a linked one, as its environment is that of the main one."""
    check = _of_another_clone(project)
    main, project.root = Path(project.environment["HOME"]) / "shop", project.place / "linked"
    project.git("worktree", "add", "--quiet", "-b", "side", str(project.root), cwd=main)
    return check


def _in_a_temporary_folder(project: Project) -> str:
    project.commit("A shop", PYTHON)
    return f"{environment(project, project.place / 'elsewhere')} -m unittest discover -s tests"


def _workspace(project: Project) -> str:
    project.commit("A shop", NODE)
    _run(project, "npm", "install", "--offline", "--no-audit", "--no-fund", "--silent")
    return "node packages/till/till.test.js"


def _cached(project: Project) -> str:
    project.commit("A shop", C)
    _run(project, "cmake", "-S", ".", "-B", "build")
    _run(project, "cmake", "--build", "build")
    return "cmake --build build && build/test_tax"


def _run(project: Project, *argv: str | Path) -> None:
    environment = {**project.environment, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [str(each) for each in argv], cwd=project.root, env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, (argv, done.stdout, done.stderr)


_PYTHON_SOURCE = "src/shop/tax.py"
_BROKEN_PYTHON = "raise RuntimeError(1)\n"
_HONEST_PYTHON = "def gross(net):\n    return round(net * 1.2, 2)\n"
LINKED = SETTINGS + 'link = ["node_modules"]\n'

CASES = {
    "editable, .venv inside": Case(
        _inside, _PYTHON_SOURCE, _BROKEN_PYTHON, _HONEST_PYTHON, without_room='link = [".venv"]\n'
    ),
    "editable, .venv by its path": Case(_inside_by_its_path, _PYTHON_SOURCE, _BROKEN_PYTHON, _HONEST_PYTHON),
    "editable, .venv not ignored": Case(
        _not_ignored, _PYTHON_SOURCE, _BROKEN_PYTHON, _HONEST_PYTHON, without_room='link = [".venv"]\n'
    ),
    "editable, .venv a link": Case(
        _behind_a_link, _PYTHON_SOURCE, _BROKEN_PYTHON, _HONEST_PYTHON, without_room='link = [".venv"]\n'
    ),
    "editable, .venv of tox": Case(
        _of_tox, _PYTHON_SOURCE, _BROKEN_PYTHON, _HONEST_PYTHON, without_room='link = [".tox"]\n'
    ),
    "editable, .venv outside": Case(_outside, _PYTHON_SOURCE, _BROKEN_PYTHON, _HONEST_PYTHON),
    "editable, .venv in a temporary folder": Case(
        _in_a_temporary_folder, _PYTHON_SOURCE, _BROKEN_PYTHON, _HONEST_PYTHON
    ),
}
if shutil.which("node") and shutil.which("npm"):
    CASES["npm workspace"] = Case(
        _workspace,
        "packages/tax/index.js",
        "throw new Error(1);\n",
        "exports.gross = (net) => Math.round(net * 1.2);\n",
        without_room='link = ["node_modules"]\n',
    )
if all(shutil.which(program) for program in ("cmake", "make", "cc")):
    CASES["cmake"] = Case(
        _cached,
        "src/tax.c",
        "#error broken\n",
        "int gross(int net) { return net + net / 5; }\n",
        settings='copy = ["build"]\n',
    )

ELSEWHERE = {
    name: Case(install, _PYTHON_SOURCE, _BROKEN_PYTHON, _HONEST_PYTHON)
    for name, install in {
        "not editable": _not_editable,
        "editable, of another clone": _of_another_clone,
        "editable, of the main working tree": _of_the_main_working_tree,
    }.items()
}
"""Installed such that code is loaded from neither a copy nor the checkout in whose place one lies."""
