"""Tests by somebody who sees only the task: what they find, and what nobody is told of them."""

from typing import Any

import pytest
from tests.flows.support import Project, answer, done, write
from tests.flows.test_judge_inputs import (
    ONLY_FOR_ITS_TEST,
    RIGHT,
    YES,
    expects,
    mended,
    prompt,
    runs,
    shop,
    start,
)

__all__ = ["shop"]

TESTS = "retry_delay = 0\nindependent_tests = true\njudge_inputs = false\n"


def writes(project: Project, *tests: dict[str, Any]) -> None:
    project.plays("task-1-tester", [answer(examples=list(tests))], purpose="tests")


def test_work_that_is_right_for_its_own_tests_alone_goes_back_and_its_agent_never_sees_the_test(
    shop: Project,
) -> None:
    shop.settings(TESTS)
    shop.plays("task-1", [write("tax.py", ONLY_FOR_ITS_TEST)], [write("tax.py", RIGHT)])
    writes(shop, expects("300"))
    shop.plays("task-1-judge", [mended("none")], [YES], purpose="judge")

    assert start(shop) == 3

    assert shop.outcomes(1) == ["returned", "accepted"]
    assert runs(shop) == ["tests", "judge", "judge"]
    told = prompt(shop, "task-1-2")
    assert "a test fails that its agent has not seen; it stands for '`gross` adds a fifth" in told
    for secret in ("try_it", "250", "'300'"):
        assert secret not in told
    judged = prompt(shop, "task-1-judge-1")
    assert "print(gross(250))" in judged
    assert "Is the test right, or the work?" in " ".join(judged.split())
    first, second = (shop.teamlead("evidence", "1", "--attempt", number).out for number in "12")
    assert "⚑ flagged   example: tests pass that somebody wrote who saw only the task" in first
    assert "✓ proven    example: tests pass that somebody wrote who saw only the task" in second
    assert "scripted wrote 1 in" in second


def test_a_tester_sees_what_the_work_starts_from_and_nothing_of_it(shop: Project) -> None:
    shop.settings(TESTS)
    shop.plays("task-1", [write("tax.py", RIGHT), done("Rounded, as it was asked for.")])
    looks = {"run": "grep -q 1.2 tax.py && exit 3; true", "must_pass": True}
    shop.plays("task-1-tester", [looks, answer(examples=[expects("300")])], purpose="tests")

    assert start(shop) == 3

    asked = prompt(shop, "task-1-tester-1")
    assert asked.startswith("# task-1-tester: tests\n")
    assert "Rounded" not in asked
    assert shop.outcomes(1) == ["accepted"]


def test_without_a_judge_a_test_that_fails_is_a_remark(shop: Project) -> None:
    shop.settings(f"{TESTS}judge = false\n")
    shop.plays("task-1", [write("tax.py", ONLY_FOR_ITS_TEST)])
    writes(shop, expects("300"))

    assert start(shop) == 3

    assert shop.outcomes(1) == ["accepted"]
    assert "a test fails that its agent has not seen" in shop.teamlead("evidence", "1").out


def test_a_tester_that_writes_nothing_of_use_keeps_no_work_from_being_judged(shop: Project) -> None:
    shop.settings(TESTS)
    shop.plays("task-1", [write("tax.py", RIGHT)])
    shop.plays("task-1-tester", [done("I would rather not.")], purpose="tests")
    shop.plays("task-1-judge", [YES], purpose="judge")

    assert start(shop) == 3

    assert shop.outcomes(1) == ["accepted"]
    assert runs(shop) == ["tests", "tests", "judge"]
    assert "nothing was tried: " in shop.teamlead("evidence", "1").out


@pytest.mark.parametrize("off", ["judge_inputs = false\n", "independent_tests = false\n"])
def test_nobody_writes_tests_unless_that_is_wanted(shop: Project, off: str) -> None:
    shop.settings(off)
    shop.plays("task-1", [write("tax.py", RIGHT)])
    writes(shop, expects("300"))

    assert start(shop) == 3

    assert "tests" not in runs(shop)
