"""A recycled copy is what a new one would be, whatever its former tenant did."""

import asyncio
import os
import random
import shutil
import socket
import stat
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.errors import DiskUnusable, GitFailed
from teamlead.system import faults
from teamlead.system.git import as_user
from teamlead.system.repository import Repository
from teamlead.workspaces import copy_pool
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.provisions import Provisions

Result = TypeVar("Result")
Opener = Callable[..., GitWorkspace]
Deed = Callable[[Path], object]

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
FILES = {
    "README.md": "hello\n",
    ".gitignore": "*.log\nbuild/\n",
    ".gitattributes": "*.txt text=auto\n",
    "notes.txt": "one\ntwo\n",
    "src/app.py": "print(1)\n",
    "src/deep/er/still.py": "print(2)\n",
    "lib/one.txt": "1\n",
    "lib/two.txt": "2\n",
    "tool": "#!/bin/sh\n",
}


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


@pytest.fixture(autouse=True)
def small_copies_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copy_pool, "FEWEST_FILES", 0)


@pytest.fixture
def base(root: Path) -> str:
    for name, content in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    (root / "tool").chmod(0o755)
    (root / "link").symlink_to("lib")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "second")
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def later(root: Path, base: str) -> str:
    """A commit that changes, adds, removes and replaces."""
    (root / "src/app.py").write_text("print(3)\n")
    (root / "src/new.py").write_text("print(4)\n")
    shutil.rmtree(root / "lib")
    (root / "lib").write_text("a file now\n")
    shutil.rmtree(root / "src/deep")
    (root / "link").unlink()
    (root / "link").mkdir()
    (root / "link/inside.txt").write_text("in a folder now\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "third")
    commit = git(root, "rev-parse", "HEAD")
    git(root, "reset", "-q", "--hard", base)
    return commit


def waiting(repository: Repository) -> list[str]:
    return sorted(path.name for path in (repository.state_dir / "pool").glob("*"))


def files(folder: Path) -> dict[str, tuple[object, ...]]:
    """All that one can see of a folder but the times and inodes."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content: object = ""
        if path.is_symlink():
            content = path.readlink()
        elif path.is_file() and path.name != ".git":
            content = path.read_bytes()
        found[str(path.relative_to(folder))] = (status.st_mode, status.st_nlink, content)
    return {**found, ".": (folder.lstat().st_mode, os.listxattr(folder))}


def picture(copy: Path) -> dict[str, object]:
    git_dir = Path(git(copy, "rev-parse", "--absolute-git-dir"))
    return {
        "files": files(copy),
        "status": git(copy, "status", "--porcelain", "--ignored", "--untracked-files=all"),
        "index": git(copy, "ls-files", "--stage", "-t", "-v"),
        "config": git(copy, "config", "--list"),
        "git directory": sorted(
            str(path.relative_to(git_dir)).replace(copy.name, "TASK") for path in git_dir.rglob("*")
        ),
        "head": git(copy, "rev-parse", "HEAD"),
        "stashes": git(copy, "stash", "list"),
    }


def differences(one: dict[str, Any], other: dict[str, Any]) -> dict[str, object]:
    parts: dict[str, object] = {key: (one[key], other[key]) for key in one if one[key] != other[key]}
    if "files" in parts:
        a, b = one["files"], other["files"]
        parts["files"] = {name: (a.get(name), b.get(name)) for name in a | b if a.get(name) != b.get(name)}
    return parts


def tenant(workspace: GitWorkspace, base: str, deeds: list[Deed], task: str = "tenant") -> None:
    """Somebody has a copy, does as they like, and it is released."""
    copy = run(workspace.prepare(task, 1, [base], "", fresh=True)).path
    for deed in deeds:
        deed(copy)
    run(workspace.release(task))


def require_new(workspace: GitWorkspace, repository: Repository, base: str, label: str = "") -> None:
    """The next copy is like one that is made with nothing to recycle."""
    recycled = run(workspace.prepare(f"recycled{label}", 1, [base], "", fresh=True)).path
    copy_pool.empty(repository)
    made = run(workspace.prepare(f"made{label}", 1, [base], "", fresh=True)).path
    assert differences(picture(recycled), picture(made)) == {}
    assert git(recycled, "symbolic-ref", "HEAD") == f"refs/heads/teamlead/s1/recycled{label}"


def settle(copy: Path) -> None:
    """As if the clock had ticked between the last file and the index: a small copy is written in one tick."""
    notes = copy.parent / f".{copy.name}" / "checkout"
    later = (copy / "tool").stat().st_ctime_ns + 1
    os.utime(notes, ns=(later, later))


def touch_back(path: Path, content: str) -> None:
    """Changes a file and gives it the time that it had."""
    before = path.stat()
    path.write_text(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def private(copy: Path) -> Path:
    return Path(git(copy, "rev-parse", "--absolute-git-dir"))


def replaced_by_link(copy: Path) -> None:
    outside = copy.parent / f"outside-{copy.name}"
    (copy / "src").rename(outside)
    (copy / "src").symlink_to(outside)


def swapped(copy: Path) -> None:
    (copy / "lib/one.txt").rename(copy / "lib/three.txt")
    (copy / "lib/two.txt").rename(copy / "lib/one.txt")
    (copy / "lib/three.txt").rename(copy / "lib/two.txt")


def nested(copy: Path) -> None:
    (copy / "src/inner").mkdir()
    git(copy / "src/inner", "init", "-q")
    (copy / "src/inner/file").write_text("inside")
    git(copy / "src/inner", "add", "-A")
    git(copy / "src/inner", "commit", "-qm", "inside")


def hidden(flag: str) -> Deed:
    def deed(copy: Path) -> None:
        git(copy, "update-index", flag, "src/app.py")
        (copy / "src/app.py").write_text("hidden\n")

    return deed


def half_merged(copy: Path) -> None:
    git(copy, "checkout", "-q", "--detach")
    for text in ("ours\n", "theirs\n"):
        git(copy, "checkout", "-q", "--detach", "HEAD" if text == "ours\n" else "HEAD~1")
        (copy / "src/app.py").write_text(text)
        git(copy, "commit", "-qam", text)
    as_user(copy, "merge", "-q", "HEAD@{2}", ok=(0, 1, 2, 128))


def listening(copy: Path) -> None:
    here = Path.cwd()
    os.chdir(copy / "src")
    try:
        with socket.socket(socket.AF_UNIX) as stream:
            stream.bind("socket")
    finally:
        os.chdir(here)


def write(name: str, content: str) -> Deed:
    def deed(copy: Path) -> None:
        path = copy / name
        if path.parent.is_dir():
            path.write_text(content)

    return deed


def in_git_dir(name: str, content: str) -> Deed:
    def deed(copy: Path) -> None:
        path = private(copy) / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)

    return deed


def gone(name: str) -> Deed:
    def deed(copy: Path) -> None:
        if (copy / name).is_dir():
            shutil.rmtree(copy / name)
        else:
            (copy / name).unlink()

    return deed


def link(name: str, target: str) -> Deed:
    return lambda copy: (copy / name).symlink_to(target)


def folder(name: str) -> Deed:
    return lambda copy: (copy / name).mkdir(parents=True)


def mode(name: str, permissions: int) -> Deed:
    return lambda copy: (copy / name).chmod(permissions)


def calls(*arguments: str) -> Deed:
    return lambda copy: git(copy, *arguments)


def all_of(*deeds: Deed) -> Deed:
    def deed(copy: Path) -> None:
        for one in deeds:
            one(copy)

    return deed


OWN = all_of(write("own.txt", "own"), calls("add", "-A"))

DEEDS: dict[str, Deed] = {
    "untracked file": write("src/new.py", "new"),
    "ignored file": write("src/all.log", "log"),
    "ignored folder": all_of(folder("build/a/b"), write("build/a/b/c", "")),
    "empty folder": folder("src/hollow/er"),
    "changed file": write("README.md", "changed"),
    "changed file with its old size and time": lambda copy: touch_back(copy / "README.md", "HELLO\n"),
    "other line ends": lambda copy: (copy / "notes.txt").write_bytes(b"one\r\ntwo\r\n"),
    "deleted file": gone("src/deep/er/still.py"),
    "deleted folder": gone("lib"),
    "closed file": mode("README.md", 0o600),
    "open file": mode("tool", 0o777),
    "no longer a program": mode("tool", 0o644),
    "closed folder": mode("lib", 0o700),
    "folder without permissions": mode("lib", 0),
    "group folder": mode("lib", 0o2755),
    "closed root": mode(".", 0o700),
    "folder replaced by a link to where it went": replaced_by_link,
    "file replaced by a link": all_of(gone("README.md"), link("README.md", "/etc/hosts")),
    "link to another place": all_of(lambda copy: (copy / "link").unlink(), link("link", "/etc")),
    "file replaced by a folder": all_of(gone("tool"), folder("tool/in")),
    "folder replaced by a file": all_of(gone("lib"), write("lib", "file")),
    "second name outside": lambda copy: os.link(copy / "README.md", copy.parent / f"name-{copy.name}"),
    "swapped names": swapped,
    "pipe": lambda copy: os.mkfifo(copy / "src/pipe"),
    "socket": listening,
    "nested repository": nested,
    "hollow nested repository": calls("init", "-q", "build"),
    "commit": all_of(OWN, calls("commit", "-qm", "own")),
    "staged": OWN,
    "detached": calls("checkout", "-q", "--detach"),
    "other branch": lambda copy: git(copy, "checkout", "-q", "-b", f"other-{copy.name}"),
    "locks": all_of(in_git_dir("index.lock", ""), in_git_dir("HEAD.lock", "")),
    "half merged": half_merged,
    "rebase under way": in_git_dir("rebase-merge/head-name", "refs/heads/main"),
    "assumed unchanged": hidden("--assume-unchanged"),
    "skipped": hidden("--skip-worktree"),
    "settings of its own": in_git_dir("config.worktree", "[core]\n\tautocrlf = true\n"),
    "excludes of its own": in_git_dir("info/exclude", "*.py\n"),
    "attributes of its own": in_git_dir("info/attributes", "*.md text eol=crlf\n"),
    "sparse by itself": in_git_dir("info/sparse-checkout", "/lib/\n"),
    "broken index": in_git_dir("index", "broken"),
    "own ref": calls("update-ref", "refs/worktree/mine", "HEAD"),
    "no link": gone(".git"),
    "repository in place of the link": all_of(gone(".git"), calls("init", "-q")),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_nothing_of_a_tenant_reaches_the_next_one(
    workspace: GitWorkspace, repository: Repository, base: str, deed: str
) -> None:
    tenant(workspace, base, [DEEDS[deed]])
    require_new(workspace, repository, base)


def test_nothing_of_many_deeds_reaches_the_next_one(
    workspace: GitWorkspace, repository: Repository, base: str, later: str
) -> None:
    """Several tenants one after another, each with deeds that may spoil each other."""
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    taken = 0
    for number in range(6 * SIZE):
        chosen = chance.sample(sorted(DEEDS), chance.randint(0, 4))
        print(f"seed {seed}, round {number}: {chosen}")
        copy = run(workspace.prepare(f"tenant{number}", 1, [base], "", fresh=True)).path
        for name in chosen:
            try:
                DEEDS[name](copy)
            except (OSError, GitFailed):
                print(f"{name!r} is impossible by now")
        if chance.random() < 0.5:
            try:
                run(workspace.collect(f"tenant{number}", 1, base, "Work", ""))
            except GitFailed as error:
                print(f"cannot be collected: {error}")
        run(workspace.release(f"tenant{number}"))
        taken += len(waiting(repository))
        require_new(workspace, repository, chance.choice([base, later]), str(number))
    assert taken


def test_a_copy_at_another_commit_is_what_a_new_one_would_be(
    workspace: GitWorkspace, repository: Repository, base: str, later: str
) -> None:
    tenant(workspace, base, [])
    assert waiting(repository) == ["1"]
    require_new(workspace, repository, later, "-later")
    tenant(workspace, later, [], "back")
    require_new(workspace, repository, base, "-back")


def test_untouched_files_are_not_written_again(
    workspace: GitWorkspace, repository: Repository, base: str, later: str
) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path
    inode = (copy / "README.md").stat().st_ino
    settle(copy)
    run(workspace.release("task-1"))
    again = run(workspace.prepare("task-2", 1, [later], "", fresh=True)).path
    assert (again / "README.md").stat().st_ino == inode
    assert waiting(repository) == []


def test_a_link_to_a_place_outside_is_removed_and_the_place_left_alone(
    workspace: GitWorkspace, base: str, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "still.py").write_text("mine")

    def deed(copy: Path) -> None:
        shutil.rmtree(copy / "src/deep/er")
        (copy / "src/deep/er").symlink_to(outside)

    tenant(workspace, base, [deed])
    run(workspace.prepare("next", 1, [base], "", fresh=True))
    assert (outside / "still.py").read_text() == "mine"


def test_files_that_attributes_would_write_differently_are_not_recycled(
    workspace: GitWorkspace, repository: Repository, root: Path, base: str
) -> None:
    (root / ".gitattributes").write_text("*.txt text eol=crlf\n")
    git(root, "commit", "-qam", "other line ends")
    other = git(root, "rev-parse", "HEAD")
    tenant(workspace, base, [])
    require_new(workspace, repository, other)


def test_files_that_settings_would_write_differently_are_not_recycled(
    workspace: GitWorkspace, repository: Repository, root: Path, base: str
) -> None:
    tenant(workspace, base, [])
    git(root, "config", "core.eol", "crlf")
    require_new(workspace, repository, base)


def test_files_that_a_filter_wrote_are_not_recycled(
    workspace: GitWorkspace, repository: Repository, root: Path, base: str
) -> None:
    git(root, "config", "filter.shout.smudge", "tr a-z A-Z")
    (root / ".gitattributes").write_text("*.md filter=shout\n")
    git(root, "commit", "-qam", "filtered")
    tenant(workspace, git(root, "rev-parse", "HEAD"), [])
    assert waiting(repository) == []


def test_a_copy_with_a_submodule_is_not_recycled(
    workspace: GitWorkspace, repository: Repository, root: Path, base: str
) -> None:
    git(root, "update-index", "--add", "--cacheinfo", f"160000,{base},module")
    git(root, "commit", "-qm", "with a submodule")
    tenant(workspace, git(root, "rev-parse", "HEAD"), [])
    assert waiting(repository) == []


def test_what_config_provides_is_provided_again(open_workspace: Opener, root: Path, base: str) -> None:
    (root / "secret.log").write_text("from the user")
    workspace = open_workspace(
        provisions=Provisions(copy=("secret.log",), post_create=("mkdir build; echo made > build/made",))
    )
    tenant(workspace, base, [write("secret.log", "changed"), write("build/made", "changed")])
    copy = run(workspace.prepare("next", 1, [base], "", fresh=True)).path
    assert (copy / "secret.log").read_text() == "from the user"
    assert (copy / "build/made").read_text() == "made\n"


def test_a_new_start_of_a_task_uses_its_own_files_again(workspace: GitWorkspace, base: str) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path
    inode = (copy / "tool").stat().st_ino
    settle(copy)
    (copy / "own.txt").write_text("own")
    run(workspace.prepare("task-1", 2, [base], "", fresh=True))
    assert (copy / "tool").stat().st_ino == inode
    assert not (copy / "own.txt").exists()


def test_the_pool_is_bounded(open_workspace: Opener, repository: Repository, base: str) -> None:
    workspace = open_workspace(pooled=2)
    for task in ("one", "two", "three"):
        run(workspace.prepare(task, 1, [base], "", fresh=True))
    for task in ("one", "two", "three"):
        assert run(workspace.release(task)) == ""
        assert not workspace.path(task).exists()
    assert waiting(repository) == ["1", "2"]


def test_a_small_copy_is_removed(
    workspace: GitWorkspace, repository: Repository, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy_pool, "FEWEST_FILES", 100)
    tenant(workspace, base, [])
    assert waiting(repository) == []
    assert not workspace.path("tenant").exists()


def test_an_emptied_pool_leaves_nothing(workspace: GitWorkspace, repository: Repository, base: str) -> None:
    tenant(workspace, base, [])
    copy_pool.empty(repository)
    assert waiting(repository) == []


@pytest.fixture
def armed() -> Iterator[Callable[[str], None]]:
    yield faults.arm
    faults.arm("")


POINTS = ["pool entry: noted", "pool entry: named", "pool entry: filled", "copy: its files are gone"]


@pytest.mark.parametrize("point", POINTS)
def test_a_release_that_is_cut_short_is_finished_later(
    workspace: GitWorkspace, repository: Repository, base: str, armed: Callable[[str], None], point: str
) -> None:
    run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    armed(f"EIO {point}#1")
    with pytest.raises(DiskUnusable):
        run(workspace.release("task-1"))
    armed("")
    assert run(workspace.release("task-1")) == ""
    assert not workspace.path("task-1").exists()
    require_new(workspace, repository, base)
    assert waiting(repository) == []


@pytest.mark.parametrize("point", ["lead's git directory: made", "pool files: moved", "git reset: before"])
def test_a_preparation_that_is_cut_short_is_done_again(
    workspace: GitWorkspace, repository: Repository, base: str, armed: Callable[[str], None], point: str
) -> None:
    tenant(workspace, base, [])
    armed(f"EIO {point}#1")
    with pytest.raises(DiskUnusable):
        run(workspace.prepare("recycled", 1, [base], "", fresh=True))
    armed("")
    require_new(workspace, repository, base)
    assert waiting(repository) == []


def leaving_all(*_: object) -> None:
    pass


def test_a_pool_that_does_not_clean_would_be_noticed(
    workspace: GitWorkspace, repository: Repository, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy_pool, "sweep", leaving_all)
    tenant(workspace, base, [DEEDS["empty folder"]])
    with pytest.raises(AssertionError, match="hollow"):
        require_new(workspace, repository, base)


def test_a_pool_that_trusts_what_was_collected_would_be_noticed(
    workspace: GitWorkspace, repository: Repository, base: str
) -> None:
    """Git calls a file with other line ends unchanged once it has seen it."""
    copy = run(workspace.prepare("tenant", 1, [base], "", fresh=True)).path
    DEEDS["other line ends"](copy)
    run(workspace.collect("tenant", 1, base, "Nothing", ""))
    ours = copy.parent / ".tenant"
    shutil.copyfile(ours / "index", ours / "checkout")
    run(workspace.release("tenant"))
    assert waiting(repository) == ["1"]
    with pytest.raises(AssertionError, match=r"notes\.txt"):
        require_new(workspace, repository, base)


def test_modes_are_compared(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    assert files(tmp_path / "one") == files(tmp_path / "two")
    (tmp_path / "two").chmod(stat.S_IRWXU)
    assert files(tmp_path / "one") != files(tmp_path / "two")


@pytest.mark.parametrize("content", ["{", "", '{"commit": 1}'])
def test_a_damaged_entry_is_in_nobodys_way(
    workspace: GitWorkspace, repository: Repository, base: str, content: str
) -> None:
    tenant(workspace, base, [])
    place = copy_pool.folder(repository)
    (place / "1" / "entry.json").write_text(content)
    (place / "1x").mkdir()

    copy = run(workspace.prepare("next", 1, [base], "", fresh=True)).path

    assert (copy / "README.md").read_text() == FILES["README.md"]
    copy_pool.empty(repository)
    assert [path.name for path in place.iterdir()] == ["1x"]


@pytest.mark.parametrize("left", [0, 11])
def test_a_copy_whose_notes_were_cut_short_is_not_recycled(
    workspace: GitWorkspace, repository: Repository, base: str, left: int
) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=False))
    notes = copy.path.parent / ".task-1" / "checkout"
    notes.write_bytes(notes.read_bytes()[:left])
    assert run(workspace.release("task-1")) == ""
    assert not copy.path.exists()
    assert not [*copy_pool.folder(repository).glob("*/files")]


def test_a_lock_that_a_killed_git_left_behind_is_in_nobodys_way(workspace: GitWorkspace, base: str) -> None:
    place = workspace.path("task-1").parent / ".task-1" / "lead"
    place.mkdir(parents=True)
    (place / "index.lock").touch()
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=False)).path
    assert (copy / "README.md").read_text() == FILES["README.md"]
