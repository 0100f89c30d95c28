"""Functions next door: called with what tests hold, on the base and on the work.

What a change alters of a module for one function, others may read, too. Where one of them gives something
else now, the task should say so.
"""

import asyncio
import json
import shlex
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.values import Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs import neighbours_program, outside_calls
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.neighbours_program import MARKER
from teamlead.evidence.proofs.outside_calls import name_of_program
from teamlead.evidence.proofs.pure_modules import pure_modules
from teamlead.evidence.proofs.shared_values import given, shared
from teamlead.evidence.proofs.traces import Traced, trace
from teamlead.evidence.proofs.variants import stored
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

AS_BEFORE = "functions next door give what they gave"
PLACES = (".", "src", "lib")


class _Call(NamedTuple):
    modules: list[str]
    """What it may be imported as."""
    function: str
    arguments: str


async def neighbours(bench: Bench) -> Proofs:
    calls = await bench.look(_calls, bench)
    found = await bench.once(trace) if calls else None
    traced = next((check for check in found.checks if check.python), None) if found else None
    if traced is None:
        return Proofs()
    before = await _run(bench, bench.base, traced, calls)
    after = await _run(bench, bench.work, traced, calls)
    if before is None or after is None:
        return Proofs()
    had, has = await asyncio.to_thread(_read, before), await asyncio.to_thread(_read, after)
    told = {call: (gave, has[call]) for call, gave in had.items() if call in has and has[call] != gave}
    return Proofs((_flag(traced, after, told),) if told else ())


def _calls(git: Git, bench: Bench) -> list[_Call]:
    # They are called with what was meant for others.
    texts = pure_modules(git, bench, (".py",))
    task = bench.case.claim.task
    said = "\n\n".join((task.title, task.description, *task.criteria))
    found = [(text, of_it) for text in texts if (of_it := shared(text.before or "", text.after or "", said))]
    if not found:
        return []
    all_tests = [
        path for path in outside_calls.files(git, bench.work) if path.endswith(".py") and is_of_tests(path)
    ]
    tests = [text.after or "" for text in read_texts(git, bench.work, bench.work, all_tests)]
    return [
        _Call(_modules(text.path), function, arguments)
        for text, of_it in found
        for function in of_it.neighbours
        for arguments in given(tests, function, of_it.meant, text.after or "")
    ]


def _modules(path: str) -> list[str]:
    file = PurePosixPath(path).with_suffix("")
    parts = file.parts[:-1] if file.name == "__init__" else file.parts
    return [
        ".".join(parts[number:])
        for number in (1, 0)
        if parts[number:] and (number == 0 or parts[0] in PLACES)
    ]


async def _run(bench: Bench, commit: str, traced: Traced, calls: list[_Call]) -> Ran | None:
    text = await asyncio.to_thread(Path(neighbours_program.__file__).read_text, "utf-8")
    program = f"{text}\n\nmain({[tuple(call) for call in calls]!r}, {list(PLACES)!r})\n"
    name = f"{name_of_program(bench)}.py"
    return await bench.run_with(
        commit,
        {name: await bench.look(stored, program.encode())},
        traced.check,
        around=lambda _: f"{shlex.quote(traced.python)} -B {name}",
        within=outside_calls.seconds(traced.check),
    )


def _read(ran: Ran) -> dict[str, str]:
    try:
        log = Path(ran.end.log).read_text("utf-8", "replace")
        return dict(json.loads(log.rpartition(MARKER)[2]))
    except (OSError, ValueError):
        return {}


def _flag(traced: Traced, ran: Ran, told: dict[str, tuple[str, str]]) -> Evidence:
    said = listed(
        f"{_shown(call)} gave {gave}, and gives {gives} now" for call, (gave, gives) in told.items()
    )
    return Evidence(
        kind="proof",
        verdict="flagged",
        claim=AS_BEFORE,
        found=f"functions that read what was changed for another one: {said}",
        command=look_again(traced.check.command, ran.commit, ran.end.room),
        log=ran.end.log,
        question=f"{said}. Which sentence of the plan asks for this?",
    )


def _shown(call: str) -> str:
    return f"{call[:-2]})" if call.endswith(",)") else call
