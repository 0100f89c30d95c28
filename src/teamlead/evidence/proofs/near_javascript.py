"""Functions of JavaScript, called with what tests gave them and with values near that.

What a module exports is wrapped when the run begins, by node, which knows it however the module is written.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from teamlead.evidence.proofs.near_calls import FOLDER, NAME, NOTES, Call, Noted, Program, Way
from teamlead.evidence.proofs.pure_javascript import SUFFIXES
from teamlead.evidence.proofs.variants import stored
from teamlead.evidence.weakening.files_of_tests import Text
from teamlead.system.git import Git

_PROGRAM = Path(__file__).with_name("near_program.cjs")
_MOST_CALLS = 2000


def _noting(git: Git, _: str, modules: Sequence[Text]) -> Program:
    wrapper = f"{FOLDER}/wrap.cjs"
    paths = json.dumps([text.path for text in modules])
    program = f"{_PROGRAM.read_text('utf-8')}\nnote({paths}, {json.dumps(NOTES)});\n"
    return Program({wrapper: stored(git, program.encode())}, f"node {wrapper} </dev/null >/dev/null 2>&1")


def _noted(lines: list[str]) -> Noted:
    return Noted([call for line in lines if (call := _call(line))][:_MOST_CALLS])


def _call(line: str) -> Call | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, list) and len(found) == 4 else None


def _calling(git: Git, _: str, noted: Noted, with_near: bool) -> Program:
    name = f"{NAME}.cjs"
    calls = json.dumps(noted.calls), json.dumps(with_near)
    program = f"{_PROGRAM.read_text('utf-8')}\nmain({', '.join(calls)});\n"
    return Program({name: stored(git, program.encode())}, f"node {name} </dev/null")


JAVASCRIPT = Way(SUFFIXES, _noting, _noted, _calling)
