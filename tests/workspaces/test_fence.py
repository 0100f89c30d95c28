"""A leader that was replaced changes nothing any more, whatever it was about to do."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.workspaces.conftest import Opener

from teamlead.errors import StaleLeader, TeamleadError
from teamlead.ports.leadership import Epoch
from teamlead.system.git import UserSettings, as_user
from teamlead.system.repository import Repository
from teamlead.workspaces.fence import Fence, Update

Result = TypeVar("Result")

LEADER = "refs/teamlead/leader/s1"


class Epochs:
    """The journal's: whoever came last."""

    def __init__(self) -> None:
        self.current = 0

    def next(self) -> Epoch:
        self.current += 1
        mine = self.current

        def verify() -> None:
            if self.current != mine:
                raise StaleLeader("s1")

        def rise(epoch: int) -> int:
            nonlocal mine
            verify()
            self.current = mine = epoch + 1
            return mine

        return Epoch(mine, verify, rise)


@pytest.fixture
def epoch() -> Epochs:
    return Epochs()


@pytest.fixture
def fence(repository: Repository) -> Callable[..., Fence]:
    """One more leader's, up already."""

    def make(epoch: Epoch = Epoch()) -> Fence:  # noqa: B008 - immutable
        git = repository.git(UserSettings("Ada", "ada@example.org"))
        made = Fence(git, "s1", epoch, repository.state_dir / "acting.lock")
        made.put_up()
        return made

    return make


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def refs(root: Path) -> dict[str, str]:
    lines = as_user(root, "for-each-ref", "--format=%(refname) %(objectname)").text.splitlines()
    return dict(line.split(" ") for line in lines)


def test_a_newer_leaders_epoch_refuses_the_updates_of_the_older_one(
    fence: Callable[..., Fence], epoch: Epochs, root: Path, base: str
) -> None:
    older = fence(epoch.next())
    newer = fence(epoch.next())
    with pytest.raises(StaleLeader, match="another leader has taken over session 's1'; this one ends"):
        older.update("late", Update("refs/heads/late", base))
    newer.update("in time", Update("refs/heads/in-time", base))
    assert "refs/heads/late" not in refs(root)
    assert refs(root)["refs/heads/in-time"] == base


def test_several_updates_happen_together_or_not_at_all(
    fence: Callable[..., Fence], root: Path, base: str
) -> None:
    with pytest.raises(TeamleadError):
        fence().update("two", Update("refs/heads/a", base, ""), Update("refs/heads/b", base, base))
    assert set(refs(root)) == {"refs/heads/main", LEADER}


def test_the_end_of_the_newer_leader_lets_the_older_one_do_nothing(
    fence: Callable[..., Fence], epoch: Epochs, root: Path, base: str
) -> None:
    older = fence(epoch.next())
    fence(epoch.next()).take_down()
    with pytest.raises(StaleLeader):
        older.update("late", Update("refs/heads/late", base))
    assert set(refs(root)) == {"refs/heads/main"}


def test_one_that_arrives_late_is_refused(fence: Callable[..., Fence], epoch: Epochs, root: Path) -> None:
    slow = epoch.next()
    fence(epoch.next())
    before = refs(root)
    with pytest.raises(StaleLeader):
        fence(slow)
    assert refs(root) == before


def test_one_that_arrives_after_the_other_has_left_is_refused(
    fence: Callable[..., Fence], epoch: Epochs
) -> None:
    slow = epoch.next()
    fence(epoch.next()).take_down()
    with pytest.raises(StaleLeader):
        fence(slow)


def test_an_older_leader_does_not_take_the_newer_ones_mark_away(
    fence: Callable[..., Fence], epoch: Epochs, root: Path
) -> None:
    older = fence(epoch.next())
    fence(epoch.next())
    before = refs(root)
    older.take_down()
    assert refs(root) == before


