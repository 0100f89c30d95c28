import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.errors import MergeConflict
from teamlead.system.git import as_user
from teamlead.workspaces.git_workspace import GitWorkspace

Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


def work_on(workspace: GitWorkspace, task: str, base: str, files: dict[str, str]) -> str:
    copy = run(workspace.prepare(task, 1, [base], "", fresh=True))
    for name, content in files.items():
        (copy.path / name).write_text(content)
    return run(workspace.collect(task, 1, base, f"Do {task}", "")).commit


def test_the_first_parent_history_has_one_entry_a_task(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    for number in (1, 2):
        commit = work_on(workspace, f"task-{number}", base, {f"{number}.txt": "x"})
        run(workspace.integrate(f"task-{number}", commit, f"Thing {number}"))
    log = git(root, "log", "--first-parent", "--format=%s", f"{base}..teamlead/s1/integration")
    assert log.splitlines() == ["Merge task-2: Thing 2", "Merge task-1: Thing 1"]


def test_tasks_integrated_at_once_are_all_there(workspace: GitWorkspace, root: Path, base: str) -> None:
    commits = {f"task-{n}": work_on(workspace, f"task-{n}", base, {f"{n}.txt": "x"}) for n in range(6)}

    async def all_at_once() -> None:
        await asyncio.gather(*(workspace.integrate(task, commit, task) for task, commit in commits.items()))

    run(all_at_once())
    names = git(root, "ls-tree", "--name-only", "teamlead/s1/integration").splitlines()
    assert {f"{n}.txt" for n in range(6)} <= set(names)


def test_two_sessions_do_not_meet(open_workspace: Callable[..., GitWorkspace], root: Path, base: str) -> None:
    for session in ("s1", "s2"):
        workspace = open_workspace(session)
        commit = work_on(workspace, "task-1", base, {"a.txt": session})
        run(workspace.integrate("task-1", commit, "One"))
    assert git(root, "show", "teamlead/s1/integration:a.txt") == "s1"
    assert git(root, "show", "teamlead/s2/integration:a.txt") == "s2"


def test_a_conflict_names_the_sides_and_not_commits(workspace: GitWorkspace, base: str) -> None:
    one = work_on(workspace, "task-1", base, {"README.md": "left\n"})
    two = work_on(workspace, "task-2", base, {"README.md": "right\n"})
    run(workspace.integrate("task-1", one, "One"))
    with pytest.raises(
        MergeConflict, match=r"task-2 conflicts with the work merged before in README\.md"
    ) as caught:
        run(workspace.integrate("task-2", two, "Two"))
    assert "<<<<<<< the work merged before\nleft\n=======\nright\n>>>>>>> task-2" in caught.value.detail


def test_a_file_changed_here_and_deleted_there_is_a_conflict(workspace: GitWorkspace, base: str) -> None:
    one = work_on(workspace, "task-1", base, {"README.md": "left\n"})
    copy = run(workspace.prepare("task-2", 1, [base], "", fresh=True))
    (copy.path / "README.md").unlink()
    two = run(workspace.collect("task-2", 1, base, "Two", "")).commit
    run(workspace.integrate("task-1", one, "One"))
    with pytest.raises(MergeConflict) as caught:
        run(workspace.integrate("task-2", two, "Two"))
    assert caught.value.paths == ("README.md",)
    assert "modify/delete" in caught.value.detail


def test_many_conflicts_are_shown_up_to_a_bound(workspace: GitWorkspace, base: str) -> None:
    long = "".join(f"line {number}\n" for number in range(3000))
    one = work_on(workspace, "task-1", base, {"big.txt": long})
    two = work_on(workspace, "task-2", base, {"big.txt": long.replace("line", "row")})
    run(workspace.integrate("task-1", one, "One"))
    with pytest.raises(MergeConflict) as caught:
        run(workspace.integrate("task-2", two, "Two"))
    assert len(caught.value.detail) < 9000


def test_what_somebody_else_put_on_the_integration_branch_is_kept_but_not_merged_with(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    one = work_on(workspace, "task-1", base, {"a.txt": "a"})
    two = work_on(workspace, "task-2", base, {"b.txt": "b"})
    git(root, "update-ref", "refs/heads/teamlead/s1/integration", one)
    tip = run(workspace.integrate("task-2", two, "Two"))
    assert git(root, "rev-parse", f"{tip}^1") == base
    assert git(root, "rev-parse", "refs/teamlead/kept/s1/integration/1") == one


def test_what_an_earlier_leader_merged_is_merged_with(
    open_workspace: Callable[[], GitWorkspace], root: Path, base: str
) -> None:
    first = open_workspace()
    one = work_on(first, "task-1", base, {"a.txt": "a"})
    two = work_on(first, "task-2", base, {"b.txt": "b"})
    tip = run(first.integrate("task-1", one, "One"))
    second = open_workspace()
    assert run(second.integration_tip()) == tip
    assert run(second.integrate("task-2", two, "Two")) != tip
    assert git(root, "rev-parse", "teamlead/s1/integration^1") == tip
