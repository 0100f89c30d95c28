"""What agents do to the user's repository is found out, and nobody else is blamed for it.

They have no room here, and go there by its path: in scripts `$USERS` is the user's checkout.
"""

import asyncio
import os
import subprocess
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.core.evidence.values import Found
from teamlead.system.environment import for_agent
from teamlead.system.git import Git, as_user
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.kept_work import kept_refs
from teamlead.workspaces.trespass import UNKNOWN

Result = TypeVar("Result")
Opener = Callable[..., GitWorkspace]
Agent = Callable[..., None]


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


@pytest.fixture
def as_agent(root: Path) -> Agent:
    def run_script(copy: Path, script: str, task: str = "task-1", attempt: int = 1) -> None:
        git_settings = {"GIT_CONFIG_GLOBAL": os.environ["GIT_CONFIG_GLOBAL"], "GIT_CONFIG_NOSYSTEM": "1"}
        environment = for_agent("s1", task, attempt, 1, {**git_settings, "USERS": str(root)})
        done = subprocess.run(
            ["bash", "-ec", script], cwd=copy, env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()

    return run_script


def prepare(workspace: GitWorkspace, base: str, task: str = "task-1", attempt: int = 1) -> Path:
    return run(workspace.prepare(task, attempt, [base], "", fresh=attempt == 1)).path


def collect(workspace: GitWorkspace, base: str, task: str = "task-1", attempt: int = 1) -> Found:
    return run(workspace.collect(task, attempt, base, "Add a thing", ""))


@pytest.fixture
def copy(workspace: GitWorkspace, root: Path, base: str) -> Path:
    """Of task-1, beside work of the user's and another task's."""
    git(root, "branch", "topic")
    git(root, "tag", "v1")
    git(root, "tag", "-m", "signed off", "v2")
    (root / "README.md").write_text("set aside\n")
    git(root, "stash")
    other = prepare(workspace, base, "task-2")
    (other / "two.txt").write_text("two")
    run(workspace.integrate("task-2", collect(workspace, base, "task-2").commit, "Two"))
    return prepare(workspace, base)


COMMIT = "echo new >new.txt; git add new.txt; git commit -qm new; "
THERE = "cd $USERS; "
BROUGHT = f'{COMMIT} copy=$PWD; {THERE} git fetch -q "$copy" HEAD; '
"""A commit of the copy, made known to the user's repository as FETCH_HEAD."""

MARKED = {
    "moves a branch by plumbing": (
        f"{BROUGHT} git update-ref refs/heads/topic FETCH_HEAD",
        "refs/heads/topic",
    ),
    "moves a branch by porcelain": (f"{BROUGHT} git branch -f topic FETCH_HEAD", "refs/heads/topic"),
    "moves a branch by a push": (f"{COMMIT} git push -q $USERS HEAD:topic", "refs/heads/topic"),
    "moves the branch of the user's checkout": (
        f"{BROUGHT} git update-ref refs/heads/main FETCH_HEAD",
        "refs/heads/main",
    ),
    "commits on a branch without checking it out": (
        f"{THERE} git update-ref refs/heads/topic $(git commit-tree -p topic -m sly HEAD^{{tree}})",
        "refs/heads/topic",
    ),
    "makes a branch": (f"{THERE} git branch mine", "refs/heads/mine"),
    "makes a branch whose name is no text": (
        rf"{THERE} git branch $'\xff'",
        r"refs/heads/\xff was moved",
    ),
    "makes a tag": (f"{THERE} git tag mine", "refs/tags/mine"),
    "moves a tag": (f"{BROUGHT} git tag -f v1 FETCH_HEAD", "refs/tags/v1"),
    "moves an annotated tag": (f"{BROUGHT} git tag -f -m mine v2 FETCH_HEAD", "refs/tags/v2"),
    "makes a branch anew": (
        f"{BROUGHT} git branch -D topic; git branch topic FETCH_HEAD",
        "refs/heads/topic",
    ),
    "moves its own task's branch": (
        f"{BROUGHT} git update-ref refs/heads/teamlead/s1/task-1 FETCH_HEAD",
        "refs/heads/teamlead/s1/task-1",
    ),
    "moves another task's branch": (
        f"{BROUGHT} git update-ref refs/heads/teamlead/s1/task-2 FETCH_HEAD",
        "refs/heads/teamlead/s1/task-2",
    ),
    "makes a branch where leads work": (
        f"{BROUGHT} git branch teamlead/s2/task-9 FETCH_HEAD",
        "refs/heads/teamlead/s2/task-9",
    ),
    "writes to the kept work": (
        f"{BROUGHT} git update-ref refs/teamlead/kept/s1/task-2/1 FETCH_HEAD",
        "refs/teamlead/kept/s1/task-2/1",
    ),
    "replaces an object": (
        f"{THERE} git replace HEAD $(git commit-tree -m other HEAD^{{tree}})",
        "refs/replace/",
    ),
    "leaves something in the stash": (f"{THERE} echo x >>README.md; git stash -q", "the stash"),
    "commits in the user's checkout": (f"{THERE} {COMMIT}", "refs/heads/main"),
    "switches the user's checkout": (f"{THERE} git checkout -q --detach", "HEAD of the working tree"),
    "makes a working tree": (
        f"{THERE} git worktree add -q --detach ../mine; cd ../mine; {COMMIT}",
        "HEAD of the working tree",
    ),
    "moves the integration branch": (
        f"{BROUGHT} git update-ref refs/heads/teamlead/s1/integration FETCH_HEAD",
        "refs/heads/teamlead/s1/integration",
    ),
    "takes work off the integration branch": (
        f"{THERE} git update-ref refs/heads/teamlead/s1/integration HEAD",
        "refs/heads/teamlead/s1/integration",
    ),
    "deletes the integration branch": (
        f"{THERE} git update-ref -d refs/heads/teamlead/s1/integration",
        "refs/heads/teamlead/s1/integration",
    ),
    "writes the integration branch past git": (
        f"{BROUGHT} git rev-parse FETCH_HEAD >.git/refs/heads/teamlead/s1/integration",
        "refs/heads/teamlead/s1/integration",
    ),
}

STEERING = {
    "changes a setting": ("git config core.hooksPath /tmp/x", "core.hookspath"),
    "adds a value to a setting": ("git config --add core.sshCommand evil", "core.sshcommand"),
    "takes a setting away": ("git config --unset core.sshCommand", "core.sshcommand"),
    "includes another file": ("git config include.path /tmp/x", "include.path"),
    "adds an alias": ("git config alias.log '!touch x'", "alias.log"),
    "redirects a remote": (
        "git config remote.origin.url https://user:secret@evil.test/",
        "remote.origin.url",
    ),
    "uses settings a worktree": ("git config extensions.worktreeConfig true", "extensions.worktreeconfig"),
    "writes the settings of the main worktree": (
        "printf '[core]\\n\\tpager = touch x\\n' >.git/config.worktree",
        "core.pager",
    ),
    "installs a hook": ("echo 'touch x' >.git/hooks/post-commit", "hooks/post-commit"),
    "makes a hook executable": ("chmod -x .git/hooks/pre-push", "hooks/pre-push"),
    "removes a hook": ("rm .git/hooks/pre-push", "hooks/pre-push"),
    "writes a hook and sets its time back": (
        "cd .git/hooks; cp -p pre-push ../x; echo : >pre-push; touch -r ../x pre-push; rm ../x",
        "hooks/pre-push",
    ),
    "hides files from status": ("echo '*' >>.git/info/exclude", "info/exclude"),
    "sets attributes": ("echo '* filter=x' >>.git/info/attributes", "info/attributes"),
    "borrows objects": ("echo /tmp/x >.git/objects/info/alternates", "objects/info/alternates"),
}


@pytest.fixture
def steered(root: Path) -> None:
    """A repository with a hook, and with settings that matter."""
    git(root, "config", "core.sshCommand", "ssh")
    git(root, "config", "remote.origin.url", "https://example.org/shop.git")
    hook = root / ".git/hooks/pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\n")
    hook.chmod(0o755)
    git(root, "config", "remote.origin.url", "https://example.org/shop.git")


