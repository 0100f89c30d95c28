"""Files of a session, measured and removed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from teamlead.sessions import session_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "session"
    path.mkdir()
    return path


def test_the_size_is_that_of_all_files_and_of_links_themselves(folder: Path) -> None:
    (folder / "deep/er").mkdir(parents=True)
    (folder / "deep/er/file").write_bytes(b"12345")
    (folder / "link").symlink_to("deep")
    assert session_files.size(folder) == 5 + len("deep")


def test_files_and_folders_that_vanish_while_they_are_measured_count_for_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As beside a leader at work."""
    (folder / "stays").write_bytes(b"123")
    real = os.walk

    def walk(top: Path) -> Iterator[tuple[str, list[str], list[str]]]:
        for place, folders, names in real(top):
            yield place, [*folders, "gone-folder"], [*names, "gone"]

    monkeypatch.setattr(os, "walk", walk)
    assert session_files.size(folder) == 3


def test_only_known_files_go_and_the_others_are_named(folder: Path) -> None:
    (folder / "attempts/task-1-1").mkdir(parents=True)
    (folder / "attempts/task-1-1/prompt.md").touch()
    (folder / "journal.db").touch()
    (folder / "mine.txt").touch()
    assert session_files.remove(folder, session_files.SESSION) == ["mine.txt"]
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_what_programs_keep_of_their_conversations_goes_with_the_transcripts(folder: Path) -> None:
    home = folder / "homes/task-1-claude/projects/a copy"
    home.mkdir(parents=True)
    (home / "conversation\n.jsonl").touch()
    (home / "latest").symlink_to(folder.parent)
    (folder / "attempts/task-1-1").mkdir(parents=True)
    (folder / "attempts/task-1-1/raw.jsonl").touch()
    (folder / "journal.db").touch()
    assert session_files.remove(folder, session_files.TRANSCRIPTS) == ["journal.db"]
    assert [path.name for path in folder.iterdir()] == ["journal.db"]
    assert folder.parent.is_dir()


def test_the_record_of_the_users_repository_goes_with_the_session_and_not_with_the_transcripts(
    folder: Path,
) -> None:
    (folder / "copies/mended/1").mkdir(parents=True)
    names = ["copies/mended/1/pre-push", "copies/reference.bin", "copies/watch.json"]
    for name in names:
        (folder / name).touch()
    assert sorted(session_files.remove(folder, session_files.TRANSCRIPTS)) == names
    (folder / "copies/.watch.0a1b2c3d4e5f.tmp").touch()
    (folder / "copies/.reference.bin.0a1b2c3d4e5f.tmp").touch()
    assert session_files.remove(folder, session_files.SESSION) == []
