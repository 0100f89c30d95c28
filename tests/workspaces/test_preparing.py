import asyncio
import os
import shutil
import subprocess
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from teamlead.core.evidence.values import Found
from teamlead.errors import ConfigError, Failed, Refused
from teamlead.system import run_lock
from teamlead.system.git import as_user
from teamlead.system.repository import Repository, claim, discover
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.provisions import Provisions

Result = TypeVar("Result")
Opener = Callable[..., GitWorkspace]


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


def kept(root: Path, task: str = "task-1") -> dict[str, str]:
    lines = git(
        root, "for-each-ref", "--format=%(refname:lstrip=-1) %(objectname)", f"refs/teamlead/kept/s1/{task}"
    )
    return dict(line.split(" ", 1) for line in lines.splitlines())


def user_side(root: Path) -> list[str]:
    """Everything of the user's that a session must not touch."""
    refs = git(root, "for-each-ref").splitlines()
    return [
        *(line for line in refs if "teamlead/" not in line),
        git(root, "status", "--porcelain", "--branch"),
        git(root, "ls-files", "--stage"),
        (root / ".git/config").read_text(),
        (root / ".git/HEAD").read_text(),
    ]


def test_the_copy_is_on_the_branch_of_the_task(workspace: GitWorkspace, base: str) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    assert git(copy.path, "symbolic-ref", "HEAD") == "refs/heads/teamlead/s1/task-1"
    assert git(copy.path, "status", "--porcelain") == ""


def test_what_is_handed_over_is_no_work_also_where_a_repository_ignores_all_but_some(
    workspace: GitWorkspace, base: str
) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / ".gitignore").write_text("*\n!*/\n!*.md\n!.gitignore\n")
    run(workspace.hand_over("task-1", {".teamlead/sessions/s1/results/task-9.md": "found\n"}))
    assert git(copy.path, "status", "--porcelain") == " M .gitignore"
    work = run(workspace.collect("task-1", 1, base, "t", "s"))
    assert [change.path for change in work.changes] == [".gitignore"]


def test_what_an_agent_makes_of_what_was_handed_over_is_kept_when_its_copy_goes(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    path = ".teamlead/sessions/s1/results/task-9.md"
    run(workspace.hand_over("task-1", {path: "found\n"}))
    (copy.path / path).write_text("my notes\n")
    assert run(workspace.collect("task-1", 1, base, "t", "s")).commit == ""
    ref = run(workspace.release("task-1"))
    assert git(root, "show", f"{ref}:{path}") == "my notes"


def test_without_bases_a_copy_starts_at_the_base_of_the_session(workspace: GitWorkspace, base: str) -> None:
    assert run(workspace.prepare("task-1", 1, [], "", fresh=True)).base == base


def test_bases_that_conflict_give_way_to_a_fallback_that_holds_them(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    commits = []
    for task, text in (("task-1", "left\n"), ("task-2", "right\n")):
        copy = run(workspace.prepare(task, 1, [base], "", fresh=True))
        (copy.path / "src/app.py").write_text(text)
        commits.append(run(workspace.collect(task, 1, base, task, "")).commit)
    parents = [part for commit in commits for part in ("-p", commit)]
    resolved = git(root, "commit-tree", f"{commits[0]}^{{tree}}", *parents, "-m", "resolved")
    assert run(workspace.prepare("task-3", 1, commits, resolved, fresh=True)).base == resolved


def test_a_fresh_start_keeps_what_was_neither_committed_nor_collected(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "own.txt").write_text("committed by the agent")
    git(copy.path, "add", "-A")
    git(copy.path, "commit", "-qm", "own")
    own = git(copy.path, "rev-parse", "HEAD")
    (copy.path / "loose.txt").write_text("not committed")
    run(workspace.prepare("task-1", 2, [base], "", fresh=True))
    assert not (copy.path / "loose.txt").exists()
    commit = kept(root)["1"]
    assert git(root, "show", f"{commit}:loose.txt") == "not committed"
    assert git(root, "rev-parse", f"{commit}^") == own


def test_a_fresh_start_without_work_keeps_nothing(workspace: GitWorkspace, root: Path, base: str) -> None:
    run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    run(workspace.prepare("task-1", 2, [base], "", fresh=True))
    assert kept(root) == {}


def test_a_fresh_start_keeps_a_nested_repository_with_its_files(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "inner").mkdir()
    git(copy.path / "inner", "init", "-q")
    (copy.path / "inner/file").write_text("precious")
    run(workspace.prepare("task-1", 2, [base], "", fresh=True))
    assert not (copy.path / "inner").exists()
    assert git(root, "show", f"{kept(root)['1']}:inner/file") == "precious"
    assert git(root, "show", f"{kept(root)['1']}:inner/dot.git/HEAD") == "ref: refs/heads/main"


def test_a_fresh_start_that_cannot_keep_the_work_is_refused(open_workspace: Opener, base: str) -> None:
    workspace = open_workspace(keep_ignored=0)
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "large.log").write_text("precious")
    with pytest.raises(Refused, match="keep_ignored"):
        run(workspace.prepare("task-1", 2, [base], "", fresh=True))
    assert (copy.path / "large.log").read_text() == "precious"


def test_a_copy_that_vanished_comes_back_with_the_collected_work(workspace: GitWorkspace, base: str) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "a.txt").write_text("a")
    run(workspace.collect("task-1", 1, base, "One", ""))
    shutil.rmtree(copy.path)
    again = run(workspace.prepare("task-1", 2, [base], "", fresh=False))
    assert again == copy
    assert (copy.path / "a.txt").read_text() == "a"


