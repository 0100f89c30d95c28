"""With which plain values tests call the functions of changed Python modules: one run of a check notes it."""

import ast
import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from teamlead.core.evidence.values import CheckResult
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.variants import Files, entries, stored
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.weakening.files_of_tests import Text
from teamlead.system.git import Git

Call = list[Any]
"""A module, a function of it, its arguments, and those with names."""


class Noted(NamedTuple):
    python: str
    """The program that tests are run by; empty: it loaded none of the modules."""
    calls: list[Call]


FOLDER = ".teamlead-near"
VARIABLE = "TEAMLEAD_NEAR"
MARKER = "teamlead: what tests called"
MOST_CALLS = 400
"""Of one function: tests go through ranges."""

_PYTHON = "python "
_NOTES = f"""

def _teamlead_note():
    import functools, os, sys, types
    at = os.path.dirname(os.path.abspath(__file__))
    while not os.path.isdir(os.path.join(at, "{FOLDER}")) and os.path.dirname(at) != at:
        at = os.path.dirname(at)
    place = os.environ.get("{VARIABLE}") or os.path.join(at, "{FOLDER}", "notes")
    inside = sys.executable.startswith(os.path.join(at, "")) and at != os.path.dirname(at)

    def note(what):
        try:
            with open(place, 'a') as notes:
                notes.write(what + "\\n")
        except OSError:
            pass

    note("{_PYTHON}" + (os.path.relpath(sys.executable, at) if inside else sys.executable))
    plain = (str, int, float, bool, type(None))
    holds = (list, tuple, set, dict)

    def is_plain(value, depth=0):
        if type(value) in holds:
            inside = [*value, *value.values()] if type(value) is dict else value
            return len(value) < 20 and depth < 3 and all(is_plain(item, depth + 1) for item in inside)
        return type(value) in plain and (not isinstance(value, str) or len(value) <= 200)

    def noted(name, function):
        seen = set()

        @functools.wraps(function)
        def called(*given, **named):
            if len(seen) < {MOST_CALLS} and is_plain([*given, *named.values()]):
                call = repr([__name__, name, list(given), named])
                if call not in seen:
                    seen.add(call)
                    note(call)
            return function(*given, **named)

        return called

    for name, each in list(globals().items()):
        if isinstance(each, types.FunctionType) and each.__module__ == __name__ and name != "_teamlead_note":
            globals()[name] = noted(name, each)


_teamlead_note()
"""


async def calls_of_tests(bench: Bench, check: CheckResult, modules: Sequence[Text]) -> Noted:
    files = await bench.look(_with_notes, bench, modules)
    around = (
        f'export {VARIABLE}="$PWD/{FOLDER}/notes"\n(\nCOMMAND\n)\necho\necho "{MARKER}"\n'
        f'cat "${VARIABLE}" 2>/dev/null\nexit 0\n'
    )
    ran = await bench.run_with(
        bench.work, files, check, around=lambda command: around.replace("COMMAND", command)
    )
    return await asyncio.to_thread(_noted, ran) if ran else Noted("", [])


def _with_notes(git: Git, bench: Bench, modules: Sequence[Text]) -> Files:
    modes = entries(git, bench.work, [text.path for text in modules])
    files = {
        text.path: stored(git, f"{text.after}{_NOTES}".encode(), now.mode)
        for text in modules
        if (now := modes[text.path]) is not None
    }
    return {**files, f"{FOLDER}/README": stored(git, b"Notes of what tests call.\n")}


def _noted(ran: Ran) -> Noted:
    try:
        _, marker, told = Path(ran.end.log).read_text("utf-8", "replace").rpartition(MARKER)
    except OSError:
        return Noted("", [])
    lines = list(dict.fromkeys(told.splitlines())) if marker else []
    programs = (line.removeprefix(_PYTHON) for line in lines if line.startswith(_PYTHON))
    calls = [call for line in lines if (call := _call(line))]
    return Noted(next(programs, ""), calls[: 5 * MOST_CALLS])


def _call(line: str) -> Call | None:
    match parsed(line):
        case ast.Module(body=[ast.Expr(value=noted)]):
            pass
        case _:
            return None
    try:
        module, name, given, named = ast.literal_eval(noted)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return None
    return [module, name, given, named] if given or named else None