@pytest.mark.parametrize(("script", "named"), MARKED.values(), ids=MARKED.keys())
def test_a_move_of_what_is_not_its_own_is_a_trespass_of_the_attempt(
    workspace: GitWorkspace, copy: Path, base: str, as_agent: Agent, *, script: str, named: str
) -> None:
    prepare(workspace, base, "task-3")
    as_agent(copy, script)
    (found,) = collect(workspace, base).trespasses
    assert found.startswith(named)
    assert collect(workspace, base, "task-3").trespasses == ()


def test_a_move_of_the_integration_branch_by_nobody_in_particular_is_a_trespass_of_all_who_were_at_work(
    workspace: GitWorkspace, copy: Path, base: str, as_agent: Agent
) -> None:
    prepare(workspace, base, "task-3")
    move = "git update-ref refs/heads/teamlead/s1/integration FETCH_HEAD"
    as_agent(copy, f"{BROUGHT} unset GIT_COMMITTER_EMAIL; {move}")
    (found,) = collect(workspace, base).trespasses
    assert found.startswith("refs/heads/teamlead/s1/integration was moved")
    assert collect(workspace, base, "task-3").trespasses == (found,)


@pytest.mark.parametrize(("script", "named"), STEERING.values(), ids=STEERING.keys())
def test_a_change_of_what_steers_git_is_a_trespass_of_all_who_were_at_work(
    workspace: GitWorkspace,
    steered: None,
    copy: Path,
    base: str,
    as_agent: Agent,
    *,
    script: str,
    named: str,
) -> None:
    prepare(workspace, base, "task-3")
    as_agent(copy, f"{THERE} {script}")
    (found,) = collect(workspace, base).trespasses
    assert named in found
    assert "secret" not in found
    assert collect(workspace, base, "task-3").trespasses == (found,)
    prepare(workspace, base, "task-4")
    assert collect(workspace, base, "task-4").trespasses == ()


