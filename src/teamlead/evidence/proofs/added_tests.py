"""Tests that a change adds, by their text: where no more run than before, these do not."""

import re

from teamlead.core.evidence.values import Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.traces import Trace, Traced, trace
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.evidence.weakening.single_tests import tests_of

RUN = "the tests that it adds run"


async def added_tests(bench: Bench) -> Proofs:
    paths = [change.path for change in bench.changes if language(change.path) and is_of_tests(change.path)]
    texts = await bench.look(read_texts, bench.base, bench.work, paths) if paths else []
    new = [name for text in texts for name in _names(text.path, text.after, text.before)]
    gone = [name for text in texts for name in _names(text.path, text.before, text.after)]
    if len(new) <= len(gone):
        return Proofs()
    found = await bench.once(trace)
    checks = [check for check in found.checks if check.check.suite]
    more = [await _more(bench, check) for check in checks]
    if not more or any(each is None or each > 0 for each in more):
        return Proofs()
    if any(not check.check.suite and not check.loaded.isdisjoint(paths) for check in found.checks):
        # It may run them, and tell nothing of it.
        return Proofs()
    check = checks[0]
    # As many others may be gone: those that are told by name do run.
    new = [name for name in new if not any(_ran_by_name(name, each) for each in checks)]
    if not new:
        return Proofs()
    told, no_more = listed(new), "no more tests run than before"
    if found.no_check != Trace().no_check:
        no_more = f"{found.no_check} runs more tests than before"
    flag = Evidence(
        kind="proof",
        verdict="flagged",
        claim=RUN,
        found=f"{no_more}, although these are new: {told}",
        command=look_again(check.check.command, check.ran.commit, check.ran.end.room),
        log=check.ran.end.log,
        question=f"{no_more.capitalize()}. What shows that these do: {told}?",
    )
    return Proofs((flag,))


def _ran_by_name(test: str, traced: Traced) -> bool:
    suite = traced.ran.end.suite
    names = suite.names or {} if suite else {}
    return any(re.search(rf"(?<!\w){re.escape(test)}(?!\w)", name) for name in names)


async def _more(bench: Bench, traced: Traced) -> int | None:
    """None: nobody knows."""
    base = await bench.run_on_base(traced.check)
    now = traced.ran.end.suite
    if base is None or base.end.suite is None or now is None or base.end.suite.programs != now.programs:
        return None
    return now.total - base.end.suite.total


def _names(path: str, text: str | None, other: str | None) -> list[str]:
    had = {test.name for test in tests_of(other or "", language(path))}
    return [test.name for test in tests_of(text or "", language(path)) if test.name not in had]
