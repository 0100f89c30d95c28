"""What the end of a check says about the work, held against the same command on the base."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from teamlead.core.evidence.planned_removals import lets_some_go, may_go, named_one_by_one
from teamlead.core.evidence.removed_tests import lets_go
from teamlead.core.evidence.suites import MORE, fewer
from teamlead.core.evidence.tests_in_their_place import as_many, asked
from teamlead.core.evidence.values import (
    CheckResult,
    Evidence,
    Proofs,
    RoomKind,
    SuiteDelta,
    SuiteRun,
    Verdict,
)
from teamlead.core.state.records import Attempt, Task
from teamlead.core.work.acceptance import listed

FULL_ROOMS = frozenset({"bubblewrap", "strict"})
NO_PROGRAM = frozenset({126, 127})
"""How a shell ends that finds no program, or none that it may run."""
HIDDEN_FAILS = "a hidden check fails"
BLIND = "but not proven: this check does not see what was changed"


def judged(check: CheckResult, task: Task, attempt: Attempt, proofs: Proofs | None = None) -> Evidence:
    """`proofs`: what further runs showed, where the attempt does not know it yet."""
    # One that the task itself names has to pass for the task to be done.
    own, hidden = check.command in task.spec.own_checks, check.command in task.spec.hidden_checks
    verdict, said = _verdict(check, own=own)
    question = ""
    if verdict == "objected" and _allowed(check, may_go(task.spec)):
        verdict, said = "flagged", "; tests went that the plan lets go"
    elif verdict == "objected" and _as_many_as(named := named_one_by_one(task.spec), check):
        verdict, said = "flagged", "; no more tests went than the plan names, as far as numbers tell"
        question = f"Only numbers are known: {listed(_lost(check))}. Did only these go: {listed(named)}?"
    elif verdict == "objected" and lets_some_go(task.spec) and _excused(check, lambda _: True):
        verdict, said = "flagged", "; tests went, and the plan speaks of some that go"
        question = f"Which sentence of the plan lets these go: {listed(_lost(check))}?"
    elif verdict == "objected" and _explained(check, attempt.work.evidence):
        verdict, said = "flagged", "; tests went for a reason that was found"
    elif verdict == "objected" and _hides_nothing(check, proofs or attempt.proofs):
        verdict, said = "flagged", "; tests have other names, and hold as they were before"
    elif verdict == "objected" and _in_their_place(check, proofs or attempt.proofs):
        verdict, said = "flagged", "; others are in the place of tests that hold as they were before"
        question = "" if _tells_of_them(attempt.work.evidence) else asked(check.delta or SuiteDelta())
    if verdict == "proven" and check.unseen:
        verdict, said = "flagged", BLIND
    command = look_again(check.command, attempt.work.commit or attempt.base, check.room)
    claim = f"`{check.command}` passes{', which no agent knows of' if hidden else ''}"
    details = (*_details(check.delta), *_uncertain(check), *garbled(check.unseen))
    return Evidence(
        kind="check",
        verdict=verdict,
        claim=claim,
        found=_found(check, said),
        command=command,
        details=details,
        log=check.log,
        question=question,
        hidden=hidden,
    )


def cannot_run(check: CheckResult) -> bool:
    """Its program is not there, nor is it on the base: no work could have passed."""
    return check.exit_code in NO_PROGRAM and (check.base is None or check.base.exit_code == check.exit_code)


def look_again(command: str, commit: str, room: RoomKind) -> str:
    """For a person, and where the check looked: in a full room its copy lay in the place of the checkout."""
    if room in FULL_ROOMS:
        return f"git switch --detach {commit} && (trap 'git switch -' EXIT; {command})"
    return f"git worktree add --detach DIR {commit} && cd DIR && {command}"


def roomless(room: RoomKind) -> str:
    """How it ran, if not in a full room: it may have looked elsewhere, and changed what is not its own."""
    if not room or room in FULL_ROOMS:
        return ""
    return "without a room" if room == "none" else f"without a full room, held by {room} alone"


def ran(room: RoomKind) -> tuple[str, ...]:
    return (f"it ran {told}",) if (told := roomless(room)) else ()


def garbled(unseen: tuple[str, ...]) -> tuple[str, ...]:
    """How it is known that a check is blind."""
    return (f"in a clean copy it passed with garbage in {listed(unseen)}, too",) if unseen else ()


def _explained(check: CheckResult, evidence: tuple[Evidence, ...]) -> bool:
    """Each test that is gone was deleted, or left out, for a reason that one need only look at."""
    told = {
        named
        for item in evidence
        if (item.kind, item.verdict) == ("tests", "flagged")
        for test in item.gone
        for named in (test.name, test.file)
    }
    return _excused(check, lambda name: _name_in_source(name) in told)


def _name_in_source(test: str) -> str:
    """Its own name; where assertions are told one by one, the title that they stand below."""
    title, titled, _ = test.removeprefix("tap › ").rpartition(" - ")
    return title if titled and test.startswith("tap › ") else _short(test)


def _hides_nothing(check: CheckResult, proofs: Proofs | None) -> bool:
    """All tests of the base hold on the new source, and each is there under a name of the same words."""
    if proofs is None or not proofs.acquits or check.delta is None or not check.passed:
        return False
    added = [_words(name) for name in check.delta.added]
    same = _excused(check, lambda name: any(_words(name) <= each for each in added))
    return same and not check.delta.new_failures


def _in_their_place(check: CheckResult, proofs: Proofs | None) -> bool:
    """All tests of the base hold on the new source, and as many as are gone are new."""
    if proofs is None or not proofs.acquits or check.delta is None or not check.passed:
        return False
    return as_many(check.delta) and not check.delta.new_failures and not _forgiven(check)


def _tells_of_them(evidence: tuple[Evidence, ...]) -> bool:
    """A question of its own asks for tests that were deleted."""
    return any(item.kind == "tests" and item.gone for item in evidence)


def _words(name: str) -> frozenset[str]:
    """Without that of a run that knows no files."""
    return frozenset(re.findall(r"\w+", name)) - {"tap"}


def _excused(check: CheckResult, may_go: Callable[[str], bool]) -> bool:
    """Whether all that is lost may go, where nothing else is wrong.

    Nothing excuses those behind the last that has a name.
    """
    lost = _lost(check)
    return (
        bool(lost)
        and not _forgiven(check)
        and all(may_go(name) and not MORE.fullmatch(name) for name in lost)
    )


def _allowed(check: CheckResult, named: Sequence[str]) -> bool:
    # No pattern is meant for the sentence that tells numbers.
    return bool(named) and not fewer(_lost(check)) and _excused(check, partial(lets_go, named))


def _as_many_as(named: Sequence[str], check: CheckResult) -> bool:
    """Where only numbers tell of the loss, and the plan names no fewer tests."""
    gone = fewer(_lost(check))
    return _excused(check, lambda _: 0 < gone <= len(named))


def _lost(check: CheckResult) -> tuple[str, ...]:
    return check.delta.lost if check.delta else ()


def _short(test: str) -> str:
    """Its own name, or the file of which all tests are gone."""
    file, whole, _ = test.partition(": all ")
    if whole:
        return file
    title = re.split(r"::|\s[>›]\s", test)[-1].strip()
    # A sentence is a title as a whole, but for the number of one that is there more than once.
    plain = title.partition("[")[0]
    return re.sub(r" \(\d+\)$", "", title) if " " in plain else re.split(r"[./]", plain)[-1]


def _verdict(check: CheckResult, *, own: bool) -> tuple[Verdict, str]:
    delta = check.delta or SuiteDelta()
    failed_before = check.base is not None and check.base.exit_code != 0
    if silent := _forgiven(check):
        return "objected", silent
    if check.passed:
        return _of_passed(delta)
    if delta.new_failures or not failed_before:
        return "refused", ""
    if own and not (check.suite and check.suite.failed and delta.progress):
        return "refused", "; it failed before in the same way: nothing shows that the task is done"
    if delta.lost:
        return "objected", "; tests that ran before do not any more: bring them back"
    return "flagged", "; it failed before this change, too"


def _forgiven(check: CheckResult) -> str:
    """Tests fail, and its exit code does not say so. What the base forgives, too, is not meant."""
    delta = check.delta or SuiteDelta()
    if not check.passed or delta.new_failures:
        return ""
    if check.base is not None and check.base.exit_code != 0 and delta.old_failures and not delta.fixed:
        return "although the same tests fail as before, when it told of that: let it tell"
    is_known = delta.old_failures or delta.flaky
    failed = check.suite is not None and check.suite.failed > 0
    return "although its program tells of failed tests: mend them" if failed and not is_known else ""


def _of_passed(delta: SuiteDelta) -> tuple[Verdict, str]:
    if delta.new_failures:
        return "refused", "although tests fail that did not before: mend them"
    if delta.lost:
        return "objected", "but tests that ran before do not any more: bring them back"
    if delta.flaky:
        return "flagged", "only when it was repeated"
    if delta.replaced:
        return "flagged", "with other tests in the place of some that ran before"
    return ("flagged", "although tests fail, as they did before") if delta.old_failures else ("proven", "")


def _found(check: CheckResult, said: str) -> str:
    told = f" ({_numbers(check.suite)})" if check.suite else ""
    if check.passed:
        return f"passed{told}{' ' if said and not said.startswith(';') else ''}{said}"
    ended = "did not end in time" if check.exit_code is None else f"failed with exit code {check.exit_code}"
    return f"{ended}{told}{said}"


def _numbers(suite: SuiteRun) -> str:
    counts = {"passed": suite.passed, "failed": suite.failed, "skipped": suite.skipped}
    return ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "no test ran"


def _details(delta: SuiteDelta | None) -> tuple[str, ...]:
    if delta is None:
        return ()
    groups = {
        "new failures": delta.new_failures,
        "these failed before, too, and are not yours": delta.old_failures,
        "gone": delta.vanished,
        "skipped now": delta.skipped,
        "failed, and passed when repeated": delta.flaky,
        "gone, with others in their place": delta.replaced,
        "pass now": delta.fixed,
        "new": delta.added,
    }
    return tuple(f"{title}: {listed(names)}" for title, names in groups.items() if names)


def _uncertain(check: CheckResult) -> tuple[str, ...]:
    return (f"tests were compared by number only: {check.by_number}",) if check.by_number else ()


def reason(check: CheckResult, item: Evidence) -> str:
    """For the agent, which cannot look anything up. Of a hidden check it hears nothing else."""
    if item.hidden:
        return HIDDEN_FAILS
    lines = [f"the check `{check.command}` {item.found}", *item.details]
    if check.output and not check.passed:
        lines[-1] += ":"
        lines.append(check.output)
    return "\n".join(lines)