@pytest.mark.parametrize("becomes", ["", "commit", "nonsense"])
def test_a_mark_that_somebody_else_changed_is_put_up_again(
    fence: Callable[..., Fence], epoch: Epochs, root: Path, base: str, becomes: str
) -> None:
    mine = fence(epoch.next())
    blob = as_user(root, "hash-object", "-w", "--stdin", stdin=b"nonsense").text
    target = {"": (), "commit": (base,), "nonsense": (blob,)}[becomes]
    as_user(root, "update-ref", *(() if target else ("-d",)), LEADER, *target)
    mine.update("go on", Update("refs/heads/work", base))
    assert refs(root)["refs/heads/work"] == base
    mine.take_down()
    assert LEADER not in refs(root)


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_one_whose_journal_lost_epochs_leads_and_the_older_leader_is_refused(
    fence: Callable[..., Fence], epoch: Epochs, root: Path, base: str, lost: int
) -> None:
    for _ in range(3):
        older = fence(epoch.next())
    older.verify = lambda: None  # Its journal is not the one that was restored.
    epoch.current -= lost
    newer = fence(epoch.next())
    assert epoch.current == 4
    with pytest.raises(StaleLeader):
        older.update("late", Update("refs/heads/late", base))
    newer.update("in time", Update("refs/heads/in-time", base))
    assert set(refs(root)) == {"refs/heads/main", "refs/heads/in-time", LEADER}


@pytest.mark.parametrize("digits", [19, 5000])
def test_a_mark_that_no_epoch_can_be_above_is_none(
    fence: Callable[..., Fence], epoch: Epochs, root: Path, base: str, digits: int
) -> None:
    blob = as_user(root, "hash-object", "-w", "--stdin", stdin=b"9" * digits).text
    as_user(root, "update-ref", LEADER, blob)
    fence(epoch.next()).update("go on", Update("refs/heads/work", base))
    assert epoch.current == 1
    assert refs(root)["refs/heads/work"] == base


def test_what_a_power_cut_left_locked_is_in_nobodys_way(
    fence: Callable[..., Fence], epoch: Epochs, root: Path, base: str
) -> None:
    work, kept = "refs/heads/teamlead/s1/integration", "refs/teamlead/kept/s1/task-1/1"
    fence(epoch.next()).update("first", Update(work, base), Update(kept, base))
    others = root / ".git/refs/heads/main.lock"
    for ref in (work, kept, LEADER):
        (root / ".git" / f"{ref}.lock").touch()
    others.touch()
    fence(epoch.next()).update("then", Update(work, base), Update(kept, base))
    assert others.exists()


def test_sixteen_at_once_take_turns(fence: Callable[..., Fence], root: Path, base: str) -> None:
    mine = fence()
    at_once = threading.Barrier(16)

    def update(number: int) -> None:
        at_once.wait(60)
        for step in range(3):
            mine.update("at once", Update(f"refs/heads/work-{number}-{step}", base))

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(update, range(16)))
    assert len(refs(root)) == 16 * 3 + 2


def test_a_new_leader_begins_when_nothing_of_the_old_one_is_under_way(
    fence: Callable[..., Fence], epoch: Epochs
) -> None:
    older = fence(epoch.next())
    with ThreadPoolExecutor(1) as thread:
        with older.acting(), older.acting():
            arriving = thread.submit(fence, epoch.next())
            assert not wait([arriving], timeout=0.1).done
        arriving.result(60)
    with pytest.raises(StaleLeader), older.acting():
        raise AssertionError("it may not act any more")


def test_a_workspace_leaves_no_mark_behind(open_workspace: Opener, root: Path) -> None:
    with open_workspace():
        assert LEADER in refs(root)
    assert LEADER not in refs(root)
    as_user(root, "fsck", "--strict")


# Everything a leader does to the repository


