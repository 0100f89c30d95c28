import asyncio
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from teamlead.core.evidence.values import Found
from teamlead.errors import Failed
from teamlead.system.git import as_user
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.trespass import UNKNOWN

Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


@pytest.fixture
def copy(workspace: GitWorkspace, base: str) -> Path:
    return run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path


def collect(workspace: GitWorkspace, base: str, attempt: int = 1, summary: str = "") -> Found:
    return run(workspace.collect("task-1", attempt, base, "Add a thing", summary))


def paths(work: Found) -> list[str]:
    return [change.path for change in work.changes]


def kept(root: Path) -> list[str]:
    return git(
        root, "for-each-ref", "--format=%(refname:lstrip=-1) %(subject)", "refs/teamlead/kept"
    ).splitlines()


def test_the_commit_is_by_the_user_and_names_session_task_and_attempt(
    workspace: GitWorkspace, copy: Path, root: Path, base: str
) -> None:
    (copy / "a.txt").write_text("a")
    work = collect(workspace, base, summary="It works.")
    assert git(root, "show", "-s", "--format=%an <%ae>|%cn|%P|%s", work.commit) == (
        f"Ada Lovelace <ada@example.org>|Ada Lovelace|{base}|Add a thing"
    )
    assert git(root, "show", "-s", "--format=%b", work.commit).strip().splitlines() == [
        "It works.",
        "",
        "Teamlead-Session: s1",
        "Teamlead-Task: task-1",
        "Teamlead-Attempt: 1",
    ]
    assert git(root, "rev-parse", "teamlead/s1/task-1") == work.commit


def test_the_copy_is_clean_afterwards(workspace: GitWorkspace, copy: Path, base: str) -> None:
    (copy / "a.txt").write_text("a")
    (copy / "README.md").unlink()
    work = collect(workspace, base)
    assert git(copy, "status", "--porcelain", "--branch") == "## teamlead/s1/task-1"
    assert git(copy, "rev-parse", "HEAD") == work.commit


def test_text_of_the_agent_cannot_pose_as_a_trailer(
    workspace: GitWorkspace, copy: Path, root: Path, base: str
) -> None:
    (copy / "a.txt").write_text("a")
    summary = "Fine.\n\nTeamlead-Task: task-9\nSigned-off-by: Mallory\n---\n\x1b[31mred\x07\u202e"
    work = collect(workspace, base, summary=summary)
    trailers = git(root, "show", "-s", "--format=%(trailers:only)", work.commit)
    assert trailers.strip().splitlines() == [
        "Teamlead-Session: s1",
        "Teamlead-Task: task-1",
        "Teamlead-Attempt: 1",
    ]
    message = git(root, "show", "-s", "--format=%B", work.commit)
    assert not any(line.startswith(("Signed-off-by", "---")) for line in message.splitlines())
    assert not {"\x1b", "\x07", "\u202e"} & set(message)


def test_commits_of_the_agent_become_one_and_stay_findable(
    workspace: GitWorkspace, copy: Path, root: Path, base: str
) -> None:
    for name in ("a.txt", "b.txt"):
        (copy / name).write_text(name)
        git(copy, "add", "-A")
        git(copy, "commit", "-qm", f"agent adds {name}")
    (copy / "c.txt").write_text("c")
    work = collect(workspace, base)
    assert paths(work) == ["a.txt", "b.txt", "c.txt"]
    assert git(root, "rev-list", "--count", f"{base}..{work.commit}") == "1"
    assert kept(root) == ["attempt-1 agent adds b.txt"]
    assert collect(workspace, base) == work


def test_the_commit_of_an_earlier_attempt_stays_findable(
    workspace: GitWorkspace, copy: Path, root: Path, base: str
) -> None:
    (copy / "a.txt").write_text("first try")
    first = collect(workspace, base)
    (copy / "a.txt").unlink()
    (copy / "b.txt").write_text("second try")
    second = collect(workspace, base, attempt=2)
    assert paths(second) == ["b.txt"]
    assert git(root, "rev-parse", "refs/teamlead/kept/s1/task-1/1") == first.commit


