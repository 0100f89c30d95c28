from typing import Any

import pytest

from teamlead.runners.acp.ends import ConversationLost, failed, stopped
from teamlead.runners.acp.rpc import problem


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("refusal", "refused"),
        ("max_tokens", "limit of tokens"),
        ("max_turn_requests", "limit of requests"),
        ("cancelled", "cancelled its turn"),
        ("fatigue", "unknown reason: 'fatigue'"),
        ("", "unknown reason"),
    ],
)
def test_a_turn_that_stops_before_its_end_is_an_error(reason: str, words: str) -> None:
    event = stopped(reason, "So far.")
    assert (event["status"], event["summary"]) == ("error", "So far.")
    assert words in event["error"]


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        ([-32000, "Authentication required"], "denied", "Authentication required"),
        ([-32603, "Internal error", {"details": "API Error: 401 invalid x-api-key"}], "denied", "invalid"),
        ([-32603, "Internal error", {"details": "API Error: 429 slow down"}], "limit", "slow down"),
        ([-32603, "Rate limit reached for requests"], "limit", "Rate limit"),
        ([-32603, "Internal error", "Error: 529 overloaded"], "unavailable", "529"),
        ([-32603, "stream disconnected before completion"], "unavailable", "stream"),
        ([-32603, "it fell over"], "error", "it fell over"),
        ([None, None, [1]], "error", "without a message"),
    ],
)
def test_an_error_of_the_service_is_told_as_what_it_is(error: list[Any], status: str, words: str) -> None:
    event = failed(problem(dict(zip(("code", "message", "data"), error, strict=False))), 0.0)
    assert event["status"] == status
    assert words in event["error"]


def test_a_conversation_is_not_lost_by_a_service_that_does_not_answer() -> None:
    assert failed(ConversationLost(-32603, "no such session"), 0.0)["status"] == "lost"
    assert failed(ConversationLost(-32603, "API Error: 529 overloaded"), 0.0)["status"] == "unavailable"


@pytest.mark.parametrize("error", [None, 3, "x", [], {"code": "x", "message": 5, "data": {"a": [1]}}])
def test_an_error_of_any_shape_is_an_error(error: object) -> None:
    assert failed(problem(error), 0.0)["status"] == "error"
