"""Ours is for the user alone; what is the user's is as they like it."""

import asyncio
import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from teamlead.system import processes
from teamlead.system.atomic_files import write_atomically
from teamlead.system.file_modes import make_usual_folder, private_files, tighten, users_umask, usual
from teamlead.system.git import as_user
from teamlead.system.locks import locked
from teamlead.system.processes import spawn
from teamlead.system.program_streams import CappedFile


@pytest.fixture(params=[0o022, 0o002], ids=oct, autouse=True)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_made_meanwhile_is_private_and_what_comes_after_is_not(tmp_path: Path, umask: int) -> None:
    with private_files(), private_files():
        (tmp_path / "ours").mkdir()
        (tmp_path / "ours/file").touch()
        assert users_umask() == umask
    (tmp_path / "file").touch()
    assert [mode_of(tmp_path / name) for name in ("ours", "ours/file")] == [0o700, 0o600]
    assert mode_of(tmp_path / "file") == 0o666 & ~umask
    assert users_umask() == -1


@pytest.mark.parametrize("wardens", [True, False])
def test_a_program_runs_under_the_users_umask(
    tmp_path: Path, umask: int, wardens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_wardens", wardens)

    async def main() -> None:
        log = CappedFile(tmp_path / "log", 1000)
        process = await spawn(["/bin/sh", "-c", "umask"], cwd=tmp_path, env={"PATH": os.defpath}, stdout=log)
        assert (await process.wait()).exit_code == 0

    with private_files():
        asyncio.run(asyncio.wait_for(main(), 30))
    assert int((tmp_path / "log").read_text(), 8) == umask
    assert mode_of(tmp_path / "log") == 0o600


def test_git_runs_under_the_users_umask(tmp_path: Path, umask: int) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    with private_files():
        as_user(tmp_path, "config", "user.name", "Ada")
        as_user(tmp_path, "hash-object", "-w", "--stdin", stdin=b"a")
    folders = [path for path in (tmp_path / ".git/objects").glob("??") if path.is_dir()]
    assert {mode_of(path) for path in folders} == {0o777 & ~umask}


def test_files_of_the_users_are_as_usual(tmp_path: Path, umask: int) -> None:
    with private_files():
        make_usual_folder(tmp_path / "a/b")
        write_atomically(tmp_path / "a/b/file", b"x", users=True)
        write_atomically(tmp_path / "a/b/ours", b"x")
        with locked(tmp_path / "c/lock", users=True), locked(tmp_path / "d/lock"):
            pass
        (tmp_path / "e").touch()
        usual(tmp_path / "e")
    for folder in ("a", "a/b", "c"):
        assert mode_of(tmp_path / folder) == 0o777 & ~umask
    for file in ("a/b/file", "c/lock", "e"):
        assert mode_of(tmp_path / file) == 0o666 & ~umask
    assert [mode_of(tmp_path / name) for name in ("a/b/ours", "d", "d/lock")] == [0o600, 0o700, 0o600]


def test_what_is_closed_keeps_what_its_user_may_do_and_links_lead_nowhere(tmp_path: Path) -> None:
    folder, other = tmp_path / "state", tmp_path / "other"
    (folder / "deep").mkdir(parents=True)
    other.touch()
    (folder / "link").symlink_to(other)
    for name, mode in {"file": 0o644, "program": 0o755, "deep/file": 0o444}.items():
        (folder / name).touch()
        (folder / name).chmod(mode)
    folder.chmod(0o755)
    before = mode_of(other)
    tighten(folder, tmp_path / "absent")
    assert [mode_of(folder / name) for name in ("", "file", "program", "deep/file")] == [
        *(0o700, 0o600, 0o700, 0o444)
    ]
    folder.chmod(0o750)
    tighten(folder, deep=True)
    assert [mode_of(folder / name) for name in ("", "deep", "deep/file")] == [0o700, 0o700, 0o400]
    assert mode_of(other) == before
