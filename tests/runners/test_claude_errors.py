"""The real Claude Code and a service that fails it: what is said of each failure."""

import json
import time

import pytest
from tests.runners.claude_support import Claude, wait

from teamlead.core.runs import AgentStatus


@pytest.mark.parametrize(
    ("steps", "status"),
    [
        ("{http = 401}", "denied"),
        ("{http = 403}", "denied"),
        ("{http = 404}", "denied"),
        ("{http = 429}", "limit"),
        ("{http = 500}", "unavailable"),
        ("{http = 529}", "unavailable"),
        ("{break_stream = true}", "unavailable"),
        ('{fail = "no idea how"}', "error"),
    ],
)
def test_a_failure_of_the_service_is_told_as_what_it_is(
    claude: Claude, steps: str, status: AgentStatus
) -> None:
    end = claude.follows(steps).run()
    assert (end.status, end.summary, end.reset_at) == (status, "", None)
    assert end.detail


def test_a_failure_in_the_middle_of_the_work_is_one_too(claude: Claude) -> None:
    end = claude.follows('{write = "a.txt", text = "x"}, {http = 529}').run()
    assert (end.status, end.tool_calls) == ("unavailable", 1)
    assert end.usage.input_tokens == 100
    assert claude.events("retry")


def test_it_tries_again_only_a_few_times(claude: Claude) -> None:
    claude.follows("{http = 500}").run()
    assert len(claude.events("retry")) == 2


def said(kind: str, message: str) -> str:
    body = {"type": "error", "error": {"type": kind, "message": message}}
    return f"body = '{json.dumps(body)}'"


def test_an_empty_account_is_denied(claude: Claude) -> None:
    body = said("invalid_request_error", "Your credit balance is too low to access the Anthropic API.")
    assert claude.follows(f"{{http = 400, {body}}}").run().status == "denied"


def test_a_service_that_is_not_there_is_unavailable(claude: Claude, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    assert claude.run().status == "unavailable"


def test_no_credentials_at_all_are_denied(claude: Claude, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert claude.run().status == "denied"


def test_the_end_of_a_limit_is_read_from_what_the_service_says(claude: Claude) -> None:
    reset = int(time.time()) + 7200
    body = said("rate_limit_error", f"Claude AI usage limit reached|{reset}")
    end = claude.follows(f"{{http = 429, {body}}}").run()
    assert (end.status, end.reset_at) == ("limit", reset)


def test_the_end_of_a_subscriptions_limit_is_read_from_what_the_program_says(
    claude: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", "none")
    reset = int(time.time()) + 7200
    headers = (
        f'{{anthropic-ratelimit-unified-status = "rejected", anthropic-ratelimit-unified-reset = "{reset}", '
        'anthropic-ratelimit-unified-representative-claim = "five_hour"}'
    )
    end = claude.follows(f"{{http = 429, headers = {headers}}}").run()
    assert (end.status, end.reset_at) == ("limit", reset)
    assert len(claude.model.requests) == 1


def test_a_service_that_never_answers_is_unavailable(claude: Claude) -> None:
    end = claude.follows("{silence = true}").run(idle_timeout=4.0)
    assert (end.status, end.detail) == ("unavailable", "no answer from its service for 4 s")


def test_a_command_that_never_ends_is_a_time_out_of_its_own(claude: Claude) -> None:
    end = claude.follows('{run = "while true; do sleep 0.1; done"}').run(idle_timeout=4.0)
    assert (end.status, end.detail) == ("timeout", "idle time-out: no output for 4 s")


def test_the_conversation_goes_on_after_a_limit(claude: Claude) -> None:
    claude.follows('{write = "a.txt", text = "x"}, {http = 429}', '{done = "made it"}')
    first = claude.run()
    second = claude.run(2, conversation=first.conversation)
    assert (first.status, second.status, second.conversation) == ("limit", "ok", first.conversation)
    assert "a.txt" in str(claude.model.requests[-1].body["messages"])


def test_a_program_that_is_killed_is_an_error(claude: Claude) -> None:
    end = claude.follows("{crash = true}").run()
    assert (end.status, end.detail) == ("error", "killed by SIGKILL")


def test_it_can_be_started_again_after_it_was_killed(claude: Claude) -> None:
    async def main() -> list[str]:
        claude.follows('{write = "a.txt", text = "x"}, {crash = true}', '{done = "made it"}')
        first = await claude.end()
        second = await claude.end(2, conversation=first.conversation)
        return [first.status, second.status, second.summary]

    assert wait(main()) == ["error", "ok", "made it"]
