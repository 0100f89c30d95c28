import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from teamlead.errors import Refused, StorageFailed, UsageError
from teamlead.system.git import UserSettings, as_user
from teamlead.system.repository import (
    Repository,
    claim,
    dirty_paths,
    discover,
    exclude_projections,
    require_startable,
)


@pytest.fixture(autouse=True)
def user_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    (root / "src/a.txt").write_text("a\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_root_is_found_from_a_sub_directory(root: Path) -> None:
    found = discover(root / "src")
    assert (found.root, found.git_dir, found.common_dir) == (root, root / ".git", root / ".git")


def test_discovering_changes_nothing(root: Path) -> None:
    before = everything(root)
    discover(root)
    assert everything(root) == before


def test_a_linked_working_tree_shares_the_id(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", str(tmp_path / "linked"))
    first = claim(discover(root))
    linked = claim(discover(tmp_path / "linked"))
    assert linked.id == first.id
    assert (linked.root, linked.common_dir) == (tmp_path / "linked", root / ".git")
    assert linked.git_dir == root / ".git/worktrees/linked"


def test_the_id_stays(root: Path) -> None:
    first = claim(discover(root))
    assert discover(root) == first == claim(discover(root))


def test_the_state_is_outside_the_repository(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = claim(discover(root))
    assert repository.state_dir == tmp_path / "state/teamlead" / repository.id
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    assert repository.state_dir == Path.home() / ".local/state/teamlead" / repository.id


def test_a_moved_repository_keeps_its_id(root: Path, tmp_path: Path) -> None:
    first = claim(discover(root))
    moved = root.rename(tmp_path / "moved")
    assert discover(moved).id == first.id
    assert claim(discover(moved)).id == first.id
    assert json.loads((moved / ".git/teamlead/id").read_bytes())["path"] == str(moved / ".git")


def test_a_copied_twin_gets_its_own_id(root: Path, tmp_path: Path) -> None:
    first = claim(discover(root))
    shutil.copytree(root, tmp_path / "twin")
    assert discover(tmp_path / "twin").id != first.id
    twin = claim(discover(tmp_path / "twin"))
    assert twin.id != first.id
    assert discover(tmp_path / "twin") == twin
    assert discover(root) == first


def test_a_clone_gets_its_own_id(root: Path, tmp_path: Path) -> None:
    first = claim(discover(root))
    git(tmp_path, "clone", "-q", str(root), "clone")
    assert claim(discover(tmp_path / "clone")).id != first.id


def test_the_same_place_under_another_name_is_no_twin(root: Path, tmp_path: Path) -> None:
    first = claim(discover(root))
    (tmp_path / "alias").symlink_to(root)
    (root / ".git/teamlead/id").write_text(json.dumps({"id": first.id, "path": str(tmp_path / "alias/.git")}))
    assert claim(discover(root)).id == first.id


def test_processes_that_come_first_at_once_agree_on_the_id(root: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from teamlead.system.repository import claim, discover\n"
        "found = discover(Path(sys.argv[1])); print('found', flush=True)\n"
        "sys.stdin.read(); print(claim(found).id)"
    )
    command = [sys.executable, "-c", script, str(root)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "found\n"
    ids = {process.communicate("go")[0].strip() for process in processes}
    assert ids == {discover(root).id}


def test_an_unreadable_id_is_named_and_left_alone(root: Path) -> None:
    claim(discover(root))
    path = root / ".git/teamlead/id"
    path.write_text("rubbish")
    with pytest.raises(StorageFailed, match="teamlead/id"):
        discover(root)
    assert path.read_text() == "rubbish"


def test_outside_a_repository_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not in a git repository"):
        discover(tmp_path)


def test_a_bare_repository_is_wrong_use(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(root), "bare")
    with pytest.raises(UsageError, match="is a bare repository"):
        discover(tmp_path / "bare")


def test_a_repository_of_somebody_else_is_told_with_what_makes_it_ones_own(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(UsageError) as raised:
        discover(root)
    assert "chown" in str(raised.value.remedy)


def test_a_working_tree_of_a_bare_repository_will_do(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(root), "bare")
    git(tmp_path / "bare", "worktree", "add", "-q", str(tmp_path / "tree"), "main")
    repository = discover(tmp_path / "tree")
    assert require_startable(repository).branch == "main"
    assert repository.git().commit("main") == git(root, "rev-parse", "main")


def test_inside_the_git_directory_is_wrong_use(root: Path) -> None:
    with pytest.raises(UsageError, match="inside a git directory"):
        discover(root / ".git")


def test_windows_is_pointed_to_wsl(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(UsageError, match="WSL2"):
        discover(root)


def test_a_session_starts_from_branch_and_commit(root: Path) -> None:
    assert require_startable(discover(root)) == ("main", git(root, "rev-parse", "HEAD"))


def test_a_repository_without_a_commit_is_wrong_use(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "empty")
    with pytest.raises(UsageError, match=r"has no commit yet .*git commit"):
        require_startable(discover(tmp_path / "empty"))


def test_a_detached_head_is_refused(root: Path) -> None:
    git(root, "switch", "-q", "--detach")
    with pytest.raises(Refused, match=r"HEAD is detached.*git switch"):
        require_startable(discover(root))


def test_a_branch_in_the_way_is_refused(root: Path) -> None:
    git(root, "branch", "teamlead")
    git(root, "pack-refs", "--all")
    with pytest.raises(Refused, match="git branch -m teamlead"):
        require_startable(discover(root))


def test_what_agents_will_not_see_is_listed(root: Path) -> None:
    (root / "src/a.txt").write_text("changed\n")
    (root / "with space.txt").write_text("new")
    (root / "staged.txt").write_text("new")
    git(root, "add", "staged.txt")
    assert sorted(dirty_paths(discover(root), UserSettings())) == [
        "src/a.txt",
        "staged.txt",
        "with space.txt",
    ]


def test_a_clean_tree_has_nothing_to_list(root: Path) -> None:
    assert dirty_paths(discover(root), UserSettings()) == []


def test_projections_are_excluded_once_and_other_lines_stay(root: Path) -> None:
    path = root / ".git/info/exclude"
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine")
    repository = discover(root)
    exclude_projections(repository)
    exclude_projections(repository)
    assert path.read_text() == "mine\n/.teamlead/sessions/\n"
    (root / ".teamlead/sessions/s1").mkdir(parents=True)
    (root / ".teamlead/sessions/s1/report.md").write_text("x")
    (root / ".teamlead/config.toml").write_text("x")
    assert dirty_paths(repository, UserSettings()) == [".teamlead/"]
    assert git(root, "status", "--porcelain", "-uall") == "?? .teamlead/config.toml"


def test_reading_needs_neither_asyncio_nor_the_codec() -> None:
    heavy = "{'asyncio', 'msgspec', 'dataclasses'}"
    script = f"import sys, teamlead.system.repository; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_one_process_is_enough_to_find_a_repository(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim(discover(root))
    real = shutil.which("git")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text(f'#!/bin/sh\necho call >> {tmp_path}/calls\nexec {real} "$@"\n')
    (tmp_path / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    found: Repository = discover(root)
    assert found.root == root
    assert (tmp_path / "calls").read_text() == "call\n"
