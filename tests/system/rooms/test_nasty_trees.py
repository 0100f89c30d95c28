"""Whatever a program in a room has started, and whoever is killed: nothing of it stays alive."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.system.rooms.support import Guest
from tests.system.wardens.nasty_tree import KINDS
from tests.system.wardens.support import TREE, Tree, until

from teamlead.system.wardens.tree import children

HARD_TO_SEE = 1
"""Has another pid every few milliseconds."""


class Held:
    """A nasty tree in a room, and who holds it."""

    def __init__(self, guest: Guest, tree: Tree, *orders: str, **request: Any) -> None:
        self._tree = tree
        program = guest.write(guest.copy / "nasty_tree.py", Path(TREE).read_text())
        run = [guest.python, str(program), *orders]
        self.leader = guest.start([run], {"env": {"NASTY": tree.env["NASTY"]}, **request})
        assert self.leader.stderr
        assert self.leader.stderr.readline() == "ready\n"
        self.nurseries = children(self.leader.pid)
        self.wardens = [pid for nursery in self.nurseries for pid in children(nursery)]
        self.size = len(tree.alive())

    def told(self) -> str:
        told, _ = self.leader.communicate(timeout=60)
        return told

    def end(self) -> None:
        self.leader.kill()
        self.leader.communicate()
        until(lambda: not self._tree.alive())


@pytest.fixture
def tree() -> Iterator[Tree]:
    tree = Tree()
    yield tree
    for pid in tree.alive():
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("request_", [{"cancel": 0}, {"cancel": 0.4}, {"hard_timeout": 3.0}], ids=str)
def test_nothing_is_alive_when_a_room_was_ended(guest: Guest, tree: Tree, request_: dict[str, Any]) -> None:
    held = Held(guest, tree, **request_)
    assert f'"code": {-signal.SIGKILL}' in held.told()
    assert tree.alive() == {}


def test_nothing_is_alive_after_a_program_has_ended_by_itself(guest: Guest, tree: Tree) -> None:
    assert '"code": 0' in Held(guest, tree, "exit").told()
    assert tree.alive() == {}


def test_the_program_cannot_end_who_holds_its_room(guest: Guest, tree: Tree) -> None:
    held = Held(guest, tree, "kill:1", "stop:1", cancel=0)
    assert f'"code": {-signal.SIGKILL}' in held.told()
    assert tree.alive() == {}


@pytest.mark.parametrize("killed", ["wardens", "nurseries", "wardens nurseries", "nurseries wardens"])
def test_nothing_is_alive_after_those_who_watch_were_killed(guest: Guest, tree: Tree, killed: str) -> None:
    held = Held(guest, tree)
    assert held.size >= sum(KINDS.values()) - HARD_TO_SEE
    for kind in killed.split():
        for pid in getattr(held, kind):
            os.kill(pid, signal.SIGKILL)
    if killed == "nurseries":
        held.end()
        return
    assert f'"code": {-signal.SIGKILL}' in held.told()
    assert tree.alive() == {}


@pytest.mark.parametrize("stopped", ["", "wardens", "nurseries", "wardens nurseries"])
def test_nothing_is_alive_after_the_leader_was_killed(guest: Guest, tree: Tree, stopped: str) -> None:
    held = Held(guest, tree)
    for kind in stopped.split():
        for pid in getattr(held, kind):
            os.kill(pid, signal.SIGSTOP)
    held.end()


def test_nothing_is_alive_after_leader_nursery_and_wardens_were_killed_at_once(
    guest: Guest, tree: Tree
) -> None:
    held = Held(guest, tree)
    everybody = map(str, (held.leader.pid, *held.nurseries, *held.wardens))
    subprocess.run(["kill", "-9", *everybody], check=True)
    held.end()


def test_without_a_room_such_a_tree_outlives_them_all(guest: Guest, tree: Tree) -> None:
    held = Held(guest, tree, nowhere=True)
    everybody = map(str, (held.leader.pid, *held.nurseries, *held.wardens))
    subprocess.run(["kill", "-9", *everybody], check=True)
    held.leader.communicate()
    assert tree.alive()
