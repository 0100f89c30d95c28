"""Programs that git would start on behalf of what an agent left: none runs outside of the copy's room."""

import asyncio
import subprocess
import tempfile
from pathlib import Path

import pytest
from tests.workspaces.conftest import Opener, write

from teamlead.ports.rooms import House
from teamlead.system.git import as_user
from teamlead.system.repository import Repository
from teamlead.workspaces import git_filters
from teamlead.workspaces.git_workspace import GitWorkspace


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """What a program writes that runs outside."""
    return tmp_path / "told"


def evil(told: Path) -> str:
    return f"git config filter.evil.clean \"sh -c 'touch {told}; cat'\"; git config filter.evil.smudge cat"


def run(folder: Path, script: str) -> None:
    subprocess.run(["bash", "-ec", script], cwd=folder, check=True, capture_output=True)


def prepared(workspace: GitWorkspace, base: str) -> Path:
    return asyncio.run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path


def look(workspace: GitWorkspace, base: str, attempt: int = 1) -> list[str]:
    """While the agent works, and when it has gone."""
    asyncio.run(workspace.snapshot("task-1"))
    work = asyncio.run(workspace.collect("task-1", attempt, base, "t", ""))
    asyncio.run(workspace.snapshot("task-1"))
    return [change.path for change in work.changes]


TOUCH = "sleep 1.1; echo LIB >l.txt"
"""Later than the index, and of the same size: git has to read it to know."""


def test_a_repository_in_the_copy_does_not_have_git_run_its_filters(
    workspace: GitWorkspace, base: str, told: Path
) -> None:
    nested = prepared(workspace, base) / "src" / "n"
    nested.mkdir()
    run(nested, f"git init -q; echo lib >l.txt; git add -A; git commit -qm n; {evil(told)}")
    run(nested, "echo '* filter=evil' >.git/info/attributes")
    assert look(workspace, base) == ["src/n"]
    run(nested, TOUCH)
    assert look(workspace, base, 2) == ["src/n"]
    assert not told.exists()
    # It would, if it were asked.
    run(nested, "touch l.txt; git status")
    assert told.exists()


def test_a_submodule_does_not_have_git_run_its_filters_and_a_new_commit_in_it_is_seen(
    open_workspace: Opener, root: Path, tmp_path: Path, told: Path
) -> None:
    library = tmp_path / "library"
    library.mkdir()
    run(library, "git init -q; echo lib >l.txt; git add -A; git commit -qm library")
    run(root, f"git -c protocol.file.allow=always submodule --quiet add {library} lib; git commit -qm lib")
    base = as_user(root, "rev-parse", "HEAD").text
    workspace = open_workspace()
    lib = prepared(workspace, base) / "lib"
    run(lib, f"{evil(told)}; echo '* filter=evil' >$(git rev-parse --git-path info/attributes); {TOUCH}")
    assert look(workspace, base) == []
    assert not told.exists()
    run(lib, "git -c filter.evil.clean=cat commit -qam more")
    assert look(workspace, base, 2) == ["lib"]
    assert not told.exists()


@pytest.fixture
def filtering(root: Path) -> str:
    """A repository with a filter that is a program in it. Returns the commit."""
    write(root, {"strip.py": STRIP, ".gitattributes": "*.nb filter=strip\n", "a.nb": "one\n"})
    run(root, "git config filter.strip.clean 'python3 strip.py %f'; git config filter.strip.smudge cat")
    run(root, "git add -A; git commit -qm notebooks")
    return as_user(root, "rev-parse", "HEAD").text


STRIP = "import sys\nsys.stdout.write(sys.argv[1] + ': ' + sys.stdin.read().replace('secret', ''))\n"
EVIL = "import sys\nopen({told!r}, 'w')\n"


def house(repository: Repository, home: Path) -> House:
    common_dir = repository.common_dir
    return House(repository.root, common_dir, repository.state_dir.parent, repository.objects, home=home)


@pytest.mark.usefixtures("rooms")
def test_a_filter_of_the_user_runs_in_the_copys_room(
    open_workspace: Opener, repository: Repository, filtering: str, tmp_path: Path, told: Path
) -> None:
    workspace = open_workspace(house=house(repository, tmp_path))
    copy = prepared(workspace, filtering)
    (copy / "a.nb").write_text("two secret\n")
    assert look(workspace, filtering) == ["a.nb"]
    tip = as_user(repository.root, "show", "teamlead/s1/task-1:a.nb").text
    assert tip == "a.nb: two "
    (copy / "strip.py").write_text(EVIL.format(told=str(told)))
    (copy / "b.nb").write_text("three\n")
    look(workspace, filtering, 2)
    assert not told.exists()


@pytest.mark.usefixtures("rooms")
def test_a_filter_that_is_named_by_its_path_below_a_temporary_folder_is_there(
    open_workspace: Opener, repository: Repository, filtering: str, tmp_path: Path
) -> None:
    with tempfile.TemporaryDirectory(prefix="teamlead-filter-") as folder:
        tool = Path(folder, "bin", "strip")
        write(Path(folder), {"bin/strip": "#!/bin/sh\necho $# $1 100%; sed s/secret//\n"})
        tool.chmod(0o755)
        run(repository.root, f"git config filter.strip.clean '{tool} %f | sed s/100%%/done/'")
        workspace = open_workspace(house=house(repository, tmp_path))
        (prepared(workspace, filtering) / "a.nb").write_text("two secret\n")
        look(workspace, filtering)
    assert as_user(repository.root, "show", "teamlead/s1/task-1:a.nb").text == "1 a.nb done\ntwo "


def test_without_a_room_a_filter_of_the_user_runs_as_ever(
    workspace: GitWorkspace, repository: Repository, filtering: str, told: Path
) -> None:
    copy = prepared(workspace, filtering)
    (copy / "a.nb").write_text("two secret\n")
    look(workspace, filtering)
    assert as_user(repository.root, "show", "teamlead/s1/task-1:a.nb").text == "a.nb: two "
    (copy / "strip.py").write_text(EVIL.format(told=str(told)))
    (copy / "b.nb").write_text("three\n")
    look(workspace, filtering, 2)
    assert told.exists()


@pytest.mark.parametrize(
    ("key", "value", "held"),
    [
        ("filter.strip.clean", "python3 -m strip", True),
        ("filter.a.b.process", "x", True),
        ("filter.strip.smudge", "cat", True),
        ("filter.lfs.clean", "git-lfs clean -- %f", False),
        ("filter.lfs.required", "true", False),
        ("filter.strip.clean", "", False),
        ("diff.strip.textconv", "x", False),
    ],
)
def test_programs_of_filters_are_held_but_those_of_git_lfs(key: str, value: str, held: bool) -> None:
    assert bool(git_filters.programs(((key, value),))) is held
