"""The negative control of checks: does one that passes fail where the code is garbage?

A check may test something else than the copy that it runs in: a package that was installed from another
checkout, or as a copy of its files; and the checkout, where the copy does not lie in its place. Such a check
passes whatever an agent does. So once for each check, session and project it is run on a clean copy with
garbage in it.

Garbage is put into what was changed, and into a file that is loaded for sure: a new module that nobody uses
yet says nothing about a check. Left out is what a check reads in the copy in any case, also where it tests
code that lies elsewhere: tests, what steers them, and files that the command itself names. Documentation is
not for checks to see.
"""

import asyncio
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from teamlead.core.evidence.steering_files import changed_machinery
from teamlead.evidence.clean_copies import CleanCopies, Memory
from teamlead.evidence.weakening.files_of_tests import is_test, read_files
from teamlead.guard.delegation import work_on
from teamlead.system import untrusted_folder
from teamlead.system.git import Git, Result

GARBAGE = b"]}) This is no code: a check that does not fail does not look here. ((\"'{[\n"
"""Neither a program nor data, in any language that we know of."""
LATER = 2
"""Seconds. Caches compare times, some of them in whole seconds."""
MANIFESTS = frozenset(
    """
    pyproject.toml setup.py setup.cfg package.json Cargo.toml go.mod CMakeLists.txt meson.build
    pom.xml build.gradle build.gradle.kts Gemfile composer.json mix.exs Package.swift
    """.split()  # noqa: SIM905 - a table of names reads better without quotes
)
"""Each makes a project of its folder. Tools read them in the copy."""
CONFIGURATION = (".toml", ".cfg", ".ini", ".json", ".lock", ".yml", ".yaml", ".cmake", ".mk", ".xml")
PLAIN_STEMS = frozenset({"index", "main", "mod", "lib", "__init__"})
"""Files of these names are called by the name of their folder."""
BESIDE = frozenset(
    {"example", "examples", "demo", "demos", "doc", "docs", "bench", "benchmark", "benchmarks"}
)
"""Folders of what no test has to load."""
ROOT = "/"
OF_ROOT = re.compile(r"[\"'](?:\.\./)*\.\.?/?(?:index(?:\.[cm]?[jt]sx?)?)?[\"']")
"""What JavaScript calls the file of this name above a test."""
MOST_TESTS = 500
WORD = re.compile(r"\w+")
Read = Callable[[Sequence[str]], Iterable[str]]
"""The texts of files."""


class Controlled(msgspec.Struct, frozen=True):
    command: str
    unseen: tuple[str, ...]


class Garbled(NamedTuple):
    project: str
    """The folder of the innermost project that all of the change is in; "" for the repository."""
    paths: tuple[str, ...]


class CleanControl:
    """Implements `ports.checking.NegativeControl`."""

    def __init__(self, git: Git, copies: CleanCopies, folder: Path) -> None:
        self._git = git
        self._copies = copies
        self._memory = Memory(folder, Controlled)

    async def unseen(self, command: str, base: str, commit: str, timeout: float) -> tuple[str, ...]:  # noqa: ASYNC109 - the port's
        chosen = await asyncio.to_thread(self._choose, command, base, commit)
        if chosen is None:
            return ()
        key = self._copies.key(command, chosen.project)
        async with self._memory.turn(key):
            known = self._memory.recall(key)
            if known is None or known.command != command:
                known = Controlled(command, await self._try(command, commit, chosen.paths, timeout, key))
                self._memory.remember(key, known)
            return known.unseen

    def _choose(self, command: str, base: str, commit: str) -> Garbled | None:
        changed = self._git.run("diff-tree", "-r", "-z", "--no-renames", "--name-only", base, commit)
        tracked = self._git.run("ls-tree", "-r", "-z", "--name-only", commit)
        return choose(command, _names(changed), _names(tracked), partial(read_files, self._git, commit))

    async def _try(
        self, command: str, commit: str, paths: Sequence[str], bound: float, key: str
    ) -> tuple[str, ...]:
        """Returns what the check did not see."""
        garbled: list[str] = []
        end = await self._copies.check(
            commit, command, bound, key, prepare=lambda root: garbled.extend(garble(root, paths))
        )
        return tuple(garbled) if end.exit_code == 0 else ()


