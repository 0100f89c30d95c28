"""The user's branch moves when they say so, only then, and never at the cost of their own work."""

import shlex
import subprocess
from collections.abc import Iterator

import pytest
from tests.flows.conftest import Prepared
from tests.flows.support import Project, ask, run, write

WORK = {"README.md": "# Sample", "shared.txt": "one\ntwo by the team\nthree", "new.txt": "new"}


@pytest.fixture(scope="module")
def prepared(shared: Project) -> Prepared:
    shared.task(1, [run("sed -i 's/two/two by the team/' shared.txt")])
    shared.task(2, [write("new.txt", "new\n")])
    shared.plays("task-3", [write("more.txt", "more\n")])
    assert shared.start().code == 3
    return Prepared(shared)


@pytest.fixture
def finished(prepared: Prepared) -> Iterator[Project]:
    """A session whose work waits for approval: it changes one line, and adds a file."""
    with prepared.again() as project:
        yield project


def phase(project: Project) -> str:
    return str(project.status()["session"]["phase"])


def on_disk(project: Project) -> dict[str, str]:
    listed = project.git("ls-files").splitlines()
    return {name: (project.root / name).read_text().strip("\n") for name in listed}


def test_a_branch_that_has_not_moved_is_brought_to_the_work_and_can_be_brought_back(
    finished: Project,
) -> None:
    before = finished.users_things()
    old = finished.tip("main")

    ended = finished.teamlead("approve")

    assert ended.code == 0, ended.err
    assert finished.tip("main") == finished.tip(finished.integration)
    assert finished.files("main") == on_disk(finished) == WORK
    assert finished.git("status", "--porcelain") == ""
    assert finished.git("symbolic-ref", "HEAD") == "refs/heads/main"
    assert phase(finished) == "DONE"
    assert finished.status()["session"]["state"] == "COMPLETED"
    assert finished.copies() == []

    undo = ended.out.split("undo: ")[1].strip()
    subprocess.run(shlex.split(undo), check=True, env=finished.environment)
    after = finished.users_things()
    assert finished.tip("main") == old
    assert (after["files"], after["config"]) == (before["files"], before["config"])


def add_more(project: Project) -> str:
    """Somebody has another task done; returns the work as it was before."""
    shown = project.tip(project.integration)
    assert project.teamlead("plan", "add", "More", "--scope", "more.txt").code == 0
    assert project.teamlead("resume", "--json").code == 3
    assert project.tip(project.integration) != shown
    return shown


def test_work_that_grew_since_it_was_shown_is_not_approved_before_it_was_shown_again(
    finished: Project,
) -> None:
    shown = add_more(finished)
    before, now = finished.users_things(), finished.tip(finished.integration)

    refused = finished.teamlead("approve")

    assert refused.code == 5
    assert f"is {now[:10]} by now, and not {shown[:10]} as it was shown: task-3 came in" in refused.err
    assert f"Since {shown[:10]}:\nmore.txt | 1 +\n" in refused.out
    assert f"teamlead approve {finished.session} --commit {now[:10]}" in refused.out
    assert finished.users_things() == before
    assert phase(finished) == "AWAITING_APPROVAL"
    assert finished.teamlead("approve").code == 0
    assert finished.tip("main") == now


@pytest.mark.parametrize("command", ["status", "report", "diff"])
def test_who_has_looked_at_what_came_in_approves_it(finished: Project, command: str) -> None:
    add_more(finished)
    now = finished.tip(finished.integration)
    looked = finished.teamlead(command)
    assert now[:10] in looked.out + looked.err
    assert finished.teamlead("approve").code == 0
    assert finished.tip("main") == now


def test_what_programs_read_is_not_shown_to_a_person(finished: Project) -> None:
    add_more(finished)
    for command in ("status", "report", "diff"):
        assert finished.teamlead(command, "--json").code == 0
    assert finished.teamlead("approve").code == 5


def test_a_script_names_the_commit_that_it_means(finished: Project) -> None:
    shown = add_more(finished)
    now = finished.tip(finished.integration)
    assert finished.teamlead("approve", "--commit", shown[:12]).code == 5
    unknown = finished.teamlead("approve", "--commit", "0123456789")
    assert (unknown.code, "there is no commit '0123456789'" in unknown.err) == (4, True)
    other = finished.teamlead("approve", "--commit", "main")
    assert (other.code, "is not what it was at any time" in other.err) == (5, True)
    assert finished.tip("main") != now
    assert finished.teamlead("approve", "--commit", now[:12]).code == 0
    assert finished.tip("main") == now
    (asked,) = [event["body"] for event in finished.events() if event["kind"] == "ApprovalRequested"]
    assert asked["commit"] == now


