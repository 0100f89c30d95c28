"""Files of the user's checkouts, beside agents that could get at them."""

import subprocess
from pathlib import Path

import pytest

from teamlead.errors import Refused
from teamlead.system.repository import Repository
from teamlead.workspaces import checkout_files
from teamlead.workspaces.noted_changes import Change
from teamlead.workspaces.repository_mending import Mender
from teamlead.workspaces.repository_watch import Watch


@pytest.fixture
def watch(repository: Repository, root: Path, tmp_path: Path) -> Watch:
    """Of a user with unfinished work in two checkouts."""
    run(
        root,
        """
        git worktree add -q -b second ../second
        echo edited >>README.md
        echo staged >staged.txt; git add staged.txt
        echo draft >draft.txt; chmod 700 draft.txt
        ln -s draft.txt link.txt
        echo coffee >$'caf\\xe9'; ln -s $'\\xff' nowhere
        echo notes >../second/notes.txt
        """,
    )
    (tmp_path / "session").mkdir()
    found = Watch(repository, tmp_path / "session", files=True)
    found.end_all()
    return found


def run(root: Path, script: str) -> None:
    subprocess.run(["bash", "-ec", script], cwd=root, check=True, capture_output=True)


def changes(watch: Watch) -> dict[str, Change]:
    return {change.name: change for change in watch.look(files=True)}


def picture(root: Path) -> dict[str, object]:
    """All files and all that is staged, of both checkouts."""
    found: dict[str, object] = {}
    for tree in (root, root.parent / "second"):
        for path in tree.rglob("*"):
            if ".git" not in path.relative_to(tree).parts and (path.is_file() or path.is_symlink()):
                content = path.readlink() if path.is_symlink() else path.read_bytes()
                found[str(path)] = (path.lstat().st_mode, content)
        listed = subprocess.run(["git", "ls-files", "-s"], cwd=tree, check=True, capture_output=True)
        found[f"{tree} staged"] = listed.stdout
    return found


DONE = {
    "a committed file is changed": ("echo evil >>src/app.py", "checkout:src/app.py"),
    "a committed file is deleted": ("rm src/app.py", "checkout:src/app.py"),
    "a committed file becomes a link": ("ln -sf /etc/passwd src/app.py", "checkout:src/app.py"),
    "a committed file becomes a program": ("chmod +x src/app.py", "checkout:src/app.py"),
    "an edit is changed": ("echo evil >>README.md", "checkout:README.md"),
    "an edit is discarded": ("git checkout -q -- README.md", "checkout:README.md"),
    "an edit is staged": ("git add README.md", "checkout:README.md"),
    "what is staged is unstaged": ("git rm -q --cached staged.txt", "checkout:staged.txt"),
    "what is staged is deleted": ("git rm -qf staged.txt", "checkout:staged.txt"),
    "a draft is deleted": ("rm draft.txt", "checkout:draft.txt"),
    "a draft is for all to read": ("chmod 644 draft.txt", "checkout:draft.txt"),
    "a link leads elsewhere": ("ln -sf /etc/passwd link.txt", "checkout:link.txt"),
    "a link is gone": ("rm link.txt", "checkout:link.txt"),
    "a draft is deleted whose name is no text": (r"rm $'caf\xe9'", r"checkout:caf\xe9"),
    "a file is added": ("echo evil >'new: file'", "checkout:new: file"),
    "a file is added and staged": ("echo evil >new; git add new", "checkout:new"),
    "a note in another checkout is changed": ("echo evil >../second/notes.txt", "checkout@second:notes.txt"),
    "a file in another checkout is deleted": ("rm ../second/README.md", "checkout@second:README.md"),
}


@pytest.mark.parametrize("case", DONE)
def test_what_is_changed_while_agents_work_is_listed_blocks_nothing_and_can_be_put_back(
    watch: Watch, root: Path, case: str
) -> None:
    before = picture(root)
    watch.begin("task-1", 1)
    script, name = DONE[case]
    run(root, script)
    watch.end("task-1")
    found = changes(watch)
    assert {name: change.level for name, change in found.items()} == {name: "noticed"}
    assert found[name].suspects == ("task-1 (attempt 1)",)
    mender = Mender(watch, "s1", ())
    assert mender.sides(found[name]).before != mender.sides(found[name]).after
    there = root.parent / "second" if "@" in name else root
    changed = there / name.partition(":")[2]
    content = changed.read_bytes() if changed.is_file() and not changed.is_symlink() else None
    kept = mender.put_back(found[name])
    assert picture(root) == before
    assert changes(watch) == {}
    if content is not None:
        assert Path(kept).read_bytes() == content


GONE = {
    "its folder": "rm -r ../second",
    "all that git knows of it": "git worktree remove --force ../second",
    "both, and its branch": "git worktree remove --force ../second; git branch -D second",
}


@pytest.mark.parametrize("script", GONE.values(), ids=GONE.keys())
def test_unfinished_work_that_goes_with_its_working_tree_is_told_and_comes_back(
    watch: Watch, root: Path, script: str
) -> None:
    run(
        root,
        "cd ../second; echo edited >>README.md; echo staged >staged.txt; git add staged.txt; rm src/app.py",
    )
    watch.end_all()
    before = picture(root)
    watch.begin("task-1", 1)
    run(root, script)
    watch.end("task-1")
    assert watch.noted_files() == (
        "README.md (gone with the working tree second)",
        "notes.txt (gone with the working tree second)",
        "staged.txt (gone with the working tree second)",
    )
    found = changes(watch)
    mender = Mender(watch, "s1", ())
    notes = found["checkout@second:notes.txt"]
    assert notes.level == "noticed"
    assert notes.told == "the file 'notes.txt' of your working tree 'second' is gone with it"
    assert mender.sides(notes).before[1:] == ["notes"]
    assert mender.sides(notes).after == ["gone, with its working tree"]

    mender.put_back(notes)
    assert [change.name for change in mender.changes()] == [
        name for name in found if name == "refs/heads/second"
    ]
    for change in mender.changes():
        mender.put_back(change)
    assert picture(root) == before
    assert changes(watch) == {}
    run(root, 'test -z "$(git worktree prune --dry-run)"; git -C ../second status')


