"""What agents change in the user's repository stays open until it is put back, or is the user's.

Agents work here as they can at worst: in the user's own repository.
"""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from teamlead.errors import MachineUnable, NotFound, Refused
from teamlead.system.environment import for_agent
from teamlead.system.faults import VARIABLE
from teamlead.system.git import Git, as_user
from teamlead.system.repository import Repository, claim, discover
from teamlead.workspaces.belongings import survey
from teamlead.workspaces.kept_work import kept_refs
from teamlead.workspaces.noted_changes import LOST, Change
from teamlead.workspaces.repository_mending import Mender
from teamlead.workspaces.repository_watch import Watch

COMMIT = "date +%s.%N >new.txt; git add new.txt; git commit -qm new; "
"""Another one each time."""
SLY = "unset GIT_COMMITTER_EMAIL; "
"""The address by which git's log would know the agent."""


@pytest.fixture
def lived_in(repository: Repository, root: Path) -> Repository:
    """With all that a repository may have."""
    script = """
        git init -q -b main ../lib; git -C ../lib commit -q --allow-empty -m lib
        git -c protocol.file.allow=always submodule add -q $PWD/../lib lib; git commit -q --amend -C HEAD
        git config remote.origin.url https://example.org/shop.git
        git config --add remote.origin.fetch +refs/heads/*:refs/remotes/origin/*
        git config branch.lonely.remote origin; git config branch.review.remote https://fork.test/
        git config alias.st status; git config extensions.worktreeConfig true
        git branch topic; git branch $'caf\\xe9'; git tag v1; git tag -m 'signed off' v2
        git checkout -q -b lonely; echo lonely >lonely.txt; git add lonely.txt; git commit -qm lonely
        git checkout -q main
        git worktree add -q ../second topic
        echo aside >>README.md; git stash -q
        mkdir -p .git/hooks .git/info
        printf '#!/bin/sh\\n' >.git/hooks/pre-push; chmod +x .git/hooks/pre-push
        echo '*.tmp' >>.git/info/exclude
    """
    subprocess.run(["bash", "-ec", script], cwd=root, check=True, capture_output=True)
    return repository


@pytest.fixture
def watch(lived_in: Repository, tmp_path: Path) -> Watch:
    return watch_in(lived_in, tmp_path / "session")


def watch_in(repository: Repository, folder: Path) -> Watch:
    folder.mkdir()
    return Watch(repository, folder)


def mender(watch: Watch, *others: Watch) -> Mender:
    return Mender(watch, "s1", others)


def git(root: Path, *arguments: str) -> str:
    return as_user(root, *arguments).text


def as_agent(root: Path, script: str) -> None:
    extra = {"GIT_CONFIG_GLOBAL": os.environ["GIT_CONFIG_GLOBAL"], "GIT_CONFIG_NOSYSTEM": "1"}
    _run(root, script, for_agent("s1", "task-1", 1, 1, extra))


def as_the_user(root: Path, script: str) -> None:
    _run(root, script, dict(os.environ))


