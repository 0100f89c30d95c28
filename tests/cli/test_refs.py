import json
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import Teamlead

REPORT = "src/tax.py:2\n- Code: `return net * 1.2`\n- Confidence: 95\n\nand src/tax.py:1, {}\n"


@pytest.fixture(autouse=True)
def shop(repository: Path) -> Path:
    (repository / "src").mkdir()
    (repository / "src/tax.py").write_text("def tax(net):\n    return net * 1.2\n")
    (repository / "report.md").write_text(REPORT.format("src/vat.py:3"))
    git("add", "-A")
    git("commit", "-qm", "A shop")
    return repository


def git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True)


def test_bad_references_are_shown_and_a_report_full_of_them_is_refused(teamlead: Teamlead) -> None:
    done = teamlead("refs", "verify", "report.md")
    assert done.returncode == 5
    assert done.stdout == (
        "✗ src/vat.py:3: file_not_found\nreport.md: valid 2/3 (1 verified, 1 unverified, 1 invalid)\n"
    )


def test_a_report_that_holds_says_only_that(teamlead: Teamlead, shop: Path) -> None:
    (shop / "report.md").write_text(REPORT.format(""))
    done = teamlead("refs", "verify", "report.md")
    assert (done.returncode, done.stdout) == (0, "report.md: valid 2/2 (1 verified, 1 unverified)\n")
    shown = teamlead("refs", "verify", "--all", "report.md").stdout
    assert shown.startswith("✓ src/tax.py:2\n? src/tax.py:1: UNVERIFIED\n")


def test_a_report_without_references_passes(teamlead: Teamlead) -> None:
    done = teamlead("refs", "verify", "-", input="All done.\n")
    assert (done.returncode, done.stdout) == (0, "-: valid 0/0\n")


def test_ten_bad_ones_are_shown_unless_all_are_asked_for(teamlead: Teamlead) -> None:
    text = "\n".join(f"none{number}.py:1" for number in range(14))
    done = teamlead("refs", "verify", "-", input=text)
    assert done.stdout.count("file_not_found") == 10
    assert "and 4 more; --all shows them" in done.stdout
    assert teamlead("refs", "verify", "--all", "-", input=text).stdout.count("file_not_found") == 14


def test_the_working_tree_is_looked_at_unless_a_commit_is_named(teamlead: Teamlead, shop: Path) -> None:
    (shop / "src/tax.py").unlink()
    (shop / "new.py").write_text("new\n")
    assert teamlead("refs", "verify", "-", input="new.py:1").returncode == 0
    assert teamlead("refs", "verify", "-", input="src/tax.py:1").returncode == 5
    assert teamlead("refs", "verify", "--commit", "HEAD", "-", input="new.py:1").returncode == 5
    assert teamlead("refs", "verify", "--commit", "HEAD", "-", input="src/tax.py:1").returncode == 0


def test_references_are_relative_to_the_root_wherever_one_stands(teamlead: Teamlead, shop: Path) -> None:
    done = teamlead("refs", "verify", "-", input=f"src/tax.py:1 {shop}/src/tax.py:2", cwd=shop / "src")
    assert (done.returncode, done.stdout) == (0, "-: valid 2/2 (2 unverified)\n")


def test_what_stood_there_before_a_change_is_known_by_its_base(teamlead: Teamlead) -> None:
    git("rm", "-q", "src/tax.py")
    git("commit", "-qm", "No tax")
    told = teamlead("refs", "verify", "--commit", "HEAD", "--base", "HEAD~1", "-", input="src/tax.py:1")
    assert told.stdout == ("→ src/tax.py:1: MOVED: stood there before the change\n-: valid 1/1 (1 moved)\n")


def test_the_text_is_printed_with_its_labels(teamlead: Teamlead) -> None:
    done = teamlead("refs", "verify", "--mark", "report.md")
    assert done.returncode == 5
    assert done.stdout == REPORT.replace("tax.py:1,", "tax.py:1 [UNVERIFIED],").format(
        "src/vat.py:3 [INVALID: file_not_found]"
    )


def test_scripts_get_every_reference(teamlead: Teamlead) -> None:
    document = json.loads(teamlead("refs", "verify", "--json", "--commit", "main", "report.md").stdout)
    (report,) = document["reports"]
    assert (document["ok"], len(document["commit"])) == (False, 40)
    assert (report["name"], report["references_total"], report["references_valid"]) == ("report.md", 3, 2)
    assert report["references"][2] == {
        "place": "src/vat.py:3",
        "standing": "invalid",
        "reason": "file_not_found",
        "note": "",
        "line": None,
    }


def test_one_bad_report_among_several_is_enough(teamlead: Teamlead, shop: Path) -> None:
    (shop / "good.md").write_text("src/tax.py:1\n")
    done = teamlead("refs", "verify", "good.md", "report.md")
    assert (done.returncode, done.stdout.count(".md: valid")) == (5, 2)


def test_a_result_may_come_as_json(teamlead: Teamlead) -> None:
    handed_in = json.dumps({"references": [{"item": "x", "place": "src/tax.py:1"}], "note": "a\nsrc/b.py:2"})
    found = json.loads(teamlead("refs", "verify", "--json", "-", input=handed_in).stdout)["reports"][0]
    assert [each["place"] for each in found["references"]] == ["src/tax.py:1", "src/b.py:2"]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((), 2, "name either files with reports or a task"),
        (("report.md", "--task", "1"), 2, "name either files with reports or a task"),
        (("--task", "1", "--commit", "HEAD"), 2, "--task brings its own commit"),
        (("report.md", "--mark", "--json"), 2, "--mark prints the text, not JSON"),
        (("report.md", "--commit", "nowhere"), 4, "there is no commit 'nowhere'"),
        (("none.md",), 4, "there is no file 'none.md'"),
        (("--task", "1"), 4, "there is no session in this repository"),
    ],
)
def test_wrong_use_is_explained(arguments: tuple[str, ...], code: int, told: str, teamlead: Teamlead) -> None:
    done = teamlead("refs", "verify", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr


def test_outside_of_a_repository_it_says_so(teamlead: Teamlead, home: Path) -> None:
    done = teamlead("refs", "verify", "-", input="a.py:1", cwd=home)
    assert done.returncode == 2
    assert "is not in a git repository" in done.stderr


def test_what_a_text_holds_does_not_steer_the_terminal(teamlead: Teamlead) -> None:
    hostile = "src/\x1b[31mred.py:1 `a\x07b.py`:2\n"
    for options in ((), ("--all",), ("--mark",), ("--json",)):
        shown = teamlead("refs", "verify", *options, "-", input=hostile).stdout
        assert not {"\x1b", "\x07"} & set(shown)
