import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner

from teamlead.cli.init import EXAMPLE_FILE, init

Teamlead = Callable[..., subprocess.CompletedProcess[str]]


def test_init_writes_settings_and_an_example_and_keeps_sessions_out_of_git(
    repository: Path, teamlead: Teamlead
) -> None:
    done = teamlead("init")
    assert done.returncode == 0
    assert (repository / ".teamlead/config.toml").is_file()
    assert (repository / EXAMPLE_FILE).is_file()
    ignored = subprocess.run(["git", "check-ignore", "-q", ".teamlead/sessions/x"], check=False)
    assert ignored.returncode == 0
    assert "Next:" in done.stdout
    assert teamlead("config", "show").returncode == 0
    assert teamlead("plan", "check", EXAMPLE_FILE).returncode == 0


def test_init_a_second_time_changes_nothing_and_says_so(repository: Path) -> None:
    runner = CliRunner()
    first = json.loads(runner.invoke(init, ["--json"]).stdout)
    assert first["schema_version"] == 1
    assert [step["done"] for step in first["steps"]] == ["created", "created", "added"]
    config = repository / ".teamlead/config.toml"
    config.write_text("jobs = 2\n")
    exclude = (repository / ".git/info/exclude").read_bytes()
    second = json.loads(runner.invoke(init, ["--json"]).stdout)
    assert [step["done"] for step in second["steps"]] == ["kept", "kept", "kept"]
    assert config.read_text() == "jobs = 2\n"
    assert (repository / ".git/info/exclude").read_bytes() == exclude


def test_init_in_a_sub_directory_prepares_the_root(repository: Path, teamlead: Teamlead) -> None:
    (repository / "deep/down").mkdir(parents=True)
    assert teamlead("init", cwd=repository / "deep/down").returncode == 0
    assert (repository / ".teamlead/config.toml").is_file()
    assert not (repository / "deep/down/.teamlead").exists()


def test_init_does_not_write_through_a_link(repository: Path, tmp_path: Path, teamlead: Teamlead) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (repository / ".teamlead").symlink_to(elsewhere)
    done = teamlead("init")
    assert done.returncode == 5
    assert "is not a folder" in done.stderr
    assert list(elsewhere.iterdir()) == []


def test_init_says_what_cannot_be_written(repository: Path, teamlead: Teamlead) -> None:
    (repository / ".git/info/exclude").unlink()
    (repository / ".git/info/exclude").mkdir()
    done = teamlead("init")
    assert done.returncode == 1
    assert "teamlead: cannot write" in done.stderr
    assert "unexpected" not in done.stderr


def test_init_outside_a_repository_changes_nothing(tmp_path: Path, teamlead: Teamlead) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    done = teamlead("init", cwd=folder)
    assert done.returncode == 2
    assert "git init" in done.stderr
    assert list(folder.iterdir()) == []


def test_init_proposes_the_test_command_that_it_finds_and_sets_none(
    repository: Path, teamlead: Teamlead
) -> None:
    (repository / "go.mod").write_text("module a\n")
    done = teamlead("init")
    assert "Test commands found: `go test ./...`" in done.stdout
    assert '# checks = ["go test ./..."]' in (repository / ".teamlead/config.toml").read_text()
