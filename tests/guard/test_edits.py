"""After an edit of a lead's own it is seen whether only the allowed lines were touched."""

import subprocess
from pathlib import Path

import pytest

from teamlead.guard import edits

TEXT = "".join(f"line {number}\n" for number in range(1, 11))
ALLOWED = TEXT.replace("line 5\n", "line five\n")


@pytest.mark.parametrize(
    ("made", "lines"),
    [
        (ALLOWED, []),
        (TEXT, []),
        (ALLOWED.replace("line 9\n", "line nine\n"), [9]),
        (ALLOWED.replace("line 1\nline 2\n", ""), [1, 2]),
        (ALLOWED + "line 11\n", [10]),
        (TEXT.replace("line 7\n", "line seven\n"), [7]),
        ("", [1, 2, 3, 4, 6, 7, 8, 9, 10]),
    ],
)
def test_lines_that_were_not_to_be_touched_are_found(made: str, lines: list[int], project: Path) -> None:
    path = project / "notes.md"
    path.write_text(TEXT)
    edit = edits.keep(path, TEXT, ALLOWED)
    path.write_text(made)
    assert edits.unintended(edit) == lines


def test_a_file_that_is_gone_is_touched_in_every_line(project: Path) -> None:
    edit = edits.keep(project / "gone.md", TEXT, ALLOWED)
    assert len(edits.unintended(edit)) == 9


def test_the_way_back_restores_the_file_as_it_was(project: Path) -> None:
    path = project / "with 'quotes'.md"
    edit = edits.keep(path, TEXT, ALLOWED)
    path.write_text("something else")
    subprocess.run(edit.revert, shell=True, check=True)
    assert path.read_text() == TEXT


def test_what_was_verified_is_forgotten(project: Path) -> None:
    edit = edits.keep(project / "notes.md", TEXT, ALLOWED)
    assert edits.kept() == [edit]
    edits.forget(edit)
    assert edits.kept() == []
