"""What every Workspace does. A second implementation is one more parameter of the `subject` fixture."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.core.evidence.values import Found
from teamlead.errors import MergeConflict, TeamleadError
from teamlead.ports.workspace import Workspace
from teamlead.testing.workspace import FakeWorkspace

Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


@pytest.fixture(params=["git", "fake"])
def subject(request: pytest.FixtureRequest, tmp_path: Path, base: str) -> Workspace:
    if request.param == "fake":
        files = {"README.md": "hello\n", "src/app.py": "one\ntwo\nthree\n"}
        return FakeWorkspace(files, base=base, folder=tmp_path / "copies")
    workspace: Workspace = request.getfixturevalue("workspace")
    return workspace


def work_on(subject: Workspace, task: str, base: str, files: dict[str, str], attempt: int = 1) -> str:
    """One task from the copy to its commit."""
    copy = run(subject.prepare(task, attempt, [base], "", fresh=False))
    for name, content in files.items():
        path = copy.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return run(subject.collect(task, attempt, copy.base, f"Do {task}", "done")).commit


def content(subject: Workspace, commit: str, name: str) -> str:
    """Of a file in a commit, seen through a copy made from it."""
    task = f"look-{commit[:8]}"
    return (run(subject.prepare(task, 1, [commit], "", fresh=False)).path / name).read_text()


def test_a_copy_holds_the_files_of_its_base(subject: Workspace, base: str) -> None:
    copy = run(subject.prepare("task-1", 1, [base], "", fresh=True))
    assert copy[:2] == (subject.path("task-1"), base)
    assert (copy.path / "src/app.py").read_text() == "one\ntwo\nthree\n"


def test_preparing_twice_leaves_what_is_there(subject: Workspace, base: str) -> None:
    first = run(subject.prepare("task-1", 1, [base], "", fresh=True))
    (first.path / "mine.txt").write_text("work")
    assert run(subject.prepare("task-1", 1, [base], "", fresh=True)) == first
    assert (first.path / "mine.txt").read_text() == "work"


def test_a_later_attempt_continues_the_copy(subject: Workspace, base: str) -> None:
    commit = work_on(subject, "task-1", base, {"a.txt": "a"})
    copy = run(subject.prepare("task-1", 2, [commit], "", fresh=False))
    assert copy.base == base
    assert (copy.path / "a.txt").read_text() == "a"


def test_a_fresh_attempt_starts_from_its_bases(subject: Workspace, base: str) -> None:
    other = work_on(subject, "task-1", base, {"a.txt": "a"})
    work_on(subject, "task-2", base, {"b.txt": "b"})
    copy = run(subject.prepare("task-2", 2, [other], "", fresh=True))
    assert copy.base == other
    assert (copy.path / "a.txt").exists()
    assert not (copy.path / "b.txt").exists()


def test_a_fresh_attempt_tells_where_earlier_work_is_kept(subject: Workspace, base: str) -> None:
    first = run(subject.prepare("task-1", 1, [base], "", fresh=True))
    assert first.kept == ""
    (first.path / "mine.txt").write_text("work")
    second = run(subject.prepare("task-1", 2, [base], "", fresh=True))
    assert second.kept
    assert run(subject.prepare("task-1", 2, [base], "", fresh=True)) == second
    assert run(subject.release("task-1")) == ""


def test_a_fresh_attempt_after_one_without_work_keeps_nothing(subject: Workspace, base: str) -> None:
    run(subject.prepare("task-1", 1, [base], "", fresh=True))
    assert run(subject.prepare("task-1", 2, [base], "", fresh=True)).kept == ""


HANDED = ".teamlead/sessions/s-1/results/task-1.md"


def test_what_is_handed_over_is_read_and_is_nobodys_work(subject: Workspace, base: str) -> None:
    copy = run(subject.prepare("task-2", 1, [base], "", fresh=False))
    run(subject.hand_over("task-2", {HANDED: "all that it found\n"}))
    assert (copy.path / HANDED).read_text() == "all that it found\n"
    assert run(subject.collect("task-2", 1, base, "t", "s")).commit == ""
    assert run(subject.snapshot("task-2")) == base
    run(subject.hand_over("task-2", {HANDED: "once more\n"}))
    (copy.path / "new.txt").write_text("new\n")
    work = run(subject.collect("task-2", 1, base, "t", "s"))
    assert [change.path for change in work.changes] == ["new.txt"]
    assert run(subject.release("task-2")) == ""
    again = run(subject.prepare("task-3", 1, [base], "", fresh=False))
    assert not (again.path / HANDED).exists()


def test_a_fresh_copy_keeps_nothing_of_what_was_handed_over(subject: Workspace, base: str) -> None:
    run(subject.prepare("task-2", 1, [base], "", fresh=False))
    run(subject.hand_over("task-2", {HANDED: "all that it found\n"}))
    assert run(subject.prepare("task-2", 2, [base], "", fresh=True)).kept == ""


def test_collected_work_is_one_commit_with_its_changes(subject: Workspace, base: str) -> None:
    copy = run(subject.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "new.txt").write_text("x\ny\n")
    (copy.path / "src/app.py").write_text("one\n2\nthree\n")
    (copy.path / "README.md").unlink()
    work = run(subject.collect("task-1", 1, base, "Title", "Summary"))
    assert work.commit
    assert work.unmerged == ()
    assert {(c.path, c.before, c.after, c.added, c.deleted) for c in work.changes} == {
        ("new.txt", "000000", "100644", 2, 0),
        ("src/app.py", "100644", "100644", 1, 1),
        ("README.md", "100644", "000000", 0, 1),
    }


def test_collecting_twice_gives_the_same_commit(subject: Workspace, base: str) -> None:
    commit = work_on(subject, "task-1", base, {"a.txt": "a"})
    assert run(subject.collect("task-1", 1, base, "Do task-1", "done")).commit == commit


def test_collecting_later_work_gives_a_new_commit(subject: Workspace, base: str) -> None:
    first = work_on(subject, "task-1", base, {"a.txt": "a"})
    second = work_on(subject, "task-1", base, {"b.txt": "b"}, attempt=2)
    assert second not in {"", first}
    assert content(subject, second, "a.txt") == "a"
    assert content(subject, second, "b.txt") == "b"


def test_a_copy_without_changes_gives_no_commit(subject: Workspace, base: str) -> None:
    run(subject.prepare("task-1", 1, [base], "", fresh=True))
    work = run(subject.collect("task-1", 1, base, "Title", ""))
    assert work == Found("", tree=run(subject.tree(base)))


def test_collecting_without_a_copy_fails(subject: Workspace, base: str) -> None:
    with pytest.raises(TeamleadError):
        run(subject.collect("task-1", 1, base, "Title", ""))


def test_integration_starts_at_the_base_of_the_session(subject: Workspace, base: str) -> None:
    assert run(subject.integration_tip()) == base


def test_integrated_work_is_in_the_tip(subject: Workspace, base: str) -> None:
    one = work_on(subject, "task-1", base, {"a.txt": "a"})
    two = work_on(subject, "task-2", base, {"b.txt": "b"})
    run(subject.integrate("task-1", one, "One"))
    tip = run(subject.integrate("task-2", two, "Two"))
    assert run(subject.integration_tip()) == tip
    assert content(subject, tip, "a.txt") == "a"
    assert content(subject, tip, "b.txt") == "b"


def test_integrating_twice_changes_nothing(subject: Workspace, base: str) -> None:
    one = work_on(subject, "task-1", base, {"a.txt": "a"})
    tip = run(subject.integrate("task-1", one, "One"))
    assert run(subject.integrate("task-1", one, "One")) == tip


def test_work_is_known_to_be_merged_by_the_attempt_that_made_it(subject: Workspace, base: str) -> None:
    commit = work_on(subject, "task-1", base, {"a.txt": "a"})
    assert run(subject.merged("task-1", 1)) == ""
    run(subject.integrate("task-1", commit, "First"))
    assert run(subject.merged("task-1", 1)) == commit
    assert run(subject.merged("task-1", 2)) == ""
    assert run(subject.merged("task-2", 1)) == ""


def test_a_conflict_shows_both_sides_and_moves_nothing(subject: Workspace, base: str) -> None:
    one = work_on(subject, "task-1", base, {"src/app.py": "one\nleft\nthree\n"})
    two = work_on(subject, "task-2", base, {"src/app.py": "one\nright\nthree\n"})
    tip = run(subject.integrate("task-1", one, "One"))
    with pytest.raises(MergeConflict) as caught:
        run(subject.integrate("task-2", two, "Two"))
    assert caught.value.paths == ("src/app.py",)
    assert "left" in caught.value.detail
    assert "right" in caught.value.detail
    assert run(subject.integration_tip()) == tip


def test_several_bases_are_merged_in_the_copy(subject: Workspace, base: str) -> None:
    one = work_on(subject, "task-1", base, {"a.txt": "a"})
    two = work_on(subject, "task-2", base, {"b.txt": "b"})
    copy = run(subject.prepare("task-3", 1, [one, two], "", fresh=True))
    assert (copy.path / "a.txt").exists()
    assert (copy.path / "b.txt").exists()
    assert copy.base not in {one, two}
    assert run(subject.collect("task-3", 1, copy.base, "Three", "")).changes == ()


def test_bases_that_conflict_without_a_fallback_that_holds_them_are_reported(
    subject: Workspace, base: str
) -> None:
    one = work_on(subject, "task-1", base, {"src/app.py": "left\n"})
    two = work_on(subject, "task-2", base, {"src/app.py": "right\n"})
    tip = run(subject.integrate("task-1", one, "One"))
    with pytest.raises(MergeConflict) as caught:
        run(subject.prepare("task-3", 1, [one, two], tip, fresh=True))
    assert caught.value.paths == ("src/app.py",)
    assert not subject.path("task-3").exists()


def left_by_a_check(subject: Workspace, base: str) -> Path:
    """The copy of a task whose work is collected, after a check that wrote, rewrote and removed files."""
    work_on(subject, "task-1", base, {"mine.txt": "mine\n"})
    path = subject.path("task-1")
    (path / "made.out").write_text("made\n")
    (path / "mine.txt").write_text("formatted\n")
    (path / "README.md").unlink()
    run(subject.disregard("task-1"))
    return path


def test_what_checks_leave_is_not_collected_as_work(subject: Workspace, base: str) -> None:
    path = left_by_a_check(subject, base)
    (path / "more.txt").write_text("more\n")
    work = run(subject.collect("task-1", 2, base, "Title", ""))
    assert {change.path for change in work.changes} == {"mine.txt", "more.txt"}
    assert content(subject, work.commit, "mine.txt") == "mine\n"
    assert content(subject, work.commit, "README.md")


def test_what_checks_left_counts_once_the_agent_changes_it(subject: Workspace, base: str) -> None:
    path = left_by_a_check(subject, base)
    (path / "made.out").write_text("the agent's now\n")
    work = run(subject.collect("task-1", 2, base, "Title", ""))
    assert content(subject, work.commit, "made.out") == "the agent's now\n"


def test_what_checks_leave_does_not_hold_on_to_a_copy(subject: Workspace, base: str) -> None:
    path = left_by_a_check(subject, base)
    assert run(subject.release("task-1")) == ""
    assert not path.exists()


def test_disregarding_without_collected_work_hides_nothing(subject: Workspace, base: str) -> None:
    copy = run(subject.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "mine.txt").write_text("mine\n")
    run(subject.disregard("task-1"))
    assert [change.path for change in run(subject.collect("task-1", 1, base, "T", "")).changes] == [
        "mine.txt"
    ]


def test_a_clean_copy_is_removed(subject: Workspace, base: str) -> None:
    work_on(subject, "task-1", base, {"a.txt": "a"})
    assert run(subject.release("task-1")) == ""
    assert not subject.path("task-1").exists()
    assert run(subject.release("task-1")) == ""


@pytest.mark.parametrize("name", ["README.md", "untracked.txt"])
def test_a_copy_with_work_of_its_own_goes_and_its_work_is_kept(
    subject: Workspace, base: str, name: str
) -> None:
    copy = run(subject.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / name).write_text("not collected")
    assert "kept/" in run(subject.release("task-1"))
    assert not copy.path.exists()


def test_work_is_known_to_be_applied(subject: Workspace, root: Path, base: str) -> None:
    commit = work_on(subject, "task-1", base, {"a.txt": "a"})
    tip = run(subject.integrate("task-1", commit, "First"))
    assert run(subject.applied(tip, "main")) is None
    applied = run(subject.apply(tip, "main", squash=True, sign=False, message="Apply"))
    assert run(subject.applied(tip, "main")) == applied


def test_applied_work_is_on_the_branch_of_the_user(subject: Workspace, root: Path, base: str) -> None:
    one = work_on(subject, "task-1", base, {"a.txt": "a"})
    tip = run(subject.integrate("task-1", one, "One"))
    applied = run(subject.apply(tip, "main", squash=False, sign=False, message="Approve"))
    assert (applied.commit, applied.before) == (tip, base)
    assert applied.undo
    assert run(subject.apply(tip, "main", squash=False, sign=False, message="Approve")) == applied


def test_a_borrowed_copy_holds_the_files_of_its_commit_and_goes_with_all_that_is_in_it(
    subject: Workspace, base: str
) -> None:
    commit = work_on(subject, "task-1", base, {"a.txt": "a"})

    async def story() -> Path:
        async with subject.borrow(commit) as loan:
            assert (loan.path / "a.txt").read_text() == "a"
            (loan.path / "left.txt").write_text("by a command")
            (loan.path / "a.txt").write_text("changed by a command")
            return loan.path

    assert not run(story()).exists()
    assert content(subject, commit, "a.txt") == "a"


def test_a_borrowed_copy_has_what_is_laid_beside_its_files(subject: Workspace, base: str) -> None:
    async def story() -> str:
        async with subject.borrow(base, files={".notes/plan.md": "all of it"}) as loan:
            return (loan.path / ".notes" / "plan.md").read_text()

    assert run(story()) == "all of it"


def test_borrowed_copies_of_one_moment_have_different_numbers_and_places(
    subject: Workspace, base: str
) -> None:
    async def story() -> tuple[list[int], int]:
        async with subject.borrow(base) as first, subject.borrow(base) as second:
            assert first.path != second.path
            numbers = [first.number, second.number]
        async with subject.borrow(base) as later:
            return numbers, later.number

    assert run(story()) == ([0, 1], 0)


def test_a_borrowed_copy_goes_also_where_its_command_fails(subject: Workspace, base: str) -> None:
    places = []

    async def story() -> None:
        async with subject.borrow(base) as loan:
            places.append(loan.path)
            raise TimeoutError

    with pytest.raises(TimeoutError):
        run(story())
    assert not places[0].exists()


def test_the_difference_of_two_commits_names_what_changed(subject: Workspace, base: str) -> None:
    commit = work_on(subject, "task-1", base, {"a.txt": "a"})
    assert "a.txt" in run(subject.difference(base, commit))
    assert run(subject.difference(commit, commit)) == ""


def test_collected_work_has_the_tree_of_its_commit(subject: Workspace, base: str) -> None:
    run(subject.prepare("task-1", 1, (base,), "", fresh=False))
    (subject.path("task-1") / "a.txt").write_text("a")
    work = run(subject.collect("task-1", 1, base, "One", ""))
    assert work.tree == run(subject.tree(work.commit))


def test_commits_that_hold_the_same_have_the_same_tree(subject: Workspace, base: str) -> None:
    one = work_on(subject, "task-1", base, {"a.txt": "a"})
    same = work_on(subject, "task-2", base, {"a.txt": "a"})
    other = work_on(subject, "task-3", base, {"a.txt": "b"})
    assert one != same
    assert run(subject.tree(one)) == run(subject.tree(same)) != run(subject.tree(other))


def begun(subject: Workspace, task: str, base: str, files: dict[str, str]) -> str:
    """A snapshot of a copy in which somebody has changed these files, and goes on."""
    copy = run(subject.prepare(task, 1, [base], "", fresh=False))
    for name, text in files.items():
        (copy.path / name).write_text(text)
    return run(subject.snapshot(task))


def test_snapshots_that_change_the_same_lines_conflict_in_their_paths(subject: Workspace, base: str) -> None:
    one = begun(subject, "task-1", base, {"README.md": "hello one\n", "one.txt": "1"})
    other = begun(subject, "task-2", base, {"README.md": "hello other\n", "other.txt": "2"})
    assert run(subject.try_merge(one, other)) == ("README.md",)
    calmed = begun(subject, "task-2", base, {"README.md": "hello\n"})
    assert run(subject.try_merge(one, calmed)) == ()


def test_snapshots_conflict_in_a_new_file_that_both_made_differently(subject: Workspace, base: str) -> None:
    one = begun(subject, "task-1", base, {"new.txt": "one\n", "same.txt": "same\n"})
    other = begun(subject, "task-2", base, {"new.txt": "other\n", "same.txt": "same\n"})
    assert run(subject.try_merge(one, other)) == ("new.txt",)


def test_a_snapshot_conflicts_with_what_was_merged_meanwhile(subject: Workspace, base: str) -> None:
    one = begun(subject, "task-1", base, {"README.md": "hello one\n"})
    tip = run(subject.integrate("task-2", work_on(subject, "task-2", base, {"README.md": "hey\n"}), "Say"))
    assert run(subject.try_merge(one, tip)) == ("README.md",)


def test_the_same_content_is_the_same_snapshot_and_no_change_is_the_base(
    subject: Workspace, base: str
) -> None:
    assert begun(subject, "task-1", base, {}) == base
    first = begun(subject, "task-1", base, {"a.txt": "a"})
    other = begun(subject, "task-1", base, {"a.txt": "b"})
    assert begun(subject, "task-1", base, {"a.txt": "a"}) == first != other


def test_there_is_no_snapshot_without_a_copy(subject: Workspace) -> None:
    assert run(subject.snapshot("task-1")) == ""


def test_work_is_collected_from_a_copy_as_if_nobody_had_looked(subject: Workspace, base: str) -> None:
    begun(subject, "task-1", base, {"a.txt": "a"})
    assert [change.path for change in run(subject.collect("task-1", 1, base, "Do", "done")).changes] == [
        "a.txt"
    ]
    assert run(subject.release("task-1")) == ""


def test_nothing_is_open_in_a_repository_that_nobody_touched(subject: Workspace, base: str) -> None:
    work_on(subject, "task-1", base, {"a.txt": "a\n"})
    run(subject.release("task-1"))
    assert run(subject.look()) == ()
