"""What a command came to on a commit is remembered, and run once."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.errors import DiskUnusable
from teamlead.evidence.clean_copies import LONGEST, CleanCopies, CleanTrials, Earlier
from teamlead.ports.checking import CheckEnd
from teamlead.testing.checker import CheckCall, FakeChecker
from teamlead.testing.workspace import FakeWorkspace

Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


@pytest.fixture
def workspace(tmp_path: Path) -> FakeWorkspace:
    return FakeWorkspace({"a.txt": "a\n"}, folder=tmp_path / "copies")


def trials(tmp_path: Path, workspace: FakeWorkspace, checker: FakeChecker, **given: Any) -> CleanTrials:
    return CleanTrials(CleanCopies(workspace, checker, first_slot=4, **given), tmp_path / "trials")


def test_a_command_runs_once_on_the_same_files_also_for_a_later_leader(
    tmp_path: Path, workspace: FakeWorkspace
) -> None:
    checker = FakeChecker(lambda _: 3)
    same = workspace.user_commits("main", {})
    ends = [
        run(trials(tmp_path, workspace, checker).run(commit, "make", 9.0)) for commit in ("base", same, same)
    ]
    assert [end.exit_code for end in ends] == [3, 3, 3]
    assert ends[0]._replace(remembered=True) == ends[1] == ends[2]
    assert [end.remembered for end in ends] == [False, True, True]
    assert [(call.command, call.slot) for call in checker.calls] == [("make", 4)]
    assert checker.calls[0].cwd == workspace.path("trial-0")
    assert not workspace.loans


def test_other_files_commands_conditions_environments_and_repetitions_are_runs_of_their_own(
    tmp_path: Path, workspace: FakeWorkspace
) -> None:
    checker = FakeChecker()
    other = workspace.user_commits("main", {"a.txt": "b\n"})

    async def story() -> None:
        tried = trials(tmp_path, workspace, checker)
        await tried.run("base", "make", 9.0)
        await tried.run("base", "make test", 9.0)
        await tried.run(other, "make", 9.0)
        await tried.run("base", "make", 9.0, repetition=1)
        await tried.run("base", "make", 9.0, environment={"PYTEST_ADDOPTS": "-v"})
        await trials(tmp_path, workspace, checker, conditions="set up anew").run("base", "make", 9.0)

    run(story())
    assert len(checker.calls) == 6
    assert [call.environment for call in checker.calls if call.environment] == [{"PYTEST_ADDOPTS": "-v"}]


def test_those_who_ask_at_the_same_time_wait_for_one_run(tmp_path: Path, workspace: FakeWorkspace) -> None:
    async def slowly(_: CheckCall) -> int:
        await asyncio.sleep(0)
        return 0

    checker = FakeChecker(slowly)
    tried = trials(tmp_path, workspace, checker)

    async def story() -> list[CheckEnd]:
        return await asyncio.gather(*(tried.run("base", "make", 9.0) for _ in range(3)))

    assert [end.remembered for end in run(story())] == [False, True, True]
    assert len(checker.calls) == 1


def test_different_commands_run_at_the_same_time_in_copies_of_their_own(
    tmp_path: Path, workspace: FakeWorkspace
) -> None:
    async def story() -> None:
        together = asyncio.Barrier(2)

        async def meet(_: CheckCall) -> int:
            await together.wait()
            return 0

        checker = FakeChecker(meet)
        tried = trials(tmp_path, workspace, checker)
        await asyncio.gather(tried.run("base", "make", 9.0), tried.run("base", "make test", 9.0))
        assert sorted(call.slot for call in checker.calls) == [4, 5]

    run(story())


def test_what_did_not_end_in_time_is_tried_again(tmp_path: Path, workspace: FakeWorkspace) -> None:
    answers = [0, None]
    checker = FakeChecker(lambda _: answers.pop())
    tried = trials(tmp_path, workspace, checker)
    assert [run(tried.run("base", "make", 9.0)).exit_code for _ in range(2)] == [None, 0]


@pytest.mark.parametrize("damage", [b"", b"{", b"null", b'["x", "make", [0, 1.0, "", "", null]]'])
def test_a_damaged_memory_counts_as_none(tmp_path: Path, workspace: FakeWorkspace, damage: bytes) -> None:
    checker = FakeChecker()
    run(trials(tmp_path, workspace, checker).run("base", "make", 9.0))
    (file,) = (tmp_path / "trials").iterdir()
    file.write_bytes(damage)
    run(trials(tmp_path, workspace, checker).run("base", "make", 9.0))
    assert len(checker.calls) == 2


def test_one_that_is_given_up_is_not_remembered_and_the_next_asker_runs_it(
    tmp_path: Path, workspace: FakeWorkspace
) -> None:
    async def story() -> None:
        begun = asyncio.Event()

        async def wait(_: CheckCall) -> int:
            if begun.is_set():
                return 0
            begun.set()
            await asyncio.Event().wait()
            return 1

        tried = trials(tmp_path, workspace, FakeChecker(wait))
        first = asyncio.create_task(tried.run("base", "make", 9.0))
        await begun.wait()
        second = asyncio.create_task(tried.run("base", "make", 9.0))
        first.cancel()
        assert (await second).exit_code == 0
        assert first.cancelled()

    run(story())
    assert not workspace.loans


def test_a_failure_on_a_full_disk_is_nobodys_and_not_remembered(
    tmp_path: Path, workspace: FakeWorkspace
) -> None:
    def full() -> None:
        raise DiskUnusable("the disk is full")

    tried = trials(tmp_path, workspace, FakeChecker(lambda _: 1), require_disk_space=full)
    with pytest.raises(DiskUnusable):
        run(tried.run("base", "make", 9.0))
    assert not (tmp_path / "trials").exists()


def test_another_session_believes_what_passed_for_a_day_under_equal_conditions(
    tmp_path: Path, workspace: FakeWorkspace
) -> None:
    checker, now = FakeChecker(), [1000.0]

    def session(name: str, surroundings: str = "") -> CleanTrials:
        earlier = Earlier(tmp_path / "shared", lambda _: surroundings, lambda: now[0])
        return CleanTrials(CleanCopies(workspace, checker, first_slot=4), tmp_path / name, earlier)

    commit = workspace.base
    assert not run(session("a").run(commit, "make test", 9)).earlier
    found = run(session("b").run(commit, "make test", 9))
    assert (found.earlier, found.log, len(checker.calls)) == (True, "", 1)
    run(session("c", "another machine").run(commit, "make test", 9))
    run(session("d").run(commit, "make test", 9, afresh=True))
    now[0] += LONGEST
    run(session("e").run(commit, "make test", 9))
    assert len(checker.calls) == 4


def test_what_failed_is_never_believed_by_another_session(tmp_path: Path, workspace: FakeWorkspace) -> None:
    checker = FakeChecker(lambda _: 1)
    for name in ("a", "b"):
        earlier = Earlier(tmp_path / "shared", lambda _: "", lambda: 1000.0)
        trials = CleanTrials(CleanCopies(workspace, checker, first_slot=4), tmp_path / name, earlier)
        run(trials.run(workspace.base, "make test", 9))
    assert len(checker.calls) == 2
