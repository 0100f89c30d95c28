"""Presets are found where they may lie, the later goes before the earlier, and a bad one hides no other."""

import os
from pathlib import Path

import pytest
from tests.teams.presets import GOOD

from teamlead.errors import PlanError
from teamlead.markup.files import MAX_BYTES
from teamlead.teams.library import ORDER, Found, Library, library, read_preset


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / ".teamlead/teams").mkdir(parents=True)
    return folder


def put(root: Path, name: str, content: str | bytes) -> Path:
    path = root / ".teamlead/teams" / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def of(found: Library, name: str) -> Found:
    team = found.named(name)
    assert team is not None
    return team


def why(root: Path, name: str) -> str:
    return of(library(root), name).problems[0].message


def test_ours_are_there_without_a_repository_in_their_order() -> None:
    found = library(None).found
    assert [each.name for each in found] == list(ORDER)
    assert all(each.usable and each.origin == "built in" for each in found)


def test_the_users_goes_before_ours_and_the_repositorys_before_both(root: Path, home: Path) -> None:
    own = home / ".config/teamlead/teams"
    own.mkdir(parents=True)
    (own / "mine.md").write_text(GOOD.replace("menders", "devops"))
    put(root, "theirs.md", GOOD.replace("menders", "devops"))
    put(root, "further.md", GOOD)
    found = library(root)
    assert [each.name for each in found.found] == [*ORDER, "menders"]
    team = of(found, "devops")
    assert (team.origin, team.shown) == ("repository", ".teamlead/teams/theirs.md")
    assert team.hides == ("built in", str(own / "mine.md"))
    assert of(library(None), "devops").shown == str(own / "mine.md")


def test_two_of_one_name_in_one_folder_are_a_problem_of_the_second(root: Path) -> None:
    put(root, "a.md", GOOD)
    put(root, "b.md", GOOD)
    found = library(root)
    assert of(found, "menders").shown == ".teamlead/teams/a.md"
    [second] = found.unusable
    assert second.shown == ".teamlead/teams/b.md"
    assert "'.teamlead/teams/a.md' has the name 'menders', too" in second.problems[0].message


def test_a_bad_head_stands_for_its_file_and_never_lets_an_earlier_one_through(root: Path) -> None:
    put(root, "bugfix.md", "---\nname: [\n---\n")
    found = of(library(root), "bugfix")
    assert (found.origin, found.usable, found.hides) == ("repository", False, ("built in",))


def test_a_link_is_not_followed_wherever_it_leads(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(GOOD)
    (root / ".teamlead/teams/link.md").symlink_to(outside)
    inside = put(root, "menders.md", GOOD)
    (root / ".teamlead/teams/near.md").symlink_to(inside)
    assert "no link of a repository is followed" in why(root, "link")
    assert "no link of a repository is followed" in why(root, "near")
    with pytest.raises(PlanError, match="no link"):
        read_preset(of(library(root), "link"), root)


def test_a_folder_that_is_a_link_is_not_followed(root: Path, tmp_path: Path) -> None:
    put(root, "menders.md", GOOD)
    (root / ".teamlead/teams").rename(tmp_path / "elsewhere")
    (root / ".teamlead/teams").symlink_to(tmp_path / "elsewhere")
    found = library(root)
    assert found.named("menders") is None
    assert "no link" in found.unusable[0].problems[0].message


def test_the_users_own_may_be_a_link(home: Path, tmp_path: Path) -> None:
    own = home / ".config/teamlead/teams"
    own.mkdir(parents=True)
    (tmp_path / "kept.md").write_text(GOOD)
    (own / "menders.md").symlink_to(tmp_path / "kept.md")
    found = of(library(None), "menders")
    assert found.usable
    assert read_preset(found, None) == GOOD


def test_what_is_no_text_or_no_file_or_too_large_is_told(root: Path) -> None:
    put(root, "large.md", GOOD + "x" * (5 * 1024 * 1024))
    put(root, "bytes.md", b"---\nname: \xff\n---\n")
    (root / ".teamlead/teams/folder.md").mkdir()
    os.mkfifo(root / ".teamlead/teams/pipe.md")
    assert "larger than 1 MiB" in why(root, "large")
    assert "not UTF-8" in why(root, "bytes")
    assert "cannot be read" in why(root, "folder")
    assert "not a file" in why(root, "pipe")
    assert len(library(root).found) == len(ORDER) + 4


def test_a_preset_may_be_as_large_as_a_plan(root: Path) -> None:
    put(root, "menders.md", GOOD + "x" * (MAX_BYTES - len(GOOD.encode())))
    assert of(library(root), "menders").usable
    put(root, "menders.md", GOOD + "x" * (MAX_BYTES - len(GOOD.encode()) + 1))
    assert "larger than 1 MiB" in why(root, "menders")


def test_a_readme_beside_them_and_other_files_are_no_presets(root: Path) -> None:
    put(root, "README.md", "# Our teams\n")
    put(root, "notes.txt", "x")
    assert [each.name for each in library(root).found] == list(ORDER)


def kept(home: Path) -> Path:
    return home / ".local/state/teamlead/team-heads.json"


def test_what_was_read_before_is_known_by_what_it_holds(root: Path, home: Path) -> None:
    path = put(root, "menders.md", GOOD)
    first = library(root)
    before = kept(home).read_bytes()
    assert library(root) == first
    assert kept(home).read_bytes() == before
    path.write_text(GOOD.replace("kaputt", "gone"))
    assert of(library(root), "menders").head.keywords == ("broken", "gone")
    assert kept(home).read_bytes() != before


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"reader": "x", "heads": {}}', b"\xff"])
def test_a_memory_that_cannot_be_read_is_none(content: bytes, home: Path) -> None:
    first = library(None)
    kept(home).write_bytes(content)
    assert library(None) == first


def test_a_memory_that_holds_something_else_is_not_believed(home: Path) -> None:
    first = library(None)
    for wrong in ('["bugfix", 1, ["a"]], []', '["bugfix", "d", 7], []', "3"):
        text = kept(home).read_text()
        start = text.index('["bugfix"')
        end = text.index("]]", start) if "]]" in text[start:] else len(text)
        kept(home).write_text(text[:start] + wrong + text[end:])
        assert library(None) == first


def test_a_disk_that_keeps_nothing_is_no_reason_to_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    assert [each.name for each in library(None).found] == list(ORDER)
