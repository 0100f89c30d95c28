import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from teamlead.core.model import Budget, ToolPolicy
from teamlead.ports.runner import RunSpec
from teamlead.ports.team import Team
from teamlead.runners.claude.invocation import invocation
from teamlead.runners.program import Invocation

SPEC = RunSpec(
    session="s1",
    task="task-1",
    attempt=1,
    role="worker",
    model="",
    prompt="-p Do it.",
    cwd=Path("/copy"),
    folder=Path(),
    hard_timeout=60.0,
    idle_timeout=60.0,
    slot=2,
    home=Path("/home"),
)
KEY = {"ANTHROPIC_API_KEY": "secret"}


@pytest.fixture(autouse=True)
def _empty(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        monkeypatch.delenv(name)


def call(monkeypatch: pytest.MonkeyPatch, environment: Mapping[str, str] = KEY, **changes: Any) -> Invocation:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return invocation(Path("/bin/claude"), SPEC._replace(**changes))


def option(called: Invocation, name: str) -> str:
    return called.argv[list(called.argv).index(name) + 1]


def test_neither_the_prompt_nor_a_secret_is_an_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    called = call(monkeypatch, team=Team("http://127.0.0.1:1/mcp", "token"))
    assert not [word for word in called.argv if "Do it." in word or "secret" in word or "token" in word]
    assert called.environment["ANTHROPIC_API_KEY"] == "secret"
    assert called.environment["TEAMLEAD_TEAM_TOKEN"] == "token"
    assert "${TEAMLEAD_TEAM_TOKEN}" in option(called, "--mcp-config")


def test_only_the_policys_tools_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert option(call(monkeypatch), "--tools") == (
        "Read,Glob,Grep,Edit,Write,NotebookEdit,Bash,WebFetch,WebSearch"
    )
    called = call(monkeypatch, policy=ToolPolicy(tools=("read", "shell")))
    assert option(called, "--tools") == "Read,Bash"
    assert option(call(monkeypatch, policy=ToolPolicy(tools=())), "--tools") == ""


def test_what_is_not_chosen_is_left_to_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    called = call(monkeypatch)
    assert not {"--model", "--effort", "--max-budget-usd", "--mcp-config"} & set(called.argv)
    assert not [word for word in called.argv if word.startswith("--resume")]


def test_what_is_chosen_is_passed_and_the_users_arguments_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    called = call(
        monkeypatch,
        model="opus",
        effort="high",
        budget=Budget(cost_usd=1.5),
        conversation="an-id",
        arguments=["--add-dir", "/data"],
    )
    assert option(called, "--model") == "opus"
    assert option(called, "--effort") == "high"
    assert option(called, "--max-budget-usd") == "1.5"
    assert "--resume=an-id" in called.argv
    assert called.argv[-3:] == ["--verbose", "--add-dir", "/data"]


def test_settings_are_those_of_the_repository_only_where_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert option(call(monkeypatch), "--setting-sources") == ""
    assert option(call(monkeypatch, own_settings=True), "--setting-sources") == "project,local"


@pytest.mark.parametrize(
    "name",
    ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK"],
)
def test_with_credentials_in_the_environment_it_has_a_home_of_its_own(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    called = call(monkeypatch, {name: "secret", "CLAUDE_CONFIG_DIR": "/mine"})
    assert called.environment["CLAUDE_CONFIG_DIR"] == "/home"
    assert called.environment[name] == "secret"


def test_without_any_it_uses_the_users_own_login_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "CLAUDE_CONFIG_DIR" not in call(monkeypatch, {}).environment
    called = call(monkeypatch, {"CLAUDE_CONFIG_DIR": "/mine"})
    assert called.environment["CLAUDE_CONFIG_DIR"] == "/mine"


def test_of_the_environment_only_what_its_service_needs_is_added(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = {"AWS_SECRET_ACCESS_KEY": "a", "GOOGLE_APPLICATION_CREDENTIALS": "g", "GITHUB_TOKEN": "t"}
    endpoint = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
    added = call(monkeypatch, KEY | other | endpoint).environment
    assert endpoint.items() <= added.items()
    assert not other.keys() & added.keys()
    added = call(monkeypatch, {"CLAUDE_CODE_USE_BEDROCK": "1"}).environment
    assert other.keys() & added.keys() == {"AWS_SECRET_ACCESS_KEY"}
