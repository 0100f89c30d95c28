"""`teamlead guard`, as a model that leads through the command line would use it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Teamlead = Callable[..., subprocess.CompletedProcess[str]]

VALUE = "What is TTL set to?"


@pytest.fixture(autouse=True)
def files(repository: Path) -> Path:
    for name in ("a.py", "b.py", "c.py", "d.py"):
        (repository / name).write_text("TTL = 1\n" * 10)
    (repository / "spec.md").write_text("# Spec\n\n-   one\n- two\n\nTo recieve is good.\n")
    subprocess.run(["git", "add", "-A"], check=True)
    subprocess.run(["git", "commit", "-qm", "first"], check=True)
    return repository


def logged(teamlead: Teamlead) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(teamlead("guard", "log", "--json").stdout)["entries"]
    return found


def test_a_lookup_is_allowed_and_logged(teamlead: Teamlead) -> None:
    done = teamlead("guard", "read", "a.py", "--purpose", VALUE)
    assert (done.returncode, done.stdout) == (0, "allowed: within the limits\n")
    (entry,) = logged(teamlead)
    assert (entry["subjects"], entry["purpose"], entry["exemption"]) == (["a.py"], VALUE, "quick-lookup")


@pytest.mark.parametrize(
    ("arguments", "reason", "role"),
    [
        (["a.py", "b.py", "c.py", "d.py", "--purpose", VALUE], "4 files", "code-explorer"),
        (["a.py", "--purpose", "understand the cache"], "more than to see one value", "code-explorer"),
        (["a.py", "--purpose", "is this value vulnerable"], "no analysis of security", "security-auditor"),
        (
            ["a.py", "--purpose", "progress", "--context", "metadata"],
            "not a file in which a lead",
            "code-explorer",
        ),
    ],
)
def test_more_than_a_lookup_is_refused_with_whom_to_delegate_to(
    arguments: list[str], reason: str, role: str, teamlead: Teamlead
) -> None:
    done = teamlead("guard", "read", *arguments)
    assert done.returncode == 5
    assert reason in done.stderr
    assert f"delegate it to {role}" in done.stderr
    assert logged(teamlead)[-1]["allowed"] is False


def test_after_an_agent_failed_more_lines_are_read_for_any_purpose(files: Path, teamlead: Teamlead) -> None:
    for name in ("a.py", "b.py"):
        (files / name).write_text("x\n" * 200)
    asked = ["guard", "read", "a.py", "b.py", "--purpose", "understand the cache"]
    assert teamlead(*asked).returncode == 5
    done = teamlead(*asked, "--context", "fallback")
    assert done.returncode == 0
    assert "results may be incomplete" in done.stderr
    assert logged(teamlead)[-1]["exemption"] == "fallback-read"


def test_the_leads_own_files_are_read_whole(files: Path, teamlead: Teamlead) -> None:
    path = files / ".teamlead" / "sessions" / "s1" / "claude-progress.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}\n" * 5000)
    done = teamlead("guard", "read", str(path), "--purpose", "progress", "--context", "metadata")
    assert done.returncode == 0


def test_an_answer_is_also_one_json_object(teamlead: Teamlead) -> None:
    done = teamlead("guard", "edit", "a.py", "--before", "x", "--after", "y", "--json")
    assert done.returncode == 2
    (path := Path("a.py")).write_text("only = 1\n")
    done = teamlead("guard", "edit", str(path), "--before", "1", "--after", "2", "--json")
    assert done.returncode == 5
    assert json.loads(done.stdout) == {
        "schema_version": 1,
        "allowed": False,
        "reason": "a lead changes no code, not even a line of it",
        "role": "backend-specialist",
        "rule": "own-code",
        "exemption": "",
    }


def test_an_edit_is_allowed_made_and_verified(files: Path, teamlead: Teamlead) -> None:
    path = files / "spec.md"
    done = teamlead("guard", "edit", "spec.md", "--before", "-   one", "--after", "- one")
    assert (done.returncode, done.stdout) == (0, "allowed: TRIVIAL: only the form changes\n")
    path.write_text(path.read_text().replace("-   one", "- one"))
    done = teamlead("guard", "verify")
    assert (done.returncode, done.stdout) == (0, f"{path}: only what was allowed is changed\n")
    assert teamlead("guard", "verify").stdout == ""


def test_an_edit_that_did_more_is_refused_afterwards_with_the_way_back(
    files: Path, teamlead: Teamlead
) -> None:
    path = files / "spec.md"
    before = path.read_text()
    assert teamlead("guard", "edit", "spec.md", "--before", "-   one", "--after", "- one").returncode == 0
    path.write_text(before.replace("-   one", "- one").replace("two", "three"))
    done = teamlead("guard", "verify", "spec.md")
    assert done.returncode == 5
    assert "1 line more than allowed is changed: 4" in done.stdout
    subprocess.run(done.stdout.partition("take it back: ")[2], shell=True, check=True)
    assert path.read_text() == before
    assert teamlead("guard", "verify", "spec.md").returncode == 0


def test_a_look_before_the_edit_leaves_the_permission_open_so_that_a_larger_edit_is_found(
    files: Path, teamlead: Teamlead
) -> None:
    path = files / "spec.md"
    before = path.read_text()
    assert teamlead("guard", "edit", "spec.md", "--before", "-   one", "--after", "- one").returncode == 0
    early = teamlead("guard", "verify")
    assert (early.returncode, early.stdout) == (0, f"{path}: not changed yet, so the permission stays\n")
    path.write_text(before.replace("-   one", "- one").replace("two", "three"))
    done = teamlead("guard", "verify")
    assert done.returncode == 5
    assert "1 line more than allowed is changed: 4" in done.stdout


def test_another_permission_takes_the_place_of_one_that_was_not_used(files: Path, teamlead: Teamlead) -> None:
    path = files / "spec.md"
    hurry = ("--because", "user-asked-for-speed")
    for before, after in (("-   one", "- one"), ("recieve", "receive")):
        asked = ("guard", "edit", "spec.md", "--before", before, "--after", after, *hurry)
        assert teamlead(*asked).returncode == 0
    path.write_text(path.read_text().replace("recieve", "receive"))
    done = teamlead("guard", "verify")
    assert (done.returncode, done.stdout) == (0, f"{path}: only what was allowed is changed\n")


def test_an_edit_on_top_of_one_that_nobody_has_verified_is_looked_at_by_itself(
    files: Path, teamlead: Teamlead
) -> None:
    path = files / "spec.md"
    hurry = ("--because", "user-asked-for-speed")
    for before, after in (("-   one", "- one"), ("recieve", "receive")):
        asked = ("guard", "edit", "spec.md", "--before", before, "--after", after, *hurry)
        assert teamlead(*asked).returncode == 0
        path.write_text(path.read_text().replace(before, after))
    assert teamlead("guard", "verify").returncode == 0


def test_a_change_that_nobody_allowed_is_an_error(files: Path, teamlead: Teamlead) -> None:
    assert teamlead("guard", "verify", "spec.md").returncode == 0
    (files / "spec.md").write_text("# Another\n")
    done = teamlead("guard", "verify", "spec.md")
    assert done.returncode == 5
    assert "no permission for that is logged" in done.stdout


def test_a_new_file_that_nobody_allowed_is_an_error(files: Path, teamlead: Teamlead) -> None:
    (files / "new").mkdir()
    (files / "new/[a] plan.md").write_text("# Plan\n\nAll of it\n")
    told = "new/[a] plan.md: it is new (3 lines), and no permission for that is logged\n"
    for step in (("status",), ("add", "-A")):
        subprocess.run(["git", *step], check=True, capture_output=True)
        done = teamlead("guard", "verify", "new/[a] plan.md")
        assert (done.returncode, done.stdout) == (5, told)


def test_a_new_file_that_git_ignores_is_no_change_of_the_project(files: Path, teamlead: Teamlead) -> None:
    (files / ".git/info/exclude").write_text("*.log\n")
    (files / "lead.log").write_text("so far\n")
    assert teamlead("guard", "verify", "lead.log").returncode == 0


def test_a_patch_is_judged_like_a_pair_of_texts(files: Path, teamlead: Teamlead) -> None:
    path = files / "spec.md"
    before = path.read_text()
    path.write_text(before.replace("recieve", "receive"))
    patch = subprocess.run(["git", "diff"], capture_output=True, text=True, check=True).stdout
    path.write_text(before)
    assert teamlead("guard", "edit", "spec.md", input=patch).returncode == 5
    done = teamlead("guard", "edit", "spec.md", "--because", "user-asked-for-speed", input=patch)
    assert (done.returncode, done.stdout) == (0, "allowed: TRIVIAL: a word was misspelt\n")
    assert logged(teamlead)[-1]["because"] == "user-asked-for-speed"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["read", "nothing.py", "--purpose", VALUE], 4),
        (["read", "a.py"], 2),
        (["edit", "spec.md", "--before", "one"], 2),
        (["edit", "spec.md", "--before", "nothing", "--after", "x"], 2),
        (["edit", "nothing.md"], 4),
        (["install"], 2),
    ],
)
def test_wrong_use_ends_with_one_clear_message(arguments: list[str], code: int, teamlead: Teamlead) -> None:
    done = teamlead("guard", *arguments, input="")
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_a_use_that_cannot_be_logged_is_refused(files: Path, teamlead: Teamlead) -> None:
    done = teamlead("guard", "read", "a.py", "--purpose", VALUE, "--log", str(files))
    assert done.returncode == 1
    assert "allowed" not in done.stdout
    own = files / "log.jsonl"
    assert teamlead("guard", "read", "a.py", "--purpose", VALUE, "--log", str(own)).returncode == 0
    assert json.loads(own.read_text())["allowed"] is True


def test_the_rules_are_listed_with_their_levels(teamlead: Teamlead) -> None:
    shown = teamlead("guard", "rules").stdout
    assert any(line.split()[:3] == ["bulk-reading", "L1", "lead"] for line in shown.splitlines())
    assert any(line.split()[:3] == ["stage-complete", "L1", "lead"] for line in shown.splitlines())
    document = json.loads(teamlead("guard", "rules", "--json").stdout)
    assert {rule["level"] for rule in document["rules"]} == {"L1", "L2", "L3"}
    assert list(document["exemptions"]) == ["quick-lookup", "fallback-read", "trivial-edit", "metadata-read"]
    assert len(document["responsibilities"]) == 5


def test_hooks_are_put_into_the_projects_settings_and_taken_out(files: Path, teamlead: Teamlead) -> None:
    path = files / ".claude" / "settings.json"
    assert (
        teamlead("guard", "install", "--project", "--print").stdout
        == teamlead("guard", "install", "--print").stdout
    )
    assert not path.exists()
    assert teamlead("guard", "install", "--project").returncode == 0
    assert json.loads(path.read_text()) == json.loads(teamlead("guard", "install", "--print").stdout)
    assert "nothing to change" in teamlead("guard", "install", "--project").stdout
    assert teamlead("guard", "install", "--project", "--remove").returncode == 0
    assert json.loads(path.read_text()) == {}


def test_hooks_are_put_into_the_users_settings(home: Path, teamlead: Teamlead) -> None:
    assert teamlead("guard", "install", "--user").returncode == 0
    assert "teamlead guard hook" in (home / ".claude" / "settings.json").read_text()


def test_an_empty_log_says_so(teamlead: Teamlead) -> None:
    assert teamlead("guard", "log").stdout == "Nothing is logged yet.\n"


def test_the_hook_never_answers_with_a_traceback(teamlead: Teamlead) -> None:
    for option in ([], ["--help"]):
        done = teamlead("guard", "hook", *option, input="no event")
        assert "Traceback" not in done.stderr
    assert teamlead("guard", "hook", input="no event").returncode == 2
