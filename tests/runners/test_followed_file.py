from pathlib import Path

from teamlead.runners.followed_file import FollowedFile


def found(path: Path) -> Path | None:
    return path if path.exists() else None


def add(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def test_lines_are_handed_over_once_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "record"
    record = FollowedFile(lambda: found(path), continued=False)
    assert record.lines() == []
    add(path, "one\ntwo\nthr")
    assert record.lines() == [b"one", b"two"]
    assert record.lines() == []
    add(path, "ee\n")
    assert record.lines() == [b"three"]


def test_what_a_continued_record_holds_belongs_to_earlier_runs(tmp_path: Path) -> None:
    path = tmp_path / "record"
    add(path, "old\n")
    continued = FollowedFile(lambda: found(path), continued=True)
    add(path, "new\n")
    assert continued.lines() == [b"new"]
    assert FollowedFile(lambda: found(path), continued=False).lines() == [b"old", b"new"]


def test_a_record_that_vanishes_says_nothing_more(tmp_path: Path) -> None:
    path = tmp_path / "record"
    add(path, "one\n")
    record = FollowedFile(lambda: found(path), continued=False)
    path.unlink()
    assert record.lines() == []
