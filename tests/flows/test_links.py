"""A folder that we write to may be a link to another place: that is refused, and nothing goes there."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from tests.flows.support import Project, write

LINKED = [".teamlead", ".teamlead/sessions"]


def link(project: Project, name: str) -> Path:
    """In the place of what was there; returns where it leads."""
    elsewhere = project.place / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "sessions").mkdir()
    (elsewhere / "report.md").write_text("the user's own\n")
    path = project.root / name
    shutil.rmtree(path, ignore_errors=True)
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(elsewhere)
    return elsewhere


def told(name: str, err: str) -> bool:
    return f"{name}' is a symbolic link" in err and "move it away" in err


def untouched(elsewhere: Path) -> bool:
    left = sorted(path.relative_to(elsewhere).as_posix() for path in elsewhere.rglob("*"))
    return left == ["report.md", "sessions"]


@pytest.mark.parametrize("name", LINKED)
def test_no_session_starts_where_its_folder_is_a_link(project: Project, name: str) -> None:
    project.task(1, [write("a.txt", "a\n")])
    elsewhere = link(project, name)
    refused = project.start()
    assert (refused.code, told(name, refused.err)) == (5, True)
    assert untouched(elsewhere)
    assert project.sessions == []
    (project.root / name).unlink()
    assert project.start().code == 3


@pytest.mark.parametrize("name", LINKED)
def test_what_is_refused_for_a_link_is_not_done_when_the_link_is_gone(project: Project, name: str) -> None:
    project.task(1, [write("a.txt", "a\n")])
    assert project.start().code == 3
    before = project.events()
    elsewhere = link(project, name)
    for command in (["approve"], ["reject"], ["resume"], ["cancel"]):
        refused = project.teamlead(*command)
        assert (command, refused.code, told(name, refused.err)) == (command, 5, True)
    assert untouched(elsewhere)
    assert project.events() == before
    with sqlite3.connect(project.sessions[-1] / "inbox.db") as connection:
        assert connection.execute("select count(*) from commands").fetchone() == (0,)
    connection.close()
    (project.root / name).unlink()
    assert project.teamlead("approve").code == 0
    assert "a.txt" in project.files("main")


@pytest.mark.parametrize("name", LINKED)
def test_nothing_is_cleaned_away_behind_a_link(project: Project, name: str) -> None:
    project.task(1, [write("a.txt", "a\n")])
    assert project.start("--approve").code == 0
    session = project.session
    elsewhere = link(project, name)
    behind = elsewhere / ("sessions" if name == ".teamlead" else "") / session
    behind.mkdir()
    (behind / "report.md").write_text("the user's own\n")
    ended = project.teamlead("clean", "--keep", "0", "--yes")
    assert told(name, ended.err + ended.out)
    assert (behind / "report.md").exists()
    assert len(project.sessions) == 1
