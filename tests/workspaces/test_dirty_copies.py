"""Whatever an agent leaves in its copy, and whatever becomes of the copy: every byte is found again.

Random states, from a seed that a failure names. TEAMLEAD_TEST_SIZE multiplies their number.
"""

import asyncio
import os
import random
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
from tests.workspaces.dirt import CACHES, TRACKED, Bytes, Dirt, all_bytes

from teamlead.ports.leadership import Epoch
from teamlead.system import git as git_module
from teamlead.system.git import Git, as_user, read_settings
from teamlead.system.repository import Repository, claim, discover
from teamlead.workspaces import releasing, snapshots
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord
from teamlead.workspaces.fence import Fence
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.kept_work import kept_refs
from teamlead.workspaces.releasing import clear_away, copies_of
from teamlead.workspaces.salvage import restore
from teamlead.workspaces.session_refs import Session

STATES = 15
PARTS = 4 * int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
SEED = int(os.environ.get("TEAMLEAD_TEST_SEED", "0")) or random.SystemRandom().randrange(2**32)

Result = TypeVar("Result")
Act = Callable[["World", "State"], None]


class Lost(AssertionError):
    """Something of a state was not found again."""


class State(NamedTuple):
    task: str
    dirt: Dirt
    files: Bytes
    staged: set[str]


class World:
    """One repository in which many copies come and go."""

    def __init__(self, repository: Repository, base: str, place: Path) -> None:
        self.base = base
        self.place = place
        self.repository = repository
        self.settings = read_settings(repository.root)
        self.git = repository.git(self.settings)
        self.copies = repository.state_dir / "copies" / "s1"
        self.workspace = GitWorkspace(
            repository, self.settings, "s1", base, copies=self.copies, logs=place / "logs"
        )

    def leave(self, number: int, seed: int) -> State:
        """A copy as an agent left it."""
        task = f"task-{number}"
        copy = run(self.workspace.prepare(task, 1, [self.base], "", fresh=True)).path
        git_dir = self.copies / f".{task}" / "git"
        dirt = Dirt(copy, git_dir, Git(git_dir, copy, self.settings), self.base, random.Random(seed))
        dirt.make()
        return State(task, dirt, all_bytes(copy), dirt.staged_blobs())

    def require_found(self, state: State) -> None:
        found: Bytes = {path: ("file", content) for path, content in TRACKED.items()}
        for kept in kept_refs(self.git, f"refs/teamlead/kept/s1/{state.task}"):
            back = restore(self.git, kept, self.place / "restored" / f"{state.task}-{kept.name}")
            found |= all_bytes(back.folder)
            aside = all_bytes(back.beside) if back.beside else {}
            inside = b"set-aside/git-1/"
            found |= {b".git/" + p.removeprefix(inside): f for p, f in aside.items() if p.startswith(inside)}
        for path, content in state.files.items():
            if found.get(path) != content and not path.startswith(CACHES):
                raise Lost(f"{path!r} is {found.get(path)!r} and was {content!r}")

    def require_reachable(self, states: list[State]) -> None:
        """Commits and staged content; asked once for all states, because git walks everything."""
        held = {line.split()[0] for line in self.git.text("rev-list", "--objects", "--all").splitlines()}
        for state in states:
            missing = {*state.staged, *state.dirt.commits} - held
            if missing:
                raise Lost(f"{state.task}: {missing}; it did {state.dirt.did}")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


@pytest.fixture
def world(tmp_path: Path, user_home: None) -> Iterator[World]:
    root = tmp_path / "dirty"
    root.mkdir()
    as_user(root, "init", "-q")
    for path, content in TRACKED.items():
        place = root / os.fsdecode(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    as_user(root, "add", "-A")
    as_user(root, "commit", "-qm", "first")
    base = as_user(root, "rev-parse", "HEAD").text
    world = World(claim(discover(root)), base, tmp_path)
    with world.workspace:
        yield world


def sweep(world: World, act: Act, seed: int, states: int = STATES) -> None:
    done = []
    for number in range(states):
        state = world.leave(number, seed + number)
        try:
            act(world, state)
            world.require_found(state)
        except (Lost, AssertionError) as problem:
            told = f"TEAMLEAD_TEST_SEED={seed + number}: {problem}; it did {state.dirt.did}"
            raise Lost(told) from problem
        done.append(state)
    world.require_reachable(done)
    assert as_user(world.repository.root, "fsck", "--strict").code == 0


def release(world: World, state: State) -> None:
    kept = run(world.workspace.release(state.task))
    assert not state.dirt.copy.exists(), kept


def start_anew(world: World, state: State) -> None:
    run(world.workspace.prepare(state.task, 2, [world.base], "", fresh=True))
    assert all_bytes(state.dirt.copy) == {path: ("file", content) for path, content in TRACKED.items()}


def clean(world: World, state: State) -> None:
    """As found by somebody who knows nothing of the session; our notes about the copy may be gone."""
    if state.dirt.random.random() < 0.5:
        for note in ("copy.json", "index"):
            (world.copies / f".{state.task}" / note).unlink()
    fence = Fence(world.git, "s1", Epoch(), world.place / "acting.lock")
    fence.put_up()
    session = Session(
        repository=world.repository,
        settings=world.settings,
        id="s1",
        base_commit="",
        copies=world.copies,
        logs=world.place,
        fence=fence,
    )
    for copy in copies_of(session):
        clear_away(copy)
    fence.take_down()
    assert not world.copies.exists()


class Killed(BaseException):
    pass


@contextmanager
def killed_at(call: int, *, done: bool, chance: random.Random) -> Iterator[None]:
    """Dies before or after the call of git with this number; a removal may be half done."""
    real, left = git_module.call, call

    def dying(places: list[str], arguments: tuple[str, ...], **options: Any) -> git_module.Result:
        nonlocal left
        left -= 1
        if left == 0 and arguments[0] == "clean":
            remove_some(options["cwd"], chance)
        if left == 0 and not done:
            raise Killed
        result = real(places, arguments, **options)
        if left == 0:
            raise Killed
        return result

    git_module.call = dying
    try:
        yield
    finally:
        git_module.call = real


def remove_some(folder: Path, chance: random.Random) -> None:
    for path in sorted(all_bytes(folder)):
        if chance.random() < 0.5:
            (folder / os.fsdecode(path)).unlink()


def crash(world: World, state: State) -> None:
    """Killed at several moments, one after the other; then nobody disturbs it any more."""
    chance = state.dirt.random
    for _ in range(3):
        try:
            with killed_at(chance.randint(1, 22), done=chance.random() < 0.5, chance=chance):
                run(world.workspace.release(state.task))
        except Killed:
            pass
    release(world, state)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("act", [release, start_anew, clean, crash], ids=lambda act: act.__name__)
def test_every_byte_is_found_again(world: World, act: Act, part: int) -> None:
    sweep(world, act, SEED + part * STATES)


def test_a_snapshot_with_git_add_is_caught(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def add_all(copy: CopyFolder, record: CopyRecord, reason: str) -> str:
        snapshot = snapshots.take(copy, record)
        return copy.session.keep(copy.task, copy.session.commit_tree(snapshot.tree, [record.base], reason))

    monkeypatch.setattr(releasing, "keep_work", add_all)
    with pytest.raises(Lost):
        sweep(world, release, SEED, 60)