def test_work_of_a_copy_that_vanished_is_still_work_in_the_next_attempt(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "a.txt").write_text("a")
    run(workspace.collect("task-1", 1, base, "One", ""))
    shutil.rmtree(copy.path)
    run(workspace.prepare("task-1", 2, [base], "", fresh=False))
    (copy.path / "b.txt").write_text("b")
    work = run(workspace.collect("task-1", 2, base, "Two", ""))
    assert {change.path for change in work.changes} == {"a.txt", "b.txt"}


def test_a_fresh_start_without_a_copy_keeps_the_work_on_the_branch(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "a.txt").write_text("a")
    work = run(workspace.collect("task-1", 1, base, "One", ""))
    run(workspace.release("task-1"))
    run(workspace.prepare("task-1", 2, [base], "", fresh=True))
    assert git(root, "rev-parse", "teamlead/s1/task-1") == base
    assert kept(root) == {"1": work.commit}


def test_a_copy_whose_making_was_cut_short_is_made_again(open_workspace: Opener, base: str) -> None:
    broken = open_workspace(provisions=Provisions(post_create=("touch made; exit 3",)))
    with pytest.raises(Failed, match="ended with 3"):
        run(broken.prepare("task-1", 1, [base], "", fresh=True))
    assert (broken.path("task-1") / "made").exists()
    copy = run(open_workspace().prepare("task-1", 1, [base], "", fresh=True))
    assert not (copy.path / "made").exists()
    assert git(copy.path, "status", "--porcelain") == ""


def test_a_git_directory_cut_short_is_replaced(open_workspace: Opener, base: str) -> None:
    """As a kill leaves it in the middle of its making: no HEAD, and without a link in the folder."""
    broken = open_workspace(provisions=Provisions(post_create=("false",)))
    with pytest.raises(Failed):
        run(broken.prepare("task-1", 1, [base], "", fresh=True))
    path = broken.path("task-1")
    (path / ".git").unlink()
    (path.with_name(".task-1") / "git/HEAD").unlink()
    copy = run(open_workspace().prepare("task-1", 1, [base], "", fresh=True))
    assert git(copy.path, "status", "--porcelain") == ""
    assert git(copy.path, "symbolic-ref", "HEAD") == "refs/heads/teamlead/s1/task-1"


def test_a_folder_that_is_not_ours_is_left_alone(workspace: GitWorkspace, base: str) -> None:
    path = workspace.path("task-1")
    path.mkdir(parents=True)
    (path / "theirs").write_text("theirs")
    with pytest.raises(Failed, match="in the way"):
        run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    assert (path / "theirs").read_text() == "theirs"


def test_sixteen_copies_are_made_at_once(workspace: GitWorkspace, root: Path, base: str) -> None:
    async def prepare_all() -> list[str]:
        tasks = [f"task-{number}" for number in range(16)]
        copies = await asyncio.gather(*(workspace.prepare(t, 1, [base], "", fresh=True) for t in tasks))
        return [git(copy.path, "symbolic-ref", "--short", "HEAD") for copy in copies]

    assert run(prepare_all()) == [f"teamlead/s1/task-{number}" for number in range(16)]


