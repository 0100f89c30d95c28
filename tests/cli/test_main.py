import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import click
import pytest

from teamlead import __version__
from teamlead.cli import main as front
from teamlead.cli.lazy import Entry
from teamlead.errors import NotFound, PlanError, Refused

Teamlead = Callable[..., subprocess.CompletedProcess[str]]
Boom = Callable[[BaseException], None]


def ended(*arguments: str, platform: str = "linux") -> object:
    with pytest.raises(SystemExit) as caught:
        front.main(arguments, platform=platform)
    return caught.value.code


@pytest.fixture
def boom(monkeypatch: pytest.MonkeyPatch) -> Boom:
    """A command that does nothing but raise."""

    def install(error: BaseException) -> None:
        @click.command()
        def command() -> None:
            raise error

        module = ModuleType("teamlead.cli.boom")
        module.boom = command  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "teamlead.cli.boom", module)
        monkeypatch.setitem(front.COMMANDS, "boom", Entry("Start", "boom:boom", ""))

    return install


def test_help_lists_every_command_in_its_section(teamlead: Teamlead) -> None:
    done = teamlead("--help")
    assert done.returncode == 0
    for section, first, last in [
        ("Start:", "plan", "demo"),
        ("Watch:", "status", "report"),
        ("Decide:", "escalations", "revise"),
        ("Steer:", "tell", "release"),
        ("Check:", "evidence", "result"),
        ("Keep:", "mend", "clean"),
        ("Set up:", "init", "mcp"),
    ]:
        listed = done.stdout.split(f"{section}\n")[1].split("\n\n")[0].splitlines()
        assert listed[0].split()[0] == first
        assert listed[-1].split()[0] == last
    for name, entry in front.COMMANDS.items():
        assert any(line.split() == [name, *entry.help.split()] for line in done.stdout.splitlines())


def test_help_imports_no_command_and_nothing_heavy() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "teamlead", "--help"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    imported = {line.rpartition("|")[2].strip() for line in listing.splitlines()}
    assert "click" in imported
    assert not imported & {
        "asyncio",
        "rich",
        "msgspec",
        "apsw",
        "markdown_it",
        "json",
        "subprocess",
        "pathlib",
    }
    ours = {name for name in imported if name.startswith("teamlead.")}
    assert ours <= {
        "teamlead.cli",
        "teamlead.cli.main",
        "teamlead.cli.lazy",
        "teamlead.errors",
        "teamlead.system",
        "teamlead.core",
        "teamlead.core.quoting",
        "teamlead.system.text",
    }


@pytest.mark.parametrize(
    "name", ["start", "resume", "pause", "status", "watch", "resolve", "tell", "approve"]
)
def test_options_of_a_command_in_daily_use_are_known_without_what_leads_a_team(name: str) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "teamlead", name, "--help"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    imported = {line.rpartition("|")[2].strip() for line in listing.splitlines()}
    assert "teamlead.cli.session" in imported
    assert not imported & {"asyncio", "rich", "markdown_it", "teamlead.wiring.leadership"}


def test_version_is_printed(teamlead: Teamlead) -> None:
    assert teamlead("--version").stdout == f"teamlead {__version__}\n"


def test_a_mistyped_command_is_wrong_usage_and_the_nearest_is_suggested(teamlead: Teamlead) -> None:
    done = teamlead("statsu")
    assert done.returncode == 2
    assert "No such command 'statsu'. Did you mean 'status'?" in done.stderr
    assert done.stdout == ""


def test_an_unknown_option_is_wrong_usage(teamlead: Teamlead) -> None:
    assert teamlead("--frobnicate").returncode == 2


@pytest.mark.parametrize("name", ["plan.md", "missing.md", "notes.txt"])
def test_a_plan_in_place_of_a_command_starts_it(
    name: str, repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "plan.md").touch()
    (repository / "notes.txt").touch()

    @click.command()
    @click.argument("plan")
    @click.option("--jobs", type=int)
    def start(plan: str, jobs: int) -> None:
        click.echo(f"start {plan} {jobs}")

    module = ModuleType("teamlead.cli.start")
    module.start = start  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "teamlead.cli.start", module)
    assert ended(name, "--jobs", "2") == 0
    assert capsys.readouterr().out == f"start {name} 2\n"


