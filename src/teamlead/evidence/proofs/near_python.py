"""Functions of Python, called with what tests gave them and with values near that."""

import ast
import shlex
from collections.abc import Sequence
from pathlib import Path

from teamlead.evidence.proofs import near_program
from teamlead.evidence.proofs.near_calls import FOLDER, NAME, VARIABLE, Call, Noted, Program, Way
from teamlead.evidence.proofs.variants import entries, stored
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.weakening.files_of_tests import Text
from teamlead.system.git import Git

_MOST_CALLS = 400
"""Of one function: tests go through ranges."""
_PLACES = [".", "src", "lib"]

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
            if len(seen) < {_MOST_CALLS} and is_plain([*given, *named.values()]):
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


def _noting(git: Git, work: str, modules: Sequence[Text]) -> Program:
    modes = entries(git, work, [text.path for text in modules])
    files = {
        text.path: stored(git, f"{text.after}{_NOTES}".encode(), now.mode)
        for text in modules
        if (now := modes[text.path]) is not None
    }
    return Program({**files, f"{FOLDER}/README": stored(git, b"Notes of what tests call.\n")}, ":")


def _noted(lines: list[str]) -> Noted:
    programs = (line.removeprefix(_PYTHON) for line in lines if line.startswith(_PYTHON))
    calls = [call for line in lines if (call := _call(line))]
    return Noted(calls[: 5 * _MOST_CALLS], next(programs, ""))


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


def _calling(git: Git, _: str, noted: Noted, with_near: bool) -> Program:
    text = Path(near_program.__file__).read_text("utf-8")
    program = f"{text}\n\nmain({noted.calls!r}, {_PLACES!r}, {with_near})\n"
    command = f"PYTHONHASHSEED=0 {shlex.quote(noted.python)} -B {NAME}.py"
    return Program({f"{NAME}.py": stored(git, program.encode())}, command)


PYTHON = Way((".py",), _noting, _noted, _calling)