def test_hooks_of_the_repository_never_run(workspace: GitWorkspace, root: Path, base: str) -> None:
    for name in (
        "post-checkout",
        "reference-transaction",
        "pre-commit",
        "commit-msg",
        "post-merge",
        "pre-merge-commit",
    ):
        hook = root / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {root.parent}/ran-{name}\n")
        hook.chmod(0o755)
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "a.txt").write_text("a")
    work = run(workspace.collect("task-1", 1, base, "One", ""))
    tip = run(workspace.integrate("task-1", work.commit, "One"))
    run(workspace.release("task-1"))
    run(workspace.apply(tip, "main", squash=False, sign=False, message="m"))
    assert list(root.parent.glob("ran-*")) == []
    subprocess.run(["git", "switch", "-qc", "control"], cwd=root, check=True)
    assert (root.parent / "ran-post-checkout").exists(), (
        "the hooks do run when git is called the ordinary way"
    )


def test_the_side_of_the_user_stays_as_it_was(workspace: GitWorkspace, root: Path, base: str) -> None:
    (root / "README.md").write_text("my own edit\n")
    (root / "staged.txt").write_text("staged\n")
    git(root, "add", "staged.txt")
    before = user_side(root)
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "a.txt").write_text("a")
    work = run(workspace.collect("task-1", 1, base, "One", ""))
    run(workspace.integrate("task-1", work.commit, "One"))
    run(workspace.release("task-1"))
    assert user_side(root) == before
    assert git(root, "fsck", "--strict") == ""


def test_task_ids_that_no_branch_can_have_are_refused(workspace: GitWorkspace, base: str) -> None:
    for task in ("../x", "-x", "a/b", "integration", "a..b", "x.lock", ""):
        with pytest.raises(Refused):
            run(workspace.prepare(task, 1, [base], "", fresh=True))


def test_a_moved_repository_finds_its_copies(
    open_workspace: Opener, workspace: GitWorkspace, root: Path, base: str
) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    moved = root.rename(root.parent / "moved")
    claim(discover(moved))
    assert git(copy.path, "status", "--porcelain") == ""
    (copy.path / "a.txt").write_text("a")
    moved_workspace = open_workspace(where=discover(moved))
    assert run(moved_workspace.collect("task-1", 1, base, "One", "")).changes[0].path == "a.txt"


