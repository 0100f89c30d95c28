"""The revert test: the tests that a change brings along, on the source as it was before.

Where source was changed, too, and all of them pass there, they prove nothing about this change. That some
fail for want of a new name proves nothing either: the old source is given that name, and an assertion has to
fail. Of a slow check only the touched files of tests run there.
"""

from collections import Counter
from typing import NamedTuple

from teamlead.core.evidence.asking_names import asking, tells_all
from teamlead.core.evidence.names_of_tests import file_of
from teamlead.core.evidence.suites import compare
from teamlead.core.evidence.values import CheckResult, Evidence, Proofs, SuiteRun, Verdict
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.change.asked import asks_for_tested_behaviour
from teamlead.evidence.change.asked_form import form_alone
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.chosen_tests import Choice
from teamlead.evidence.proofs.failures import ASSERTED
from teamlead.evidence.proofs.harness import brought_along, is_of_tests
from teamlead.evidence.proofs.selected_tests import touched_alone
from teamlead.evidence.proofs.stubs import with_stubs
from teamlead.evidence.proofs.variants import Files, stored
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

NONE: Files = {}
FORCE = "the new tests fail where the change is not made"


class _Reverted(NamedTuple):
    check: CheckResult
    ran: Ran
    new: tuple[str, ...]
    """New tests that pass there."""
    asserts: bool
    """An assertion fails that did not on the base."""
    stands: bool
    """The base held by itself, and holds with the new tests: none of them noticed anything."""
    stubbed: bool


async def new_tests(bench: Bench) -> Proofs:
    source = [change for change in bench.changes if language(change.path) and not is_of_tests(change.path)]
    if not source or not any(is_of_tests(path) for path in bench.harness.sure):
        return Proofs()
    looks = [await _reverted(bench, check) for check in bench.case.checks if check.passed]
    found = [look for look in looks if look]
    if any(look.asserts for look in found):
        return Proofs(tuple(_proven(look) for look in found if look.asserts))
    task = bench.case.claim.task
    certain = len(found) == len(looks) and all(look.stands for look in found)
    certain = certain and asks_for_tested_behaviour(task) and not form_alone(task)
    return Proofs(tuple(_doubt(look, certain=certain) for look in found if look.new or not look.ran.passed))


async def on_old_source(
    bench: Bench,
    check: CheckResult,
    further: Files = NONE,
    *,
    few: Choice | None = None,
    decisive: bool = False,
) -> Ran | None:
    """The check with what tests it now. What cannot be loaded there is not to hide the rest."""
    now = await bench.look(brought_along, bench.base, bench.work, bench.harness)
    asked = asking(check.command, check.suite)
    had = asked.environment.get("PYTEST_ADDOPTS", "") if asked else ""
    goes_on = {"PYTEST_ADDOPTS": f"{had} --continue-on-collection-errors".strip()}
    of_pytest = check.suite is not None and "pytest" in check.suite.programs
    environment = goes_on if of_pytest else {}
    how = few or Choice(NONE, str, {})
    for name, words in how.environment.items():
        before = environment.get(name) or (asked.environment.get(name, "") if asked else "")
        environment = {**environment, name: f"{before} {words}".strip()}
    return await bench.run_with(
        bench.base,
        {**now, **further, **how.files},
        check,
        environment=environment,
        around=how.around,
        decisive=decisive,
    )


async def _reverted(bench: Bench, check: CheckResult) -> _Reverted | None:
    base = await bench.run_on_base(check)
    few = await bench.look(touched_alone, bench, check)
    ran = await on_old_source(bench, check, few=few)
    if few and not (_tells_names(base) and _tells_names(ran)):
        # By number, a few tests would say nothing against all of them.
        few, ran = None, await on_old_source(bench, check)
    if base is None or ran is None or base.end.suite is None or ran.end.suite is None:
        return None
    base = _of_these(base, ran) if few else base
    look = _look(check, base, ran)
    if ran.passed or look.asserts:
        return look
    stubs = await bench.once(_stubs)
    again = await on_old_source(bench, check, stubs, few=few) if stubs else None
    return look if again is None or again.end.suite is None else _look(check, base, again, stubbed=True)


def _tells_names(ran: Ran | None) -> bool:
    suite = ran.end.suite if ran else None
    return suite is not None and suite.ran > 0 and tells_all(suite)


def _of_these(base: Ran, ran: Ran) -> Ran:
    """What the base told of the files that ran, so that no other test counts as gone, or as renamed."""
    had, has = base.end.suite, ran.end.suite
    if had is None or has is None:
        return base
    now = has.names or {}
    # A file of go's is a package: of this, too, only some ran.
    files = set() if "go" in has.programs else {file_of(name) for name in now}
    names = {name: end for name, end in (had.names or {}).items() if name in now or file_of(name) in files}
    ends = Counter(names.values())
    suite = SuiteRun(had.runner, ends["passed"], ends["failed"], ends["skipped"], names)
    return base._replace(end=base.end._replace(suite=suite))


def _look(check: CheckResult, base: Ran, ran: Ran, *, stubbed: bool = False) -> _Reverted:
    delta, of_work = compare(base.end.suite, ran.end.suite), check.delta
    return _Reverted(
        check,
        ran,
        # Where old tests fail without the change, it is they that have force.
        delta.added if of_work is None or (of_work.added and not of_work.fixed) else (),
        asserts=bool(delta.new_failures and ASSERTED.search(ran.end.output)),
        stands=base.passed and ran.passed and not stubbed,
        stubbed=stubbed,
    )


async def _stubs(bench: Bench) -> Files:
    return await bench.look(_made, bench)


def _made(git: Git, bench: Bench) -> Files:
    """The changed source that is no test, as it was, with its new names."""
    paths = [
        change.path for change in bench.changes if language(change.path) and not is_of_tests(change.path)
    ]
    texts = read_texts(
        git, bench.base, bench.work, [path for path in paths if path not in bench.harness.sure]
    )
    made = {text.path: with_stubs(text) for text in texts}
    return {path: stored(git, text.encode()) for path, text in made.items() if text is not None}


def _proven(look: _Reverted) -> Evidence:
    return _item(look, "proven", "an assertion fails there")


def _doubt(look: _Reverted, *, certain: bool) -> Evidence:
    if not look.new:
        return _item(look, "unknown", "they fail there, and not by what they assert")
    told = listed(look.new)
    found = (
        f"they pass {'where what is new does nothing' if look.stubbed else 'on the old source'}, too: {told}"
    )
    if certain:
        return _item(look, "objected", f"{found}: write one that fails without the change")
    question = (
        f"The new tests {told} pass without the change, too. Which sentence of the plan asks for tests of "
    )
    return _item(look, "flagged", found, f"{question}what held before?")


def _item(look: _Reverted, verdict: Verdict, found: str, question: str = "") -> Evidence:
    return Evidence(
        kind="proof",
        verdict=verdict,
        claim=FORCE,
        found=found,
        command=look_again(look.check.command, look.ran.commit, look.ran.end.room),
        log=look.ran.end.log,
        question=question,
    )
