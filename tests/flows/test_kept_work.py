"""What agents leave behind when a session ends early, and the space that sessions take."""

import sqlite3
from pathlib import Path

import pytest
from tests.flows.support import HANG, Project, ask, run, touch, until, write

COMMIT = "git -c user.name=agent -c user.email=agent@example.com commit -q --allow-empty"
DIRT = [
    write("half.txt", "half\r\ndone\r\n"),
    write("run.log", "what happened\n"),
    run(f"git init -q inner && cd inner && {COMMIT} -m inside"),
    run(f"git checkout -q --detach && {COMMIT} -m own"),
    run("echo staged > staged.txt && git add staged.txt && rm staged.txt"),
]


def left_dirty(project: Project, *more: dict[str, object]) -> None:
    """A session whose agent left its copy like this and asks something."""
    project.commit("ignore logs", {".gitignore": "*.log\n"})
    project.task(1, [*DIRT, *more, ask("And now?")])
    assert project.start().code == 3


def names(project: Project) -> list[str]:
    return [kept["ref"] for kept in project.teamlead("salvage", "list", "--json").json["kept"]]


def restored(project: Project, name: str) -> Path:
    folder = project.place / "restored"
    ended = project.teamlead("salvage", "restore", name, "--to", folder)
    assert ended.code == 0, ended.err
    return folder


def test_the_work_of_a_cancelled_session_comes_back_whole(project: Project) -> None:
    left_dirty(project)
    before = project.users_things()

    assert project.teamlead("cancel").code == 0

    assert project.copies() == []
    (ref,) = names(project)
    status = project.teamlead("status")
    assert "Kept work (1):" in status.out
    assert ref in status.out
    assert project.status()["session"]["kept"] == [{"task": "task-1", "place": ref}]
    assert ref in project.teamlead("report").out
    folder = restored(project, "task-1/1")
    assert (folder / "half.txt").read_bytes() == b"half\r\ndone\r\n"
    assert (folder / "run.log").read_text() == "what happened\n"
    assert project.git("log", "--format=%s", cwd=folder / "inner") == "inside"
    assert (folder.with_name("restored.beside") / "staged/staged.txt").read_text() == "staged\n"
    assert project.git("log", "-1", "--format=%s", f"{ref}^1") == "own"
    assert project.users_things() == before
    project.git("fsck", "--strict")


def test_a_copy_that_cannot_be_kept_stays_is_reported_and_can_be_dropped(project: Project) -> None:
    project.settings("retry_delay = 0\nkeep_ignored = 0\n")
    left_dirty(project)
    (copy,) = project.copies()
    project.teamlead("clean", project.session, "--yes")
    assert project.copies() == [copy]

    stays = project.teamlead("clean", project.session, "--yes")
    assert (stays.code, "keep_ignored" in stays.out) == (1, True)

    dropped = project.teamlead("clean", project.session, "--yes", "--drop", copy)
    assert dropped.code == 0, dropped.out
    assert project.copies() == []


def kept_places(project: Project) -> list[str]:
    """As `status` and `report` tell them, which must agree."""
    places = [kept["place"] for kept in project.status()["session"]["kept"]]
    assert places == [kept["place"] for kept in project.teamlead("report", "--json").json["kept"]]
    assert [task["kept"] for task in project.status()["tasks"] if task["kept"]] == places[-1:]
    return places


def test_a_copy_that_stayed_is_named_until_it_is_cleaned_away(project: Project) -> None:
    project.settings("retry_delay = 0\nkeep_ignored = 0\n")
    left_dirty(project)
    (copy,) = project.copies()
    assert project.teamlead("cancel").code == 0
    assert kept_places(project) == [copy]

    project.settings("retry_delay = 0\nkeep_ignored = 1\n")
    (item,) = project.teamlead("clean", "--yes", "--json").json["items"]

    assert kept_places(project) == names(project) == [item["kept"]]


def test_a_copy_that_was_dropped_is_named_no_longer(project: Project) -> None:
    project.settings("retry_delay = 0\nkeep_ignored = 0\n")
    left_dirty(project)
    (copy,) = project.copies()
    project.teamlead("cancel")

    assert project.teamlead("clean", "--yes", "--drop", copy).code == 0

    assert kept_places(project) == []