def test_work_that_was_taken_back_gives_no_commit_but_is_kept(
    workspace: GitWorkspace, copy: Path, root: Path, base: str
) -> None:
    (copy / "a.txt").write_text("a")
    first = collect(workspace, base)
    (copy / "a.txt").unlink()
    assert replace(collect(workspace, base, attempt=2), tree="") == Found("")
    assert git(root, "rev-parse", "teamlead/s1/task-1") == base
    assert git(root, "rev-parse", "refs/teamlead/kept/s1/task-1/1") == first.commit


def on_another_branch(copy: Path) -> None:
    git(copy, "switch", "-qc", "elsewhere")
    git(copy, "commit", "-q", "--allow-empty", "-m", "elsewhere")


def detached(copy: Path) -> None:
    git(copy, "switch", "-q", "--detach")
    git(copy, "commit", "-q", "--allow-empty", "-m", "detached")


def without_its_branch(copy: Path) -> None:
    git(copy, "switch", "-q", "--detach")
    git(copy, "branch", "-D", "teamlead/s1/task-1")


def on_an_unborn_branch(copy: Path) -> None:
    git(copy, "checkout", "-q", "--orphan", "nothing")


def with_locks(copy: Path) -> None:
    git_dir = Path(git(copy, "rev-parse", "--absolute-git-dir"))
    (git_dir / "index.lock").touch()
    (git_dir / "HEAD.lock").touch()
    (git_dir / "refs/heads/teamlead/s1/task-1.lock").touch()


def with_a_broken_index(copy: Path) -> None:
    (Path(git(copy, "rev-parse", "--absolute-git-dir")) / "index").write_bytes(b"rubbish")


def without_an_index(copy: Path) -> None:
    (Path(git(copy, "rev-parse", "--absolute-git-dir")) / "index").unlink()


def as_a_repository_of_its_own(copy: Path) -> None:
    (copy / ".git").unlink()
    git(copy, "init", "-q")


def without_a_link(copy: Path) -> None:
    (copy / ".git").unlink()


def with_changes_hidden(copy: Path) -> None:
    git(copy, "update-index", "--assume-unchanged", "README.md")
    git(copy, "update-index", "--skip-worktree", "src/app.py")


LEFT = [
    on_another_branch,
    detached,
    without_its_branch,
    on_an_unborn_branch,
    with_locks,
    with_a_broken_index,
    without_an_index,
    as_a_repository_of_its_own,
    without_a_link,
    with_changes_hidden,
]


@pytest.mark.parametrize("left", LEFT, ids=lambda left: left.__name__)
def test_work_is_collected_from_a_copy_left(
    left: Callable[[Path], None], workspace: GitWorkspace, copy: Path, base: str
) -> None:
    left(copy)
    (copy / "README.md").write_text("new words\n")
    (copy / "src/app.py").write_text("new code\n")
    work = collect(workspace, base)
    assert paths(work) == ["README.md", "src/app.py"]
    assert git(copy, "status", "--porcelain", "--branch") == "## teamlead/s1/task-1"
    assert collect(workspace, base) == work


def test_our_own_index_lost_or_broken_is_rebuilt(workspace: GitWorkspace, copy: Path, base: str) -> None:
    index = copy.parent / ".task-1/index"
    index.write_bytes(b"rubbish")
    (copy / "a.txt").write_text("a")
    assert paths(collect(workspace, base)) == ["a.txt"]
    index.unlink()
    (copy / "b.txt").write_text("b")
    assert paths(collect(workspace, base, attempt=2)) == ["a.txt", "b.txt"]


def test_a_merge_left_in_conflict_is_reported_also_when_asked_again(
    workspace: GitWorkspace, copy: Path, base: str
) -> None:
    git(copy, "switch", "-qc", "other")
    (copy / "src/app.py").write_text("theirs\n")
    git(copy, "commit", "-qam", "theirs")
    git(copy, "switch", "-q", "teamlead/s1/task-1")
    (copy / "src/app.py").write_text("ours\n")
    git(copy, "commit", "-qam", "ours")
    as_user(copy, "merge", "other", ok=(1,))
    work = collect(workspace, base)
    assert work.unmerged == ("src/app.py",)
    assert collect(workspace, base) == work
    assert "merg" not in git(copy, "status")
    (copy / "src/app.py").write_text("both\n")
    assert collect(workspace, base, attempt=2).unmerged == ()


