"""With which plain values tests call the functions of changed Python modules: one run of a check notes it."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from teamlead.core.evidence.values import CheckResult
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.variants import Files, entries, stored
from teamlead.evidence.weakening.files_of_tests import Text
from teamlead.system.git import Git

Call = list[Any]
"""A module, a function of it, its arguments, and those with names."""
FOLDER = ".teamlead-near"
VARIABLE = "TEAMLEAD_NEAR"
MARKER = "teamlead: what tests called"
MOST_CALLS = 30
"""Of one function."""

_NOTES = f"""

def _teamlead_note():
    import functools, json, os, types
    at = os.path.dirname(os.path.abspath(__file__))
    while not os.path.isdir(os.path.join(at, "{FOLDER}")) and os.path.dirname(at) != at:
        at = os.path.dirname(at)
    place = os.environ.get("{VARIABLE}") or os.path.join(at, "{FOLDER}", "notes")
    plain = (str, int, float, bool, type(None))

    def is_plain(value, depth=0):
        if isinstance(value, (list, dict)) and len(value) < 20 and depth < 3:
            inside = value if isinstance(value, list) else [*value.keys(), *value.values()]
            keys = isinstance(value, list) or all(type(key) is str for key in value)
            return keys and all(is_plain(item, depth + 1) for item in inside)
        return type(value) in plain and (not isinstance(value, str) or len(value) <= 200)

    def noted(name, function):
        seen = set()

        @functools.wraps(function)
        def called(*given, **named):
            if len(seen) < {MOST_CALLS} and is_plain([*given, *named.values()]):
                call = json.dumps([__name__, name, list(given), named])
                if call not in seen:
                    seen.add(call)
                    try:
                        with open(place, 'a') as notes:
                            notes.write(call + "\\n")
                    except OSError:
                        pass
            return function(*given, **named)

        return called

    for name, each in list(globals().items()):
        if isinstance(each, types.FunctionType) and each.__module__ == __name__ and name != "_teamlead_note":
            globals()[name] = noted(name, each)


_teamlead_note()
"""


async def calls_of_tests(bench: Bench, check: CheckResult, modules: Sequence[Text]) -> list[Call]:
    files = await bench.look(_with_notes, bench, modules)
    around = (
        f'export {VARIABLE}="$PWD/{FOLDER}/notes"\n(\nCOMMAND\n)\necho\necho "{MARKER}"\n'
        f'cat "${VARIABLE}" 2>/dev/null\nexit 0\n'
    )
    ran = await bench.run_with(
        bench.work, files, check, around=lambda command: around.replace("COMMAND", command)
    )
    return await asyncio.to_thread(_calls, ran) if ran else []


def _with_notes(git: Git, bench: Bench, modules: Sequence[Text]) -> Files:
    modes = entries(git, bench.work, [text.path for text in modules])
    files = {
        text.path: stored(git, f"{text.after}{_NOTES}".encode(), now.mode)
        for text in modules
        if (now := modes[text.path]) is not None
    }
    return {**files, f"{FOLDER}/README": stored(git, b"Notes of what tests call.\n")}


def _calls(ran: Ran) -> list[Call]:
    try:
        _, marker, told = Path(ran.end.log).read_text("utf-8", "replace").rpartition(MARKER)
    except OSError:
        return []
    found = {}
    for line in told.splitlines() if marker else ():
        try:
            module, name, given, named = json.loads(line)
        except (ValueError, TypeError):
            continue
        if (given or named) and not name.startswith("_teamlead"):
            found[line] = [module, name, given, named]
    return list(found.values())[: 10 * MOST_CALLS]
