import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from teamlead.core.model import Budget
from teamlead.core.runs import AgentStatus
from teamlead.ports.runner import RunSpec
from teamlead.runners.endings import ServiceProblem, reset_time, run_end, service_problem
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


NOW = datetime(2026, 11, 16, 2, 30, tzinfo=UTC).timestamp()
HOUR = 3600.0


@pytest.mark.parametrize(
    ("code", "status"),
    [
        *((code, "denied") for code in (401, 402, 403, 404)),
        (429, "limit"),
        *((code, "unavailable") for code in (408, 500, 502, 503, 504, 529)),
        *((code, "error") for code in (400, 413, 422)),
    ],
)
def test_a_status_code_tells_what_to_do(code: int, status: AgentStatus) -> None:
    assert service_problem(code, "whatever it says of a rate limit", NOW) == ServiceProblem(status)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("You've hit your usage limit.", "limit"),
        ("RESOURCE_EXHAUSTED", "limit"),
        ("exceeded your current quota", "limit"),
        ("Not logged in · Please run /login", "denied"),
        ("Invalid API key", "denied"),
        ("Your credit balance is too low", "denied"),
        ("stream disconnected before completion", "unavailable"),
        ("Request timed out", "unavailable"),
        ("API Error: Connection refused (ECONNREFUSED)", "unavailable"),
        ("We're currently experiencing high demand", "unavailable"),
        ("prompt is too long", "error"),
        ("", "error"),
    ],
)
def test_without_a_code_the_words_do(said: str, status: AgentStatus) -> None:
    assert service_problem(None, said, NOW).status == status


@pytest.mark.parametrize(
    ("said", "after"),
    [
        ("Claude AI usage limit reached|1794800000", 1794800000 - NOW),
        ("retry after 2026-11-16T03:30:00Z", HOUR),
        ("retry after 2026-11-16T04:30:00+01:00", HOUR),
        ("Please try again in 20s.", 20.0),
        ("Please try again in 1.5s", 1.5),
        ("Please retry in 34.074824224s.", 34.074824224),
        ("try again in 500ms", 0.5),
        ("try again in 6m0s.", 360.0),
        ("try again in 3 days 2 hours 5 minutes.", 3 * 24 * HOUR + 2 * HOUR + 300),
        ("try again in 1 hour and 1 minute", HOUR + 60),
        ("You've hit your 5-hour limit · resets 4:47am (UTC)", 2 * HOUR + 17 * 60),
        ("resets 4am (UTC)", 1.5 * HOUR),
        ("resets 2am (UTC)", 23.5 * HOUR),
        ("resets 12am (UTC)", 21.5 * HOUR),
        ("resets 12pm (UTC)", 9.5 * HOUR),
        ("resets 4am (Europe/Berlin)", 0.5 * HOUR),
        ("resets Nov 20, 4am (UTC)", 4 * 24 * HOUR + 1.5 * HOUR),
        ("resets Nov 20 at 4am (UTC)", 4 * 24 * HOUR + 1.5 * HOUR),
        ("resets Jan 2, 2:30am (UTC)", 47 * 24 * HOUR),
        ("resets Nov 16, 2027, 2:30am (UTC)", 365 * 24 * HOUR),
        ("try again at Nov 20th, 2026 4:00 AM (UTC).", 4 * 24 * HOUR + 1.5 * HOUR + 60),
        ("try again at 2:30 AM (UTC).", 60.0),
        ("try again at 2:29 AM (UTC).", 0.0),
        ("resets 2:25am (UTC)", -300.0),
        ("resets 2:15am (UTC)", 23.75 * HOUR),
    ],
)
def test_the_end_of_a_limit_is_read_in_every_form_seen(said: str, after: float) -> None:
    status, reset_at = service_problem(429, said, NOW)
    assert (status, round((reset_at or 0) - NOW, 3)) == ("limit", round(after, 3))


@pytest.mark.parametrize(
    "said",
    [
        "",
        "slow down",
        "resets soon",
        "resets 25:99am",
        "resets Feb 31, 4am (UTC)",
        "resets Foo 3, 4am",
        "|12",
    ],
)
def test_what_tells_no_time_is_none(said: str) -> None:
    assert reset_time(said, NOW) is None


def test_an_unknown_zone_is_taken_as_that_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC+0")
    time.tzset()
    assert reset_time("resets 4am (Nowhere/Land)", NOW) == reset_time("resets 4am", NOW) == NOW + 1.5 * HOUR
    monkeypatch.undo()
    time.tzset()