def test_ignored_files_are_no_work_unless_they_were_added_on_purpose(
    workspace: GitWorkspace, copy: Path, base: str
) -> None:
    (copy / "build.log").write_text("noise")
    (copy / ":(top)x.log").write_text("wanted")
    git(copy, "--literal-pathspecs", "add", "-f", ":(top)x.log")
    assert paths(collect(workspace, base)) == [":(top)x.log"]


def test_what_the_user_ignores_everywhere_is_no_work(
    open_workspace: Callable[[], GitWorkspace], tmp_path: Path, base: str
) -> None:
    (tmp_path / "ignore").write_text("*.swp\n")
    git(tmp_path, "config", "--global", "core.excludesFile", str(tmp_path / "ignore"))
    workspace = open_workspace()
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path
    (copy / "x.swp").write_text("editor")
    assert replace(collect(workspace, base), tree="") == Found("")


def test_line_endings_follow_the_settings_of_the_user(
    open_workspace: Callable[[], GitWorkspace], root: Path, base: str
) -> None:
    git(root, "config", "--global", "core.autocrlf", "true")
    workspace = open_workspace()
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path
    assert (copy / "README.md").read_bytes() == b"hello\r\n"
    assert replace(collect(workspace, base), tree="") == Found("")
    (copy / "new.txt").write_bytes(b"x\r\n")
    assert as_user(root, "show", f"{collect(workspace, base).commit}:new.txt").output == b"x\n"


def test_files_whose_endings_git_would_rewrite_at_once_are_no_work(
    workspace: GitWorkspace, root: Path
) -> None:
    (root / "dos.txt").write_bytes(b"x\r\n")
    git(root, "add", "-A")
    (root / ".gitattributes").write_text("* text=auto\n")
    git(root, "add", ".gitattributes")
    git(root, "commit", "-qm", "not normalised")
    head = git(root, "rev-parse", "HEAD")
    run(workspace.prepare("task-1", 1, [head], "", fresh=True))
    assert replace(collect(workspace, head), tree="") == Found("")


def test_strange_names_survive(workspace: GitWorkspace, copy: Path, base: str) -> None:
    names = ["ünï/日本.txt", "with space", "a\nb", ":(glob)*", "-dash", "quo'te\"", "back\\slash", "*"]
    for name in names:
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text("x")
    Path(os.fsdecode(bytes(copy) + b"/caf\xe9")).write_text("x")
    assert sorted(paths(collect(workspace, base))) == sorted([*names, "caf\\xe9"])


def test_modes_and_links_are_seen(workspace: GitWorkspace, copy: Path, base: str) -> None:
    (copy / "README.md").chmod(0o755)
    (copy / "link").symlink_to("/etc/passwd")
    changes = {change.path: (change.before, change.after) for change in collect(workspace, base).changes}
    assert changes == {"README.md": ("100644", "100755"), "link": ("000000", "120000")}


@pytest.mark.parametrize("with_commit", [True, False])
def test_nested_repositories_are_shown_as_such_beside_the_rest(
    workspace: GitWorkspace, copy: Path, base: str, with_commit: bool
) -> None:
    inner = copy / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    (inner / "x").write_text("x")
    if with_commit:
        git(inner, "add", "-A")
        git(inner, "commit", "-qm", "inner")
    (copy / "a.txt").write_text("a")
    changes = {change.path: change.after for change in collect(workspace, base).changes}
    assert changes == {"a.txt": "100644", "inner": "160000"}