def test_a_working_tree_is_not_raised_over_what_lies_in_its_place(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    run(root, "git worktree remove --force ../second; mkdir ../second; echo mine >../second/mine.txt")
    with pytest.raises(Refused, match="something else lies"):
        Mender(watch, "s1", ()).put_back(changes(watch)["checkout@second:notes.txt"])
    assert [path.name for path in (root.parent / "second").iterdir()] == ["mine.txt"]


def test_a_file_of_a_working_tree_that_git_has_forgotten_is_not_gone(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    run(root, "rm -r .git/worktrees/second")
    assert [name for name in changes(watch) if checkout_files.is_file(name)] == []


def test_a_deletion_that_the_user_commits_meanwhile_is_no_change(watch: Watch, root: Path) -> None:
    run(root, "rm src/app.py")
    watch.end_all()
    watch.begin("task-1", 1)
    run(root, "git commit -qam mine")
    assert [name for name in changes(watch) if checkout_files.is_file(name)] == []


def test_what_the_user_does_while_nobody_else_is_at_work_is_theirs(watch: Watch, root: Path) -> None:
    run(root, "echo mine >>README.md; rm draft.txt; echo more >more.txt")
    watch.begin("task-1", 1)
    watch.end("task-1")
    run(root, "echo later >>README.md")
    assert changes(watch) == {}


def test_what_the_user_commits_meanwhile_is_no_change(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    run(root, "git add README.md draft.txt; git commit -qm mine")
    assert [name for name in changes(watch) if checkout_files.is_file(name)] == []


def test_what_was_changed_stays_listed_until_it_is_put_back_or_accepted(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    run(root, "echo evil >>README.md; echo evil >>draft.txt")
    watch.end_all()
    watch.begin("task-2", 1)
    watch.end("task-2")
    assert set(changes(watch)) == {"checkout:README.md", "checkout:draft.txt"}
    mender = Mender(watch, "s1", ())
    mender.accept(changes(watch)["checkout:README.md"])
    assert set(changes(watch)) == {"checkout:draft.txt"}
    run(root, "echo draft >draft.txt")
    assert changes(watch) == {}


def test_what_is_decided_holds_for_the_other_sessions_of_the_repository(
    watch: Watch, root: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = Watch(watch.repository, tmp_path / "other", files=True)
    for each in (watch, other):
        each.end_all()
        each.begin("task-1", 1)
    run(root, "echo evil >>README.md")
    assert set(changes(other)) == {"checkout:README.md"}
    Mender(watch, "s1", (other,)).accept(changes(watch)["checkout:README.md"])
    assert changes(other) == {}


def test_a_file_that_is_too_large_to_be_kept_is_told_and_not_put_back(
    watch: Watch, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkout_files, "LARGEST", 3)
    run(root, "echo large >large.txt")
    watch.end_all()
    watch.begin("task-1", 1)
    run(root, "echo evil >large.txt")
    (change,) = changes(watch).values()
    with pytest.raises(Refused, match="too large"):
        Mender(watch, "s1", ()).put_back(change)
    assert (root / "large.txt").read_text() == "evil\n"


def test_a_checkout_with_thousands_of_such_files_is_not_compared(
    watch: Watch, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.begin("task-1", 1)
    run(root, "echo evil >new.txt; echo evil >../second/notes.txt")
    monkeypatch.setattr(checkout_files, "MOST_FILES", 3)
    assert "checkout:new.txt" not in changes(watch)


def test_with_rooms_nobody_looks(watch: Watch, root: Path) -> None:
    roomed = watch._replace(files=False)
    roomed.begin("task-1", 1)
    run(root, "echo mine >>README.md")
    roomed.end_all()
    assert roomed.noted_files() == ()


FILTER = """
printf '#!/bin/sh\\ntouch %s\\ncat\\n' "$PWD/../ran" >../program; chmod +x ../program
git config filter.evil.clean "$PWD/../program"; git config filter.evil.smudge "$PWD/../program"
echo '* filter=evil' >.git/info/attributes; touch -d '1 hour ago' src/app.py
"""


def test_a_look_starts_no_program_that_an_agent_has_made_a_filter(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    run(root, FILTER)
    assert "config:filter.evil.clean" in changes(watch)
    assert not (root.parent / "ran").exists()
    run(root, "git status -s")
    assert (root.parent / "ran").exists(), "it would have run"


def test_files_are_put_back_once_it_is_decided_what_git_writes_them_with(watch: Watch, root: Path) -> None:
    watch.begin("task-1", 1)
    run(root, f"echo evil >>src/app.py; {FILTER}")
    mender = Mender(watch, "s1", ())
    found = {change.name: change for change in mender.changes()}
    with pytest.raises(Refused, match="git would write files by what is still open: the setting filter"):
        mender.put_back(found["checkout:src/app.py"])
    for change in found.values():
        mender.put_back(change)
    assert changes(watch) == {}
    assert not (root.parent / "ran").exists()