def test_the_sentence_tells_where_the_branch_was_and_how_to_put_it_back(
    workspace: GitWorkspace, copy: Path, base: str, root: Path, as_agent: Agent
) -> None:
    as_agent(copy, f"{BROUGHT} git branch -f topic FETCH_HEAD")
    moved = git(root, "rev-parse", "topic")
    (found,) = collect(workspace, base).trespasses
    undo = f"git update-ref refs/heads/topic {base} {moved}"
    assert found == f"refs/heads/topic was moved from {base} to {moved} (the user can put it back: {undo})"
    git(root, *undo.split()[1:])
    assert git(root, "rev-parse", "topic") == base


@pytest.mark.parametrize("name", [r"$'caf\xe9'", "'x;$(touch${IFS}evil)'"])
def test_the_command_that_puts_it_back_can_be_given_to_a_shell_whatever_the_name(
    workspace: GitWorkspace, copy: Path, base: str, root: Path, as_agent: Agent, *, name: str
) -> None:
    as_agent(copy, f"{THERE} git branch {name}")
    (found,) = collect(workspace, base).trespasses
    undo = found.partition("(the user can put it back: ")[2].removesuffix(")")
    subprocess.run(["bash", "-ec", undo], cwd=root, check=True)
    assert not git(root, "for-each-ref", "refs/heads/x*", "refs/heads/caf*")
    assert not (root / "evil").exists()


def test_the_integration_branch_is_put_back_and_what_was_put_there_is_kept(
    workspace: GitWorkspace, copy: Path, base: str, root: Path, as_agent: Agent
) -> None:
    tip = run(workspace.integration_tip())
    as_agent(copy, f"{BROUGHT} git update-ref refs/heads/teamlead/s1/integration FETCH_HEAD")
    sly = git(root, "rev-parse", "teamlead/s1/integration")
    collect(workspace, base)
    assert run(workspace.integration_tip()) == tip
    kept = [found for found in kept_refs(Git(root / ".git", root)) if found.task == "integration"]
    assert [found.commit for found in kept] == [sly]
    assert kept[0].reason == "put on the integration branch by nobody who leads"


