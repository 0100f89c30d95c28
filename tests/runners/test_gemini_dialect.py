"""What lines of gemini mean, as it was seen to print and record them."""

import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from teamlead.core.model import ToolPolicy
from teamlead.errors import UsageError
from teamlead.ports.runner import RunSpec
from teamlead.ports.team import Team
from teamlead.runners.gemini.dialect import GeminiDialect
from teamlead.runners.gemini.invocation import home_of, invocation, policy_file, prepare
from teamlead.runners.gemini.runner import GeminiRunner
from teamlead.runners.run_events import Event, Tally

MakeSpec = Callable[..., RunSpec]

SESSION = "f0f609c7-f65c-4e60-b136-ab574ae8d231"
BEGUN: Event = {"type": "init", "session_id": SESSION, "model": "gemini-2.5-pro"}
ASKED: Event = {"type": "message", "role": "user", "content": "# task-1: t"}
SAID: Event = {"type": "message", "role": "assistant", "content": "I ", "delta": True}
MORE: Event = {"type": "message", "role": "assistant", "content": "am done", "delta": True}
CALLED: Event = {
    "type": "tool_use",
    "tool_name": "run_shell_command",
    "tool_id": "run_shell_command_0",
    "parameters": {"command": "ls"},
}
ANSWERED: Event = {
    "type": "tool_result",
    "tool_id": "run_shell_command_0",
    "status": "success",
    "output": "hi",
}
REMOVED: Event = {
    "type": "tool_result",
    "tool_id": "run_shell_command_0",
    "status": "error",
    "output": 'Tool "run_shell_command" not found.',
    "error": {"type": "tool_not_registered", "message": 'Tool "run_shell_command" not found.'},
}
STATS = {"total_tokens": 330, "input_tokens": 300, "output_tokens": 30, "cached": 0, "tool_calls": 2}
OVER: Event = {"type": "result", "status": "success", "stats": STATS}


def heard(dialect: GeminiDialect, *lines: object) -> list[Event]:
    events = [event for line in lines for event in dialect.read(json.dumps(line).encode())]
    return [*events, *dialect.close()]


@pytest.fixture
def dialect(spec: MakeSpec, tmp_path: Path) -> GeminiDialect:
    return GeminiDialect(spec(), tmp_path)


def test_a_turn_is_told_in_our_events(dialect: GeminiDialect) -> None:
    assert heard(dialect, BEGUN, ASKED, SAID, CALLED, ANSWERED, SAID, MORE, OVER) == [
        {"type": "started", "agent": "gemini", "model": "gemini-2.5-pro", "conversation": SESSION},
        {"type": "text", "text": "I "},
        {"type": "tool_call", "name": "run_shell_command", "input": {"command": "ls"}},
        {"type": "tool_result", "name": "run_shell_command", "exit_code": 0, "output": "hi"},
        {"type": "text", "text": "I "},
        {"type": "text", "text": "am done"},
        {"type": "usage", "input_tokens": 300, "output_tokens": 30},
        {"type": "finished", "status": "ok", "summary": "I am done"},
    ]


def test_a_tool_that_was_taken_away_is_told_as_denied(dialect: GeminiDialect) -> None:
    denied = [event for event in heard(dialect, BEGUN, CALLED, REMOVED, OVER) if event["type"] == "denied"]
    assert [event["name"] for event in denied] == ["run_shell_command"]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ('[API Error: {"error":{"code":401,"status":"UNAUTHENTICATED","message":"x"}}]', "denied"),
        ("[API Error: NOT_FOUND]", "denied"),
        ("[API Error: RESOURCE_EXHAUSTED\nSuggested retry after 5000s.]\nPlease wait.", "limit"),
        ('[API Error: {"error":{"code":503,"status":"UNAVAILABLE","message":"x"}}]', "unavailable"),
        ("[API Error: UNAVAILABLE]", "unavailable"),
        ("[API Error: terminated]", "unavailable"),
        ("[API Error: fetch failed]", "unavailable"),
        ('[API Error: {"error":{"code":400,"status":"INVALID_ARGUMENT","message":"x"}}]', "error"),
    ],
)
def test_a_failed_turn_is_told_by_its_cause(dialect: GeminiDialect, said: str, status: str) -> None:
    failed = {"type": "result", "status": "error", "error": {"type": "unknown", "message": said}, "stats": {}}
    *_, end = heard(dialect, BEGUN, failed)
    assert (end["status"], end["error"]) == (status, said)
    assert (end["reset_at"] is not None) == (status == "limit")