def test_a_copied_twin_leaves_the_copies_to_the_original(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    twin = shutil.copytree(root, root.parent / "twin", symlinks=True)
    claim(discover(twin))
    shutil.rmtree(twin)
    assert git(copy.path, "log", "--format=%H", "-1") == base


def test_provided_files_are_there_and_are_not_the_work_of_the_agent(
    open_workspace: Opener, root: Path, base: str
) -> None:
    (root / ".env").write_text("KEY=1")
    (root / "node_modules/lib").mkdir(parents=True)
    (root / "node_modules/lib/index.js").write_text("js")
    (root / "conf").mkdir()
    (root / "conf/local.ini").write_text("ini")
    (root / "README.md").write_text("changed by the user")
    provisions = Provisions(
        post_create=("echo generated > generated.txt", "rm src/app.py"),
        copy=(".env", "conf", "README.md", "absent"),
        link=("node_modules",),
    )
    workspace = open_workspace(provisions=provisions)
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    assert (copy.path / ".env").read_text() == "KEY=1"
    assert (copy.path / "conf/local.ini").read_text() == "ini"
    assert (copy.path / "node_modules").readlink() == root / "node_modules"
    assert (copy.path / "README.md").read_text() == "changed by the user"
    assert replace(run(workspace.collect("task-1", 1, base, "One", "")), tree="") == Found("")
    (copy.path / "generated.txt").write_text("changed by the agent")
    work = run(workspace.collect("task-1", 1, base, "One", ""))
    assert [change.path for change in work.changes] == ["generated.txt"]
    assert run(workspace.release("task-1")) == ""
    assert (root / "node_modules/lib/index.js").read_text() == "js"


def test_the_output_of_a_failed_command_is_kept_and_shown(
    open_workspace: Opener, repository: Repository, base: str
) -> None:
    workspace = open_workspace(provisions=Provisions(post_create=("echo working", "echo broken >&2; exit 7")))
    with pytest.raises(Failed, match="ended with 7") as caught:
        run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    assert "broken" in str(caught.value)
    logs = sorted((repository.state_dir / "logs").glob("*.log"))
    assert [log.read_text() for log in logs] == ["working\n", "broken\n"]


def test_no_secret_that_a_command_prints_is_kept_or_shown(
    open_workspace: Opener, repository: Repository, base: str
) -> None:
    known = {"4f9c0de8aa17": "API_KEY"}
    workspace = open_workspace(provisions=Provisions(("echo key 4f9c0de8aa17; exit 7",), secrets=known))
    with pytest.raises(Failed) as caught:
        run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    assert str(caught.value).endswith("\nkey [secret]")
    (log,) = (repository.state_dir / "logs").glob("*.log")
    assert log.read_text() == "key [secret]\n"


def test_a_command_that_takes_too_long_is_ended(open_workspace: Opener, base: str) -> None:
    workspace = open_workspace(provisions=Provisions(post_create=("sleep 60",), timeout=0.05))
    with pytest.raises(Failed, match="took too long"):
        run(workspace.prepare("task-1", 1, [base], "", fresh=True))


def test_a_preparation_that_is_given_up_ends_its_command(
    open_workspace: Opener, tmp_path: Path, base: str
) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    workspace = open_workspace(provisions=Provisions(post_create=(f"echo $$ > {started}; exec sleep 60",)))

    async def give_up() -> None:
        preparing = asyncio.ensure_future(workspace.prepare("task-1", 1, [base], "", fresh=True))
        pid = int(await asyncio.to_thread(started.read_text))
        preparing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await preparing
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    run(give_up())


@pytest.mark.parametrize("pattern", ["/etc/passwd", "../outside", ".git/config", ""])
def test_provisions_outside_the_repository_are_refused(
    open_workspace: Opener, base: str, pattern: str
) -> None:
    with pytest.raises(ConfigError):
        run(
            open_workspace(provisions=Provisions(copy=(pattern,))).prepare(
                "task-1", 1, [base], "", fresh=True
            )
        )


@pytest.fixture
def with_library(root: Path, tmp_path: Path) -> str:
    """A commit with a submodule whose origin is gone."""
    library = tmp_path / "library"
    library.mkdir()
    git(library, "init", "-q")
    (library / "lib.c").write_text("int x;")
    git(library, "add", "-A")
    git(library, "commit", "-qm", "library")
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "vendor/lib")
    git(root, "commit", "-qm", "with a library")
    shutil.rmtree(library)
    return git(root, "rev-parse", "HEAD")


def test_submodules_of_the_user_are_in_the_copy(
    workspace: GitWorkspace, root: Path, with_library: str
) -> None:
    head, config = with_library, (root / ".git/config").read_text()
    copy = run(workspace.prepare("task-1", 1, [head], "", fresh=True))
    assert (copy.path / "vendor/lib/lib.c").read_text() == "int x;"
    assert (root / ".git/config").read_text() == config
    assert replace(run(workspace.collect("task-1", 1, head, "One", "")), tree="") == Found("")
    assert run(workspace.release("task-1")) == ""


def test_a_copy_is_made_only_when_the_set_up_of_an_earlier_leader_has_ended(
    workspace: GitWorkspace, repository: Repository, base: str
) -> None:
    async def main() -> tuple[bool, bool]:
        logs = repository.state_dir / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        with await run_lock.claim(logs / "task-1.lock") or pytest.fail("nobody has it"):
            made = asyncio.create_task(workspace.prepare("task-1", 1, [base], "", fresh=True))
            early, _ = await asyncio.wait([made], timeout=0.05)
        return bool(early), (await asyncio.wait_for(made, 20)).path.is_dir()

    assert asyncio.run(main()) == (False, True)


def test_what_was_changed_in_a_submodule_is_kept(
    workspace: GitWorkspace, with_library: str, root: Path
) -> None:
    copy = run(workspace.prepare("task-1", 1, [with_library], "", fresh=True)).path
    (copy / "vendor/lib/lib.c").write_text("int y;")
    git(copy / "vendor/lib", "commit", "-qam", "own")
    own = git(copy / "vendor/lib", "rev-parse", "HEAD")
    assert run(workspace.release("task-1")) == "refs/teamlead/kept/s1/task-1/1"
    commit = kept(root)["1"]
    assert git(root, "show", f"{commit}:vendor/lib/lib.c") == "int y;"
    objects = f"git/modules/vendor/lib/objects/{own[:2]}/{own[2:]}"
    assert git(root, "cat-file", "-t", f"{commit}^2:{objects}") == "blob"