HONEST = {
    "edits": "echo x >>README.md",
    "commits": COMMIT,
    "commits and amends": f"{COMMIT} git commit -q --amend -m better; git reset -q --hard HEAD~1",
    "commits on a branch of the user's, in its copy": f"git checkout -q topic; {COMMIT}",
    "works on a branch of its own": f"git checkout -qb feature; {COMMIT} {COMMIT.replace('new', 'newer')}",
    "tracks a branch": f"git checkout -q --track -b feature topic; {COMMIT}",
    "sets a tag of its own, and moves it": f"git tag mine; {COMMIT} git tag -f mine",
    "stashes and takes it back": "echo x >>README.md; git stash -q; git stash pop -q",
    "rebases and merges": f"git checkout -qb feature; {COMMIT} git checkout -q -; git merge -q feature",
    "moves a branch and thinks better of it": f"{BROUGHT} git branch -f topic FETCH_HEAD; "
    "git branch -f topic main",
    "stashes in the user's checkout and takes it back": f"{THERE} echo x >>README.md; git stash -q; "
    "git stash pop -q",
    "makes a working tree of its own": f"git worktree add -q -b own ../own; cd ../own; {COMMIT}",
    "collects garbage": "git gc -q; git pack-refs --all",
    "looks around": "git status; git log --all; git fetch -q . topic; git diff main",
    "makes a repository of its own": "git init -q inner; cd inner; git config a.b c; echo x >x; git add x; "
    "git commit -qm x; git tag v1",
}


@pytest.mark.parametrize("script", HONEST.values(), ids=HONEST.keys())
def test_honest_work_is_no_trespass(
    workspace: GitWorkspace, copy: Path, base: str, as_agent: Agent, *, script: str
) -> None:
    as_agent(copy, script)
    work = collect(workspace, base)
    assert (work.trespasses, work.remarks) == ((), ())


def test_a_branch_of_its_own_may_be_used_in_the_next_attempt(
    workspace: GitWorkspace, copy: Path, base: str, as_agent: Agent
) -> None:
    as_agent(copy, f"git checkout -qb feature; {COMMIT}")
    collect(workspace, base)
    prepare(workspace, base, attempt=2)
    as_agent(copy, f"git checkout -q feature; {COMMIT.replace('new', 'newer')}", attempt=2)
    assert collect(workspace, base, attempt=2).trespasses == ()


def test_what_the_user_does_meanwhile_is_no_trespass(
    workspace: GitWorkspace, copy: Path, base: str, root: Path
) -> None:
    (root / "mine.txt").write_text("mine")
    git(root, "add", "mine.txt")
    git(root, "commit", "-qm", "mine")
    git(root, "checkout", "-qb", "another")
    git(root, "tag", "v3")
    git(root, "stash", "apply", "-q")
    git(root, "branch", "-f", "topic", "main")
    git(root, "branch", "--set-upstream-to", "main", "topic")
    git(root, "pack-refs", "--all")
    work = collect(workspace, base)
    assert (work.trespasses, work.remarks) == ((), ())


REMARKABLE = {
    "a branch is gone": ("git branch -D topic", "refs/heads/topic was moved"),
    "a branch went back": (
        "git branch -f topic $(git commit-tree -m other HEAD^{tree})",
        "refs/heads/topic was moved",
    ),
    "a tag is gone": ("git tag -d v1", "refs/tags/v1 was moved"),
    "the stash lost an entry": ("git stash drop -q", "the stash lost an entry"),
    "a branch was written past git": (
        "git commit-tree -m other HEAD^{tree} >.git/refs/heads/topic",
        "refs/heads/topic was moved",
    ),
}