def _names(told: Result) -> list[str]:
    """Lists the names, but for those that no journal could hold."""
    names = (path.decode("utf-8", "replace") for path in told.fields)
    return [name for name in names if "\ufffd" not in name]


def choose(command: str, changed: Sequence[str], tracked: Sequence[str], read: Read) -> Garbled | None:
    """Chooses files. Returns None where nothing was changed that the check could be expected to see."""
    plain = frozenset(changed_machinery([command], changed))
    seen = [path for path in changed if work_on(path) != "design" and path not in plain]
    known = frozenset(tracked)
    project = _project(seen, known)
    sources = [path for path in _sources(command, seen) if path in known]
    sure = _package(sources, known) or _most_named(command, seen, project, tracked, read)
    paths = tuple(dict.fromkeys((*sure, *sources)))
    return Garbled(project, paths) if paths else None


def garble(root: Path, paths: Iterable[str]) -> tuple[str, ...]:
    """Writes garbage to those that are files, and returns them. A link may lead to the user's own."""
    files = tuple(path for path in paths if untrusted_folder.read(root, path) is not None)
    for path in files:
        untrusted_folder.write(root, path, GARBAGE)
        later = (root / path).stat().st_mtime_ns + LATER * 10**9
        os.utime(root / path, ns=(later, later), follow_symlinks=False)
    return files


def _sources(command: str, paths: Iterable[str]) -> list[str]:
    code = [path for path in paths if work_on(path) == "code" and not is_test(path)]
    steering = frozenset(changed_machinery([command], code))
    return [path for path in code if path not in steering and not _configures(PurePosixPath(path))]


def _configures(path: PurePosixPath) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    return hidden or path.name in MANIFESTS or path.suffix in CONFIGURATION or ".config." in path.name


def _project(changed: Sequence[str], tracked: frozenset[str]) -> str:
    shared = PurePosixPath(os.path.commonpath(changed) if changed else "")
    for folder in (shared, *shared.parents):
        if any(str(folder / name) in tracked for name in MANIFESTS):
            return "" if folder == PurePosixPath() else str(folder)
    return ""


def _package(sources: Iterable[str], tracked: frozenset[str]) -> tuple[str, ...]:
    """Finds what Python loads first of the outermost package that a changed module is in."""
    for path in sources:
        outermost = ""
        for folder in PurePosixPath(path).parents:
            if path.endswith(".py") and str(folder / "__init__.py") in tracked:
                outermost = str(folder / "__init__.py")
        if outermost:
            return (outermost,)
    return ()


def _most_named(
    command: str, changed: Sequence[str], project: str, tracked: Sequence[str], read: Read
) -> tuple[str, ...]:
    """Finds the source in the same project, and of the same kind, that the most tests have a word for."""
    kinds = {PurePosixPath(path).suffix for path in changed}
    near = [path for path in tracked if not project or path.startswith(f"{project}/")]
    tests = [path for path in near if work_on(path) == "tests" or is_test(path)]
    sources = [
        path
        for path in _sources(command, near)
        if PurePosixPath(path).suffix in kinds and not BESIDE & {*PurePosixPath(path).parts[:-1]}
    ]
    if not tests or not sources:
        return ()
    words: Counter[str] = Counter()
    for text in read(tests[:MOST_TESTS]):
        words.update({*WORD.findall(text), *([ROOT] if OF_ROOT.search(text) else [])})
    best = max(sources, key=lambda path: words[_called(PurePosixPath(path))])
    return (best,) if words[_called(PurePosixPath(best))] else ()


def _called(path: PurePosixPath) -> str:
    return (path.parent.name or ROOT) if path.stem in PLAIN_STEMS else path.stem
