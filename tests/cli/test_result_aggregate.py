import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.forms.reviews import INJECTION, review

Teamlead = Callable[..., subprocess.CompletedProcess[str]]

SAME = ("Query with input in it", "Security", "critical", "src/db.py:10-12", 78)
DOUBTED = ("Query with input in it", "security", "minor", "src/db.py:10", 78)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two results, and no repository."""
    folder = tmp_path / "results"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("security.md").write_text(review("security-auditor", INJECTION))
    Path("qa.md").write_text(review("qa-engineer", SAME))
    return folder


def aggregated(teamlead: Teamlead, *arguments: str) -> dict[str, Any]:
    done = teamlead("result", "aggregate", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_one_issue_of_two_agents_is_shown_once_with_both_numbers(teamlead: Teamlead) -> None:
    done = teamlead("result", "aggregate", "security.md", "qa.md")
    assert done.returncode == 0, done.stderr
    sure = "max 95, combined 96.5"
    assert done.stdout.splitlines()[:5] == [
        "# SUCCESS: go on to the next phase",
        "",
        "## Findings",
        "",
        f"- critical src/db.py:10 security: {INJECTION[0]} ({sure}; qa-engineer, security-auditor)",
    ]


def test_json_tells_the_same(teamlead: Teamlead) -> None:
    document = aggregated(teamlead, "security.md", "qa.md")
    assert document["schema_version"] == 1
    assert (document["status"], document["next"]) == ("SUCCESS", "proceed")
    (finding,) = document["issues"]
    assert (finding["highest_confidence"], finding["combined_confidence"], finding["contested"]) == (
        95,
        96.5,
        False,
    )
    assert [opinion["file"] for opinion in finding["opinions"]] == ["security.md", "qa.md"]
    assert document["left_out"] == []


def test_a_contradiction_is_shown_first_and_left_to_a_person(teamlead: Teamlead) -> None:
    Path("qa.md").write_text(review("qa-engineer", DOUBTED))
    shown = teamlead("result", "aggregate", "security.md", "qa.md").stdout
    assert shown.splitlines()[2] == "## Contradictions: a person has to decide"
    assert "- src/db.py:10: severities far apart" in shown
    assert len(aggregated(teamlead, "security.md", "qa.md")["issues"]) == 2


def test_the_order_of_the_files_changes_nothing(teamlead: Teamlead) -> None:
    one = teamlead("result", "aggregate", "--json", "security.md", "qa.md").stdout
    assert teamlead("result", "aggregate", "--json", "qa.md", "security.md", "qa.md").stdout == one


@pytest.mark.parametrize(
    ("options", "combined"),
    [
        (["--weight", "security-auditor=3"], 100),
        (["--weight", "qa-engineer=3"], 92.25),
        (["--weight", "QA engineer:security=0", "--weight", "security-auditor=1"], 100),
        (["--weight", "qa-engineer:style=9"], 96.5),
        (["--expertise"], (2 * 95 + 78) / 3 + 10),
    ],
)
def test_roles_count_as_much_as_the_user_says(
    teamlead: Teamlead, options: list[str], combined: float
) -> None:
    (finding,) = aggregated(teamlead, *options, "security.md", "qa.md")["issues"]
    assert finding["combined_confidence"] == pytest.approx(combined)


@pytest.mark.parametrize(
    "weight", ["qa-engineer", "=2", "qa-engineer=much", "qa-engineer=-1", "qa-engineer=nan"]
)
def test_a_weight_that_is_none_is_refused(teamlead: Teamlead, weight: str) -> None:
    done = teamlead("result", "aggregate", "--weight", weight, "security.md")
    assert done.returncode == 2
    assert repr(weight) in done.stderr


def test_a_result_that_breaks_the_contract_is_named_and_nothing_is_aggregated(teamlead: Teamlead) -> None:
    Path("broken.md").write_text("## qa-engineer Result\n\n### Status\nDONE\n")
    done = teamlead("result", "aggregate", "security.md", "broken.md")
    assert done.returncode == 5
    assert done.stdout == ""
    assert "'broken.md' breaks the contract" in done.stderr
    assert "known-status" in done.stderr
    assert "--lenient" in done.stderr


def test_a_lenient_user_gets_the_rest_and_a_list_of_what_was_left_out(teamlead: Teamlead) -> None:
    Path("broken.md").write_text("Done, all is well.")
    document = aggregated(teamlead, "--lenient", "security.md", "broken.md")
    assert (document["status"], document["next"]) == ("PARTIAL", "review")
    (gone,) = document["left_out"]
    assert gone["file"] == "broken.md"
    assert gone["problems"]
    shown = teamlead("result", "aggregate", "--lenient", "security.md", "broken.md").stdout
    assert "## Left out: they break the contract\n\n- broken.md\n" in shown


def test_nothing_that_holds_is_no_success(teamlead: Teamlead) -> None:
    Path("broken.md").write_text("")
    assert aggregated(teamlead, "--lenient", "broken.md")["next"] == "handle-errors"


def test_a_file_that_is_not_there_is_named(teamlead: Teamlead) -> None:
    done = teamlead("result", "aggregate", "security.md", "nowhere.md")
    assert (done.returncode, done.stdout) == (4, "")
    assert "'nowhere.md'" in done.stderr


def test_a_folder_is_no_result(teamlead: Teamlead, here: Path) -> None:
    done = teamlead("result", "aggregate", str(here))
    assert done.returncode == 2
    assert repr(str(here)) in done.stderr


def test_sarif_goes_to_a_file_whole(teamlead: Teamlead, here: Path) -> None:
    done = teamlead("result", "aggregate", "--sarif", "--output", "review.sarif", "security.md", "qa.md")
    assert (done.returncode, done.stdout) == (0, "")
    (result,) = json.loads(Path("review.sarif").read_text())["runs"][0]["results"]
    assert (result["ruleId"], result["rank"]) == ("security", 96.5)
    assert sorted(path.name for path in here.iterdir()) == ["qa.md", "review.sarif", "security.md"]


def test_a_file_that_cannot_be_written_is_told(teamlead: Teamlead) -> None:
    done = teamlead("result", "aggregate", "--output", "nowhere/out.md", "security.md")
    assert done.returncode == 1
    assert "nowhere/out.md" in done.stderr


def test_two_forms_at_once_are_refused(teamlead: Teamlead) -> None:
    done = teamlead("result", "aggregate", "--json", "--sarif", "security.md")
    assert done.returncode == 2
    assert "exclude each other" in done.stderr


def test_what_agents_wrote_cannot_steer_the_terminal(teamlead: Teamlead) -> None:
    rude = ("SQL \x1b[2J\u202eis built", "security", "critical", "src/db.py:10", 95)
    Path("security.md").write_text(review("security-auditor", rude))
    for options in ([], ["--json"], ["--sarif"]):
        done = teamlead("result", "aggregate", *options, "security.md")
        assert done.returncode == 0, done.stderr
        assert "\x1b" not in done.stdout
        assert "\u202e" not in done.stdout
