"""Tests of Python, called by a program of our own."""

import asyncio
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from teamlead.evidence.proofs import outside_calls as calls
from teamlead.evidence.proofs import outside_program
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.harness import MOST_TESTS, is_of_tests
from teamlead.evidence.proofs.outside_calls import MOST_FILES, Called
from teamlead.evidence.proofs.traces import Trace, Traced, trace
from teamlead.evidence.proofs.variants import stored
from teamlead.evidence.weakening.files_of_tests import Text, is_test, read_texts
from teamlead.system.git import Git

_PROGRAMS = frozenset({"pytest", "unittest"})
_SETTINGS = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_PATHS = re.compile(r"\bPYTHONPATH=(\S+)|^\s*pythonpath\s*=\s*(.+)$", re.MULTILINE)


class _Asked(NamedTuple):
    files: list[str]
    """Of tests."""
    places: list[str]
    """That modules are imported from."""
    tests: list[str]
    """Those that ran what was changed, and whole files that were touched. Empty: nobody knows."""


async def call_python(bench: Bench) -> Called | None:
    found = await bench.once(trace)
    traced = next((check for check in found.checks if check.python and _by_a_program(check)), None)
    asked = await bench.look(_asked, bench, found, traced) if traced else None
    if traced is None or asked is None or not asked.files:
        return None
    ran = await _called(bench, traced, asked)
    return Called(traced.check, ran, await calls.read(ran)) if ran else None


def _by_a_program(traced: Traced) -> bool:
    suite = traced.check.suite
    return suite is not None and not _PROGRAMS.isdisjoint(suite.programs)


async def _called(bench: Bench, traced: Traced, asked: _Asked) -> Ran | None:
    text = await asyncio.to_thread(Path(outside_program.__file__).read_text, "utf-8")
    program = f"{text}\n\nmain({asked.files!r}, {asked.places!r}, {asked.tests!r})\n"
    name = f"{calls.name_of_program(bench)}.py"
    return await bench.run_with(
        bench.work,
        {name: await bench.look(stored, program.encode())},
        traced.check,
        around=lambda _: f"{shlex.quote(traced.python)} -B {name}",
        within=calls.seconds(traced.check),
    )


def _asked(git: Git, bench: Bench, found: Trace, traced: Traced) -> _Asked:
    paths = calls.files(git, bench.work)
    touched = {change.path for change in bench.changes}
    tests = sorted((path for path in paths if _is_called(path)), key=lambda path: path not in touched)
    around = [path for path in paths if PurePosixPath(path).name in {"conftest.py", *_SETTINGS}]
    texts = read_texts(git, bench.work, bench.work, [*tests[:MOST_TESTS], *around])
    housed = [text for text in texts if text.path in around]
    modules = {_module(source.path) for source in found.sources if not is_of_tests(source.path)}
    files = [
        text.path
        for text in texts
        if text.path not in around and (text.path in touched or _imports(text, modules))
        if not _has_more_done_for_it(text, housed)
    ]
    told = [traced.check.command, *(text.after or "" for text in housed if text.path in _SETTINGS)]
    ran = _that_ran(found, traced, files)
    if ran:
        of_these = {name.partition("::")[0] for name in ran}
        files = [path for path in files if path in touched or path in of_these]
    wanted = [*ran, *(path for path in files if path in touched)] if ran else []
    return _Asked(files[:MOST_FILES], list(_places(told, files)), wanted)


def _that_ran(found: Trace, traced: Traced, files: Sequence[str]) -> list[str]:
    """By the names that the program gives them, without their parameters."""
    changed = {source.path for source in found.sources if not is_of_tests(source.path)}
    names = {name for place, told in traced.tests.items() if place[0] in changed for name in told}
    return sorted({known for name in names for known in _known_as(name.partition("[")[0], files)})


def _known_as(name: str, files: Sequence[str]) -> Iterator[str]:
    if "::" in name:
        yield name
        return
    module, _, of_class = name.rpartition(".")[0].rpartition(".")
    for file in files:
        dotted = file.removesuffix(".py").replace("/", ".")
        if module and (dotted == module or dotted.endswith(f".{module}")):
            yield f"{file}::{of_class}::{name.rpartition('.')[2]}"


def _is_called(path: str) -> bool:
    return (
        path.endswith(".py")
        and is_test(path)
        and bool(re.match(r"test|.*_test\.py", PurePosixPath(path).name))
    )


def _module(path: str) -> str:
    file = PurePosixPath(path)
    return file.parent.name if file.stem == "__init__" else file.stem


def _imports(text: Text, modules: set[str]) -> bool:
    lines = re.findall(r"^\s*(?:from|import)\s.*", text.after or "", re.MULTILINE)
    return any(not modules.isdisjoint(re.findall(r"\w+", line)) for line in lines)


def _has_more_done_for_it(text: Text, housed: Sequence[Text]) -> bool:
    """By fixtures that it does not ask for."""
    above = [each for each in housed if PurePosixPath(each.path).parent in PurePosixPath(text.path).parents]
    return any("autouse" in (each.after or "") for each in (text, *above))


def _places(told: Sequence[str], files: Sequence[str]) -> Iterator[str]:
    for found in _PATHS.finditer("\n".join(told)):
        yield from (place for place in re.findall(r"[\w./-]+", found[1] or found[2]) if place != "PWD")
    yield from (".", "src", "lib")
    yield from dict.fromkeys(str(folder) for file in files for folder in PurePosixPath(file).parents)
