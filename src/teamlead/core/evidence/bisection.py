"""Whether a command holds on the merged work, and which merge broke it if not.

An inquiry asks for one trial after another and is told what each came to. It runs nothing itself.

| the command | then it is |
| --- | --- |
| passes on the merged work | proven |
| failed on the session's base in the same way | flagged: no task brought that in |
| passes when it is repeated | flagged: it is flaky |
| fails from one merge on, twice, and passes twice before it | that task's to mend |
| does none of these | a person's to look at |
"""

from collections.abc import Generator, Sequence
from typing import Literal, NamedTuple, Protocol, TypeVar

from teamlead.core.evidence.values import RoomKind, SuiteRun
from teamlead.core.model import Value

WholeVerdict = Literal["passed", "failed before", "flaky", "broken", "unexplained", "unknown"]
"""unexplained: no single merge brought it in. unknown: it could not be tried."""

SHOWN_TESTS = 20


class Merge(Value, frozen=True):
    task: str
    tip: str
    """The merged work with it."""


class Culprit(Value, frozen=True):
    task: str
    merge: str
    tests: tuple[str, ...] = ()
    """That fail since then, the first of them; none where the command names none."""


class WholeCheck(Value, frozen=True):
    """What became of one command on the merged work."""

    command: str
    verdict: WholeVerdict
    found: str
    culprits: tuple[Culprit, ...] = ()
    output: str = ""
    log: str = ""
    room: RoomKind = ""

    @property
    def fine(self) -> bool:
        return self.verdict in {"passed", "failed before", "flaky"}


class Command(NamedTuple):
    text: str
    since: int = 0
    """The merge by which a task promised that it passes; 0: none did."""


class Trial(NamedTuple):
    """The command on the work of the first so many merges; 0 is the session's base."""

    merges: int
    repetition: int = 0


class Outcome(Protocol):
    """What a trial came to."""

    @property
    def exit_code(self) -> int | None: ...
    @property
    def output(self) -> str: ...
    @property
    def log(self) -> str: ...
    @property
    def suite(self) -> SuiteRun | None: ...
    @property
    def room(self) -> RoomKind: ...


Result = TypeVar("Result")
Trials = Generator[Trial, Outcome, Result]


class Symptom(NamedTuple):
    """What is wrong with the merged work."""

    tests: frozenset[str] = frozenset()
    unnamed: bool = False
    """Failed tests are no part of it: the command ends before it comes to any."""

    def shown_by(self, outcome: Outcome) -> bool:
        if not fails(outcome):
            return False
        named = failed_tests(outcome)
        if self.tests:
            return not named or bool(self.tests & named)
        return not (self.unnamed and named)


def fails(outcome: Outcome) -> bool:
    """A test that failed has failed, also where the command ends with 0 nevertheless."""
    return outcome.exit_code != 0 or bool(outcome.suite and outcome.suite.failed)


def failed_tests(outcome: Outcome) -> frozenset[str]:
    names = outcome.suite.names if outcome.suite else None
    return frozenset(name for name, status in (names or {}).items() if status == "failed")


def inquire(command: Command, merges: Sequence[Merge]) -> Trials[WholeCheck]:
    last = len(merges)
    tip = yield Trial(last)
    if not fails(tip):
        return _told(command, "passed", "it passes", tip)
    base = yield Trial(0)
    symptom, good = _new(tip, base), 0
    if symptom is None and command.since:
        # That it fails without the task which was to have it pass says nothing.
        symptom, good = Symptom(failed_tests(tip)), command.since
    if symptom is None:
        return _told(command, "failed before", "it fails, and failed before the session in the same way", tip)
    again = yield Trial(last, 1)
    if not symptom.shown_by(again):
        return _told(command, "flaky", "it failed, and passed when it was repeated", tip)
    if good and symptom.shown_by((yield Trial(good))):
        culprit = _culprit(merges, good, symptom, tip)
        return _broken(command, [culprit], tip, "its own check has never passed on the merged work")
    culprits = yield from _culprits(merges, symptom, good)
    if not culprits:
        return _told(command, "unexplained", f"it {_ending(tip)}, and no single merge explains it", tip)
    return _broken(command, culprits, tip, "")


def _new(tip: Outcome, base: Outcome) -> Symptom | None:
    """None: it was there before."""
    failed, before = failed_tests(tip), failed_tests(base)
    if not fails(base) or (base.exit_code == 0 and tip.exit_code != 0):
        return Symptom(failed)
    if failed and before:
        return Symptom(failed - before) if failed - before else None
    return Symptom(unnamed=True) if before else None


def _culprits(merges: Sequence[Merge], symptom: Symptom, good: int) -> Trials[list[Culprit]]:
    """One merge after the other, until every failing test has its own."""
    found: list[Culprit] = []
    while True:
        place = yield from _first_with(symptom, good, len(merges))
        after = yield Trial(place, 1)
        if not symptom.shown_by(after) or symptom.shown_by((yield Trial(place - 1, 1))):
            return found
        found.append(_culprit(merges, place, symptom, after))
        named = failed_tests(after)
        rest = symptom.tests - named if named else frozenset()
        if not rest:
            return found
        symptom = Symptom(rest)


def _first_with(symptom: Symptom, good: int, bad: int) -> Trials[int]:
    while bad - good > 1:
        middle = (good + bad) // 2
        if symptom.shown_by((yield Trial(middle))):
            bad = middle
        else:
            good = middle
    return bad


def _culprit(merges: Sequence[Merge], place: int, symptom: Symptom, outcome: Outcome) -> Culprit:
    merge = merges[place - 1]
    named = failed_tests(outcome)
    tests = sorted(symptom.tests & named if named else symptom.tests)
    return Culprit(merge.task, merge.tip, tuple(tests[:SHOWN_TESTS]))


def _ending(outcome: Outcome) -> str:
    if outcome.exit_code is None:
        return "does not end in time"
    if outcome.exit_code == 0:
        return "tells of failed tests, although it ends with 0"
    return f"fails with exit code {outcome.exit_code}"


def _told(command: Command, verdict: WholeVerdict, found: str, outcome: Outcome) -> WholeCheck:
    output = "" if verdict == "passed" else outcome.output
    return WholeCheck(
        command=command.text,
        verdict=verdict,
        found=found,
        output=output,
        log=outcome.log,
        room=outcome.room,
    )


def _broken(command: Command, culprits: list[Culprit], tip: Outcome, why: str) -> WholeCheck:
    tasks = " and ".join(dict.fromkeys(culprit.task for culprit in culprits))
    found = f"it {_ending(tip)} since the work of {tasks} was merged{f': {why}' if why else ''}"
    return WholeCheck(
        command=command.text,
        verdict="broken",
        found=found,
        culprits=tuple(culprits),
        output=tip.output,
        log=tip.log,
        room=tip.room,
    )