def test_usage_comes_from_its_record_in_time_and_is_counted_once(spec: MakeSpec, tmp_path: Path) -> None:
    record = tmp_path / ".gemini/tmp/copy/chats" / f"session-2026-11-16T03-16-{SESSION[:8]}.jsonl"
    record.parent.mkdir(parents=True)
    _note(record, "earlier", 1000)
    dialect = GeminiDialect(spec(conversation=SESSION), tmp_path)
    _note(record, "one", 100)
    _note(record, "one", 100)
    events = [*dialect.read(json.dumps(BEGUN).encode()), *dialect.read(json.dumps(SAID).encode())]
    assert [event["input_tokens"] for event in events if event["type"] == "usage"] == [100]
    assert [event["type"] for event in events].count("turn") == 1
    tally = Tally()
    for event in [*events, *heard(dialect, OVER)]:
        tally.add(event)
    assert (tally.usage.input_tokens, tally.usage.output_tokens) == (300, 30)


def _note(record: Path, answer: str, tokens: int) -> None:
    line = {
        "id": answer,
        "type": "gemini",
        "content": "",
        "tokens": {"input": tokens, "output": tokens // 10},
    }
    with record.open("a") as file:
        file.write(json.dumps({"$set": {"lastUpdated": "x"}}) + "\n" + json.dumps(line) + "\n")


def _spoiled(value: Any) -> Iterator[Any]:
    """The value with each of its parts in turn replaced by what it never should be."""
    yield from (None, True, -1, 0.5, "", "x", [], {}, {"type": {}})
    if isinstance(value, dict):
        for name, part in value.items():
            yield from ({**value, name: other} for other in _spoiled(part))


@pytest.mark.parametrize(
    "line", [BEGUN, SAID, CALLED, ANSWERED, REMOVED, OVER], ids=lambda line: line["type"]
)
def test_no_line_makes_it_fail(spec: MakeSpec, tmp_path: Path, line: Event) -> None:
    for other in _spoiled(line):
        for event in heard(GeminiDialect(spec(), tmp_path), BEGUN, CALLED, other, SAID, OVER):
            Tally().add(event)


def test_its_policy_allows_what_the_role_may_use_and_nothing_else() -> None:
    deny, allow, team = tomllib.loads(policy_file(ToolPolicy(tools=("read", "shell"))))["rule"]
    assert (deny["toolName"], deny["decision"]) == ("*", "deny")
    assert allow["toolName"] == ["write_todos", "read_file", "read_many_files", "list_directory"]
    assert (team["mcpName"], team["decision"]) == ("team", "allow")
    assert deny["priority"] < min(allow["priority"], team["priority"])


def test_with_a_key_it_has_a_home_of_its_own_and_its_team(
    spec: MakeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "key")
    run = spec(home=tmp_path / "home", team=Team("http://127.0.0.1:9/mcp", "the-token"))
    prepare(run)
    settings = (tmp_path / "home/.gemini/settings.json").read_text()
    assert "http://127.0.0.1:9/mcp" in settings
    assert "the-token" not in settings
    chosen = invocation(Path("gemini"), run).environment
    assert (chosen["GEMINI_CLI_HOME"], chosen["GEMINI_API_KEY"]) == (str(tmp_path / "home"), "key")
    assert GeminiRunner().capabilities.team


def test_by_the_users_login_it_has_the_users_home_which_stays_as_it_is(
    spec: MakeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    run = spec(home=tmp_path / "home")
    prepare(run)
    assert home_of(run) == tmp_path / "user"
    assert not (tmp_path / "user").exists()
    assert "GEMINI_CLI_HOME" not in invocation(Path("gemini"), run).environment
    assert not GeminiRunner().capabilities.team


def test_an_absent_program_is_told_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("TEAMLEAD_GEMINI", raising=False)
    with pytest.raises(UsageError, match=r"no program 'gemini'.*TEAMLEAD_GEMINI"):
        GeminiRunner().validate()
