"""What an agent changed in the user's repository is told until it is put right; their own work is not."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.flows.support import ROOMLESS, SETTINGS, USERS, Project, fail, run, touch, until, wait_for, write

GOOD = write("a.txt", "good\n")
HOOK = f"echo 'touch x' >{USERS}/.git/hooks/post-checkout"
PAGER = f"git -C {USERS} config core.pager 'touch x'"
ITEMS = {"config:core.pager", "hooks/post-checkout"}


@pytest.fixture
def project(project: Project) -> Project:
    """In rooms nobody could change anything there."""
    return project.settings(ROOMLESS)


@pytest.fixture
def trespassed(project: Project) -> Project:
    """The work is done, also what it was not asked for."""
    project.git("config", "core.pager", "less")
    project.task(1, [GOOD, run(PAGER), run(HOOK)], [])
    assert project.start_in_background("--approve").end().code == 3
    assert project.outcomes(1) == ["refused", "accepted"]
    return project


def test_a_trespass_blocks_approval_in_advance_and_is_on_every_last_screen(trespassed: Project) -> None:
    assert "a.txt" not in trespassed.files("main")
    status = trespassed.teamlead("status")
    assert "open: hooks/post-checkout was added (at work: task-1 (attempt 1))" in status.out
    assert f"next: teamlead mend {trespassed.session}" in status.out
    session = trespassed.status()["session"]
    assert {each["item"] for each in session["trespasses"]} == ITEMS
    report = trespassed.teamlead("report")
    assert "## Changed in your repository, and open" in report.out
    assert {each["item"] for each in trespassed.teamlead("report", "--json").json["trespasses"]} == ITEMS

    refused = trespassed.teamlead("approve")
    assert refused.code == 5
    assert "the setting core.pager was changed; hooks/post-checkout was added" in refused.err
    assert f"teamlead mend {trespassed.session}" in refused.err
    resumed = trespassed.teamlead("resume")
    assert resumed.code == 3
    assert "Changed in your repository, not by you as far as one can tell:" in resumed.out
    assert f"teamlead mend {trespassed.session}" in resumed.out.splitlines()[-3]


def test_once_everything_is_put_back_the_work_gets_to_the_branch(trespassed: Project) -> None:
    listed = trespassed.teamlead("mend")
    assert listed.code == 3
    assert "was less" in listed.out
    assert "is  touch x" in listed.out

    mended = trespassed.background("mend", "--put-back", "all").end()
    assert mended.code == 0, mended.err
    assert trespassed.git("config", "core.pager") == "less"
    assert not (trespassed.root / ".git/hooks/post-checkout").exists()
    settled = [event["body"] for event in trespassed.events() if event["kind"] == "TrespassSettled"]
    assert {(each["item"], each["how"], each["by"]) for each in settled} == {
        (item, "put back", "user") for item in ITEMS
    }
    assert "a.txt" in trespassed.files("main")
    assert trespassed.status()["session"]["trespasses"] == []


def test_each_is_decided_on_by_itself_and_the_changed_side_is_kept(trespassed: Project) -> None:
    first = trespassed.background("mend", "--put-back", "hooks/post-checkout", "--json").end()
    assert first.code == 3
    changes = {change["item"]: change for change in first.json["changes"]}
    assert Path(changes["hooks/post-checkout"]["kept"]).read_text() == "touch x\n"
    assert changes["config:core.pager"]["done"] is None
    assert (changes["config:core.pager"]["before"], changes["config:core.pager"]["after"]) == (
        ["less"],
        ["touch x"],
    )
    assert trespassed.background("mend", "--accept", "config:core.pager").end().code == 0
    assert trespassed.git("config", "core.pager") == "touch x"
    assert "a.txt" in trespassed.files("main")
    assert trespassed.teamlead("mend").out == (
        "Nothing is open: apart from your own work, your repository is as it was.\n"
    )


def test_what_was_put_right_by_hand_does_not_hold_approval_up(project: Project) -> None:
    project.task(1, [GOOD, run(HOOK)], [])
    assert project.start_in_background().end().code == 3
    (project.root / ".git/hooks/post-checkout").unlink()
    approved = project.teamlead("approve")
    assert approved.code == 0, approved.err
    assert "a.txt" in project.files("main")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--put-back", "hooks/none"], 4, "'hooks/none' is not changed"),
        (
            ["--put-back", "all", "--accept", "hooks/post-checkout"],
            2,
            "cannot be put back and accepted at once",
        ),
        (["nobody"], 4, "there is no session 'nobody'"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(
    trespassed: Project, arguments: list[str], code: int, told: str
) -> None:
    ended = trespassed.teamlead("mend", *arguments)
    assert ended.code == code
    assert told in ended.err


def test_an_agent_that_fails_after_a_trespass_is_found_out_too(project: Project) -> None:
    project.settings(f"{ROOMLESS}attempts = 1\n")
    project.task(1, [run(HOOK), fail("no idea")])
    assert project.start_in_background().end().code == 3
    assert project.happened("TrespassFound")
    assert project.teamlead("mend").code == 3


def test_what_a_check_changed_is_found_out_before_the_work_is_approved(project: Project) -> None:
    project.task(1, [GOOD], checks=[HOOK])
    assert project.start_in_background("--approve").end().code == 3
    assert "a.txt" not in project.files("main")
    assert project.background("mend", "--put-back", "all").end().code == 0
    assert "a.txt" in project.files("main")


def test_a_leader_at_work_goes_on_while_its_user_mends(project: Project) -> None:
    go = project.barrier("go")
    project.task(1, [GOOD, run(HOOK)], [GOOD])
    project.task(2, [wait_for(go), write("b.txt", "b\n")])
    leader = project.start_in_background("--approve", "--jobs", "2")
    until(lambda: project.happened("TrespassFound"), "the trespass is found")
    assert project.teamlead("mend", "--put-back", "all").code == 0
    assert project.happened("TrespassSettled", how="put back", by="user")
    go.touch()
    assert leader.end().code == 0
    assert {"a.txt", "b.txt"} <= project.files("main").keys()


def test_a_configuration_that_git_cannot_read_is_put_back(project: Project) -> None:
    project.task(1, [GOOD, run(f"echo '[[[' >>{USERS}/.git/config")])
    assert project.start_in_background().end().code != 0
    assert project.background("mend", "--put-back", "all").end().code == 0
    assert project.git("config", "user.name") == "Ada"


def test_a_branch_whose_name_is_no_text_is_told_and_put_back(project: Project) -> None:
    project.task(1, [GOOD, run(f"git -C {USERS} branch $(printf '\\377')")], [])
    ended = project.start_in_background("--approve").end()
    assert ended.code == 3, ended.err
    assert r"refs/heads/\xff was moved from nothing" in ended.out
    assert r"refs/heads/\xff" in project.teamlead("mend").out
    assert project.background("mend", "--put-back", "all").end().code == 0
    assert project.git("for-each-ref", "--format=%(refname)", "refs/heads/?*") == "refs/heads/main"
    assert "a.txt" in project.files("main")


def test_a_git_directory_that_an_agent_moved_costs_no_attempt_and_is_told(project: Project) -> None:
    moved = project.place / "moved"
    script = f"mv {USERS}/.git {moved}; echo gitdir: {moved} >{USERS}/.git"
    project.task(1, [GOOD, run(script)], [GOOD])
    ended = project.start_in_background("--approve").end()
    assert ended.code == 1
    assert f"the git directory '{project.root}/.git' is gone, or no folder any more" in ended.err
    listed = project.teamlead("mend")
    assert listed.code == 3
    assert f"is  gitdir: {moved}" in listed.out
    (project.root / ".git").unlink()
    moved.rename(project.root / ".git")
    assert project.teamlead("mend").code == 0
    assert project.background("resume").end().code == 0
    assert project.outcomes(1) == ["accepted"]
    assert "a.txt" in project.files("main")


def test_a_user_at_work_beside_a_session_blocks_nothing(project: Project) -> None:
    """Commits, fetches, branches, tags, settings, the stash, switching, a rebase, while agents work."""
    away = project.place / "away"
    project.git("clone", "--quiet", str(project.root), str(away))
    project.git("remote", "add", "origin", str(away))
    project.git("branch", "topic")
    at_work, go = project.barrier("at work"), project.barrier("go")
    project.task(1, [touch(at_work), wait_for(go), GOOD])
    project.task(2, [wait_for(go), write("b.txt", "b\n")], after=[1])
    leader = project.start_in_background("--approve", "--jobs", "2")
    until(at_work.exists, "an agent is at work")

    project.commit("mine", {"mine.txt": "mine\n"})
    project.git("commit", "--quiet", "--amend", "-m", "mine, better told")
    identity = ("-c", "user.name=Eve", "-c", "user.email=eve@example.com")
    project.git("-C", str(away), *identity, "commit", "--quiet", "--allow-empty", "-m", "theirs")
    project.git("-C", str(away), "tag", "theirs")
    project.git("fetch", "--quiet", "origin")
    project.git("branch", "--quiet", "--track", "follow", "origin/main")
    project.git("tag", "v1")
    project.git("tag", "--force", "-m", "signed off", "v1")
    project.git("config", "pull.rebase", "true")
    project.git("config", "user.email", "ada@work.example")
    project.git("config", "alias.st", "status --short")
    (project.root / "mine.txt").write_text("half done\n")
    project.git("stash", "--quiet")
    project.git("stash", "pop", "--quiet")
    project.git("stash", "--quiet")
    project.git("stash", "drop", "--quiet")
    project.git("switch", "--quiet", "topic")
    project.commit("on a topic", {"topic.txt": "topic\n"})
    project.git("rebase", "--quiet", "main")
    project.git("switch", "--quiet", "--create", "another")
    project.git("switch", "--quiet", "main")
    project.git("branch", "--quiet", "-D", "another")
    project.git("worktree", "add", "--quiet", str(project.place / "second"), "topic")
    project.git("pack-refs", "--all")
    go.touch()

    ended = leader.end()
    assert ended.code == 0, ended.out + ended.err
    assert not project.happened("TrespassFound")
    assert {task["id"]: task["trespasses"] for task in project.tasks()} == {"task-1": [], "task-2": []}
    assert {"a.txt", "b.txt", "mine.txt"} <= project.files("main").keys()
    listed = project.teamlead("mend")
    assert listed.code == 0
    assert "Probably changed by you; this blocks nothing:" in listed.out


def test_beside_agents_in_rooms_whatever_its_user_sets_is_theirs(project: Project) -> None:
    project.settings(SETTINGS)
    at_work, go = project.barrier("at work"), project.barrier("go")
    project.task(1, [touch(at_work), wait_for(go), GOOD])
    leader = project.start_in_background("--approve")
    until(at_work.exists, "an agent is at work")
    project.git("config", "core.editor", "vim")
    (project.root / ".git" / "hooks" / "pre-push").write_text("#!/bin/sh\n")
    go.touch()

    ended = leader.end()

    assert ended.code == 0, ended.out + ended.err
    assert project.outcomes(1) == ["accepted"]
    assert project.teamlead("mend", "--json").json["changes"] == []


def test_while_it_is_open_no_other_session_is_started_or_approved(project: Project) -> None:
    project.task(1, [write("other.txt", "other\n")])
    assert project.start().code == 3
    first = project.session
    project.new_plan().task(1, [GOOD, run(HOOK)], [])
    assert project.start_in_background().end().code == 3
    second = project.sessions[-1].name

    approved = project.teamlead("approve", first)
    started = project.start()

    for refused in (approved, started):
        assert refused.code in {1, 5}
        assert f"your repository was changed while agents of session {second} worked" in refused.err
        assert f"teamlead mend {second}" in refused.err
    assert "other.txt" not in project.files("main")
    assert project.background("mend", second, "--put-back", "all").end().code == 0
    assert project.teamlead("approve", first).code == 0
    assert "other.txt" in project.files("main")


def test_a_session_is_not_cleaned_away_while_something_is_open(trespassed: Project) -> None:
    assert trespassed.teamlead("reject", "--reason", "no").code == 0
    kept = trespassed.teamlead("clean", "--keep", "0", "--yes")
    assert f"teamlead mend {trespassed.session}" in kept.out
    assert trespassed.background("mend", "--put-back", "all").end().code == 0
    assert trespassed.teamlead("clean", "--keep", "0", "--yes").code == 0
    assert trespassed.sessions == []


def test_a_branch_of_a_remote_that_an_agent_moved_is_open_and_put_back(project: Project) -> None:
    project.git("branch", "topic")
    project.commit("mine", {"mine.txt": "mine\n"})
    project.git("update-ref", "refs/remotes/origin/main", "main")
    before = project.tip("main")
    project.task(1, [GOOD, run(f"git -C {USERS} update-ref refs/remotes/origin/main topic")], [])
    assert project.start_in_background("--approve").end().code == 3
    assert project.teamlead("mend", "--json").json["changes"][0]["item"] == "refs/remotes/origin/main"

    assert project.background("mend", "--put-back", "all").end().code == 0

    assert project.tip("refs/remotes/origin/main") == before
    assert "a.txt" in project.files("main")


def test_what_is_approved_is_no_change_of_the_repository(project: Project) -> None:
    project.task(1, [GOOD])
    assert project.start_in_background("--approve").end().code == 0
    assert project.teamlead("mend", "--json").json["changes"] == []


@pytest.mark.parametrize(("answers", "hook"), [("p\np\ny\n", False), ("l\np\n", True)])
def test_at_a_terminal_each_is_asked_about(trespassed: Project, answers: str, *, hook: bool) -> None:
    out = at_terminal(trespassed, answers, "mend")
    assert "config:core.pager: [p]ut it back, [a]ccept it as yours, or decide [l]ater" in out
    assert not (trespassed.root / ".git/hooks/post-checkout").exists()
    assert (trespassed.git("config", "core.pager") == "touch x") is hook


def test_approval_asks_about_it_first(project: Project) -> None:
    project.task(1, [GOOD, run(HOOK)], [])
    assert project.start_in_background().end().code == 3
    out = at_terminal(project, "p\n", "approve")
    assert "hooks/post-checkout: put back" in out
    assert "main is now" in out


def at_terminal(project: Project, answers: str, *arguments: str) -> str:
    """What is on the terminal of a person who types this."""
    mine, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "teamlead", *arguments],
        cwd=project.root,
        env={**os.environ, **project.environment},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    os.write(mine, answers.encode())
    told = b""
    try:
        while part := os.read(mine, 4096):
            told += part
    except OSError:
        pass
    process.wait()
    os.close(mine)
    return told.decode()


def test_a_file_of_the_checkout_that_an_agent_changed_is_told_blocks_nothing_and_can_be_put_back(
    project: Project,
) -> None:
    (project.root / "draft.txt").write_text("my draft\n")
    project.task(1, [GOOD, run(f"echo evil >>{USERS}/README.md; rm {USERS}/draft.txt")])
    ended = project.start_in_background().end()
    assert project.outcomes(1) == ["accepted"]
    told = "Changed in your checkouts while agents without rooms worked: README.md, draft.txt\n"
    assert f"{told}If that was not you: teamlead mend {project.session}\n" in ended.out
    assert "checkout:draft.txt" in project.teamlead("mend").out

    items = ("--put-back", "checkout:README.md", "--put-back", "checkout:draft.txt")
    assert project.background("mend", *items).end().code == 0

    assert (project.root / "README.md").read_text() == "# Sample\n"
    assert (project.root / "draft.txt").read_text() == "my draft\n"
    assert project.teamlead("approve").code == 0


def test_unfinished_work_in_a_working_tree_that_an_agent_removed_is_told_and_comes_back(
    project: Project,
) -> None:
    second = project.place / "second"
    project.git("worktree", "add", "--quiet", "-b", "second", str(second))
    (second / "README.md").write_text("under my hands\n")
    (second / "notes.txt").write_text("notes\n")
    project.task(1, [GOOD, run(f"git -C {USERS} worktree remove --force {second}")])
    ended = project.start_in_background().end()
    where = "(gone with the working tree second)"
    assert f"worked: README.md {where}, notes.txt {where}\n" in ended.out

    items = ("--put-back", "checkout@second:README.md", "--put-back", "checkout@second:notes.txt")
    mended = project.background("mend", *items).end()
    assert mended.code == 0, mended.err
    assert (second / "README.md").read_text() == "under my hands\n"
    assert (second / "notes.txt").read_text() == "notes\n"
    status = ("status", "--short", "--branch")
    assert project.git(*status, cwd=second).splitlines() == ["## second", " M README.md", "?? notes.txt"]


def test_what_the_user_edits_beside_a_session_blocks_nothing(project: Project) -> None:
    begun, go_on = project.barrier("begun"), project.barrier("go on")
    project.task(1, [touch(begun), wait_for(go_on), GOOD])
    leader = project.start_in_background("--approve")
    until(begun.exists, "an agent is at work")
    (project.root / "README.md").write_text("edited by the user\n")
    go_on.touch()
    ended = leader.end()
    assert ended.code == 0, ended.err
    assert "a.txt" in project.files("main")
    assert (project.root / "README.md").read_text() == "edited by the user\n"