def test_the_commit_is_found_again_after_the_copy_is_gone(
    workspace: GitWorkspace, copy: Path, base: str
) -> None:
    (copy / "a.txt").write_text("a")
    work = collect(workspace, base)
    assert run(workspace.release("task-1")) == ""
    again = collect(workspace, base)
    assert (again.commit, again.changes, again.unmerged) == (work.commit, work.changes, work.unmerged)
    # How the repository was before is not known any more.
    assert again.trespasses == (UNKNOWN,)
    with pytest.raises(Failed, match="no working copy"):
        collect(workspace, base, attempt=2)


def test_a_filter_the_agent_names_does_not_run(workspace: GitWorkspace, copy: Path, base: str) -> None:
    """Configuration in the copy's own folder is not the repository's."""
    marker = copy.parent / "ran"
    (copy / ".git").unlink()
    git(copy, "init", "-q")
    git(copy, "config", "filter.evil.clean", f"touch {marker}; cat")
    git(copy, "config", "core.fsmonitor", f"touch {marker}")
    (copy / ".gitattributes").write_text("* filter=evil\n")
    assert paths(collect(workspace, base)) == [".gitattributes"]
    assert not marker.exists()


@pytest.fixture
def members(workspace: GitWorkspace, base: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The copy of a member of a team."""
    monkeypatch.setattr(workspace, "_leaves_findings", lambda _: True)
    return run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path


def lay(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text)


def test_files_of_findings_are_told_as_they_are_and_are_no_work(
    workspace: GitWorkspace, members: Path, root: Path, base: str
) -> None:
    (members / "a.txt").write_text("a")
    lay(members / "findings", analysis="# cause\n\nthe  cart\n", more="and more")
    lay(members / ".party" / "findings", review="fine\n")
    work = collect(workspace, base)
    assert work.findings == "# cause\n\nthe  cart\n\nand more\n\nfine"
    assert paths(work) == ["a.txt"]
    assert git(root, "ls-tree", "-r", "--name-only", f"{work.commit}").splitlines().count("a.txt") == 1
    assert "findings" not in git(root, "ls-tree", "-r", "--name-only", work.commit)
    assert collect(workspace, base) == work
    assert run(workspace.release("task-1")) == ""
    assert kept(root) == []


def test_findings_are_told_again_by_the_next_attempt_and_where_git_ignores_them(
    workspace: GitWorkspace, members: Path, base: str
) -> None:
    (members / ".gitignore").write_text(".party/\n")
    lay(members / ".party" / "findings", analysis="first")
    assert collect(workspace, base).findings == "first"
    lay(members / "findings", analysis="second")
    assert collect(workspace, base, 2).findings == "second\n\nfirst"
    assert paths(collect(workspace, base, 2)) == [".gitignore"]


def test_whose_findings_nobody_asked_for_has_made_files_like_others(
    workspace: GitWorkspace, copy: Path, base: str
) -> None:
    lay(copy / "findings", analysis="cause")
    work = collect(workspace, base)
    assert (work.findings, paths(work)) == ("", ["findings/analysis.md"])


def test_a_folder_of_that_name_that_is_the_repositorys_own_holds_work(
    workspace: GitWorkspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(root / "findings", old="old")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "findings")
    own = git(root, "rev-parse", "HEAD")
    monkeypatch.setattr(workspace, "_leaves_findings", lambda _: True)
    copy = run(workspace.prepare("task-1", 1, [own], "", fresh=True)).path
    lay(copy / "findings", new="new")
    work = run(workspace.collect("task-1", 1, own, "t", ""))
    assert (work.findings, paths(work)) == ("", ["findings/new.md"])


def test_findings_behind_links_or_too_large_are_not_read(
    workspace: GitWorkspace, members: Path, tmp_path: Path, base: str
) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("a secret")
    lay(members / "findings", large="x" * 200_000, analysis="cause")
    (members / "findings" / "link.md").symlink_to(secret)
    (members / ".party").mkdir()
    lay(tmp_path / "elsewhere", analysis="another secret")
    (members / ".party" / "findings").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(members / "findings" / "pipe.md")
    work = collect(workspace, base)
    assert work.findings == "cause"
    assert "findings/large.md" in paths(work)
