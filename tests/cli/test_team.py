"""The teams there are can be listed, read, checked, and chosen for a task; nothing is started."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.teams.presets import GOOD

from teamlead.runners.detection import DEFAULTS
from teamlead.teams.cards import PROGRAMS

Teamlead = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def menders(repository: Path) -> Path:
    path = repository / ".teamlead/teams/menders.md"
    path.parent.mkdir(parents=True)
    path.write_text(GOOD)
    return path


def test_the_list_says_where_each_team_comes_from(menders: Path, teamlead: Teamlead) -> None:
    menders.with_name("own.md").write_text(GOOD.replace("menders", "bugfix"))
    rows = [line.split(maxsplit=1) for line in teamlead("team", "list").stdout.splitlines()]
    assert [row[0] for row in rows] == ["TEAM", "bugfix", "devops", "dev-backend", "dev-frontend", "menders"]
    assert rows[1][1].startswith(".teamlead/teams/own.md (in place of: built in)")
    assert rows[2][1].startswith("built in")
    listed = json.loads(teamlead("team", "list", "--json").stdout)["teams"]
    assert listed[0]["hides"] == ["built in"]
    assert listed[1]["path"] == ""


def test_outside_of_a_repository_ours_are_there(
    tmp_path: Path, teamlead: Teamlead, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert "bugfix" in teamlead("team", "list").stdout
    assert teamlead("team", "select", "a bug").returncode == 0


def test_a_preset_is_printed_as_it_is_so_that_it_can_be_saved(menders: Path, teamlead: Teamlead) -> None:
    done = teamlead("team", "show", "menders")
    assert (done.returncode, done.stdout) == (0, GOOD)
    assert done.stderr == "==> menders: .teamlead/teams/menders.md <==\n"
    menders.with_name("mine.md").write_text(teamlead("team", "show", "bugfix").stdout)
    assert teamlead("team", "check").returncode == 0


def test_json_tells_how_it_is_read(menders: Path, teamlead: Teamlead) -> None:
    shown = json.loads(teamlead("team", "show", "menders", "--json").stdout)
    assert [(stage["name"], stage["tasks"][0]["member"]) for stage in shown["stages"]] == [
        ("ANALYZING", "analyst"),
        ("EXECUTING", "fixer"),
    ]
    assert (shown["asks_for"], shown["allowed"], shown["problems"], shown["text"]) == ([], True, [], GOOD)


def test_an_unknown_team_is_not_found_and_the_nearest_is_named(repository: Path, teamlead: Teamlead) -> None:
    for command in ("show", "check"):
        done = teamlead("team", command, "bugfx")
        assert done.returncode == 4
        assert "there is no team 'bugfx'\ndid you mean 'bugfix'?" in done.stderr


def test_every_problem_is_told_with_its_file_and_line(menders: Path, teamlead: Teamlead) -> None:
    menders.write_text(
        GOOD.replace("**Writes**", "**Writs**").replace("2. **EXECUTING**: fixer", "2. **EXECUTING**: foxer")
    )
    for arguments in ((), ("menders",), (".teamlead/teams/menders.md",)):
        done = teamlead("team", "check", *arguments)
        assert done.returncode == 2
        assert (
            ".teamlead/teams/menders.md:18: error: unknown label 'Writs' (did you mean 'Write'?)"
            in done.stdout
        )
        assert (
            ".teamlead/teams/menders.md:23: error: 'foxer' is no member (did you mean 'fixer'?)"
            in done.stdout
        )
    assert done.stdout.endswith("menders.md: 3 errors, 0 warnings\n")
    document = json.loads(teamlead("team", "check", "--json").stdout)
    assert document["ok"] is False
    assert {problem["line"] for problem in document["problems"]} == {15, 18, 23}


def test_a_good_preset_passes_and_warnings_do_not_count(menders: Path, teamlead: Teamlead) -> None:
    assert teamlead("team", "check").stdout == "5 presets: 0 errors, 0 warnings\n"
    menders.write_text(GOOD.replace("description: Mends things.\n", ""))
    done = teamlead("team", "check", "menders")
    assert done.returncode == 0
    assert done.stdout.endswith("0 errors, 1 warning\n")


def test_a_file_that_is_not_there_or_too_large_is_told(repository: Path, teamlead: Teamlead) -> None:
    assert teamlead("team", "check", "nowhere.md").returncode == 4
    (repository / "large.md").write_text(GOOD + "x" * (5 * 1024 * 1024))
    done = teamlead("team", "check", "large.md")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the preset 'large.md' is larger than 1 MiB" in done.stderr


def test_what_cannot_be_used_is_told_by_every_command_and_hides_no_other(
    menders: Path, teamlead: Teamlead
) -> None:
    menders.write_text("---\nname: [\n---\n")
    for command in (("list",), ("select", "a bug")):
        done = teamlead("team", *command)
        assert done.returncode == 0
        assert ".teamlead/teams/menders.md cannot be used: see `teamlead team check`" in done.stderr
        assert "bugfix" in done.stdout
    assert teamlead("team", "check").returncode == 2


def test_a_team_is_chosen_and_all_scores_are_shown(repository: Path, teamlead: Teamlead) -> None:
    done = teamlead("team", "select", "the UI shows an error: a bug")
    assert done.returncode == 0
    rows = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert rows[:5] == [
        ["TEAM", "SCORE", "KEYWORDS MET"],
        ["bugfix", "2", "error, bug"],
        ["devops", "0"],
        ["dev-backend", "0"],
        ["dev-frontend", "1", "UI"],
    ]
    assert done.stdout.splitlines()[-1] == "bugfix fits: error, bug"
    document = json.loads(teamlead("team", "select", "build a fruit api", "--json").stdout)
    assert (document["chosen"], document["proposal"]) == ("dev-backend", "")
    assert [score["score"] for score in document["scores"]] == [0, 0, 1, 0]


def test_where_none_fits_a_team_is_proposed_that_can_be_taken(repository: Path, teamlead: Teamlead) -> None:
    done = teamlead("team", "select", "write a sonnet")
    assert done.returncode == 3
    assert "No keyword of any team is in the task." in done.stderr
    assert "bugfix" in done.stderr
    path = repository / ".teamlead/teams/proposed.md"
    path.parent.mkdir(parents=True)
    path.write_text(done.stdout)
    assert teamlead("team", "check", "proposed").returncode == 0
    assert "proposed fits: write, sonnet" in teamlead("team", "select", "write a sonnet").stdout
    assert sorted(entry.name for entry in repository.iterdir()) == [".git", ".teamlead"]
    path.unlink()
    document = json.loads(teamlead("team", "select", "write a sonnet", "--json").stdout)
    assert (document["chosen"], document["proposal"]) == ("", done.stdout)


@pytest.mark.parametrize("task", ["", "  \n"])
def test_an_empty_task_is_wrong_usage(task: str, repository: Path, teamlead: Teamlead) -> None:
    done = teamlead("team", "select", task)
    assert done.returncode == 2
    assert "the task is empty" in done.stderr


def test_nothing_in_a_preset_steers_the_terminal(menders: Path, teamlead: Teamlead) -> None:
    menders.write_text(
        GOOD.replace("Mends things.", '"\\x1b[2Jred"')
        .replace("Look.", "L\x1b[2Jook.")
        .replace("analyst", "a\x1b[31mn")
    )
    menders.with_name("a\x1b[2J.md").write_text("nothing")
    for command in (
        ("list",),
        ("show", "menders"),
        ("check",),
        ("select", "a \x1b[2J bug"),
        ("select", "\x1b[2J"),
    ):
        done = teamlead("team", *command)
        assert "\x1b" not in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_commands_and_programs_of_a_repositorys_preset_need_consent_until_a_word_changes(
    menders: Path, teamlead: Teamlead
) -> None:
    assert "asks for nothing" in teamlead("config", "allow").stdout
    asking = GOOD.replace("### backend-specialist as fixer", "### codex as fixer").replace(
        "- **Writes**", "- **Checks**: `make test`\n- **Model**: large\n- **Tools**: read, edit\n- **Writes**"
    )
    menders.write_text(asking)
    assert "needs your consent" in teamlead("team", "show", "menders").stderr
    shown = json.loads(teamlead("team", "show", "menders", "--json").stdout)
    assert (shown["allowed"], shown["asks_for"]) == (
        False,
        [
            "fixer is codex",
            "fixer in EXECUTING has the model large",
            "fixer in EXECUTING uses read, edit",
            "fixer in EXECUTING is checked by `make test`",
        ],
    )
    assert "teams/menders: none -> .teamlead/teams/menders.md" in teamlead("config", "show").stderr
    allowed = teamlead("config", "allow", "--yes")
    assert allowed.returncode == 0
    assert "fixer in EXECUTING is checked by `make test`" in allowed.stdout
    assert json.loads(teamlead("team", "show", "menders", "--json").stdout)["allowed"] is True
    menders.write_text(asking.replace("Mend.", "Mend it."))
    assert json.loads(teamlead("team", "show", "menders", "--json").stdout)["allowed"] is False


def test_a_built_in_role_with_fewer_tools_needs_no_consent(menders: Path, teamlead: Teamlead) -> None:
    menders.write_text(GOOD.replace("**Writes**: src/", "**Tools**: read, edit"))
    shown = json.loads(teamlead("team", "show", "menders", "--json").stdout)
    assert (shown["asks_for"], shown["allowed"], shown["problems"]) == ([], True, [])
    assert shown["stages"][1]["tasks"][0]["tools"] == ["read", "edit"]


def test_the_users_own_presets_need_no_consent(home: Path, repository: Path, teamlead: Teamlead) -> None:
    folder = home / ".config/teamlead/teams"
    folder.mkdir(parents=True)
    (folder / "menders.md").write_text(
        GOOD.replace("- **Writes**", "- **Checks**: `make test`\n- **Writes**")
    )
    assert json.loads(teamlead("team", "show", "menders", "--json").stdout)["allowed"] is True
    assert "asks for nothing" in teamlead("config", "allow").stdout


def test_programs_that_a_preset_may_name_are_those_that_are_looked_for() -> None:
    assert set(PROGRAMS) == set(DEFAULTS)


def test_choosing_a_team_again_loads_nothing_that_is_slow(menders: Path, teamlead: Teamlead) -> None:
    teamlead("team", "select", "a bug")
    command = [sys.executable, "-X", "importtime", "-m", "teamlead", "team", "select", "a bug"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    imported = {line.rpartition("|")[2].strip() for line in listing.splitlines()}
    assert "teamlead.teams.library" in imported
    assert not imported & {
        "asyncio",
        "rich",
        "msgspec",
        "apsw",
        "markdown_it",
        "ruamel.yaml",
        "hashlib",
    }