def test_clean_leaves_sessions_alone_that_are_not_over(project: Project) -> None:
    left_dirty(project)
    (copy,) = project.copies()

    items = project.teamlead("clean", "--yes", "--older-than", "0", "--json").json["items"]

    assert [(item["kind"], item["goes"]) for item in items] == [("copy", False), ("session", False)]
    assert "is not over" in items[0]["reason"]
    assert project.copies() == [copy]


def test_clean_leaves_a_session_alone_that_somebody_leads(project: Project) -> None:
    project.task(1, [write("a.txt", "a"), touch(project.barrier("hangs")), HANG])
    leader = project.background("start", project.plan, "--agent", f"scripted:{project.script}")
    until(project.barrier("hangs").exists, "the agent hangs")

    (item,) = project.teamlead("clean", project.session, "--yes", "--json").json["items"]

    assert (item["goes"], "is led by" in item["reason"]) == (False, True)
    assert project.copies() == [item["path"]]
    project.teamlead("cancel", "--now")
    leader.end()


def test_a_named_session_that_is_not_over_gives_up_its_copies_and_keeps_their_work(project: Project) -> None:
    left_dirty(project)

    (item,) = project.teamlead("clean", project.session, "--yes", "--json").json["items"]

    assert (item["goes"], item["kept"]) == (True, names(project)[0])
    assert project.copies() == []


def test_a_copy_whose_session_is_gone_is_found_and_its_work_kept(project: Project) -> None:
    left_dirty(project)
    folder = next(Path(project.environment["XDG_STATE_HOME"]).glob("teamlead/*/sessions/*"))
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()

    (item,) = project.teamlead("clean", "--yes", "--json").json["items"]

    assert (item["goes"], item["kept"]) == (True, names(project)[0])
    assert (restored(project, "task-1/1") / "run.log").read_text() == "what happened\n"


def test_an_old_session_goes_but_for_branches_that_hold_its_only_work(project: Project) -> None:
    project.task(1, [write("a.txt", "a")])
    assert project.start().code == 3
    session = project.session
    assert project.teamlead("reject", "--reason", "no").code == 0

    looked = project.teamlead("clean", "--dry-run", "--older-than", "0")
    assert (looked.code, "Goes (" in looked.out) == (0, True)
    young = project.teamlead("clean", "--yes", "--older-than", "1")
    assert "it is not old enough" in young.out
    ended = project.teamlead("clean", "--yes", "--older-than", "0")

    assert ended.code == 0, ended.out + ended.err
    assert f"teamlead/{session}/task-1" in ended.out
    assert project.teamlead("list", "--json").json["sessions"] == []
    assert project.content(f"teamlead/{session}/task-1", "a.txt") == "a"
    assert not (project.root / ".teamlead/sessions" / session).exists()


def test_nothing_of_an_approved_session_is_left_after_cleaning(project: Project) -> None:
    project.task(1, [write("a.txt", "a")])
    assert project.start("--approve").code == 0

    assert project.teamlead("clean", "--yes", "--keep", "0").code == 0

    assert list(project.refs()) == ["refs/heads/main"]
    left = [
        path
        for path in Path(project.environment["XDG_STATE_HOME"]).rglob("*/sessions/**/*")
        if path.is_file()
    ]
    assert left == []


def test_only_transcripts_go_when_asked_and_the_session_stays_readable(project: Project) -> None:
    project.task(1, [write("a.txt", "a")])
    assert project.start("--approve").code == 0

    assert project.teamlead("clean", "--yes", "--keep", "0", "--transcripts").code == 0

    assert project.states() == {"task-1": "DONE"}
    assert list(Path(project.environment["XDG_STATE_HOME"]).rglob("events.jsonl")) == []


def test_files_that_are_not_teamleads_stay(project: Project) -> None:
    project.task(1, [write("a.txt", "a")])
    assert project.start("--approve").code == 0
    folder = next(Path(project.environment["XDG_STATE_HOME"]).glob("teamlead/*/sessions/*"))
    (folder / "my-notes.txt").write_text("mine")

    ended = project.teamlead("clean", "--yes", "--keep", "0")

    assert (ended.code, "my-notes.txt" in ended.out) == (1, True)
    assert (folder / "my-notes.txt").read_text() == "mine"


def test_a_session_with_an_unreadable_journal_stays(project: Project) -> None:
    left_dirty(project)
    journal = next(Path(project.environment["XDG_STATE_HOME"]).glob("teamlead/*/sessions/*/journal.db"))
    with sqlite3.connect(journal) as connection:
        connection.execute("pragma application_id = 1")
    connection.close()

    items = project.teamlead("clean", "--yes", "--json").json["items"]

    assert [(item["goes"], "cannot be read" in item["reason"]) for item in items] == [(False, True)]


