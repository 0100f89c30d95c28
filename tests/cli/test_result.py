"""`teamlead result`: problems with their lines, exit codes, JSON, the schema."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.forms.samples import RESULT, SURE

Teamlead = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def good(tmp_path: Path) -> str:
    return written(tmp_path / "good.json", RESULT)


@pytest.fixture
def bold(tmp_path: Path) -> str:
    """Very sure, and silent about why."""
    return written(
        tmp_path / "bold.json", {name: value for name, value in SURE.items() if name != "justification"}
    )


def written(path: Path, values: object) -> str:
    path.write_text(json.dumps(values, indent=2))
    return str(path)


def test_a_good_result_is_said_to_be_one(good: str, teamlead: Teamlead) -> None:
    done = teamlead("result", "check", good)
    assert (done.returncode, done.stdout) == (0, f"{good}: keeps the contract\n")


def test_each_problem_is_shown_with_its_place_rule_level_and_remedy(bold: str, teamlead: Teamlead) -> None:
    done = teamlead("result", "check", bold)
    assert done.returncode == 5
    first, last = done.stdout.splitlines()
    assert first.startswith(f"{bold}:17: L2 confidence-justification: a confidence of 90 needs")
    assert "(from 85 on, say score, evidence count" in first
    assert last == f"{bold}: 1 problem"


def test_several_files_are_checked_and_one_that_is_bad_decides(
    good: str, bold: str, teamlead: Teamlead
) -> None:
    done = teamlead("result", "check", good, bold, "--json")
    assert done.returncode == 5
    document = json.loads(done.stdout)
    assert document["schema_version"] == 1
    assert document["ok"] is False
    first, second = document["results"]
    assert (first["file"], first["ok"], first["problems"], first["band"]) == (good, True, [], "low")
    assert first["result"]["references"] == RESULT["references"]
    assert (second["ok"], second["band"]) == (False, "high")
    [problem] = second["problems"]
    assert (problem["rule"], problem["level"], problem["line"]) == ("confidence-justification", "L2", 17)
    assert problem["blocking"] is True


def test_a_soft_rule_is_set_aside_for_a_reason(bold: str, teamlead: Teamlead) -> None:
    done = teamlead("result", "check", bold, "--override", "confidence-justification=told in the meeting")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].endswith("[set aside: told in the meeting]")
    shown = teamlead("result", "check", bold, "--json", "--override", "confidence-justification=told")
    [problem] = json.loads(shown.stdout)["results"][0]["problems"]
    assert problem["blocking"] is False


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("known-status=DONE is nicer", "'known-status' is not a soft rule"),
        ("manners=no time", "'manners' is not a soft rule"),
        ("finding-place=", "gives no reason"),
        ("finding-place", "gives no reason"),
    ],
)
def test_nothing_else_can_be_set_aside(override: str, told: str, good: str, teamlead: Teamlead) -> None:
    done = teamlead("result", "check", good, "--override", override)
    assert done.returncode == 2
    assert told in done.stderr


def test_a_role_asks_for_its_own_form(good: str, teamlead: Teamlead) -> None:
    done = teamlead("result", "check", "--role", "code-explorer", good)
    assert done.returncode == 5
    assert "the findings are not in the form 'exploration' (it asks for: Entry points" in done.stdout


def test_a_result_can_be_held_to_another_form_than_that_of_its_role(good: str, teamlead: Teamlead) -> None:
    done = teamlead("result", "check", "--role", "code-explorer", "--form", "summary", good)
    assert done.returncode == 0
    done = teamlead("result", "check", "--role", "worker", "--form", "design", good)
    assert done.returncode == 5
    assert "the findings are not in the form 'design'" in done.stdout
    assert teamlead("result", "check", "--form", "poem", good).returncode == 2


def test_the_schema_of_one_form_asks_for_its_findings(teamlead: Teamlead) -> None:
    schema = json.loads(teamlead("result", "schema", "--form", "design").stdout)
    assert schema["allOf"][-1]["then"]["properties"] == {"details": {"$ref": "#/$defs/DesignFindings"}}


def test_what_a_soft_rule_says_to_a_worker_is_only_to_be_looked_at(bold: str, teamlead: Teamlead) -> None:
    done = teamlead("result", "check", "--role", "worker", bold)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{bold}: look: a confidence of 90 needs its justification")


def test_a_result_can_be_piped_in() -> None:
    command = [sys.executable, "-m", "teamlead", "result", "check", "-"]
    done = subprocess.run(command, input=json.dumps(RESULT), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "-: keeps the contract\n")


@pytest.mark.parametrize(
    ("content", "code", "told"),
    [
        (None, 4, "there is no file"),
        (b"\n\xff", 2, "result.md:2: not UTF-8 text"),
        (b"a" * (1024 * 1024 + 1), 2, "is larger than 1 MiB"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    content: bytes | None, code: int, told: str, tmp_path: Path, teamlead: Teamlead
) -> None:
    path = tmp_path / "result.md"
    if content is not None:
        path.write_bytes(content)
    done = teamlead("result", "check", str(path))
    assert done.returncode == code
    assert told in done.stderr


def test_a_folder_is_no_result(tmp_path: Path, teamlead: Teamlead) -> None:
    assert teamlead("result", "check", str(tmp_path)).returncode == 2


def test_what_an_agent_wrote_cannot_steer_the_terminal(tmp_path: Path, teamlead: Teamlead) -> None:
    path = written(tmp_path / "bad.json", {**RESULT, "status": "\x1b[31mDONE\x1b]0;x\x07"})
    done = teamlead("result", "check", path)
    assert done.returncode == 5
    assert "\x1b" not in done.stdout


def test_the_schema_is_printed_as_it_is_documented(teamlead: Teamlead) -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "result.schema.json"
    assert teamlead("result", "schema").stdout == page.read_text(encoding="utf-8")
