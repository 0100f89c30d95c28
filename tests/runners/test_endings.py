from collections.abc import Callable

import pytest

from teamlead.core.model import Budget
from teamlead.core.runs import AgentStatus
from teamlead.ports.runner import RunSpec
from teamlead.runners.endings import run_end
from teamlead.runners.run_events import Event, Tally
from teamlead.system.processes import ProcessEnd

OK: Event = {"type": "finished", "status": "ok", "summary": "made it"}
ERROR: Event = {"type": "finished", "status": "error", "error": "no idea"}
ASK: Event = {"type": "ask", "text": "Which?"}


@pytest.mark.parametrize(
    ("ended", "said", "status", "detail"),
    [
        (ProcessEnd(0), [OK], "ok", ""),
        (ProcessEnd(0), [ASK], "ok", ""),
        (ProcessEnd(0), [ERROR], "error", "no idea"),
        (ProcessEnd(1), [ERROR], "error", "no idea"),
        (ProcessEnd(3), [], "error", "exit code 3: last words"),
        (ProcessEnd(3), [OK], "error", "exit code 3: last words"),
        (ProcessEnd(-9), [], "error", "killed by SIGKILL: last words"),
        (ProcessEnd(-63), [], "error", "killed by signal 63: last words"),
        (ProcessEnd(0), [], "error", "the agent ended without saying that it finished: last words"),
        (ProcessEnd(0), [{"type": "finished"}], "error", "the agent ended with status ''"),
        *(
            (
                ProcessEnd(1),
                [{"type": "finished", "status": status, "error": "so it said"}],
                status,
                "so it said",
            )
            for status in ("limit", "unavailable", "denied", "lost", "budget")
        ),
        (
            ProcessEnd(1, entered=False),
            [ERROR],
            "denied",
            "no room could be made for the agent (`teamlead doctor` says what mends that): last words",
        ),
        (ProcessEnd(0, "cancelled"), [OK], "interrupted", "ended by the lead"),
        (ProcessEnd(-9, "hard"), [OK], "timeout", "hard time-out: it still ran after 5 s"),
        (ProcessEnd(-9, "idle"), [], "timeout", "idle time-out: no output for 2.5 s"),
    ],
)
def test_the_status_never_rests_on_the_agents_word_alone(
    spec: Callable[..., RunSpec], ended: ProcessEnd, said: list[Event], status: AgentStatus, detail: str
) -> None:
    tally = Tally()
    for event in said:
        tally.add(event)
    end = run_end(spec(hard_timeout=5.0, idle_timeout=2.5), ended, tally, "\x1b[31mlast words\n")
    assert (end.status, end.detail) == (status, detail)


def test_a_question_counts_only_if_the_run_ended_well(spec: Callable[..., RunSpec]) -> None:
    tally = Tally()
    tally.add(ASK)
    assert run_end(spec(), ProcessEnd(-9), tally, "").question is None


def test_a_run_that_has_used_up_its_time_has_met_its_budget_not_a_time_out(
    spec: Callable[..., RunSpec],
) -> None:
    run = spec(hard_timeout=5.0, budget=Budget(seconds=5.0))
    end = run_end(run, ProcessEnd(-9, "hard"), Tally(), "")
    assert (end.status, end.detail) == ("budget", "it has worked for all of its 5 s")
    longer = spec(hard_timeout=5.0, budget=Budget(seconds=6.0))
    assert run_end(longer, ProcessEnd(-9, "hard"), Tally(), "").status == "timeout"


def test_silence_of_its_service_is_not_its_own(spec: Callable[..., RunSpec]) -> None:
    end = run_end(spec(idle_timeout=2.5), ProcessEnd(-9, "idle"), Tally(), "", silent=True)
    assert (end.status, end.detail) == ("unavailable", "no answer from its service for 2.5 s")
    assert run_end(spec(), ProcessEnd(-9, "hard"), Tally(), "", silent=True).status == "timeout"