@pytest.mark.parametrize("by_agent", [True, False])
@pytest.mark.parametrize(("script", "said"), REMARKABLE.values(), ids=REMARKABLE.keys())
def test_what_leaves_no_name_is_told_but_is_nobodys_trespass(
    workspace: GitWorkspace,
    copy: Path,
    base: str,
    root: Path,
    as_agent: Agent,
    *,
    script: str,
    said: str,
    by_agent: bool,
) -> None:
    if by_agent:
        as_agent(copy, f"unset GIT_COMMITTER_EMAIL; {THERE} {script}")
    else:
        subprocess.run(["bash", "-ec", script], cwd=root, check=True, capture_output=True)
    work = collect(workspace, base)
    assert work.trespasses == ()
    (remark,) = work.remarks
    assert remark.startswith(said)
    undo = remark.partition(": ")[2].removesuffix(")")
    git(root, *undo.split()[1:])
    assert git(root, "rev-parse", "topic", "v1") == f"{base}\n{base}"
    assert git(root, "stash", "list")


def test_a_setting_that_is_a_matter_of_taste_is_told_but_is_nobodys_trespass(
    workspace: GitWorkspace, copy: Path, base: str, root: Path
) -> None:
    git(root, "config", "pull.rebase", "true")
    git(root, "config", "user.email", "ada@work.example")
    work = collect(workspace, base)
    assert work.trespasses == ()
    assert work.remarks == ("the repository's configuration was changed: pull.rebase, user.email",)


def test_a_branch_that_went_forward_without_a_name_cannot_be_told_from_the_users_work(
    workspace: GitWorkspace, copy: Path, base: str, root: Path, as_agent: Agent
) -> None:
    as_agent(copy, f"{BROUGHT} unset GIT_COMMITTER_EMAIL; git branch -f topic FETCH_HEAD")
    assert git(root, "rev-parse", "topic") != base
    work = collect(workspace, base)
    assert (work.trespasses, work.remarks) == ((), ())


def test_what_was_found_is_found_again_when_the_collection_is_asked_for_again(
    workspace: GitWorkspace, copy: Path, base: str, root: Path, as_agent: Agent
) -> None:
    as_agent(copy, f"{BROUGHT} git branch -f topic FETCH_HEAD; git config x.y z")
    work = collect(workspace, base)
    assert (len(work.trespasses), len(work.remarks)) == (1, 1)
    git(root, "config", "--unset", "x.y")
    assert collect(workspace, base) == work


def test_another_leader_finds_it_too(open_workspace: Opener, base: str, root: Path, as_agent: Agent) -> None:
    first = open_workspace()
    copy = prepare(first, base)
    prepare(first, base, "task-2")
    git(root, "branch", "topic")
    run(first.integration_tip())
    move = "git update-ref refs/heads/teamlead/s1/integration FETCH_HEAD"
    as_agent(copy, f"{BROUGHT} git config core.pager evil; {move}")
    second = open_workspace()
    found = collect(second, base).trespasses
    assert [sentence.partition(" was")[0] for sentence in found] == [
        "refs/heads/teamlead/s1/integration",
        "the repository's configuration",
    ]
    assert run(second.integration_tip()) == base


def test_work_whose_beginning_nobody_recorded_is_not_taken_for_clean(
    workspace: GitWorkspace, copy: Path, base: str
) -> None:
    (copy.parent / ".task-1/picture.json").write_text("{")
    assert collect(workspace, base).trespasses == (UNKNOWN,)


def test_ten_honest_agents_at_once_are_not_blamed_for_each_other(
    workspace: GitWorkspace, base: str, root: Path, as_agent: Agent
) -> None:
    turn = asyncio.Lock()

    async def task(name: str) -> Found:
        prepared = await workspace.prepare(name, 1, [base], "", fresh=True)
        script = f"echo {name} >{name}.txt; git add .; git commit -qm {name}; git checkout -qb mine-{name}"
        await asyncio.to_thread(as_agent, prepared.path, script, name)
        async with turn:
            await asyncio.to_thread(git, root, "commit", "-q", "--allow-empty", "-m", f"beside {name}")
        work = await workspace.collect(name, 1, base, name, "")
        await workspace.integrate(name, work.commit, name)
        return work

    async def all_of_them() -> list[Found]:
        return await asyncio.gather(*(task(f"task-{number}") for number in range(1, 11)))

    works = run(all_of_them())
    assert [(work.trespasses, work.remarks) for work in works] == [((), ())] * 10
    assert all(work.commit for work in works)
