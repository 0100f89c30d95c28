from pathlib import Path

import pytest

from teamlead.errors import StorageFailed
from teamlead.system.atomic_files import write_atomically


def test_the_new_content_replaces_the_old(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text("old")
    write_atomically(path, b"new")
    assert path.read_text() == "new"


def test_nothing_else_is_left_in_the_folder(tmp_path: Path) -> None:
    write_atomically(tmp_path / "state.json", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/inside").write_text("old")
    with pytest.raises(StorageFailed, match="folder"):
        write_atomically(tmp_path / "folder", b"new")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder", "inside"]


def test_a_reader_that_has_the_old_file_open_keeps_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(b"old " * 1000)
    with path.open("rb") as reader:
        write_atomically(path, b"new")
        assert reader.read() == b"old " * 1000


def test_a_private_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    write_atomically(tmp_path / "secret", b"x", mode=0o600)
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