def test_work_that_nobody_has_looked_at_yet_is_approved_as_it_is(project: Project) -> None:
    project.task(1, [write("new.txt", "new\n")])
    assert project.start("--json").code == 3
    assert project.teamlead("approve").code == 0
    assert project.tip("main") == project.tip(project.integration)


def test_a_branch_that_moved_meanwhile_gets_the_work_merged(finished: Project) -> None:
    theirs = finished.commit("mine", {"own.txt": "own\n"})

    assert finished.teamlead("approve").code == 0

    assert finished.files("main") == on_disk(finished) == {**WORK, "own.txt": "own"}
    assert finished.has_commit("main", theirs)
    assert finished.has_commit("main", finished.tip(finished.integration))
    assert finished.git("status", "--porcelain") == ""


def test_a_branch_that_moved_into_conflict_is_left_alone_until_the_user_has_mended_it(
    finished: Project,
) -> None:
    finished.commit("mine", {"shared.txt": "one\ntwo by me\nthree\n"})
    before = finished.users_things()

    refused = finished.teamlead("approve")

    assert refused.code == 1
    assert "conflicts with the branch 'main' in shared.txt" in refused.err
    assert finished.users_things() == before
    assert phase(finished) == "AWAITING_APPROVAL"
    (waiting,) = finished.status()["session"]["waiting"]
    assert (waiting["what"], "shared.txt" in waiting["reason"]) == ("approval", True)

    finished.git("revert", "--no-edit", "HEAD")
    assert finished.teamlead("approve").code == 0
    assert finished.files("main") == on_disk(finished) == WORK


def test_work_in_conflict_can_be_turned_down(finished: Project) -> None:
    finished.commit("mine", {"shared.txt": "one\ntwo by me\nthree\n"})
    assert finished.teamlead("approve").code == 1
    before = finished.users_things()

    assert finished.teamlead("reject", "--reason", "mine is better").code == 0

    assert finished.users_things() == before
    assert phase(finished) == "DONE"
    assert finished.files(finished.integration) == WORK
    assert "mine is better" in finished.teamlead("report").out
    assert "\nREJECTED (phase DONE: the work was rejected)\n" in finished.teamlead("status").out
    assert finished.status()["session"]["state"] == "REJECTED"


def test_an_unattended_start_approves_what_is_complete(project: Project) -> None:
    project.task(1, [write("new.txt", "new\n")])

    ended = project.start("--approve")

    assert ended.code == 0, ended.err
    assert f"main is now {project.tip('main')[:10]}" in ended.out
    assert project.content("main", "new.txt") == "new"
    assert project.copies() == []


def test_an_unattended_start_that_cannot_approve_says_why_and_waits(project: Project) -> None:
    (project.root / "new.txt").write_text("my own, not committed\n")
    project.task(1, [write("new.txt", "new\n")])
    before = project.users_things()

    ended = project.start("--approve")

    assert ended.code == 3
    assert "Not committed, so agents will not see it: new.txt" in ended.err
    assert "Approval was not possible: your changes" in ended.out
    assert project.users_things() == before
    (project.root / "new.txt").unlink()
    assert project.teamlead("approve").code == 0
    assert project.content("main", "new.txt") == "new"


@pytest.mark.parametrize("staged", [False, True])
def test_uncommitted_changes_that_overlap_are_never_overwritten(finished: Project, staged: bool) -> None:
    (finished.root / "shared.txt").write_text("my own, not committed\n")
    if staged:
        finished.git("add", "shared.txt")
    before = finished.users_things()

    refused = finished.teamlead("approve")

    assert refused.code == 1
    assert "overlap with the work: shared.txt" in refused.err
    assert finished.users_things() == before
    finished.git("stash", "--quiet")
    assert finished.teamlead("approve").code == 0
    assert finished.files("main") == WORK


def test_uncommitted_changes_elsewhere_stay_as_they_are(finished: Project) -> None:
    (finished.root / "README.md").write_text("# Mine, not committed\n")
    (finished.root / "untracked.txt").write_text("mine\n")

    assert finished.teamlead("approve").code == 0

    assert finished.files("main") == WORK
    assert (finished.root / "README.md").read_text() == "# Mine, not committed\n"
    assert finished.git("status", "--porcelain").splitlines() == [" M README.md", "?? untracked.txt"]