def test_kept_work_can_be_shown_made_a_branch_and_dropped(project: Project) -> None:
    left_dirty(project)
    project.teamlead("cancel")
    shown = project.teamlead("salvage", "show", "task-1/1").out
    assert "  A half.txt\n" in shown
    assert "  A inner/.git/HEAD\n" in shown
    assert "  staged/staged.txt\n" in shown
    assert "+half" in project.teamlead("salvage", "show", "1/1", "--patch").out
    assert project.teamlead("salvage", "restore", "1/1", "--branch", "rescued").code == 0
    assert project.tip("rescued") == project.tip(names(project)[0])
    assert project.teamlead("salvage", "restore", "1/1", "--branch", "rescued").code == 5
    asked = project.teamlead("salvage", "drop", "1/1")
    assert (asked.code, "--yes" in asked.err) == (2, True)
    dropped = project.teamlead("salvage", "drop", "1/1", "--yes")
    assert names(project) == []
    undo = dropped.out.split("undo: git ")[1].split()
    project.git(*undo)
    assert len(names(project)) == 1


def test_nothing_is_restored_over_what_exists(project: Project) -> None:
    left_dirty(project)
    project.teamlead("cancel")
    folder = project.place / "mine"
    folder.mkdir()
    (folder / "half.txt").write_text("mine")

    ended = project.teamlead("salvage", "restore", "1/1", "--to", folder)

    assert (ended.code, "there already" in ended.err) == (5, True)
    assert (folder / "half.txt").read_text() == "mine"


def test_unknown_and_ambiguous_names_of_kept_work_are_told_apart(project: Project) -> None:
    left_dirty(project)
    project.teamlead("cancel")
    project.git("update-ref", f"{names(project)[0][:-1]}2", "main")
    assert project.teamlead("salvage", "show", "nothing").code == 4
    ended = project.teamlead("salvage", "show", "task-1")
    assert (ended.code, "could be any of 2" in ended.err) == (2, True)


def test_a_broken_kept_ref_hides_no_other_work_and_holds_up_nothing(project: Project) -> None:
    left_dirty(project)
    broken = project.root / ".git/refs/teamlead/kept/other/task-9/1"
    broken.parent.mkdir(parents=True)
    broken.write_text("1" * 40 + "\n")
    assert project.teamlead("cancel").code == 0

    assert project.copies() == []
    listed = project.teamlead("salvage", "list")
    assert (listed.code, "broken: git does not have its commit" in listed.out) == (0, True)
    assert (restored(project, "task-1/1") / "half.txt").exists()
    assert project.teamlead("clean", "--yes", "--keep", "0").code == 0
    assert project.teamlead("salvage", "drop", "task-9/1", "--yes").code == 0
    assert len(names(project)) == 1


def test_status_says_that_kept_work_was_dropped(project: Project) -> None:
    left_dirty(project)
    project.teamlead("cancel")
    (ref,) = names(project)

    project.teamlead("salvage", "drop", ref, "--yes")

    line = next(line for line in project.teamlead("status").out.splitlines() if ref in line)
    assert line.endswith("is gone by now")


def test_a_name_that_git_refuses_becomes_no_branch(project: Project) -> None:
    left_dirty(project)
    project.teamlead("cancel")

    for name in ("two words", "up..down", "-x"):
        refused = project.teamlead("salvage", "restore", "task-1/1", f"--branch={name}")
        assert (refused.code, "cannot be the name of a branch" in refused.err) == (2, True)


@pytest.mark.parametrize("broken", ["unreadable notes", "neither notes nor a git directory"])
def test_a_broken_copy_stays_until_it_is_dropped(project: Project, broken: str) -> None:
    left_dirty(project)
    copy = Path(*project.copies())
    private = copy.parent / f".{copy.name}"
    if broken == "unreadable notes":
        (private / "copy.json").write_text("{")
    else:
        (private / "copy.json").unlink()
        (private / "git").rename(project.place / "git")
    assert project.teamlead("cancel").code == 0

    stays = project.teamlead("clean", "--yes")
    assert (stays.code, f"--drop {copy}" in stays.out) == (1, True)
    assert (copy / "half.txt").exists()

    dropped = project.teamlead("clean", "--yes", "--drop", copy)
    assert dropped.code == 0, dropped.out
    assert project.copies() == []
