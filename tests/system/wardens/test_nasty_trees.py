"""Whatever a program has started, and whatever it does to those who watch it: nothing of it stays alive."""

import asyncio
import os
import signal
import subprocess
import sys
from typing import Literal

import pytest
from tests.system.wardens.nasty_tree import KINDS
from tests.system.wardens.support import LEADER, PATIENCE, SIZE, Tree, ended, start_nasty, until

from teamlead.system import processes
from teamlead.system.processes import ProcessEnd
from teamlead.system.wardens import marks
from teamlead.system.wardens.tree import children, stat

HARD_TO_SEE = 1
"""Has another pid every few milliseconds."""


def test_a_process_group_lets_a_nasty_tree_get_away(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_wardens", False)

    async def main() -> set[str]:
        process = await start_nasty(tree)
        await process.cancel(0)
        return set(tree.alive().values())

    got_away = asyncio.run(main())
    assert got_away >= {"own_session", "no_death_signal", "adopting", "bomb", "stopped"}


@pytest.mark.parametrize(
    "orders",
    [
        "",
        "stop:1",
        "stop:2",
        "stop:1 stop:2",
        "stop:2 stop:1",
        "kill:2",
        "kill:2 stop:1",
        "stop:1 kill:2",
    ],
)
def test_nothing_is_alive_when_a_cancel_returns(tree: Tree, orders: str) -> None:
    async def main() -> tuple[int, ProcessEnd, dict[int, str]]:
        process = await start_nasty(tree, *orders.split())
        before = len(tree.alive())
        async with asyncio.timeout(PATIENCE):
            await process.cancel(0)
        return before, await process.wait(), tree.alive()

    before, end, alive = asyncio.run(main())
    assert before >= sum(KINDS.values()) - HARD_TO_SEE
    assert (end, alive) == (ProcessEnd(-signal.SIGKILL, "cancelled"), {})


def test_a_stubborn_tree_is_ended_when_the_grace_is_over(tree: Tree) -> None:
    async def main() -> tuple[ProcessEnd, dict[int, str]]:
        process = await start_nasty(tree)
        await process.cancel(0.2)
        return await process.wait(), tree.alive()

    assert asyncio.run(main()) == (ProcessEnd(-signal.SIGKILL, "cancelled"), {})


@pytest.mark.parametrize("orders", ["", "stop:2 stop:1", "stop:2 kill:1"])
@pytest.mark.parametrize("limit", ["hard", "idle"])
def test_nothing_is_alive_after_a_time_out(tree: Tree, limit: Literal["hard", "idle"], orders: str) -> None:
    async def main() -> tuple[ProcessEnd, dict[int, str]]:
        process = await start_nasty(tree, *orders.split(), **{f"{limit}_timeout": 3.0})
        return await ended(process), tree.alive()

    assert asyncio.run(main()) == (ProcessEnd(-signal.SIGKILL, limit), {})


def test_nothing_is_alive_after_a_program_has_ended_by_itself(tree: Tree) -> None:
    async def main() -> tuple[ProcessEnd, dict[int, str]]:
        process = await start_nasty(tree, "exit")
        return await ended(process), tree.alive()

    assert asyncio.run(main()) == (ProcessEnd(0), {})


@pytest.mark.parametrize("orders", ["kill:1", "kill:1 kill:2", "kill:2 kill:1", "stop:2 kill:1 kill:2"])
def test_a_program_that_kills_who_watches_it_ends_with_its_whole_tree(tree: Tree, orders: str) -> None:
    async def main() -> tuple[ProcessEnd, dict[int, str]]:
        process = await start_nasty(tree, *orders.split())
        return await ended(process), tree.alive()

    assert asyncio.run(main()) == (ProcessEnd(-signal.SIGKILL), {})


@pytest.mark.parametrize(
    "orders",
    [
        "",
        "stop:1",
        "stop:2",
        "stop:1 stop:2",
        "stop:2 stop:1",
        "kill:2",
        "kill:2 stop:1",
        "stop:1 kill:2",
        "stop:2 kill:1",
    ],
)
def test_nothing_is_alive_after_the_leader_was_killed(tree: Tree, orders: str) -> None:
    leader = subprocess.Popen(
        [sys.executable, LEADER, "hold", *orders.split()], stdout=subprocess.PIPE, env=tree.env
    )
    assert leader.stdout
    with leader.stdout as output:
        nursery = output.readline().decode().strip()
        said = sorted(output.readline() for _ in range(4))
        killed = int(said[2].split()[1]) if "kill:2" in orders else 0
        # If the nursery was killed, there is another one, with a warden forked ahead.
        until(lambda: any(children(pid) for pid in children(leader.pid) if pid != killed))
        if "stop:2" in orders:
            until(lambda: any(stat(pid)[0] == b"T" for pid in children(leader.pid)))
        leader.kill()
        leader.wait()
    fork = int(said[1].split()[1])
    try:
        # The fork of the leader is not of its tree, and holds no lifeline.
        until(lambda: list(tree.alive()) == [fork])
        until(lambda: not marks.send(nursery, 0))
    finally:
        marks.send(nursery, signal.SIGKILL)
    os.kill(fork, signal.SIGKILL)


@pytest.mark.timeout(120 * SIZE)
def test_nothing_is_alive_after_leaders_were_killed_just_after_a_start(tree: Tree) -> None:
    subprocess.run([sys.executable, LEADER, "die", str(20 * SIZE)], env=tree.env, check=True)
    until(lambda: not tree.alive())