class Scene:
    """An older leader with a copy that holds work, and a commit to merge."""

    def __init__(self, open_workspace: Opener, root: Path, base: str, epoch: Epoch) -> None:
        as_user(root, "branch", "other")
        self.root = root
        self.base = base
        self.older = open_workspace(epoch=epoch)
        copy = run(self.older.prepare("task-1", 1, [base], "", fresh=False))
        (copy.path / "mine.txt").write_text("mine")
        self.commit = run(self.older.collect("task-1", 1, base, "Do it", "")).commit
        (copy.path / "mine.txt").write_text("more")
        run(self.older.prepare("clean", 1, [base], "", fresh=True))
        self.copies = copy.path.parent

    def picture(self) -> object:
        """The refs, the user's tree and the copies, with our records of them."""
        files = [path for top in (self.root, self.copies) for path in sorted(top.rglob("*"))]
        ours = (".git/objects/", ".git/teamlead/", ".git/index", ".task-1/index")
        seen = [path for path in files if path.is_file() and not any(part in str(path) for part in ours)]
        return refs(self.root), {path: path.read_bytes() for path in seen}


def prepare(scene: Scene) -> None:
    run(scene.older.prepare("task-2", 1, [scene.base], "", fresh=True))


def prepare_again(scene: Scene) -> None:
    run(scene.older.prepare("task-1", 2, [scene.base], "", fresh=True))


def collect(scene: Scene) -> None:
    run(scene.older.collect("task-1", 1, scene.base, "Do it", ""))


def integrate(scene: Scene) -> None:
    run(scene.older.integrate("task-1", scene.commit, "Do it"))


def release(scene: Scene) -> None:
    run(scene.older.release("clean"))


def approve(scene: Scene) -> None:
    run(scene.older.apply(scene.commit, "other", squash=False, sign=False, message="Approved"))


def approve_here(scene: Scene) -> None:
    run(scene.older.apply(scene.commit, "main", squash=False, sign=False, message="Approved"))


Act = Callable[[Scene], None]

ACTS = [prepare, prepare_again, collect, integrate, release, approve, approve_here]


@pytest.mark.parametrize("act", [prepare, prepare_again, collect, integrate, approve])
def test_git_alone_holds_back_the_refs_of_a_leader_that_does_not_know_it_was_replaced(
    open_workspace: Opener, root: Path, base: str, act: Act
) -> None:
    scene = Scene(open_workspace, root, base, Epoch(1))
    open_workspace(epoch=Epoch(2))
    before = refs(root)
    with pytest.raises(StaleLeader):
        act(scene)
    assert refs(root) == before


@pytest.mark.parametrize("act", ACTS)
def test_a_leader_that_was_replaced_changes_neither_refs_nor_copies_nor_the_users_tree(
    open_workspace: Opener, root: Path, base: str, epoch: Epochs, act: Act
) -> None:
    scene = Scene(open_workspace, root, base, epoch.next())
    open_workspace(epoch=epoch.next())
    before = scene.picture()
    with pytest.raises(StaleLeader):
        act(scene)
    assert scene.picture() == before


@pytest.mark.parametrize("act", ACTS)
def test_the_same_acts_of_a_leader_that_leads_do_change_something(
    open_workspace: Opener, root: Path, base: str, epoch: Epochs, act: Act
) -> None:
    """The control: without another leader, none of the pictures above would stay the same."""
    scene = Scene(open_workspace, root, base, epoch.next())
    before = scene.picture()
    act(scene)
    assert scene.picture() != before


@pytest.mark.parametrize("act", [prepare, collect, integrate, approve])
def test_without_the_mark_in_the_transaction_the_older_leader_would_move_refs(
    open_workspace: Opener, root: Path, base: str, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: git is what holds it back in the tests above, and nothing else."""

    def unfenced(self: Fence, reason: str, updates: tuple[Update, ...]) -> None:
        for ref, new, _ in updates:
            as_user(root, "update-ref", "-m", reason, ref, new)

    monkeypatch.setattr(Fence, "_update", unfenced)
    scene = Scene(open_workspace, root, base, Epoch(1))
    open_workspace(epoch=Epoch(2))
    before = refs(root)
    act(scene)
    assert refs(root) != before
