"""Which merge broke a command is found with few trials, and nobody is blamed without cause."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, log2
from random import Random
from typing import Literal

import pytest
from tests.core.support import SIZE

from teamlead.core.evidence.bisection import Command, Culprit, Merge, Trial, WholeCheck, inquire
from teamlead.core.evidence.values import RoomKind, SuiteRun


@dataclass(frozen=True)
class Ended:
    exit_code: int | None = 0
    suite: SuiteRun | None = None
    output: str = ""
    log: str = ""
    room: RoomKind = ""


PASSED = Ended()
FAILED = Ended(1, output="it said no")


def named(**tests: Literal["passed", "failed", "skipped"]) -> Ended:
    failed = sum(status == "failed" for status in tests.values())
    return Ended(int(failed > 0), SuiteRun("pytest", len(tests) - failed, failed, 0, dict(tests)))


@dataclass
class Bench:
    """Answers trials, and remembers them as the real ones are remembered."""

    answer: Callable[[Trial], Ended]
    asked: list[Trial] = field(default_factory=list)

    def find(self, merges: int, since: int = 0) -> WholeCheck:
        command = Command("make test", since)
        names = [Merge(f"task-{number}", f"tip-{number}") for number in range(1, merges + 1)]
        return self._drive(inquire(command, names))

    def _drive(self, inquiry: Generator[Trial, Ended, WholeCheck]) -> WholeCheck:
        trial = next(inquiry)
        while True:
            if trial not in self.asked:
                self.asked.append(trial)
            try:
                trial = inquiry.send(self.answer(trial))
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]


def blamed(found: WholeCheck) -> list[str]:
    return [culprit.task for culprit in found.culprits]


def in_order(ends: Sequence[Ended]) -> Callable[[Trial], Ended]:
    """By the number of merges; the base first."""
    return lambda trial: ends[trial.merges]


def test_what_passes_is_tried_once() -> None:
    bench = Bench(lambda _: PASSED)
    assert bench.find(9).verdict == "passed"
    assert bench.asked == [Trial(9)]


def test_a_merge_before_which_it_fails_when_repeated_is_not_blamed() -> None:
    def answer(trial: Trial) -> Ended:
        # Without task-3 it passes by chance, and fails when it is repeated.
        chance = trial.merges < 3 and not trial.repetition
        return PASSED if trial.merges == 0 or chance else FAILED

    found = Bench(answer).find(3)
    assert (found.verdict, blamed(found)) == ("unexplained", [])


@pytest.mark.parametrize("merges", [1, 2, 3, 9, 64])
def test_whichever_merge_broke_it_is_found_with_few_trials(merges: int) -> None:
    for guilty in range(1, merges + 1):
        bench = Bench(in_order([PASSED] * guilty + [FAILED] * (merges + 1 - guilty)))
        found = bench.find(merges)
        assert (found.verdict, found.culprits) == ("broken", (Culprit(f"task-{guilty}", f"tip-{guilty}"),))
        assert found.output == "it said no"
        assert len(bench.asked) <= ceil(log2(merges)) + len(["tip", "again", "base", "confirmed", "twice"])


def test_what_failed_before_is_told_and_not_looked_for() -> None:
    bench = Bench(lambda _: FAILED)
    assert bench.find(9).verdict == "failed before"
    assert bench.asked == [Trial(9), Trial(0)]


def forgiving(ended: Ended) -> Ended:
    return replace(ended, exit_code=0)


def test_a_command_that_ends_with_0_though_a_test_fails_is_traced_to_its_merge() -> None:
    ends = [forgiving(named(a="passed"))] * 2 + [forgiving(named(a="failed"))] * 2
    found = Bench(in_order(ends)).find(3)
    assert (found.verdict, found.culprits) == ("broken", (Culprit("task-2", "tip-2", ("a",)),))
    assert "tells of failed tests, although it ends with 0" in found.found


def test_failed_tests_that_the_base_forgave_too_are_nobodys() -> None:
    found = Bench(lambda _: forgiving(named(a="failed", b="passed"))).find(2)
    assert found.verdict == "failed before"


def test_tests_that_failed_before_excuse_no_other_test() -> None:
    ends = [named(old="failed", new="passed"), named(old="failed"), named(old="failed", new="failed")]
    found = Bench(in_order(ends)).find(2)
    assert found.culprits == (Culprit("task-2", "tip-2", ("new",)),)


def test_a_command_that_comes_to_no_test_any_more_is_broken_though_tests_failed_before() -> None:
    ends = [named(old="failed"), named(old="failed"), Ended(2)]
    assert blamed(Bench(in_order(ends)).find(2)) == ["task-2"]


def test_tests_that_different_merges_broke_go_to_each_of_them() -> None:
    ends = [
        named(a="passed", b="passed", c="passed"),
        named(a="failed", b="passed", c="passed"),
        named(a="failed", b="passed", c="passed"),
        named(a="failed", b="failed", c="failed"),
    ]
    found = Bench(in_order(ends)).find(3)
    assert sorted((c.task, c.tests) for c in found.culprits) == [("task-1", ("a",)), ("task-3", ("b", "c"))]


def test_what_passes_when_repeated_is_flaky_and_nobodys() -> None:
    bench = Bench(lambda trial: FAILED if trial == Trial(9) else PASSED)
    assert bench.find(9).verdict == "flaky"
    assert len(bench.asked) == 3


def test_one_that_fails_now_and_then_is_blamed_on_nobody() -> None:
    """Twice on the merged work, once in the middle: the second look finds out."""
    bench = Bench(lambda trial: FAILED if trial in {Trial(4), Trial(4, 1), Trial(2)} else PASSED)
    found = bench.find(4)
    assert (found.verdict, found.culprits) == ("unexplained", ())


def test_a_check_that_a_task_brought_along_counts_from_its_merge_on() -> None:
    ends = [FAILED, FAILED, PASSED, PASSED, FAILED]
    assert blamed(Bench(in_order(ends)).find(4, since=2)) == ["task-4"]


def test_a_check_of_its_own_that_never_passed_on_merged_work_is_its_tasks() -> None:
    found = Bench(lambda _: FAILED).find(4, since=2)
    assert blamed(found) == ["task-2"]
    assert "its own check has never passed on the merged work" in found.found


def test_one_that_does_not_end_in_time_counts_as_failed() -> None:
    ends = [PASSED, PASSED, Ended(None)]
    found = Bench(in_order(ends)).find(2)
    assert blamed(found) == ["task-2"]
    assert "does not end in time" in found.found


@pytest.mark.parametrize("seed", range(200 * SIZE))
def test_whatever_the_trials_say_it_ends_and_only_blames_where_it_saw_the_change(seed: int) -> None:
    random = Random(seed)
    merges = random.randint(1, 12)
    names = "abc"[: random.randint(0, 3)]
    answers: dict[Trial, Ended] = {}

    def answer(trial: Trial) -> Ended:
        if trial not in answers:
            statuses = {name: random.choice(["passed", "failed"]) for name in names}
            named_end = named(**statuses)  # type: ignore[arg-type]
            answers[trial] = random.choice([PASSED, FAILED, Ended(None), *([named_end] * 5 if names else [])])
        return answers[trial]

    found = Bench(answer).find(merges, since=random.randint(0, merges))
    assert bool(found.culprits) == (found.verdict == "broken")
    assert len(answers) <= 2 * (merges + 1)
    for culprit in found.culprits:
        place = int(culprit.task.removeprefix("task-"))
        assert answers[Trial(merges)].exit_code != 0
        assert any(end.exit_code != 0 for trial, end in answers.items() if trial.merges == place)
