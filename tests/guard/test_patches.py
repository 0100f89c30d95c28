"""A patch is put onto a text as git would do it."""

import subprocess
from pathlib import Path

import pytest

from teamlead.errors import UsageError
from teamlead.guard.patches import patched

TEXT = "".join(f"line {number}\n" for number in range(1, 31))


@pytest.mark.parametrize(
    "after",
    [
        TEXT.replace("line 5\n", "line five\n"),
        TEXT.replace("line 1\n", "").replace("line 30\n", "line 30\nline 31\n"),
        "line 0\n" + TEXT,
        TEXT.replace("line 10\n", "line 10\n\n").replace("line 20\n", ""),
    ],
)
@pytest.mark.parametrize("context", [0, 3])
def test_what_git_prints_gives_what_git_saw(after: str, context: int, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(TEXT)
    (tmp_path / "b").write_text(after)
    command = ["git", "diff", "--no-index", f"-U{context}", "a", "b"]
    patch = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert patched(TEXT, patch) == after


@pytest.mark.parametrize(
    "patch", ["", "no patch", "@@ -1,1 +1,1 @@\n-another line\n+line\n", "@@ -99 +99 @@\n-x\n"]
)
def test_what_does_not_fit_is_wrong_usage(patch: str) -> None:
    with pytest.raises(UsageError):
        patched(TEXT, patch)


def test_lines_that_end_as_on_windows_fit(tmp_path: Path) -> None:
    text = TEXT.replace("\n", "\r\n")
    after = text.replace("line 5\r\n", "line five\r\n")
    (tmp_path / "a").write_bytes(text.encode())
    (tmp_path / "b").write_bytes(after.encode())
    command = ["git", "diff", "--no-index", "a", "b"]
    patch = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).stdout.decode()
    assert patched(text, patch) == after
