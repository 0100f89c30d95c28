"""What follows when an agent fails, in the order of its table."""

import pytest

from teamlead.core.recovery import Failure, Recovery, recover

WARNING = "Agent qa-engineer failed, results may be incomplete"


@pytest.mark.parametrize("critical", [True, False])
@pytest.mark.parametrize("retried", [True, False])
@pytest.mark.parametrize("role", ["qa-engineer", "code-explorer"])
def test_partial_output_that_can_be_used_is_used_first(*, role: str, critical: bool, retried: bool) -> None:
    found = recover(Failure(role, critical=critical, retried=retried, usable=True))
    assert found == Recovery("use-partial", f"Agent {role} failed, results may be incomplete")


def test_a_critical_agent_is_tried_once_more_with_less_to_do() -> None:
    assert recover(Failure("qa-engineer", critical=True, retried=False)) == Recovery("retry-smaller")


def test_a_critical_agent_that_failed_twice_is_a_question_for_the_user() -> None:
    assert recover(Failure("qa-engineer", critical=True, retried=True)) == Recovery("escalate", WARNING)


@pytest.mark.parametrize("retried", [True, False])
def test_without_an_agent_that_is_not_critical_the_work_goes_on_and_the_gap_is_told(*, retried: bool) -> None:
    assert recover(Failure("qa-engineer", critical=False, retried=retried)) == Recovery("go-on", WARNING)


@pytest.mark.parametrize("role", ["code-explorer", "Explore"])
@pytest.mark.parametrize("critical", [True, False])
def test_the_lead_reads_itself_only_after_the_reading_agent_failed_twice(
    *, role: str, critical: bool
) -> None:
    assert recover(Failure(role, critical=critical, retried=False)).step == "retry-smaller"
    found = recover(Failure(role, critical=critical, retried=True))
    assert found == Recovery("read-directly", f"Agent {role} failed, results may be incomplete")
