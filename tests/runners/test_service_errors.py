import time
from datetime import UTC, datetime

import pytest

from teamlead.core.runs import AgentStatus
from teamlead.runners.service_errors import Problem, classify, reset_time

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
    assert classify(code, "whatever it says of a rate limit", NOW) == Problem(status)


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
    assert classify(None, said, NOW).status == status


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
    status, reset_at = classify(429, said, NOW)
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
