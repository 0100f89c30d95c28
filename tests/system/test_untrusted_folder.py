import os
from pathlib import Path

from teamlead.system.untrusted_folder import LARGEST, below, read, remove_tree

DEEP = 1500
"""More than Python's own stack takes."""


def deep(folder: Path) -> Path:
    folder.mkdir()
    here = Path.cwd()
    os.chdir(folder)
    for _ in range(DEEP):
        Path("d").mkdir()
        os.chdir("d")
    os.chdir(here)
    return folder


def test_a_file_that_is_too_large_counts_as_none(tmp_path: Path) -> None:
    with (tmp_path / "HEAD").open("wb") as file:
        file.truncate(10 << 40)
    assert read(tmp_path, "HEAD") is None
    os.truncate(tmp_path / "HEAD", LARGEST)
    assert len(read(tmp_path, "HEAD") or b"") == LARGEST


def test_a_tree_of_any_depth_and_any_modes_is_removed_and_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").touch()
    root = deep(tmp_path / "root")
    (root / "link").symlink_to(tmp_path / "outside")
    closed = root / "closed"
    (closed / "inner").mkdir(parents=True)
    closed.chmod(0)
    remove_tree(root)
    assert not root.exists()
    assert (tmp_path / "outside" / "file").exists()


def test_a_link_is_removed_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    remove_tree(tmp_path / "link")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_what_lies_deep_is_found(tmp_path: Path) -> None:
    root = deep(tmp_path / "root")
    assert sum(1 for _ in below(root)) == DEEP
    remove_tree(root)