def _run(root: Path, script: str, environment: dict[str, str]) -> None:
    done = subprocess.run(
        ["bash", "-ec", script], cwd=root, env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


def found(watch: Watch) -> dict[str, str]:
    return {change.name: change.level for change in watch.look()}


def open_changes(watch: Watch) -> list[Change]:
    return [change for change in mender(watch).changes() if change.level == "open"]


TRESPASSES = {
    "a hook is added": ("echo 'touch x' >.git/hooks/post-commit", ["hooks/post-commit"]),
    "a hook is changed": ("echo 'touch x' >>.git/hooks/pre-push", ["hooks/pre-push"]),
    "a hook is no longer run": ("chmod -x .git/hooks/pre-push", ["hooks/pre-push"]),
    "a hook is gone": ("rm .git/hooks/pre-push", ["hooks/pre-push"]),
    "a hook becomes a link": (
        "ln -sf ../../README.md .git/hooks/pre-push",
        ["hooks/pre-push"],
    ),
    "a hook whose name is no text": (r"echo : >.git/hooks/$'post-\xff'", ["hooks/post-\\xff"]),
    "a hook becomes a link to what is no text": (
        r"ln -sf $'\xff' .git/hooks/pre-push",
        ["hooks/pre-push"],
    ),
    "all is hidden from status": ("echo '*' >>.git/info/exclude", ["info/exclude"]),
    "attributes are set": ("echo '* filter=x' >.git/info/attributes", ["info/attributes"]),
    "history is grafted": ("git rev-parse HEAD >.git/info/grafts", ["info/grafts"]),
    "history is cut": ("git rev-parse HEAD >.git/shallow", ["shallow"]),
    "objects are borrowed": ("echo /tmp/x >.git/objects/info/alternates", ["objects/info/alternates"]),
    "hooks from elsewhere": ("git config core.hooksPath /tmp/x", ["config:core.hookspath"]),
    "an alias that runs a program": ("git config alias.st '!touch x'", ["config:alias.st"]),
    "an alias that is an option first": ("git config alias.st '-c core.pager=x log'", ["config:alias.st"]),
    "a filter": ("git config filter.x.clean 'touch x'", ["config:filter.x.clean"]),
    "another way to log in": ("git config credential.helper '!x'", ["config:credential.helper"]),
    "another ssh": ("git config core.sshCommand x", ["config:core.sshcommand"]),
    "another file of settings": ("git config include.path /tmp/x", ["config:include.path"]),
    "a remote leads elsewhere": (
        "git config remote.origin.url https://evil.test/",
        ["config:remote.origin.url"],
    ),
    "pushes lead elsewhere": (
        "git config remote.origin.pushurl https://evil.test/",
        ["config:remote.origin.pushurl"],
    ),
    "a branch follows an address": (
        "git config branch.main.remote https://evil.test/",
        ["config:branch.main.remote"],
    ),
    "pushes of a branch lead to a new remote": (
        "git config remote.evil.url https://evil.test/; git config branch.main.pushRemote evil",
        ["config:branch.main.pushremote", "config:remote.evil.url"],
    ),
    "pushes of a branch lead to an address": (
        "git config branch.main.pushRemote https://evil.test/",
        ["config:branch.main.pushremote"],
    ),
    "pushes of a branch that is still to be made lead to an address": (
        "git config branch.next.pushRemote https://evil.test/",
        ["config:branch.next.pushremote"],
    ),
    "all pushes lead to a new remote": (
        "git config remote.evil.url https://evil.test/; git config remote.pushDefault evil",
        ["config:remote.evil.url", "config:remote.pushdefault"],
    ),
    "a branch that follows another follows a new remote": (
        "git config remote.evil.url https://evil.test/; git config branch.lonely.remote evil",
        ["config:branch.lonely.remote", "config:remote.evil.url"],
    ),
    "a branch follows a new remote that nobody has pushed to": (
        "git config remote.evil.url https://evil.test/; git config branch.main.remote evil",
        ["config:branch.main.remote", "config:remote.evil.url"],
    ),
    "a branch follows a new remote that an agent has pushed it to": (
        "git init -q --bare ../e; git remote add e ../e; git push -q e main; git config branch.main.remote e",
        ["config:branch.main.remote", "config:remote.e.fetch", "config:remote.e.url"],
    ),
    "an address that a branch follows leads elsewhere": (
        "git config remote.https://fork.test/.url https://evil.test/",
        ["config:remote.https://fork.test/.url"],
    ),
    "a hook for the collection of garbage": (
        "git config gc.recentObjectsHook evil",
        ["config:gc.recentobjectshook"],
    ),
    "what is fetched is no longer looked at": (
        "git config fetch.fsckObjects false",
        ["config:fetch.fsckobjects"],
    ),
    "settings of the main working tree": (
        "printf '[core]\\n\\tpager = touch x\\n' >.git/config.worktree",
        ["config.worktree:core.pager"],
    ),
    "a version of the repository that git does not know": (
        "git config core.repositoryFormatVersion 99",
        ["config:core.repositoryformatversion"],
    ),
    "a configuration that git cannot read": ("echo '[[[' >>.git/config", ["config"]),
    "the configuration is a link": (
        "mv .git/config ../evil; git config --file ../evil core.pager x; ln -s ../../evil .git/config",
        ["config", "config:core.pager"],
    ),
    "the configuration is for nobody to read": ("chmod 000 .git/config", ["config"]),
    "the configuration is for all to write": ("chmod 666 .git/config", ["config"]),
    "the configuration is a folder": (
        "rm .git/config; mkdir .git/config",
        ["config"],
    ),
    "hooks are no folder": ("rm -r .git/hooks; echo evil >.git/hooks", ["hooks/pre-push"]),
    "a hook is a folder": (
        "rm .git/hooks/pre-push; mkdir .git/hooks/pre-push; echo evil >.git/hooks/pre-push/x",
        ["hooks/pre-push", "hooks/pre-push/x"],
    ),
    "a hook is a pipe": ("rm .git/hooks/pre-push; mkfifo .git/hooks/pre-push", ["hooks/pre-push"]),
    "a hook is for nobody to read": ("chmod 000 .git/hooks/pre-push", ["hooks/pre-push"]),
    "what is ignored is a folder": ("rm .git/info/exclude; mkdir .git/info/exclude", ["info/exclude"]),
    "all is taken from another repository": (
        "cp -r .git ../evil; echo ../../evil >.git/commondir",
        ["commondir"],
    ),
    "another working tree is of another repository": (
        "cp -r .git ../evil; echo $PWD/../evil >.git/worktrees/second/commondir",
        ["worktrees/second/commondir"],
    ),
    "settings of another working tree": (
        "printf '[core]\\n\\tfsmonitor = touch x\\n' >.git/worktrees/second/config.worktree",
        ["worktrees/second/config.worktree"],
    ),
    "another working tree has another git directory": (
        "cp -r .git ../evil; echo gitdir: $PWD/../evil >../second/.git",
        ["worktrees/second/.git"],
    ),
    "another working tree has a git directory of its own": (
        "rm ../second/.git; cp -r .git ../second/.git",
        ["worktrees/second/.git"],
    ),
    "another working tree is led elsewhere by a link": (
        "cp -r .git ../evil; ln -sf $PWD/../evil ../second/.git",
        ["worktrees/second/.git"],
    ),
    "a submodule has another git directory": (
        "cp -r .git/modules/lib ../evil; echo gitdir: ../../evil >lib/.git",
        ["modules/lib/.git"],
    ),
    "a submodule is of another repository": (
        "cp -r .git/modules/lib ../evil; echo $PWD/../evil >.git/modules/lib/commondir",
        ["modules/lib/commondir"],
    ),
    "attributes of a submodule are set": (
        "mkdir -p .git/modules/lib/info; echo '* filter=x' >.git/modules/lib/info/attributes",
        ["modules/lib/info/attributes"],
    ),
    "hooks lead elsewhere": ("mv .git/hooks ../evil; ln -s $PWD/../evil .git/hooks", ["hooks"]),
    "hooks of a submodule lead elsewhere": (
        "mkdir ../evil; rm -rf .git/modules/lib/hooks; ln -s $PWD/../evil .git/modules/lib/hooks",
        ["modules/lib/hooks"],
    ),
    "a branch is moved": (f"git checkout -q --detach; {COMMIT} git branch -f lonely; git checkout -q main",
                          ["refs/heads/lonely"]),
    "a branch is made": ("git branch mine", ["refs/heads/mine"]),
    "a branch is made whose name is no text": (r"git branch $'\xff'", [r"refs/heads/\xff"]),
    "a branch is moved whose name is no text": (
        r"git branch -f $'caf\xe9' $(git commit-tree -m x HEAD^{tree})",
        [r"refs/heads/caf\xe9"],
    ),
    "removes git's log of a branch whose name is no text": (
        r"rm .git/logs/refs/heads/$'caf\xe9'",
        [r"logs/refs/heads/caf\xe9"],
    ),
    "a setting that leads elsewhere, and whose name is no text": (
        r"git config url.$'https://\xff/'.insteadOf https://example.org/",
        [r"config:url.https://\xff/.insteadof"],
    ),
    "a tag is made": ("git tag mine", ["refs/tags/mine"]),
    "a branch is made anew": (
        "git branch -D lonely; git branch lonely $(git commit-tree -m x HEAD^{tree})",
        ["logs/refs/heads/lonely", "refs/heads/lonely"],
    ),
    "a tag is moved": ("git tag -f v1 $(git commit-tree -m x HEAD^{tree})", ["refs/tags/v1"]),
    "commits in the checkout": (COMMIT, ["refs/heads/main"]),
    "commits in another checkout": (f"cd ../second; {COMMIT}", ["refs/heads/topic"]),
    "moves the branch under a checkout": (
        "git update-ref refs/heads/main $(git commit-tree -p HEAD -m x $(git mktree </dev/null))",
        ["refs/heads/main"],
    ),
    "leaves something in the stash": ("echo x >>README.md; git stash -q", ["refs/stash"]),
    "switches the checkout": ("git checkout -q --detach lonely", ["HEAD"]),
    "switches another checkout": ("cd ../second; git checkout -q lonely", ["worktrees/second/HEAD"]),
    "replaces an object": (
        f"{SLY} git replace HEAD $(git commit-tree -m other HEAD^{{tree}})",
        ["refs/replace/"],
    ),
    "deletes a branch that alone holds a commit": (f"{SLY} git branch -D lonely", ["refs/heads/lonely"]),
    "writes a branch past git": (
        f"{SLY} git commit-tree -m other HEAD^{{tree}} >.git/refs/heads/lonely",
        ["refs/heads/lonely"],
    ),
    "makes nonsense of a branch": ("echo nonsense >.git/refs/heads/lonely", ["refs/heads/lonely"]),
    "writes HEAD past git": (f"{SLY} git symbolic-ref HEAD refs/heads/lonely", ["HEAD"]),
    "makes nonsense of HEAD": ("echo nonsense >.git/HEAD", ["HEAD"]),
    "cuts git's logs": (
        f"{SLY} git reflog expire --expire=now --expire-unreachable=now refs/heads/lonely",
        ["logs/refs/heads/lonely"],
    ),
    "removes git's logs": ("rm -r .git/logs/refs/heads/lonely", ["logs/refs/heads/lonely"]),
    "removes all of git's logs": (
        f"{SLY} rm -r .git/logs",
        [*4 * ["logs/refs/heads/"], "logs/HEAD", "refs/stash"],
    ),
    "removes git's log of the stash": (f"{SLY} rm .git/logs/refs/stash", ["refs/stash"]),
    "makes git forget a working tree": ("rm -r .git/worktrees/second", ["worktrees/second/gitdir"]),
}  # fmt: skip


@pytest.mark.parametrize(("script", "named"), TRESPASSES.values(), ids=TRESPASSES.keys())
def test_what_an_agent_changed_stays_open_until_it_is_put_back_from_what_was_kept(
    watch: Watch, root: Path, script: str, named: list[str]
) -> None:
    watch.begin("task-1", 1)
    before = survey(watch.repository)
    as_agent(root, script)
    watch.end_all()

    changes = open_changes(watch)
    assert [change.name[: len(name)] for change, name in zip(changes, named, strict=True)] == named
    assert changes[0].suspects == ("task-1 (attempt 1)",)
    assert open_changes(watch) == changes

    for change in changes:
        mender(watch).put_back(change)
    assert open_changes(watch) == []
    assert survey(watch.repository) == before
    assert git(root, "fsck", "--connectivity-only") == ""
    assert git(root, "status", "--porcelain", "--untracked-files=no") == ""


@pytest.mark.parametrize(("script", "named"), TRESPASSES.values(), ids=TRESPASSES.keys())
def test_what_the_user_takes_as_it_is_is_not_open_any_more(
    watch: Watch, root: Path, script: str, named: list[str]
) -> None:
    watch.begin("task-1", 1)
    as_agent(root, script)
    for change in open_changes(watch):
        mender(watch).accept(change)
    assert open_changes(watch) == []


USERS_WORK = {
    "commits": f"{COMMIT} echo newer >new.txt; git commit -qam newer; git commit -q --amend -m newest",
    "fetches": "git init -q -b other ../away; git -C ../away commit -q --allow-empty -m away; "
    "git -C ../away tag far; git remote add away ../away; git fetch -q away",
    "makes branches and tags": f"git checkout -q -b mine; {COMMIT} git tag v3; git tag -m x v4; "
    "git tag -f v3 v1",
    "has settings of their own": "git config user.email me@work.test; git config pull.rebase true; "
    "git config core.autocrlf input; git config alias.co checkout; git config --unset alias.st",
    "tracks a remote branch": "git config remote.away.url ../away; git config branch.main.remote origin; "
    "git config branch.main.merge refs/heads/main",
    "pushes a branch to a remote of their own for the first time": "git init -q --bare ../fork; "
    "git remote add fork ../fork; git push -q -u fork main",
    "pushes a new branch to a remote of their own": "git init -q --bare ../fork; git branch mine; "
    "git remote add fork ../fork; git push -q -u fork mine; git config branch.mine.pushRemote fork",
    "takes up somebody's pull request": "git fetch -q . main:pr; "
    "git config branch.pr.remote https://example.org/x.git; git config branch.pr.merge refs/heads/pr; "
    "git config branch.pr.pushRemote https://example.org/x.git",
    "pushes a branch to another remote that was there": "git config branch.main.pushRemote origin",
    "stashes and takes it back": "echo x >>README.md; git stash -q; git stash pop -q; git checkout -q .; "
    "git stash drop -q",
    "switches branches": "git checkout -q lonely; git checkout -q --detach; git switch -q main; "
    "git switch -q lonely",
    "works in another working tree": f"cd ../second; {COMMIT} git checkout -q -b more",
    "rebases": f"git checkout -q topic --ignore-other-worktrees; {COMMIT} git rebase -q lonely",
    "resets": "git checkout -q lonely; git reset -q --hard HEAD~1",
    "renames a branch": "git branch -m topic theme",
    "deletes a branch that is merged": "git branch merged; git branch -d merged; git tag -d v1",
    "moves and adds working trees": "git worktree add -q -b third ../third; "
    "git worktree move ../second ../fourth",
    "has settings of one working tree": "git -C ../second config --worktree user.name Eve; "
    "git -C ../second sparse-checkout set src; git worktree add -q -b third ../third",
    "mends the links between working trees": "mv ../second ../moved; git worktree repair ../moved",
    "leaves a submodule and takes it up again": "git submodule deinit -q -f lib; "
    "git -c protocol.file.allow=always submodule update -q --init",
    "removes a working tree": "git worktree remove ../second; git branch -d topic",
    "tidies": "git pack-refs --all; git gc -q; git reflog expire --expire=90.days --all",
}


@pytest.mark.parametrize("script", USERS_WORK.values(), ids=USERS_WORK.keys())
def test_what_the_user_does_while_agents_work_is_not_open(watch: Watch, root: Path, script: str) -> None:
    watch.begin("task-1", 1)
    as_the_user(root, script)
    assert open_changes(watch) == []


def test_what_git_tidies_away_after_its_time_is_not_open(lived_in: Repository, tmp_path: Path) -> None:
    root = lived_in.root
    as_the_user(root, "GIT_COMMITTER_DATE=\"$(date -d '100 days ago' -R)\" git branch old lonely")
    watch = watch_in(lived_in, tmp_path / "session")
    watch.begin("task-1", 1)
    as_the_user(root, "git gc -q")
    assert (root / ".git/logs/refs/heads/old").read_text() == ""
    assert open_changes(watch) == []


def test_what_changes_while_nobody_else_is_at_work_is_the_users_and_is_what_later_changes_are_compared_with(
    watch: Watch, root: Path
) -> None:
    watch.begin("task-1", 1)
    watch.end("task-1")
    as_the_user(root, "git config core.hooksPath mine; echo mine >.git/hooks/post-commit")
    assert found(watch) == {}

    watch.begin("task-2", 1)
    as_agent(root, "git config core.hooksPath evil; rm .git/hooks/post-commit")
    changes = open_changes(watch)
    assert [change.name for change in changes] == ["config:core.hookspath", "hooks/post-commit"]
    for change in changes:
        mender(watch).put_back(change)
    assert git(root, "config", "--file", ".git/config", "core.hooksPath") == "mine"
    assert (root / ".git/hooks/post-commit").read_text() == "mine\n"


def test_what_the_user_takes_as_it_is_is_put_back_when_it_is_changed_again(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    as_agent(root, "git config core.pager one")
    mender(watch).accept(open_changes(watch)[0])
    as_agent(root, "git config core.pager two")
    mender(watch).put_back(open_changes(watch)[0])
    assert git(root, "config", "--file", ".git/config", "core.pager") == "one"


def test_a_change_that_is_undone_by_hand_is_not_open_any_more(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    as_agent(root, "git config core.pager evil; git branch -f topic lonely 2>/dev/null || true")
    assert found(watch) == {"config:core.pager": "open"}
    as_the_user(root, "git config --unset core.pager")
    assert found(watch) == {}


def test_what_looks_like_the_users_own_work_is_listed_and_can_be_put_back(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    before = git(root, "rev-parse", "main")
    as_agent(root, f"{SLY} {COMMIT} git config user.name Eve")
    assert found(watch) == {"config:user.name": "noticed", "refs/heads/main": "noticed"}
    for change in mender(watch).changes():
        mender(watch).put_back(change)
    assert found(watch) == {}
    assert git(root, "rev-parse", "main") == before
    assert not (root / "new.txt").exists()


def test_settings_that_the_user_changed_meanwhile_stay_when_others_are_put_back(
    watch: Watch, root: Path
) -> None:
    watch.begin("task-1", 1)
    as_the_user(root, "git config pull.rebase true")
    as_agent(root, "git config --add remote.origin.fetch +refs/*:refs/*; git config core.pager evil")
    for change in open_changes(watch):
        mender(watch).put_back(change)
    assert git(root, "config", "pull.rebase") == "true"
    assert git(root, "config", "--get-all", "remote.origin.fetch") == "+refs/heads/*:refs/remotes/origin/*"


def test_settings_that_are_put_back_stay_in_their_order(watch: Watch, root: Path) -> None:
    as_the_user(
        root, "git config --add remote.origin.fetch +refs/notes/*:refs/notes/*; git config core.editor vi"
    )
    before = (root / ".git/config").read_bytes()
    watch.begin("task-1", 1)
    as_agent(
        root, "git config remote.origin.url evil; git config core.editor evil; git config core.pager evil"
    )
    for change in open_changes(watch):
        mender(watch).put_back(change)
    assert (root / ".git/config").read_bytes() == before


def test_the_changed_side_is_kept(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    as_agent(root, f"echo evil >.git/hooks/pre-push; {COMMIT}")
    sly = git(root, "rev-parse", "main")
    hook, branch = open_changes(watch)
    assert Path(mender(watch).put_back(hook)).read_text() == "evil\n"
    assert mender(watch).put_back(branch) == "refs/teamlead/kept/s1/mended/1"
    (kept,) = kept_refs(Git(root / ".git", root))
    assert (kept.commit, kept.reason) == (sly, "put back by `teamlead mend`")


def test_what_is_kept_is_for_the_user_alone_whatever_their_umask(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    as_agent(root, "echo evil >.git/hooks/pre-push; rm -r .git/info; git config core.pager evil")
    before = os.umask(0)
    try:
        for change in open_changes(watch):
            mender(watch).put_back(change)
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in watch.folder.rglob("*")}
    assert len(modes) > 6
    assert modes == {path: 0o700 if path.is_dir() else 0o600 for path in modes}


def test_hooks_that_are_put_back_are_not_written_through_a_link_that_was_not_there(
    watch: Watch, root: Path, tmp_path: Path
) -> None:
    watch.begin("task-1", 1)
    as_agent(root, f"mv .git/hooks {tmp_path}/evil; ln -s {tmp_path}/evil .git/hooks")
    as_agent(root, "echo evil >.git/hooks/pre-push")
    (link,) = open_changes(watch)
    assert mender(watch).sides(link) == ([], [f"{tmp_path}/evil"])
    mender(watch).put_back(link)
    assert open_changes(watch) == []
    assert not (root / ".git/hooks").is_symlink()
    assert (root / ".git/hooks/pre-push").read_text() == "#!/bin/sh\n"
    assert (tmp_path / "evil/pre-push").read_text() == "evil\n"


def test_hooks_behind_a_link_that_the_user_takes_are_asked_about_themselves(
    watch: Watch, root: Path, tmp_path: Path
) -> None:
    watch.begin("task-1", 1)
    evil = tmp_path / "evil"
    as_agent(root, f"mv .git/hooks {evil}; echo evil >{evil}/post-merge; ln -s {evil} .git/hooks")
    (link,) = open_changes(watch)
    mender(watch).accept(link)
    (hook,) = open_changes(watch)
    assert hook.name == "hooks/post-merge"
    mender(watch).accept(hook)
    assert open_changes(watch) == []


def test_hooks_that_were_a_link_from_the_start_are_one_again(
    lived_in: Repository, root: Path, tmp_path: Path
) -> None:
    as_the_user(root, f"mv .git/hooks {tmp_path}/mine; ln -s {tmp_path}/mine .git/hooks")
    watch = watch_in(lived_in, tmp_path / "session")
    watch.begin("task-1", 1)
    as_agent(root, "echo evil >.git/hooks/pre-push")
    (hook,) = open_changes(watch)
    assert hook.name == "hooks/pre-push"
    mender(watch).put_back(hook)
    assert (tmp_path / "mine/pre-push").read_text() == "#!/bin/sh\n"

    as_agent(root, "rm .git/hooks; mkdir .git/hooks; echo evil >.git/hooks/post-merge")
    (link,) = open_changes(watch)
    assert link.name == "hooks"
    kept = mender(watch).put_back(link)
    assert (Path(kept) / "post-merge").read_text() == "evil\n"
    assert (root / ".git/hooks").readlink() == tmp_path / "mine"
    assert open_changes(watch) == []


def test_where_a_checkout_leads_git_is_shown(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    as_agent(root, "echo gitdir: /evil >../second/.git")
    (change,) = open_changes(watch)
    assert change.told == "worktrees/second/.git was changed"
    assert mender(watch).sides(change) == ([f"gitdir: {root}/.git/worktrees/second"], ["gitdir: /evil"])


def test_settings_of_a_file_that_was_not_there_go_with_it(
    lived_in: Repository, root: Path, tmp_path: Path
) -> None:
    watch = watch_in(lived_in, tmp_path / "session")
    watch.begin("task-1", 1)
    as_agent(root, "git config --worktree core.pager evil; git config --worktree core.editor evil")
    for change in open_changes(watch):
        mender(watch).put_back(change)
    assert not (root / ".git/config.worktree").exists()


def test_a_configuration_that_was_a_link_is_one_again(
    lived_in: Repository, root: Path, tmp_path: Path
) -> None:
    as_the_user(root, f"mv .git/config {tmp_path}/mine; ln -s {tmp_path}/mine .git/config")
    watch = watch_in(lived_in, tmp_path / "session")
    watch.begin("task-1", 1)
    mine = (tmp_path / "mine").read_bytes()
    as_agent(root, "cat .git/config >x; rm .git/config; mv x .git/config; git config core.pager evil")
    changes = open_changes(watch)
    assert [change.name for change in changes] == ["config", "config:core.pager"]
    assert changes[0].told == "config is a plain file now"
    for change in changes:
        mender(watch).put_back(change)
    assert (root / ".git/config").readlink() == tmp_path / "mine"
    assert (tmp_path / "mine").read_bytes() == mine
    as_agent(root, "git config core.pager evil")
    assert found(watch) == {"config:core.pager": "open"}


def test_settings_that_the_user_changed_meanwhile_stay_when_a_link_in_their_place_is_put_back(
    watch: Watch, root: Path
) -> None:
    watch.begin("task-1", 1)
    as_agent(root, "mv .git/config ../evil; ln -s ../../evil .git/config")
    as_the_user(root, "git config pull.rebase true")
    (link,) = open_changes(watch)
    assert link.told == "config is a link to ../../evil now"
    mender(watch).put_back(link)
    assert not (root / ".git/config").is_symlink()
    assert git(root, "config", "pull.rebase") == "true"


def test_an_entry_of_the_stash_that_is_dropped_comes_back_where_it_was(watch: Watch, root: Path) -> None:
    as_the_user(root, "echo more >>README.md; git stash -q; echo most >>README.md; git stash -q")
    before = git(root, "stash", "list", "--format=%gd %H %gs")
    watch.begin("task-1", 1)
    as_agent(root, f"{SLY} git stash drop -q stash@{{1}}")
    (change,) = mender(watch).changes()
    mender(watch).put_back(change)
    assert git(root, "stash", "list", "--format=%gd %H %gs") == before


@pytest.mark.parametrize("leads", ["echo gitdir: $PWD/../moved >.git", "ln -s ../moved .git"])
def test_a_git_directory_that_is_elsewhere_is_open_until_it_is_put_back_by_hand(
    watch: Watch, root: Path, leads: str
) -> None:
    watch.begin("task-1", 1)
    as_agent(root, f"mv .git ../moved; {leads}")
    moved = watch._replace(repository=claim(discover(root)))
    # What the submodule's git directory knows by its place comes second.
    change, _ = open_changes(moved)
    assert change.name == ".git"
    before, after = mender(moved).sides(change)
    assert before == ["the git directory itself"]
    assert after != before
    with pytest.raises(Refused, match=f"rm {root}/.git && mv {root.parent}/moved {root}/.git"):
        mender(moved).put_back(change)
    as_the_user(root, "rm .git; mv ../moved .git")
    assert found(watch._replace(repository=claim(discover(root)))) == {}


def test_a_git_directory_that_lies_elsewhere_from_the_start_is_not_open(
    lived_in: Repository, root: Path, tmp_path: Path
) -> None:
    as_the_user(root, "git init -q --separate-git-dir ../elsewhere; git worktree repair ../second")
    for place in (root, root.parent / "second"):
        watch = watch_in(claim(discover(place)), tmp_path / f"session of {place.name}")
        watch.begin("task-1", 1)
        for other in (root, root.parent / "second"):
            assert set(found(watch._replace(repository=discover(other))).values()) <= {"noticed"}


def test_a_git_directory_that_is_gone_is_nobodys_failure_and_nothing_is_made_there(
    watch: Watch, root: Path
) -> None:
    as_the_user(root, "mv .git ../moved")
    with pytest.raises(MachineUnable, match="is gone, or no folder any more"):
        watch.begin("task-1", 1)
    assert not (root / ".git").exists()


def test_both_sides_are_shown(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    as_agent(root, f"echo evil >.git/hooks/pre-push; git config core.pager evil; {COMMIT}")
    pager, hook, branch = (mender(watch).sides(change) for change in open_changes(watch))
    assert pager == ([], ["evil"])
    assert hook == (["(mode 755)", "#!/bin/sh"], ["(mode 755)", "evil"])
    assert [line.partition(" ")[2] for side in branch for line in side] == [
        "Ada Lovelace: first",
        "Ada Lovelace: new",
    ]


def test_what_the_user_has_not_committed_stays_when_their_branch_is_put_back(
    watch: Watch, root: Path
) -> None:
    watch.begin("task-1", 1)
    as_agent(root, COMMIT)
    (root / "README.md").write_text("under my hands\n")
    mender(watch).put_back(open_changes(watch)[0])
    assert (root / "README.md").read_text() == "under my hands\n"
    as_agent(root, "echo worse >README.md; git commit -qam worse")
    (root / "README.md").write_text("under my hands\n")
    with pytest.raises(Refused, match=r"README\.md"):
        mender(watch).put_back(open_changes(watch)[0])
    assert (root / "README.md").read_text() == "under my hands\n"


def test_what_was_changed_again_since_it_was_shown_is_left_alone(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    as_agent(root, "git config core.pager one")
    (shown,) = open_changes(watch)
    as_agent(root, "git config core.pager two")
    with pytest.raises(Refused, match="again meanwhile"):
        mender(watch).put_back(shown)
    as_the_user(root, "git config --unset core.pager")
    with pytest.raises(NotFound, match="is back as it was"):
        mender(watch).accept(shown)


def test_what_is_decided_in_one_session_is_decided_for_those_beside_it(
    watch: Watch, root: Path, tmp_path: Path
) -> None:
    watch.begin("task-1", 1)
    as_agent(root, "git config core.pager one; echo : >.git/hooks/post-commit")
    later = watch_in(watch.repository, tmp_path / "later")
    later.begin("task-1", 1)
    pager = open_changes(watch)[0]
    mender(watch, later).put_back(pager)
    as_agent(root, "echo ':;' >.git/hooks/post-commit")
    assert list(found(later)) == ["hooks/post-commit"]
    mender(watch, later).accept(open_changes(watch)[0])
    assert found(later) == found(watch) == {}


def test_a_record_that_is_gone_is_not_taken_for_a_repository_that_is_untouched(
    watch: Watch, root: Path
) -> None:
    watch.begin("task-1", 1)
    as_agent(root, "git config core.pager evil")
    (watch.folder / "reference.bin").write_bytes(b"torn")
    assert found(watch) == {LOST: "open"}
    with pytest.raises(Refused, match="nothing is left"):
        mender(watch).put_back(open_changes(watch)[0])
    mender(watch).accept(open_changes(watch)[0])
    assert found(watch) == {}


def test_a_leader_that_finds_nobody_at_work_leaves_no_record_that_would_be_missed(
    watch: Watch, root: Path
) -> None:
    watch.end_all()
    as_the_user(root, "git config core.pager mine")
    watch.begin("task-1", 1)
    assert found(watch) == {}


def test_where_nobody_knows_who_was_at_work_agents_may_have_been(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    (watch.folder / "watch.json").write_bytes(b"{")
    as_agent(root, "git config core.pager evil")
    assert found(watch) == {"config:core.pager": "open"}


def test_a_look_at_an_untouched_repository_starts_no_process_and_writes_nothing(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.begin("task-1", 1)
    before = [(watch.folder / file).stat().st_ino for file in ("reference.bin", "watch.json")]

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "run", forbidden)
    assert watch.look() == []
    assert [(watch.folder / file).stat().st_ino for file in ("reference.bin", "watch.json")] == before


MEND = """
import sys
from pathlib import Path
from teamlead.system.repository import discover
from teamlead.workspaces.repository_mending import Mender
from teamlead.workspaces.repository_watch import Watch
mender = Mender(Watch(discover(Path.cwd()), Path(sys.argv[1])), "s1", ())
for change in mender.changes():
    mender.put_back(change)
"""


def mend_elsewhere(watch: Watch, fault: str) -> int:
    """In a process that something happens to."""
    done = subprocess.run(
        [sys.executable, "-c", MEND, str(watch.folder)],
        cwd=watch.repository.root,
        env={**os.environ, VARIABLE: fault},
        check=False,
    )
    return done.returncode


@pytest.mark.parametrize(
    "trespass",
    ["echo evil >.git/hooks/pre-push", "git config core.pager evil", COMMIT],
    ids=["file", "setting", "ref"],
)
def test_mending_that_is_killed_at_any_step_is_finished_by_the_next(
    watch: Watch, root: Path, tmp_path: Path, trespass: str
) -> None:
    watch.begin("task-1", 1)
    before = survey(watch.repository)
    as_agent(root, trespass)
    assert len(open_changes(watch)) == 1
    assert mend_elsewhere(watch, f"record {tmp_path / 'points'}") == 0
    points = dict.fromkeys((tmp_path / "points").read_text().splitlines())
    assert len(points) > 3
    for point in points:
        as_agent(root, trespass)
        assert len(open_changes(watch)) == 1
        assert mend_elsewhere(watch, f"kill {point}#1") == -signal.SIGKILL, point
        assert mend_elsewhere(watch, "") == 0, point
        assert open_changes(watch) == []
        assert survey(watch.repository) == before


def test_a_reference_that_is_taken_away_together_with_all_notes_is_told(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    as_agent(root, "git config core.pager evil")
    for file in watch.folder.iterdir():
        file.unlink()
    assert found(watch) == {LOST: "open"}


def test_the_id_of_the_repository_is_written_again(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    as_agent(root, "rm -r .git/teamlead; echo 'touch x' >.git/hooks/post-commit")
    assert found(watch) == {"hooks/post-commit": "open"}
    assert discover(root).id == watch.repository.id


def test_what_a_lead_changes_on_the_users_behalf_is_theirs(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    as_the_user(root, COMMIT)
    watch.own("refs/heads/main")
    assert found(watch) == {}


def test_other_sessions_are_told_what_is_open_here_without_taking_it_for_the_users(
    watch: Watch, root: Path
) -> None:
    watch.begin("task-1", 1)
    as_agent(root, "git config core.pager evil; git config user.name Eve")
    watch.end("task-1")
    assert [change.name for change in watch.still_open()] == ["config:core.pager"]
    as_the_user(root, "git config --unset core.pager; git config core.editor mine")
    assert watch.still_open() == []
