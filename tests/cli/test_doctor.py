import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from teamlead.cli import doctor
from teamlead.cli.doctor import _disk_space, _processes
from teamlead.ports.rooms import Means
from teamlead.runners.detection import PROGRAMS
from teamlead.system import warden_client
from teamlead.system.disk import FEW, DiskSpace
from teamlead.system.offline import why_not
from teamlead.system.rooms.availability import look
from teamlead.system.warden_client import supported
from teamlead.system.wardens.messages import UNSUPPORTED

Teamlead = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH on which only what a test puts there is found."""
    folder = tmp_path / "tools"
    folder.mkdir()
    git = shutil.which("git")
    assert git
    (folder / "git").symlink_to(git)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.chdir(tmp_path)
    for name in (*(program.variable for program in PROGRAMS), "ANTHROPIC_API_KEY", "CODEX_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return folder


def program(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def rows(teamlead: Teamlead, code: int) -> dict[str, Any]:
    done = teamlead("doctor", "--json")
    assert (done.returncode, done.stderr) == (code, "")
    document = json.loads(done.stdout)
    assert document["schema_version"] == 1
    assert document["ok"] is (code == 0)
    return {row["name"]: row for row in document["findings"]}


def test_a_machine_with_all_that_is_required_is_healthy(tools: Path, home: Path, teamlead: Teamlead) -> None:
    found = rows(teamlead, 0)
    for name in ("platform", "python", "git", "git identity", "sqlite", "state folder", "agent scripted"):
        assert found[name]["level"] == "ok"
    assert found["git identity"]["found"] == "Ada <ada@example.com>"
    assert list(home.iterdir()) == [home / ".gitconfig"]


@pytest.mark.skipif(not supported(), reason="this system has no wardens")
def test_wardens_are_shown_as_present(tools: Path, teamlead: Teamlead) -> None:
    found = rows(teamlead, 0)["wardens"]
    assert (found["level"], found["found"].partition(":")[0]) == ("ok", "present")


def test_without_wardens_it_says_that_groups_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = [sys.executable, "-c", f"raise SystemExit({UNSUPPORTED})"]
    monkeypatch.setattr(warden_client, "_argv", lambda *_: refusing)
    found = next(_processes())
    assert (found.level, found.found) == ("warn", "absent: process groups are used")


def test_whether_there_are_rooms_is_told_by_trying(tools: Path, teamlead: Teamlead) -> None:
    found = rows(teamlead, 0)["rooms"]
    there = look()
    assert (found["level"], found["remedy"]) == ("ok" if there.program else "warn", there.remedy)
    if there.program:
        who = " (root)" if os.geteuid() == 0 else ""
        assert found["found"].startswith(f"present{who}: bubblewrap {there.version} at {there.program};")


@pytest.mark.parametrize(
    ("found", "told", "remedy"),
    [
        (
            Means(landlock=7, why_not="bubblewrap is not installed", remedy="sudo apt install bubblewrap"),
            (
                "absent: bubblewrap is not installed; Landlock keeps agents and checks from secrets,"
                " and a copy lies at a path of its own"
            ),
            "sudo apt install bubblewrap",
        ),
        (
            Means(why_not="a trial room could not be entered: no", remedy="sudo sysctl x=1"),
            "absent: a trial room could not be entered: no; agents and checks see all that you see",
            "sudo sysctl x=1",
        ),
        (
            Means(why_not="macOS has no namespaces", seatbelt=True),
            (
                "absent: macOS has no namespaces; Seatbelt keeps agents and checks from secrets,"
                " which nobody has tried on a Mac yet"
            ),
            "",
        ),
    ],
)
def test_without_rooms_it_says_what_is_there_instead(
    monkeypatch: pytest.MonkeyPatch, found: Means, told: str, remedy: str
) -> None:
    monkeypatch.setattr(doctor, "known_means", lambda *, anew: found)
    assert list(doctor._rooms()) == [("warn", "rooms", told, remedy)]


def test_rooms_whose_caches_are_empty_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "known_means", lambda *, anew: Means("/usr/bin/bwrap", "0.8.0"))
    (row,) = doctor._rooms()
    assert row.found.endswith("private layers absent: caches are empty in rooms; Landlock absent")


@pytest.mark.parametrize("place", ["repository", "elsewhere"])
def test_rooms_that_the_user_has_switched_off_are_told(
    request: pytest.FixtureRequest, tools: Path, home: Path, teamlead: Teamlead, place: str
) -> None:
    if place == "repository":
        request.getfixturevalue("repository")
    settings = home / ".config" / "teamlead" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("room = false\n")
    found = rows(teamlead, 0)["rooms"]
    assert found["level"] == "warn"
    assert found["found"].startswith("switched off by room = false, so that agents and checks see all")
    assert repr(str(settings)) in found["remedy"]
    settings.write_text('room = "strict"\n')
    assert "switched off" not in rows(teamlead, 0)["rooms"]["found"]


def test_what_is_found_of_rooms_is_what_the_next_session_goes_by(
    tools: Path, home: Path, teamlead: Teamlead
) -> None:
    memory = home / ".local" / "state" / "teamlead" / "rooms.json"
    memory.parent.mkdir(parents=True)
    there = look()
    rows(teamlead, 0)
    assert memory.exists() is bool(there.program)
    memory.write_text('{"means": "of another day"}')
    rows(teamlead, 0)
    remembered = json.loads(memory.read_text())["means"] if memory.exists() else Means()._asdict()
    assert remembered["program"] == there.program


def test_whether_checks_can_be_kept_from_the_network_is_told(tools: Path, teamlead: Teamlead) -> None:
    found = rows(teamlead, 0)["checks offline"]
    assert (found["level"], found["found"].partition(":")[0]) == (
        ("warn", "absent") if why_not() else ("ok", "present")
    )


def test_what_is_absent_is_shown_as_absent(tools: Path, teamlead: Teamlead) -> None:
    found = rows(teamlead, 0)
    for name in ("agent claude", "agent codex", "agent gemini"):
        assert found[name]["level"] == "warn"
        assert found[name]["found"].startswith("absent")
    assert found["agent by default"]["remedy"].startswith("install claude, codex or gemini")


def test_an_agent_on_the_path_is_shown_with_its_version(tools: Path, teamlead: Teamlead) -> None:
    program(tools / "claude", "echo 2.1.325")
    program(tools / "codex", "echo codex-cli 0.1.0")
    program(tools / "gemini", "exit 1")
    found = rows(teamlead, 0)
    assert "agent by default" not in found
    assert found["agent claude"]["level"] == "ok"
    assert found["agent claude"]["found"] == f"2.1.325 at {tools}/claude, credentials: login of the user"
    assert (found["agent codex"]["level"], "older than" in found["agent codex"]["remedy"]) == ("warn", True)
    assert (found["agent gemini"]["level"], found["agent gemini"]["found"]) == (
        "warn",
        "`--version` failed: 1",
    )


def test_an_agent_that_cannot_hold_its_commands_is_told_with_the_reason(
    tools: Path, teamlead: Teamlead
) -> None:
    program(tools / "codex", '[ "$1" = sandbox ] && echo "no namespaces" >&2; echo codex-cli 0.163.0')
    found = rows(teamlead, 0)
    assert found["agent codex"]["level"] == "ok"
    sandbox = found["sandbox of codex"]
    assert (sandbox["level"], sandbox["found"]) == ("warn", "absent: no namespaces")
    assert sandbox["remedy"].startswith("allow user namespaces")
    program(tools / "codex", '[ "$1" = sandbox ] && : > inside; echo codex-cli 0.163.0')
    assert "sandbox of codex" not in rows(teamlead, 0)


@pytest.mark.usefixtures("rooms")
def test_an_agent_that_can_hold_its_commands_only_without_a_room_is_told_with_the_reason(
    tools: Path, teamlead: Teamlead
) -> None:
    trial = "case $PWD in */room/*) echo no more namespaces >&2;; *) : > inside;; esac"
    program(tools / "codex", f'[ "$1" = sandbox ] && {{ {trial}; }}; echo codex-cli 0.163.0')
    told = rows(teamlead, 0)["sandbox of codex"]
    assert (told["level"], told["found"]) == ("warn", "present, but not in a room: no more namespaces")
    assert told["remedy"] == "codex runs without a room here"


def test_no_git_is_a_failure_with_a_remedy(tools: Path, teamlead: Teamlead) -> None:
    (tools / "git").unlink()
    found = rows(teamlead, 1)["git"]
    assert found["level"] == "fail"
    assert found["remedy"] == "install git 2.38 or newer"


def test_an_old_git_is_a_failure(tools: Path, teamlead: Teamlead) -> None:
    program(tools / "git", "echo git version 2.30.2")
    found = rows(teamlead, 1)["git"]
    assert found["level"] == "fail"
    assert "2.30.2" in found["found"]


def test_a_user_without_a_git_identity_is_told_how_to_set_one(
    tools: Path, home: Path, teamlead: Teamlead
) -> None:
    (home / ".gitconfig").write_text("[user]\n\tname = Ada\n")
    found = rows(teamlead, 1)["git identity"]
    assert found["level"] == "fail"
    assert "git config --global user.email" in found["remedy"]


def test_a_state_folder_that_cannot_be_written_is_a_failure(
    tools: Path, home: Path, teamlead: Teamlead, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "file"))
    found = rows(teamlead, 1)["state folder"]
    assert found["level"] == "fail"
    assert "XDG_STATE_HOME" in found["remedy"]


@pytest.mark.parametrize(
    ("free", "files", "level"),
    [
        (1_000_000_000, None, "ok"),
        (999_999_999, None, "warn"),
        (500_000_000, None, "warn"),
        (499_999_999, None, "fail"),
        (1_000_000_000, FEW, "ok"),
        (1_000_000_000, FEW - 1, "warn"),
        (1_000_000_000, 0, "fail"),
    ],
)
def test_little_space_is_a_warning_and_less_than_sessions_want_a_failure(
    free: int, files: int | None, level: str
) -> None:
    assert (
        _disk_space("space", DiskSpace(Path("/x"), 1, free, files, read_only=False), 500_000_000).level
        == level
    )


def test_a_read_only_disk_is_a_failure() -> None:
    assert _disk_space("space", DiskSpace(Path("/x"), 1, 10**12, None, read_only=True), 0).level == "fail"


def test_space_is_shown_for_the_state_folder_and_for_the_repository(
    tools: Path, repository: Path, teamlead: Teamlead, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = rows(teamlead, 0)
    assert " MB free" in found["space for state"]["found"]
    assert f"{str(repository / '.git')!r} has " in found["space for git"]["found"]
    monkeypatch.chdir("/")
    assert "space for git" not in rows(teamlead, 0)


def test_a_machine_that_cannot_be_kept_awake_is_shown(tools: Path, teamlead: Teamlead) -> None:
    found = rows(teamlead, 0)["keep awake"]
    assert (found["level"], found["found"]) == ("warn", "absent: there is no systemd-inhibit")
    program(tools / "systemd-inhibit", "exit 0")
    assert rows(teamlead, 0)["keep awake"]["level"] == "ok"


def test_text_output_has_a_line_a_row_with_its_remedy_below(tools: Path, teamlead: Teamlead) -> None:
    (tools / "git").unlink()
    done = teamlead("doctor")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    position = next(number for number, line in enumerate(lines) if line.split()[:2] == ["fail", "git"])
    assert lines[position + 1] == "      → install git 2.38 or newer"
    assert lines[-1] == "Required and missing: 1."


def test_output_that_is_no_terminal_has_no_colour(tools: Path, teamlead: Teamlead) -> None:
    assert "\x1b" not in teamlead("doctor", env={**os.environ, "TERM": "xterm"}).stdout


def test_a_login_that_is_not_there_is_told_with_the_remedy(tools: Path, teamlead: Teamlead) -> None:
    program(tools / "claude", '[ "$1" = auth ] && echo \'{"loggedIn": false}\' && exit 1; echo 2.1.325')
    login = rows(teamlead, 0)["login of claude"]
    assert (login["level"], login["found"]) == ("warn", "absent: nobody is logged in")
    assert "`claude auth login`" in login["remedy"]


def test_checks_are_tried_where_that_is_wanted(repository: Path, teamlead: Teamlead) -> None:
    (repository / "Makefile").write_text("test:\n\t@nosuchrunner\n")
    subprocess.run(["git", "add", "-A"], check=True)
    subprocess.run(["git", "commit", "-qm", "tests"], check=True)
    done = teamlead("doctor", "--checks", "--json")
    found = {row["name"]: row for row in json.loads(done.stdout)["findings"]}["check make test"]
    assert (found["level"], "`nosuchrunner` is not there" in found["found"]) == ("warn", True)
    assert "trying `make test`" in done.stderr
