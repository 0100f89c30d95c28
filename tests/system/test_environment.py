import subprocess

import pytest

from teamlead.system.environment import allowed, for_agent, for_check


def test_what_programs_need_is_passed_on() -> None:
    needed = {
        "PATH": "/bin",
        "HOME": "/home/me",
        "LC_ALL": "C.UTF-8",
        "XDG_CACHE_HOME": "/c",
        "https_proxy": "http://p",
        "SSL_CERT_FILE": "/pem",
    }
    assert allowed(needed) == needed | {"TERM": "dumb"}


def test_secrets_and_pointers_to_other_repositories_are_not() -> None:
    withheld = {
        "GIT_DIR": "/else/.git",
        "GIT_INDEX_FILE": "x",
        "AWS_SECRET_ACCESS_KEY": "s",
        "GITHUB_TOKEN": "s",
        "OPENAI_API_KEY": "s",
        "SSH_AUTH_SOCK": "/s",
        "PYTHONPATH": "/my/checkout",
        "TEAMLEAD_SESSION": "another",
    }
    assert allowed(withheld) == {"TERM": "dumb"}


def test_an_agent_is_told_who_it_is_whatever_the_extra_variables_say() -> None:
    env = for_agent("s1", "task-2", 3, 4, {"ENDPOINT": "http://x", "TEAMLEAD_TASK": "task-9"})
    assert env["ENDPOINT"] == "http://x"
    told = {name: value for name, value in env.items() if name.startswith("TEAMLEAD_")}
    assert told == {
        "TEAMLEAD_SESSION": "s1",
        "TEAMLEAD_TASK": "task-2",
        "TEAMLEAD_ATTEMPT": "3",
        "TEAMLEAD_SLOT": "4",
    }


def test_what_an_agent_does_in_git_carries_its_name() -> None:
    env = for_agent("s1", "task-2", 3, 4, {"GIT_COMMITTER_EMAIL": "me@example.org"})
    assert env["GIT_COMMITTER_EMAIL"] == "attempt-3@task-2.s1.teamlead.invalid"
    assert "GIT_AUTHOR_EMAIL" not in env
    assert _git_setting("core.logAllRefUpdates", env) == "always"


def test_git_run_by_an_agent_starts_no_maintenance_that_could_be_killed_with_it() -> None:
    env = for_agent("s1", "task-2", 3, 4, {})
    assert (_git_setting("gc.auto", env), _git_setting("maintenance.auto", env)) == ("0", "false")


def test_a_check_knows_its_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "s")
    env = for_check(7)
    assert env["TEAMLEAD_SLOT"] == "7"
    assert "DATABASE_PASSWORD" not in env


def _git_setting(name: str, env: dict[str, str]) -> str:
    asked = subprocess.run(["git", "config", name], env=env, capture_output=True, check=True, text=True)
    return asked.stdout.strip()
