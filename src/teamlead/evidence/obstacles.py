"""Why a check cannot hold in a clean copy: by how it ended there, and what the user's checkout has besides.

Nothing is run for it. What is named as missing, and lies among the files that git ignores in the checkout,
is what a copy lacks; a program that is nowhere is missing for all. What else fails is for agents to mend.
"""

import asyncio
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.obstacles import Obstacle
from teamlead.ports.checking import CheckEnd
from teamlead.system.git import Git

QUOTES = "'\"\u2018\u2019"
NO_PROGRAM = frozenset({126, 127})
OF_MAKE = re.compile(r"Error 12[67]\b")
NOT_FOUND = re.compile(
    r"(?:^|[\s:])\d+: (\S+): (?:command )?not found$|: (\S+): command not found$", re.MULTILINE
)
NO_FILE = re.compile(
    rf"(?:make(?:\[\d+\])?|env): [{QUOTES}]?([^\s{QUOTES}:]+)[{QUOTES}]?: No such file or directory",
    re.MULTILINE,
)
REFUSED = re.compile(r": (\S+): Permission denied$", re.MULTILINE)
NO_PATH = re.compile(r": (\S*/\S+): No such file or directory$", re.MULTILINE)
RUN_AS_MODULE = re.compile(r"^\S*python\S*: No module named (\S+)$", re.MULTILINE)
PYTHON_MODULE = re.compile(r"No module named ['\"]([\w.]+)['\"]")
NODE_MODULE = re.compile(
    r"(?:[Cc]annot find (?:module|package)|[Cc]ould not resolve|Failed to resolve import) ['\"]([^'\"]+)"
)
IS_MISSING = re.compile(
    r"not found|no such file|cannot (?:find|open)|could not (?:find|open)|ENOENT|does not exist|can't open",
    re.IGNORECASE,
)
CACHES = frozenset(
    {"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".git", ".teamlead"}
)
MAKERS = {"package-lock.json": "npm ci", "pnpm-lock.yaml": "pnpm install", "yarn.lock": "yarn install"}


class Ignored(NamedTuple):
    """What git ignores in the checkout, and no copy is given."""

    root: Path
    paths: tuple[str, ...]
    """Folders end with a slash."""

    def named_in(self, text: str) -> str | None:
        for line in text.splitlines():
            if IS_MISSING.search(line):
                for path in self.paths:
                    if re.search(
                        rf"(?<![\w./-])(?:\./|{re.escape(str(self.root))}/)?{re.escape(path)}", line
                    ):
                        return path
        return None

    def with_program(self, program: str) -> str | None:
        inside = next((path for path in self.paths if program.removeprefix("./").startswith(path)), None)
        if inside or "/" in program:
            return inside
        places = ((path, self.root / path) for path in self.paths if path.endswith("/"))
        return next((path for path, at in places if _is_in(program, at)), None)

    def with_python(self, module: str) -> str | None:
        top, as_path = module.split(".", maxsplit=1)[0], module.replace(".", "/")
        for path in self.paths:
            if path.endswith("/"):
                packages = (self.root / path).glob("lib/python*/site-packages")
                if any((at / top).exists() or (at / f"{top}.py").exists() for at in packages):
                    return path
            elif re.search(rf"(?:^|/){re.escape(as_path)}(?:\.[\w-]+)*\.(?:py|so|pyd)$", path):
                return path
        return None

    def with_node(self, module: str) -> str | None:
        if module.startswith((".", "/")):
            parts = PurePosixPath(module).parts
            return next((path for path in self.paths if path.rstrip("/").split("/")[-1] in parts), None)
        package = "/".join(module.split("/")[: 2 if module.startswith("@") else 1])
        folders = (path for path in self.paths if path.endswith("node_modules/"))
        return next((path for path in folders if (self.root / path / package).exists()), None)


class CheckoutComparison:
    """Implements `ports.checking.Obstacles`."""

    def __init__(self, git: Git, root: Path, provided: Sequence[str]) -> None:
        """`provided`: what every copy is given of the checkout, as settings name it."""
        self._git = git
        self._root = root
        self._provided = provided

    async def explain(self, command: str, end: CheckEnd, limit: float) -> Obstacle | None:
        if end.exit_code is None:
            return Obstacle(
                "no end",
                told=f"it did not end within {limit:g} seconds",
                remedy="Raise `check_timeout` if it only takes long. What watches or serves never ends.",
            )
        if end.exit_code == 0 or (end.suite is not None and end.suite.passed):
            return None
        return await asyncio.to_thread(self._explain, command, end)

    def _explain(self, command: str, end: CheckEnd) -> Obstacle | None:
        ignored = self._ignored()
        program = _program(command, end)
        if lacking := _lacking(ignored, program, end.output):
            return _lacks(self._root, lacking)
        if program is None or ("/" in program and not self._is_ignored(program)):
            # A script of the repository that is not there may be what a task is to write.
            return None
        return Obstacle(
            "no program",
            program,
            f"`{program}` is not there, or may not be run, where checks run",
            f"Install `{program}` on this machine, or let a command of `post_create` put it into every copy.",
        )

    def _ignored(self) -> Ignored:
        asked = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
        found = [os.fsdecode(field) for field in self._git.run(*asked).fields]
        given = [PurePosixPath(pattern) for pattern in self._provided]
        paths = (path for path in found if not CACHES.intersection(PurePosixPath(path).parts))
        left = (path for path in paths if not any(PurePosixPath(path).match(str(each)) for each in given))
        return Ignored(self._root, tuple(left))

    def _is_ignored(self, path: str) -> bool:
        within = not path.startswith("/") and ".." not in PurePosixPath(path).parts
        return within and self._git.holds("check-ignore", "-q", "--", path)


def _program(command: str, end: CheckEnd) -> str | None:
    """That was to be run and is not there."""
    if found := RUN_AS_MODULE.search(end.output):
        return found[1]
    if end.exit_code not in NO_PROGRAM and not OF_MAKE.search(end.output):
        return None
    for pattern in (NOT_FOUND, NO_FILE, REFUSED, NO_PATH):
        if found := pattern.search(end.output):
            return next(each for each in found.groups() if each).strip(QUOTES)
    return None if "No such file or directory" in end.output else command.split(maxsplit=1)[0]


def _lacking(ignored: Ignored, program: str | None, output: str) -> str | None:
    found: Iterator[str | None] = (
        *((ignored.with_program(program), ignored.with_python(program)) if program else ()),
        *(ignored.with_python(name) for name in PYTHON_MODULE.findall(output)),
        *(ignored.with_node(name) for name in NODE_MODULE.findall(output)),
        ignored.named_in(output),
    ).__iter__()
    return next((path for path in found if path), None)


def _lacks(root: Path, path: str) -> Obstacle:
    name = path.rstrip("/")
    kind = "folder" if path.endswith("/") else "file"
    makers = (maker for lock, maker in MAKERS.items() if (root / lock).is_file())
    maker = next(makers, "") if name.endswith("node_modules") else ""
    made = (
        f', or `post_create = ["{maker}"]`, which makes it there'
        if maker
        else ", or make it by `post_create`"
    )
    return Obstacle(
        "lacks files",
        name,
        f"it needs the {kind} `{name}`, which your checkout has and git ignores, so that no copy has it",
        f'Set `link = ["{name}"]` (shared, not copied) or `copy = ["{name}"]`{made}. '
        "Settings are read when a leader starts (`teamlead resume`).",
    )


def _is_in(program: str, folder: Path) -> bool:
    return any((folder / place / program).exists() for place in ("bin", ".bin", "node_modules/.bin"))
