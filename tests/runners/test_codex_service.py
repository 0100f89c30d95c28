"""What the real codex makes of errors of its service, and we of that."""

import time

import pytest
from tests.runners.codex_support import Codex, codex

from teamlead.core.model import Usage
from teamlead.core.runs import AgentStatus

__all__ = ["codex"]


@pytest.mark.parametrize(
    ("step", "status", "told"),
    [
        ("{http = 401}", "denied", "401 Unauthorized"),
        ("{http = 403}", "denied", "403 Forbidden"),
        ("{http = 404}", "denied", "404 Not Found"),
        ("{http = 429}", "limit", "429 Too Many Requests"),
        ('{http = 429, headers = {retry-after = "7200"}}', "limit", "429 Too Many Requests"),
        ("{http = 429, reset_in = 5000}", "limit", "usage limit"),
        ("{http = 503}", "unavailable", "at capacity"),
        ("{http = 529}", "unavailable", ""),
        ("{break_stream = true}", "unavailable", "stream disconnected"),
        ('{fail = "no such field"}', "error", "no such field"),
    ],
)
def test_an_error_of_the_service_is_told_from_one_of_the_agent(
    codex: Codex, step: str, status: AgentStatus, told: str
) -> None:
    end = codex.run(f'{{touch = "before"}}, {step}', arguments=QUICK)
    assert (end.status, told in end.detail) == (status, True), end.detail
    assert (end.usage, end.conversation != "") == (Usage(100, 10), True)


QUICK = (
    "-c",
    "model_providers.endpoint.stream_max_retries=1",
    "-c",
    "model_providers.endpoint.request_max_retries=0",
)
"""Fewer tries than it makes by itself, so that the tests do not wait for them."""


def test_the_time_at_which_a_limit_ends_is_told(codex: Codex) -> None:
    end = codex.run("{http = 429, reset_in = 5000}")
    assert end.reset_at is not None
    # It tells whole minutes.
    assert 5000 - 120 < end.reset_at - time.time() < 5000 + 60


def test_a_service_that_never_answers_is_unavailable(codex: Codex) -> None:
    end = codex.run("{silence = true}", idle_timeout=8.0)
    assert (end.status, end.detail) == ("unavailable", "no answer from its service for 8 s")


def test_silence_of_a_command_is_not_blamed_on_the_service(codex: Codex) -> None:
    assert codex.run('{run = "sleep 60"}', idle_timeout=8.0).status == "timeout"


def test_a_service_that_nobody_serves_is_unavailable(codex: Codex, monkeypatch: pytest.MonkeyPatch) -> None:
    codex.follow('{done = "x"}')
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    end = codex.run(arguments=QUICK)
    assert (end.status, "Connection failed" in end.detail) == ("unavailable", True)
