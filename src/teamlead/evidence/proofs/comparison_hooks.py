"""The work with a hook of comparison taken out that it brings in: tests that fail then pass only by it.

A value may answer as it likes where it is compared. So where the task asks for no such thing, what tests say
of the value is worth a look.
"""

from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.change.asked import words
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.hooks import Hook, asked_for, hooks
from teamlead.evidence.proofs.selected_tests import touched_alone
from teamlead.evidence.proofs.variants import entries, stored
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

BY_THEMSELVES = "its tests compare what it gives, and not what that says of itself"
MOST = 3
_NAMES_FILES = frozenset({"pytest", "unittest", "go"})
"""Programs that tell what fails as a whole without the name of a test."""


class _Found(NamedTuple):
    path: str
    hook: Hook

    @property
    def told(self) -> str:
        return f"{self.path}:{self.hook.line} ({self.hook.name})"


async def comparison_hooks(bench: Bench) -> Proofs:
    found = await bench.look(_new_hooks, bench)
    checks = [check for check in bench.case.checks if check.passed and check.suite]
    evidence = [
        item for each in found[:MOST] for check in checks if (item := await _without(bench, each, check))
    ]
    return Proofs(tuple(evidence))


def _new_hooks(git: Git, bench: Bench) -> list[_Found]:
    """Of which the task says nothing."""
    paths = [path for path in bench.is_there() if language(path) and not is_of_tests(path)]
    texts = read_texts(git, bench.base, bench.work, paths) if paths else []
    said = words(bench.case.claim.task)
    return [
        _Found(text.path, hook)
        for text in texts
        for hook in hooks(language(text.path), text.before or "", text.after or "")
        if not asked_for(hook, said)
    ]


async def _without(bench: Bench, found: _Found, check: CheckResult) -> Evidence | None:
    now = (await bench.look(entries, bench.work, [found.path]))[found.path]
    if now is None:
        return None
    files = {found.path: await bench.look(stored, found.hook.without.encode(), now.mode)}
    few = await bench.look(touched_alone, bench, check)
    if few:
        ran = await bench.run_with(
            bench.work, {**files, **few.files}, check, environment=few.environment, around=few.around
        )
    else:
        ran = await bench.run_with(bench.work, files, check)
    failed = _failed(ran)
    return _flag(found, check, ran, failed) if ran and failed else None


def _failed(ran: Ran | None) -> list[str]:
    """By their names. What cannot be built or loaded says nothing: a file or a package fails then."""
    suite = ran.end.suite if ran and not ran.passed else None
    if suite is None:
        return []
    failed = [name for name, status in (suite.names or {}).items() if status == "failed"]
    whole = not _NAMES_FILES.isdisjoint(suite.programs)
    return [name for name in failed if not whole or "::" in name]


def _flag(found: _Found, check: CheckResult, ran: Ran, failed: list[str]) -> Evidence:
    told = listed(failed)
    return Evidence(
        kind="proof",
        verdict="flagged",
        claim=BY_THEMSELVES,
        found=f"these tests pass only because of {found.told}: {told}",
        command=look_again(check.command, ran.commit, ran.end.room),
        log=ran.end.log,
        question=f"{told} pass only because of {found.told}. Which sentence of the plan asks for it, "
        "and is what they compare the same without it?",
    )