def test_a_file_named_like_a_command_does_not_hide_it(repository: Path, teamlead: Teamlead) -> None:
    (repository / "doctor").touch()
    assert "Check this machine" in teamlead("doctor", "--help").stdout


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (NotFound("no session 'x'", remedy="teamlead list"), 4, "teamlead: no session 'x'\nteamlead list\n"),
        (Refused("it is forbidden"), 5, "teamlead: it is forbidden\n"),
        (
            PlanError("bad plan", ["plan.md:3: no title"], remedy="fix it"),
            2,
            "teamlead: bad plan\nplan.md:3: no title\nfix it\n",
        ),
        (NotFound("a\x1b[2Jb\u202e"), 4, "teamlead: ab\n"),
        (KeyboardInterrupt(), 130, "teamlead: interrupted\n"),
        (click.Abort(), 130, "teamlead: interrupted\n"),
        (click.exceptions.Exit(3), 3, ""),
    ],
)
def test_an_expected_end_is_one_clear_message_and_its_exit_code(
    error: BaseException, code: int, said: str, boom: Boom, capsys: pytest.CaptureFixture[str]
) -> None:
    boom(error)
    assert ended("boom") == code
    assert capsys.readouterr() == ("", said)


def test_an_unexpected_error_is_short_and_its_traceback_is_kept(
    boom: Boom, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    boom(ZeroDivisionError("by nought"))
    assert ended("boom") == 1
    kept = home / ".local/state/teamlead/last-error.txt"
    first, second = capsys.readouterr().err.splitlines()
    assert first == "teamlead: unexpected ZeroDivisionError: by nought"
    assert f"{kept}; TEAMLEAD_DEBUG=1 shows it" in second
    assert "Traceback (most recent call last)" in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_an_unexpected_error_is_told_where_no_file_can_be_written(
    boom: Boom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    boom(ZeroDivisionError())
    assert ended("boom") == 1
    assert "TEAMLEAD_DEBUG=1 shows the traceback" in capsys.readouterr().err


def test_an_error_of_the_machine_is_not_called_a_fault_of_the_program(
    boom: Boom, capsys: pytest.CaptureFixture[str]
) -> None:
    boom(OSError(28, "No space left on device", "/journal"))
    assert ended("boom") == 1
    said = capsys.readouterr().err
    assert "No space left on device ('/journal')" in said
    assert "fault" not in said


def test_debug_shows_the_traceback_of_an_unexpected_error(
    boom: Boom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TEAMLEAD_DEBUG", "1")
    boom(ZeroDivisionError())
    assert ended("boom") == 1
    assert "Traceback (most recent call last)" in capsys.readouterr().err


BUFFERED = """
import sys, types, click
from teamlead.cli import main as front
from teamlead.cli.lazy import Entry
module = types.ModuleType("teamlead.cli.init")
module.init = click.command()(lambda: sys.stdout.write("kept in the buffer"))
sys.modules["teamlead.cli.init"] = module
front.main(["init"])
"""


@pytest.mark.parametrize("program", [["-m", "teamlead", "--help"], ["-c", BUFFERED]])
def test_a_reader_that_goes_away_is_no_reason_to_complain(
    program: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, *program], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_windows_is_refused_with_a_hint_to_wsl(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("--version", platform="win32") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "WSL2" in err


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (
            "teamlead re",
            {
                "resume",
                "rehearse",
                "report",
                "resolve",
                "release",
                "reject",
                "revise",
                "result",
                "refs",
                "reassign",
                "retry",
            },
        ),
        ("teamlead config ", {"show", "allow"}),
    ],
)
def test_the_shell_completes_commands(words: str, offered: set[str], teamlead: Teamlead) -> None:
    position = str(len(words.split(" ")) - 1)
    environment = {
        **os.environ,
        "_TEAMLEAD_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": position,
    }
    done = teamlead(env=environment)
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == offered


def test_completing_a_command_imports_none_of_them() -> None:
    environment = {
        **os.environ,
        "_TEAMLEAD_COMPLETE": "bash_complete",
        "COMP_WORDS": "teamlead ",
        "COMP_CWORD": "1",
    }
    command = [sys.executable, "-X", "importtime", "-m", "teamlead"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert "plain,init" in done.stdout
    assert "teamlead.cli.init" not in done.stderr


def test_looking_at_sessions_loads_neither_the_state_of_one_nor_a_leader() -> None:
    script = "import sys, teamlead.cli.status, teamlead.cli.list_sessions; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "teamlead.sessions.leader" in done.stdout.split()
    assert {"msgspec", "asyncio", "teamlead.core.state", "teamlead.wiring"}.isdisjoint(done.stdout.split())


def test_no_color_reaches_every_command(monkeypatch: pytest.MonkeyPatch, boom: Boom) -> None:
    seen = []

    @click.command()
    @click.pass_context
    def command(context: click.Context) -> None:
        seen.append(context.color)

    boom(KeyboardInterrupt())
    monkeypatch.setattr(sys.modules["teamlead.cli.boom"], "boom", command)
    assert ended("boom") == 0
    monkeypatch.setenv("NO_COLOR", "1")
    assert ended("boom") == 0
    assert seen == [None, False]
