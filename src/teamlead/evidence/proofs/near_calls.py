"""Calls by tests, and calls like these, whatever they are written in.

One run of a check notes with which plain values tests call the functions of changed modules. Then a program
makes these calls on a commit, forward and backward, each in a process of its own.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from teamlead.core.evidence.values import CheckResult
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.near_program import MARKER
from teamlead.evidence.proofs.variants import Files
from teamlead.evidence.weakening.files_of_tests import Text
from teamlead.system.git import Git

FOLDER = ".teamlead-near"
NOTES = f"{FOLDER}/notes"
VARIABLE = "TEAMLEAD_NEAR"
NAME = "teamlead_near_inputs"
"""Of the program, which lies in the root of the copy."""
SECONDS = 20.0

_NOTED = "teamlead: what tests called"
_AROUND = f"""export {VARIABLE}="$PWD/{NOTES}"
FIRST
(
COMMAND
)
echo
echo "{_NOTED}"
cat "${VARIABLE}" 2>/dev/null
exit 0
"""

Call = list[Any]
"""As the program of its language wants it."""


class Noted(NamedTuple):
    calls: list[Call]
    python: str = ""
    """The program that tests are run by."""


class Given(NamedTuple):
    """A call by a test, or one like it."""

    module: str
    function: str
    text: str

    def __str__(self) -> str:
        return self.text


class Came(NamedTuple):
    call: Given
    outcome: list[Any] | None
    """What it gives, and whether that is a value. None: nobody knows."""
    steady: bool
    """It comes out the same in another order of calls."""


class Program(NamedTuple):
    files: Files
    """What is put into the copy."""
    command: str


class Way(NamedTuple):
    """How functions of one language are called."""

    suffixes: tuple[str, ...]
    noting: Callable[[Git, str, Sequence[Text]], Program]
    """What notes calls of these modules of a commit. Its command is run before the check's."""
    noted: Callable[[list[str]], Noted]
    """Reads what was noted."""
    calling: Callable[[Git, str, Noted, bool], Program]
    """What makes the calls on a commit; with those near them, if they are wanted."""


async def calls_of_tests(bench: Bench, check: CheckResult, way: Way, modules: Sequence[Text]) -> Noted:
    program = await bench.look(way.noting, bench.work, modules)
    around = _AROUND.replace("FIRST", program.command)
    ran = await bench.run_with(
        bench.work, program.files, check, around=lambda command: around.replace("COMMAND", command)
    )
    return way.noted(await asyncio.to_thread(_notes, ran)) if ran else Noted([])


async def call(
    bench: Bench, check: CheckResult, way: Way, commit: str, noted: Noted, *, with_near: bool
) -> list[Came]:
    """Of all of them, in their order; none: they could not be made."""
    program = await bench.look(way.calling, commit, noted, with_near)
    ran = await bench.run_with(commit, program.files, check, around=lambda _: program.command, within=SECONDS)
    return await asyncio.to_thread(_came, ran) if ran else []


def _notes(ran: Ran) -> list[str]:
    _, _, told = _log(ran).rpartition(_NOTED)
    return list(dict.fromkeys(told.splitlines()))


def _came(ran: Ran) -> list[Came]:
    """Go tells of each package by itself."""
    lines = [line.removeprefix(MARKER) for line in _log(ran).splitlines() if line.startswith(MARKER)]
    try:
        rows = [row for line in lines for row in zip(*json.loads(line), strict=True)]
        return [Came(Given(*call), one, other in (one, None)) for call, one, other in rows]
    except (ValueError, TypeError):
        return []


def _log(ran: Ran) -> str:
    """Empty: nothing of it is left."""
    try:
        return Path(ran.end.log).read_text("utf-8", "replace")
    except OSError:
        return ""
