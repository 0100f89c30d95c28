"""Tests of JavaScript, called by a program of our own."""

import asyncio
import json
import re
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from teamlead.evidence.proofs import outside_calls as calls
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.outside_calls import Called
from teamlead.evidence.proofs.variants import stored
from teamlead.evidence.weakening.files_of_tests import Text, read_texts
from teamlead.system.git import Git

_PROGRAMS = ("node", "mocha", "jest", "vitest", "tap")
_PROGRAM = Path(__file__).with_name("outside_program.cjs")
_NAMED = re.compile(r"(?:\bfrom\s*|\brequire\(\s*|\bimport\(?\s*)[\"'](\.[^\"']*)")
_SUFFIXES = (".js", ".mjs", ".cjs")
"""What node loads as it is."""


async def call_javascript(bench: Bench) -> Called | None:
    check = calls.by_a_program(bench, _PROGRAMS)
    sources = calls.changed_sources(bench, "javascript")
    asked = await bench.look(_asked, bench, sources) if check and sources else []
    if not check or not asked:
        return None
    text = await asyncio.to_thread(_PROGRAM.read_text, "utf-8")
    environment = {"NODE_ENV": "test"} if await bench.look(_asks_anew, bench, sources) else {}
    program = f"{text}\nmain({json.dumps(asked)}, {json.dumps(environment)});\n"
    name = f"{calls.name_of_program(bench)}.cjs"
    ran = await bench.run_with(
        bench.work,
        {name: await bench.look(stored, program.encode())},
        check,
        around=lambda _: f"node {name} </dev/null",
        within=calls.seconds(check),
    )
    return Called(check, ran, await calls.read(ran)) if ran else None


def _asked(git: Git, bench: Bench, sources: Collection[str]) -> list[str]:
    names = {name for path in sources for name in _modules(path)}
    tests = calls.tests_of(
        git, bench, "javascript", lambda text: _names(text, names), calls.files(git, bench.work)
    )
    return [text.path for text in tests if text.path.endswith(_SUFFIXES)]


def _modules(path: str) -> set[str]:
    """By which it is asked for: an index by its folder, too."""
    file = PurePosixPath(path)
    return {file.stem, file.parent.name} if file.stem == "index" else {file.stem}


def _names(text: Text, modules: Collection[str]) -> bool:
    named = (PurePosixPath(found).name.partition(".")[0] for found in _NAMED.findall(text.after or ""))
    return any(name in modules for name in named)


def _asks_anew(git: Git, bench: Bench, sources: Collection[str]) -> bool:
    """Many programs set NODE_ENV, and asking for it is usual. That a change begins to ask is not."""
    texts = read_texts(git, bench.base, bench.work, list(sources))
    return any("NODE_ENV" in (text.after or "") for text in texts) and not any(
        "NODE_ENV" in (text.before or "") for text in texts
    )
