from pathlib import Path

import pytest
from tests.evidence.test_examiner import Place

from teamlead.evidence import added_secrets
from teamlead.evidence.added_secrets import AddedLine, added_lines
from teamlead.system.git import Git


@pytest.fixture
def place(tmp_path: Path) -> Place:
    root = tmp_path / "repository"
    root.mkdir()
    return Place(root)


def lines(place: Place) -> list[AddedLine]:
    commit = place.git("rev-parse", "HEAD")
    return list(added_lines(Git(place.root / ".git", place.root), place.base, commit))


def test_only_what_no_line_of_the_file_was_before_is_added(place: Place) -> None:
    place.base = place.commit({"a.txt": "one\ntwo\nthree\n", "gone.txt": "gone\n"})
    (place.root / "gone.txt").unlink()
    place.commit({"a.txt": "three\nnew\none\n"})
    assert lines(place) == [AddedLine("a.txt", 2, b"new")]


def test_new_files_come_with_their_names_and_links_with_what_they_name(place: Place) -> None:
    (place.root / "link").symlink_to("somewhere")
    place.commit({"new.txt": "new"})
    assert lines(place) == [
        AddedLine("link", 0, b"link"),
        AddedLine("new.txt", 0, b"new.txt"),
        AddedLine("link", 1, b"somewhere"),
        AddedLine("new.txt", 1, b"new"),
    ]


def test_nothing_is_missed_where_not_all_files_are_held_at_a_time(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(added_secrets, "TOGETHER", 10)
    place.commit({f"{number}.txt": f"line {number}" for number in range(9)})
    assert [line.text for line in lines(place) if line.number] == [b"line %d" % number for number in range(9)]


def test_without_a_change_there_are_none(place: Place) -> None:
    assert lines(place) == []
