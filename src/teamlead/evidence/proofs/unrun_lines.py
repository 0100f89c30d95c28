"""Lines that a change adds and no check runs: nobody knows whether they do what the task asks for.

What is only there to say that something is wrong, for type checkers or for others to fill in is left out:
honest work is full of it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath

from teamlead.core.evidence.values import Evidence, Proofs, Verdict
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.python_statements import Statement
from teamlead.evidence.proofs.traces import Source, Trace, Untraced, trace
from teamlead.evidence.sources.languages import language

LINES_RUN = "its checks run the lines that it adds"
UNTOLD = "which of its new lines run is not known"
_CALLED_BY_NAME = frozenset({"setup.py", "noxfile.py", "conf.py", "__main__.py"})
"""No check of a project loads these."""
_PROGRAMS = {
    "python": frozenset({"pytest", "unittest"}),
    "javascript": frozenset({"node"}),
    "go": frozenset[str](),
}
"""Of tests, by the language that they load as it is written."""
_LOAD_TESTS = frozenset({"node", "mocha", "tap", "jest", "vitest"})
"""In whatever form, under their own names."""
_TESTS = re.compile(r"^\s*(?:describe|it|test|t\.test|suite)(?:\.\w+)?\s*\(", re.MULTILINE)


async def unrun_lines(bench: Bench) -> Proofs:
    found = await bench.once(trace)
    found = found._replace(sources=tuple(source for source in found.sources if _is_asked_for(source, found)))
    untold = tuple(map(_untraced, found.untraced))
    if not found.checks or not found.sources:
        return Proofs(untold)
    opaque = [source for source in found.sources if found.transformed(source) and found.unrun(source)]
    if opaque:
        untold += (_item(found, "unknown", f"{_paths(opaque)}: loaded in another form: {UNTOLD}"),)
    # What one check does not run, another may that tells nothing of it.
    unclear = [source for source in found.sources if found.untraced and found.unrun(source)]
    clear = tuple(source for source in found.sources if source not in opaque and source not in unclear)
    found = found._replace(sources=clear)
    evidence = tuple(_told(found))
    if clear and not evidence:
        count = sum(len(source.statements) for source in clear)
        ran = count - sum(len(found.unrun(source)) for source in clear)
        told = f"{ran} of {count} new statements run"
        evidence = (_item(found, "proven", f"{told} in {_paths(clear)}" if untold else told),)
    return Proofs((*evidence, *untold))


def _paths(sources: Sequence[Source]) -> str:
    return listed(source.path for source in sources)


def _untraced(untraced: Untraced) -> Evidence:
    told = f"which new lines `{untraced.check.command}` runs is not known: {untraced.reason}"
    return Evidence("proof", "unknown", LINES_RUN, told)


def _is_asked_for(source: Source, found: Trace) -> bool:
    """Otherwise its checks are about something else, or load another form of it."""
    spoken = language(source.path)
    if any(found.loaded(other) for other in found.sources if language(other.path) == spoken):
        return True
    holds_tests = is_of_tests(source.path) and spoken == "javascript" and _TESTS.search(source.text)
    programs = _LOAD_TESTS if holds_tests else _PROGRAMS[spoken]
    suites = (check.check.suite for check in found.checks)
    return any(suite and not programs.isdisjoint(suite.programs) for suite in suites)


def _told(found: Trace) -> Iterator[Evidence]:
    idle, code, tests = list[str](), list[str](), list[str]()
    nobody = found.no_check.capitalize()
    for source in found.sources:
        if not found.loaded(source):
            idle += [source.path] * (PurePosixPath(source.path).name not in _CALLED_BY_NAME)
        elif is_of_tests(source.path):
            tests += _places(source, found, in_tests=True)
        else:
            code += _places(source, found, in_tests=False)
    if idle:
        asked = f"{nobody} loads {listed(idle)}. Does the task need it, and what shows that it works?"
        yield _item(found, "flagged", f"{found.no_check} loads {listed(idle)}", asked)
    if code:
        asked = f"{nobody} runs {listed(code)}. Does the task ask for it, and what shows that it is right?"
        yield _item(found, "flagged", f"{found.no_check} runs {listed(code)}", asked)
    if tests:
        told, asked = f"of the tests themselves these lines never ran: {listed(tests)}", "Of the new tests"
        asked += f" {listed(tests)} never ran. What of the task does then go untested?"
        if found.no_check != Trace().no_check:
            told = f"of the tests themselves {found.no_check} runs these lines: {listed(tests)}"
            asked = f"{nobody} runs {listed(tests)}. What of the task does then go untested?"
        yield _item(found, "flagged", told, asked)


def _places(source: Source, found: Trace, *, in_tests: bool) -> Iterator[str]:
    """A function that never ran as a whole; lines of others."""
    unrun = found.unrun(source)
    for function, group in groupby(unrun, lambda statement: statement.function):
        left = list(group)
        of_it = [statement for statement in source.statements if statement.function == function]
        if left == of_it and left[0].function_is_new:
            is_test = function.rpartition(".")[2].startswith("test")
            if not in_tests or is_test or any(statement.asserts for statement in left):
                yield f"{source.path}:{left[0].line} ({function})"
        elif not in_tests or any(statement.asserts for statement in left):
            yield from (f"{source.path}:{lines}" for lines in _lines(of_it, left))


def _lines(of_it: list[Statement], left: list[Statement]) -> Iterator[str]:
    """Those that no other statement stands between."""
    for is_left, group in groupby(of_it, lambda statement: statement in left):
        if is_left:
            first, *_, last = [each for statement in group for each in (statement.line, statement.last)]
            yield f"{first}" if first == last else f"{first}-{last}"


def _item(found: Trace, verdict: Verdict, told: str, question: str = "") -> Evidence:
    traced = found.checks[0]
    return Evidence(
        kind="proof",
        verdict=verdict,
        claim=LINES_RUN,
        found=told,
        command=look_again(traced.check.command, traced.ran.commit, traced.ran.end.room),
        log=traced.ran.end.log,
        question=question,
    )
