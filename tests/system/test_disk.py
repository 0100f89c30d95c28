import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from teamlead.errors import DiskUnusable, StorageFailed
from teamlead.system import disk
from teamlead.system.disk import DiskSpace, disk_space, means_unusable, not_stored, storing

ALWAYS_FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO])
def test_a_disk_that_takes_nothing_more_is_told_from_one_file_that_cannot_be_written(
    tmp_path: Path, number: int
) -> None:
    path = tmp_path / "file"
    with pytest.raises(DiskUnusable) as caught, storing(path):
        raise OSError(number, os.strerror(number))
    assert caught.value.message == f"cannot write {str(path)!r}: {os.strerror(number)}"
    assert f"{str(tmp_path)!r} has " in caught.value.remedy
    assert "teamlead resume" in caught.value.remedy


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOENT, errno.ENAMETOOLONG])
def test_what_concerns_one_file_is_no_trouble_of_the_disk(tmp_path: Path, number: int) -> None:
    told = not_stored(tmp_path, OSError(number, os.strerror(number), "inner"))
    assert type(told) is StorageFailed
    assert told.message == f"cannot write {str(tmp_path)!r}: {os.strerror(number)} ('inner')"


@ALWAYS_FULL
def test_the_device_that_is_always_full_is_recognised() -> None:
    """The real thing, as far as every Linux has it."""
    with pytest.raises(DiskUnusable, match="No space left"), storing(Path("/dev/full")):
        Path("/dev/full").write_bytes(b"x")


def test_disk_space_is_that_of_the_folder_that_will_hold_it(tmp_path: Path) -> None:
    found = disk_space(tmp_path / "not/yet/there")
    assert found.place == tmp_path
    assert found.free > 0
    assert not found.read_only


@pytest.mark.parametrize(
    ("complaint", "expected"),
    [
        ("fatal: write error: No space left on device", True),
        ("error: file write error: Disk quota exceeded\nfatal: unable to write loose object file", True),
        ("fatal: Unable to create '/x/index.lock': Read-only file system", True),
        ("fatal: sha1 file '/x/index.lock' write error. Out of diskspace", True),
        ("error: pathspec 'No space left on device' did not match any file", False),
        ("fatal: unable to write new index file", False),
        ("fatal: not a git repository", False),
    ],
)
def test_a_complaint_about_the_disk_is_recognised(tmp_path: Path, complaint: str, expected: bool) -> None:
    assert means_unusable(complaint, tmp_path) is expected


def test_a_vague_complaint_counts_where_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "disk_space", lambda path: DiskSpace(path, 1, 4096, None, read_only=False))
    assert means_unusable("fatal: unable to write new index file", tmp_path)
    assert not means_unusable("fatal: not a git repository", tmp_path)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (DiskSpace(Path("/x"), 1, 12_300_000, None, read_only=False), "'/x' has 12 MB free"),
        (DiskSpace(Path("/x"), 1, 0, 7, read_only=False), "'/x' has 0 MB free and takes 7 more files"),
        (DiskSpace(Path("/x"), 1, 9**10, 10**6, read_only=True), "'/x' has 3,487 MB free and is read-only"),
    ],
)
def test_what_is_left_is_told_in_one_phrase(found: DiskSpace, told: str) -> None:
    assert str(found) == told


def test_a_read_only_disk_is_to_be_made_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "disk_space", lambda path: DiskSpace(path, 1, 9**10, None, read_only=True))
    told = not_stored(tmp_path, OSError(errno.EROFS, os.strerror(errno.EROFS)))
    assert "make it writable" in told.remedy


@ALWAYS_FULL
def test_output_to_a_full_disk_ends_a_command_with_a_clear_message() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "teamlead", "plan", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert b"No space left on device" in done.stderr
    assert b"fault of teamlead" not in done.stderr