def test_a_session_can_become_one_commit(finished: Project) -> None:
    old = finished.tip("main")

    assert finished.teamlead("approve", "--squash").code == 0

    assert finished.git("rev-parse", "main^@") == old
    assert finished.files("main") == on_disk(finished) == WORK
    assert finished.git("show", "-s", "--format=%an: %s", "main") == "Ada: A plan for a test"
    assert phase(finished) == "DONE"


def test_rejected_work_stays_on_its_branches_and_can_no_longer_be_approved(finished: Project) -> None:
    before = finished.users_things()

    ended = finished.teamlead("reject")

    assert ended.code == 0
    assert f"below teamlead/{finished.session}/" in ended.out
    assert finished.users_things() == before
    assert finished.files(finished.integration) == WORK
    for command in ("approve", "reject", "cancel"):
        refused = finished.teamlead(command)
        assert (refused.code, "has ended (DONE: " in refused.err) == (5, True)
    assert finished.users_things() == before
    assert finished.copies() == []


def test_a_second_approval_is_refused_and_changes_nothing(finished: Project) -> None:
    assert finished.teamlead("approve").code == 0
    before = finished.users_things()

    refused = finished.teamlead("approve")

    assert refused.code == 5
    assert "has ended (DONE: " in refused.err
    assert finished.users_things() == before


@pytest.mark.parametrize("command", ["approve", "reject"])
def test_unfinished_work_can_be_neither_approved_nor_rejected(project: Project, command: str) -> None:
    project.task(1, [write("a.txt", "a\n")])
    project.task(2, [ask("Really?")])
    assert project.start().code == 3
    before = project.users_things()

    refused = project.teamlead(command)

    assert refused.code == 5
    assert "does not wait for approval: it is EXECUTING" in refused.err
    assert project.users_things() == before


def test_a_branch_that_is_not_checked_out_moves_without_touching_the_one_that_is(finished: Project) -> None:
    finished.git("switch", "--quiet", "--create", "other")
    finished.commit("elsewhere", {"other.txt": "other\n"})
    before = finished.users_things()

    ended = finished.teamlead("approve")

    assert ended.code == 0, ended.err
    assert finished.files("main") == WORK
    after = finished.users_things()
    assert {**after, "refs": 0} == {**before, "refs": 0}
    assert finished.git("status", "--porcelain") == ""


def test_a_branch_that_is_checked_out_in_another_working_tree_moves_there(finished: Project) -> None:
    finished.git("switch", "--quiet", "--create", "other")
    linked = finished.place / "linked"
    finished.git("worktree", "add", "--quiet", str(linked), "main")

    assert finished.teamlead("approve").code == 0

    assert (linked / "new.txt").read_text() == "new\n"
    assert finished.git("status", "--porcelain", cwd=linked) == ""
    assert not (finished.root / "new.txt").exists()


def test_nothing_is_approved_in_the_middle_of_a_merge(finished: Project) -> None:
    finished.git("switch", "--quiet", "--create", "side")
    finished.commit("side", {"side.txt": "side\n"})
    finished.git("switch", "--quiet", "main")
    finished.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    before = finished.users_things()

    refused = finished.teamlead("approve")

    assert refused.code == 1
    assert "a merge of 'main' is under way" in refused.err
    assert finished.users_things() == before
    finished.git("merge", "--abort")
    assert finished.teamlead("approve").code == 0


def test_hooks_of_the_user_do_not_run_for_the_lead(finished: Project) -> None:
    fired = finished.barrier("hook")
    for name in ("post-merge", "reference-transaction", "post-checkout", "pre-commit", "post-commit"):
        hook = finished.root / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {fired}\n")
        hook.chmod(0o755)

    assert finished.teamlead("approve").code == 0

    assert not fired.exists()
    for hook in (finished.root / ".git" / "hooks").iterdir():
        hook.unlink()


def test_a_branch_that_is_gone_is_not_made_anew(finished: Project) -> None:
    finished.git("switch", "--quiet", "--create", "other")
    finished.git("branch", "--quiet", "-D", "main")

    refused = finished.teamlead("approve")

    assert refused.code == 1
    assert "the branch 'main' is gone" in refused.err
    assert "refs/heads/main" not in finished.refs()
    assert phase(finished) == "AWAITING_APPROVAL"
