"""Clean copies for commands: quick to get, and never left behind."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.errors import Failed, GitFailed, StaleLeader
from teamlead.ports.leadership import Epoch
from teamlead.ports.workspace import Loan
from teamlead.system.git import as_user
from teamlead.system.repository import Repository, discover
from teamlead.system.run_lock import claim
from teamlead.workspaces import borrowing, copy_pool
from teamlead.workspaces.copy_folder import CopyRecord
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.provisions import Provisions

Result = TypeVar("Result")
Opener = Callable[..., GitWorkspace]


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def copies(root: Path) -> list[str]:
    """What is on disk of any, by name."""
    return sorted(path.name for path in (discover(root).state_dir / "copies").glob("*/*"))


def leave_behind(workspace: GitWorkspace, commit: str) -> Path:
    """As a leader that is killed: nothing is given back."""
    copy = borrowing.Borrowed(workspace._session, 0)
    borrowing.make(copy, commit, Provisions())
    return copy.path


def test_a_borrowed_copy_is_on_no_branch_and_leaves_nothing_in_git(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    before = as_user(root, "for-each-ref").text

    async def story() -> None:
        async with workspace.borrow(base) as loan:
            assert as_user(loan.path, "rev-parse", "HEAD").text == base
            assert as_user(loan.path, "status", "--porcelain").text == ""
            assert copies(root) == [".trial-0", "trial-0"]
            assert as_user(root, "for-each-ref").text == before

    run(story())
    assert copies(root) == []
    assert as_user(root, "for-each-ref").text == before


def test_it_gets_what_config_provides(open_workspace: Opener, root: Path, base: str) -> None:
    (root / ".env").write_text("SECRET=1")
    workspace = open_workspace(provisions=Provisions(("echo made > made.log",), (".env",)))

    async def story() -> None:
        for _ in range(2):
            async with workspace.borrow(base) as loan:
                assert (loan.path / ".env").read_text() == "SECRET=1"
                assert (loan.path / "made.log").read_text() == "made\n"

    run(story())
    assert (root / ".env").read_text() == "SECRET=1"


def test_a_set_up_command_that_fails_is_told_and_the_copy_goes(
    open_workspace: Opener, root: Path, base: str
) -> None:
    workspace = open_workspace(provisions=Provisions(("exit 3",)))

    async def story() -> None:
        async with workspace.borrow(base):
            pytest.fail("it was handed out")

    with pytest.raises(Failed, match="post_create"):
        run(story())
    assert copies(root) == []


def test_the_next_one_gets_its_files_and_none_of_what_a_command_did(
    workspace: GitWorkspace, repository: Repository, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy_pool, "FEWEST_FILES", 0)

    async def story() -> tuple[int, int]:
        async with workspace.borrow(base) as loan:
            kept = (loan.path / "src").stat().st_ino
            (loan.path / "src/app.py").write_text("changed")
            (loan.path / "left.log").write_text("ignored by git")
        assert list(copy_pool.folder(repository).glob("*/files"))
        async with workspace.borrow(base) as loan:
            assert (loan.path / "src/app.py").read_text() == "one\ntwo\nthree\n"
            assert not (loan.path / "left.log").exists()
            return kept, (loan.path / "src").stat().st_ino

    first, second = run(story())
    assert first == second


def test_what_a_killed_leader_left_goes_at_the_next_start(
    open_workspace: Opener, root: Path, base: str
) -> None:
    place = leave_behind(open_workspace(), base)
    (place / "left.txt").write_text("by a command")
    run(open_workspace(epoch=Epoch(2)).tidy())
    assert not place.exists()
    assert copies(root) == []


def test_one_that_is_half_there_is_no_hindrance(open_workspace: Opener, root: Path, base: str) -> None:
    place = leave_behind(open_workspace(), base)
    (place / ".git").unlink()

    async def story() -> str:
        async with open_workspace(epoch=Epoch(2)).borrow(base) as again:
            assert again.path == place
            return as_user(again.path, "status", "--porcelain").text

    assert run(story()) == ""
    assert copies(root) == []


def test_one_that_was_cut_short_before_its_commit_was_noted_goes(
    open_workspace: Opener, root: Path, base: str
) -> None:
    first = open_workspace()
    place = leave_behind(first, base)
    borrowing.Borrowed(first._session, 0).save(CopyRecord(attempt=0, base=base, tip=base))
    run(open_workspace(epoch=Epoch(2)).tidy())
    assert not place.exists()
    assert copies(root) == []


def test_a_copy_that_cannot_be_removed_stays_and_is_in_nobodys_way(
    workspace: GitWorkspace, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise GitFailed("it cannot be removed")

    async def story() -> tuple[Loan, Loan]:
        with monkeypatch.context() as patch:
            async with workspace.borrow(base) as first:
                patch.setattr(borrowing, "let_go", refuse)
                patch.setattr(borrowing, "drop", refuse)
        async with workspace.borrow(base) as second:
            return first, second

    first, second = run(story())
    assert first.path.exists()
    assert (first.number, second.number) == (0, 1)


def test_a_copy_in_which_something_still_runs_stays_and_is_in_nobodys_way(
    workspace: GitWorkspace, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(borrowing, "claim", partial(claim, patience=0))
    place = leave_behind(workspace, base)
    copy = borrowing.Borrowed(workspace._session, 0)

    async def story() -> Loan:
        assert await copy.quiet()
        running = await claim(copy.logs / "alive.lock")
        assert running is not None
        with running:
            with pytest.raises(Failed, match="does not end"):
                async with workspace.borrow(base):
                    pytest.fail("it was handed out")
            async with workspace.borrow(base) as loan:
                return loan

    assert run(story()).number == 1
    assert place.exists()


def test_a_call_that_is_given_up_gives_the_copy_back(workspace: GitWorkspace, root: Path, base: str) -> None:
    async def story() -> None:
        begun = asyncio.Event()

        async def borrow() -> None:
            begun.set()
            async with workspace.borrow(base):
                await asyncio.Event().wait()

        # Given up at once: git is making the copy in its thread.
        task = asyncio.create_task(borrow())
        await begun.wait()
        task.cancel()
        await asyncio.wait([task])

    run(story())
    assert copies(root) == []


def test_a_leader_that_was_replaced_borrows_nothing(open_workspace: Opener, root: Path, base: str) -> None:
    replaced = False

    def verify() -> None:
        if replaced:
            raise StaleLeader("s1")

    workspace = open_workspace(epoch=Epoch(1, verify))

    async def story() -> None:
        async with workspace.borrow(base):
            pytest.fail("it was handed out")

    replaced = True
    with pytest.raises(StaleLeader):
        run(story())
    assert copies(root) == []
