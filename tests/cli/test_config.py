import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from teamlead.cli.config import config
from teamlead.settings import consent
from teamlead.settings.loading import load
from teamlead.system.repository import discover

Teamlead = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def commands(repository: Path) -> Path:
    """A repository whose config names a command."""
    (repository / ".teamlead").mkdir()
    (repository / ".teamlead/config.toml").write_text('jobs = 2\nchecks = ["make test"]\n')
    return repository


def allowed(repository: Path) -> bool:
    found = discover(repository)
    return not consent.not_allowed(found.id, consent.asked(load(found.root)))


def answer(text: str) -> subprocess.CompletedProcess[bytes]:
    """`config allow` on a terminal on which somebody types."""
    leader, follower = pty.openpty()
    os.write(leader, text.encode())
    command = [sys.executable, "-m", "teamlead", "config", "allow"]
    done = subprocess.run(command, stdin=follower, capture_output=True, check=False)
    os.close(follower)
    os.close(leader)
    return done


def test_show_tells_each_value_and_where_it_comes_from(
    commands: Path, home: Path, teamlead: Teamlead
) -> None:
    user = home / ".config/teamlead/config.toml"
    user.parent.mkdir(parents=True)
    user.write_text("jobs = 7\ngrace = '1m'\n")
    done = teamlead("config", "show")
    rows = {line.split()[0]: line.split(maxsplit=2)[1:] for line in done.stdout.splitlines()}
    assert rows["jobs"] == ["2", "repository: .teamlead/config.toml:1"]
    assert rows["grace"] == ['"1m"', f"user: {user}:2"]
    assert rows["attempts"] == ["3", "default"]
    assert "config allow" in done.stderr


def test_show_tells_what_tables_settle_by_their_names(repository: Path, teamlead: Teamlead) -> None:
    (repository / ".teamlead").mkdir()
    (repository / ".teamlead/config.toml").write_text(
        '[roles.reviewer]\nagent = "codex"\nbudget_time = "2h"\n'
    )
    rows = [line.split(maxsplit=2) for line in teamlead("config", "show").stdout.splitlines()]
    assert ["roles.reviewer.agent", '"codex"', "repository: .teamlead/config.toml:2"] in rows
    assert ["roles.reviewer.budget_time", '"2h"', "repository: .teamlead/config.toml:3"] in rows
    assert ["tiers.claude.small", '"haiku"', "default"] in rows


def test_show_as_json_is_one_object_with_values_and_origins(commands: Path) -> None:
    document = json.loads(CliRunner().invoke(config, ["show", "--json"]).stdout)
    assert next(iter(document)) == "schema_version"
    rows = {row["name"]: row for row in document["settings"]}
    assert rows["checks"]["value"] == ["make test"]
    assert rows["checks"]["origin"] == "repository"
    assert rows["checks"]["path"] == str(commands / ".teamlead/config.toml")
    assert rows["checks"]["line"] == 2
    assert (rows["grace"]["origin"], rows["grace"]["path"], rows["grace"]["line"]) == ("default", "", None)
    wish = {"name": "checks", "own": "[]", "theirs": '["make test"]', "allowed": False}
    assert document["asked"] == [wish]
    assert document["allowed"] is False


def test_show_lists_the_problems_of_a_file_and_is_wrong_usage(commands: Path, teamlead: Teamlead) -> None:
    (commands / ".teamlead/config.toml").write_text("job = 2\n\ngrace = 'soon'\n")
    done = teamlead("config", "show")
    assert done.returncode == 2
    assert ".teamlead/config.toml:1: unknown key 'job' (did you mean 'jobs'?)" in done.stderr
    assert ".teamlead/config.toml:3: grace must be" in done.stderr


def test_allow_prints_the_commands_and_holds_until_one_changes(commands: Path, teamlead: Teamlead) -> None:
    done = teamlead("config", "allow", "--yes")
    assert done.returncode == 0
    assert "make test" in done.stdout
    assert allowed(commands)
    assert "already" in teamlead("config", "allow").stdout
    (commands / ".teamlead/config.toml").write_text('checks = ["make tests"]\n')
    assert not allowed(commands)


def test_allow_asks_on_a_terminal(commands: Path) -> None:
    refused = answer("n\n")
    assert refused.returncode == 5
    assert b"make test" in refused.stdout
    assert not allowed(commands)
    assert answer("y\n").returncode == 0
    assert allowed(commands)


def test_allow_without_a_terminal_allows_nothing_by_itself(commands: Path, teamlead: Teamlead) -> None:
    done = teamlead("config", "allow")
    assert done.returncode == 5
    assert "--yes" in done.stderr
    assert not allowed(commands)


def test_allow_has_nothing_to_ask_where_no_command_is_named(repository: Path, teamlead: Teamlead) -> None:
    done = teamlead("config", "allow")
    assert done.returncode == 0
    assert "nothing to allow" in done.stdout
    assert not (repository / ".git/teamlead").exists()
