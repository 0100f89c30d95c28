"""What agents are told can be read, replaced and checked before anything starts."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from teamlead.prompts.catalogue import CATALOGUE
from teamlead.prompts.library import built_in

Teamlead = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def judge(repository: Path) -> Path:
    """The repository's own, which begins otherwise than ours."""
    path = repository / ".teamlead/prompts/judge.md"
    path.parent.mkdir(parents=True)
    path.write_text("Be kind.\n\n" + built_in("judge").text)
    return path


def test_one_prompt_is_printed_as_it_is_and_where_it_comes_from_is_said_beside_it(
    repository: Path, teamlead: Teamlead
) -> None:
    done = teamlead("prompts", "show", "judge")
    assert (done.returncode, done.stdout) == (0, built_in("judge").text)
    assert done.stderr == "==> judge: built in <==\n"


def test_what_is_in_effect_is_printed_and_ours_on_request(judge: Path, teamlead: Teamlead) -> None:
    done = teamlead("prompts", "show", "judge")
    assert done.stdout == judge.read_text()
    assert done.stderr == "==> judge: .teamlead/prompts/judge.md <==\n"
    assert teamlead("prompts", "show", "judge", "--default").stdout == built_in("judge").text


def test_ours_can_be_read_outside_of_a_repository(
    tmp_path: Path, teamlead: Teamlead, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert teamlead("prompts", "show", "worker", "--default").stdout == built_in("worker").text


def test_a_role_with_several_prompts_shows_them_all(repository: Path, teamlead: Teamlead) -> None:
    shown = teamlead("prompts", "show", "planner").stdout
    names = [name for name in CATALOGUE if name.startswith("planner-")]
    assert [line for line in shown.splitlines() if line.startswith("==>")] == [
        f"==> {name}: built in <==" for name in names
    ]


def test_a_saved_prompt_of_ours_is_a_good_one(repository: Path, teamlead: Teamlead) -> None:
    folder = repository / ".teamlead/prompts"
    folder.mkdir(parents=True)
    for name in CATALOGUE:
        (folder / f"{name}.md").write_text(teamlead("prompts", "show", name, "--default").stdout)
    done = teamlead("prompts", "check")
    assert (done.returncode, done.stdout) == (0, f"{len(CATALOGUE)} prompts of your own, 0 problems\n")


def test_an_unknown_name_is_not_found(repository: Path, teamlead: Teamlead) -> None:
    done = teamlead("prompts", "show", "boss")
    assert done.returncode == 4
    assert "there is no prompt 'boss'" in done.stderr


def test_the_list_says_where_each_comes_from(judge: Path, teamlead: Teamlead) -> None:
    rows = {line.split()[0]: line for line in teamlead("prompts", "list").stdout.splitlines()}
    assert rows["judge"].endswith(".teamlead/prompts/judge.md")
    assert rows["worker"].endswith("built in")
    assert set(rows) == {"NAME", *CATALOGUE}


def test_json_tells_the_placeholders_and_what_each_stands_for(judge: Path, teamlead: Teamlead) -> None:
    document = json.loads(teamlead("prompts", "show", "judge", "--json").stdout)
    [found] = document["prompts"]
    assert document["schema_version"] == 1
    assert (found["path"], found["text"]) == (".teamlead/prompts/judge.md", judge.read_text())
    assert {"name": "ANSWER", "needed": True}.items() <= found["placeholders"][-1].items()
    assert "`shouldReplan`" in found["answer"]
    listed = json.loads(teamlead("prompts", "list", "--json").stdout)["prompts"]
    assert [entry["name"] for entry in listed] == list(CATALOGUE)


def test_a_wrong_prompt_is_told_with_file_and_line_and_still_shown(judge: Path, teamlead: Teamlead) -> None:
    judge.write_text(judge.read_text().replace("{{LOG}}", "{{LOGS}}"))
    done = teamlead("prompts", "check")
    assert done.returncode == 2
    assert (
        ".teamlead/prompts/judge.md:56: unknown placeholder {{LOGS}} (did you mean {{LOG}}?)" in done.stdout
    )
    document = json.loads(teamlead("prompts", "check", "--json").stdout)
    assert len(document["problems"]) == 1
    assert "{{LOGS}}" in teamlead("prompts", "show", "judge").stdout


def test_nothing_in_a_prompt_steers_the_terminal(judge: Path, teamlead: Teamlead) -> None:
    judge.write_text("\x1b[2J" + judge.read_text())
    assert "\x1b" not in teamlead("prompts", "show", "judge").stdout
