"""After an edit of a lead's own it is seen whether only the allowed lines were touched."""

import subprocess
from pathlib import Path

import pytest

from teamlead.errors import UsageError
from teamlead.guard import edits
from teamlead.guard.edits import patched

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


LONGER = "".join(f"line {number}\n" for number in range(1, 31))


@pytest.mark.parametrize(
    "after",
    [
        LONGER.replace("line 5\n", "line five\n"),
        LONGER.replace("line 1\n", "").replace("line 30\n", "line 30\nline 31\n"),
        "line 0\n" + LONGER,
        LONGER.replace("line 10\n", "line 10\n\n").replace("line 20\n", ""),
    ],
)
@pytest.mark.parametrize("context", [0, 3])
def test_what_git_prints_gives_what_git_saw(after: str, context: int, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(LONGER)
    (tmp_path / "b").write_text(after)
    command = ["git", "diff", "--no-index", f"-U{context}", "a", "b"]
    patch = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert patched(LONGER, patch) == after


@pytest.mark.parametrize(
    "patch", ["", "no patch", "@@ -1,1 +1,1 @@\n-another line\n+line\n", "@@ -99 +99 @@\n-x\n"]
)
def test_what_does_not_fit_is_wrong_usage(patch: str) -> None:
    with pytest.raises(UsageError):
        patched(LONGER, patch)


def test_lines_that_end_as_on_windows_fit(tmp_path: Path) -> None:
    text = LONGER.replace("\n", "\r\n")
    after = text.replace("line 5\r\n", "line five\r\n")
    (tmp_path / "a").write_bytes(text.encode())
    (tmp_path / "b").write_bytes(after.encode())
    command = ["git", "diff", "--no-index", "a", "b"]
    patch = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).stdout.decode()
    assert patched(text, patch) == after
