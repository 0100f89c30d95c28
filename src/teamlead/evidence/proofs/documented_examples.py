"""Examples that a change adds to documentation are run: what they show has to come out.

These are sessions of Python's prompt (`>>>`), in pages and docstrings: they say themselves what comes out.
"""

import asyncio
import json
import re
import shlex
from pathlib import Path
from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.added_secrets import added_lines
from teamlead.evidence.proofs import examples_program
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.examples_program import MARKER
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.variants import stored
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

AS_DOCUMENTED = "the examples that it documents come out as they say"
PAGES = (".md", ".rst", ".txt")
PLACES = [".", "src", "lib"]
NAME = "teamlead_examples.py"
LEAST_SECONDS = 10.0
SHOWN = 60
"""Characters of what came out instead."""
_PYTHON = re.compile(r"(?:^|\s)(\S*\bpython(?:3(?:\.\d+)?)?)(?=\s)")
_PROMPT = re.compile(r"^\s*>>> ", re.MULTILINE)
_PROGRAM = re.compile(r"(?:^|\s)(\S*\b(?:pytest|py\.test))(?=\s|$)")

Added = dict[str, frozenset[int]]


class _Example(NamedTuple):
    path: str
    first: int
    last: int
    source: str
    got: str
    """What speaks against it; empty: it comes out as it says."""

    def __str__(self) -> str:
        got = self.got if len(self.got) <= SHOWN else f"{self.got[:SHOWN]}…"
        return f"{self.path}:{self.first} (`{self.source.partition(chr(10))[0]}` {got})"


async def documented_examples(bench: Bench) -> Proofs:
    told = ((check, interpreter(check.command)) for check in bench.case.checks if check.passed)
    check, python = next(((check, python) for check, python in told if python), (None, ""))
    added = await bench.look(_added, bench) if check else {}
    if not added or check is None:
        return Proofs()
    ran = await _run(bench, check, python, list(added))
    examples = await asyncio.to_thread(_read, ran, added) if ran else []
    return Proofs((_item(check, ran, examples),)) if ran and examples else Proofs()


def interpreter(command: str) -> str:
    """The shell's words for the Python that a command calls; empty: it calls none by name."""
    if found := _PYTHON.search(command):
        return found[1]
    if found := _PROGRAM.search(command):
        # A script that was installed names its Python in its first line.
        return f'$(head -n 1 "$(command -v {found[1]})" | cut -c 3-)'
    return ""


def _added(git: Git, bench: Bench) -> Added:
    """The added lines of files that hold examples."""
    shown = [path for path in bench.is_there() if path.endswith(PAGES) or _is_of_a_module(path)]
    texts = read_texts(git, bench.base, bench.work, shown) if shown else ()
    found: dict[str, set[int]] = {text.path: set() for text in texts if _PROMPT.search(text.after or "")}
    for line in added_lines(git, bench.base, bench.work) if found else ():
        if line.path in found:
            found[line.path].add(line.number)
    return {path: frozenset(lines) for path, lines in found.items() if lines}


def _is_of_a_module(path: str) -> bool:
    return path.endswith(".py") and not is_of_tests(path)


async def _run(bench: Bench, check: CheckResult, python: str, paths: list[str]) -> Ran | None:
    text = await asyncio.to_thread(Path(examples_program.__file__).read_text, "utf-8")
    modules = [path for path in paths if path.endswith(".py")]
    pages = [path for path in paths if path not in modules]
    program = f"{text}\n\nmain({pages!r}, {modules!r}, {PLACES!r})\n"
    return await bench.run_with(
        bench.work,
        {NAME: await bench.look(stored, program.encode())},
        check,
        around=lambda _: f"{python} -B {shlex.quote(NAME)}",
        within=max(LEAST_SECONDS, check.seconds),
    )


def _read(ran: Ran, added: Added) -> list[_Example]:
    """Those of which a line was added."""
    try:
        _, _, told = Path(ran.end.log).read_text("utf-8", "replace").rpartition(MARKER)
        examples = [_Example(*each) for each in json.loads(told)]
    except (OSError, ValueError, TypeError):
        return []
    return [each for each in examples if not added[each.path].isdisjoint(range(each.first, each.last + 1))]


def _item(check: CheckResult, ran: Ran, examples: list[_Example]) -> Evidence:
    wrong = listed(str(example) for example in examples if example.got)
    return Evidence(
        kind="proof",
        verdict="flagged" if wrong else "proven",
        claim=AS_DOCUMENTED,
        found=f"these do not: {wrong}" if wrong else f"{len(examples)} of them",
        command=look_again(check.command, ran.commit, ran.end.room),
        log=ran.end.log,
        question=f"These examples do not come out as they say: {wrong}. Is the example right, or the work?"
        if wrong
        else "",
    )
