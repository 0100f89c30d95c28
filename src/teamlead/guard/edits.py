"""A lead's own edits: what a file was, and was to be, is kept until it is seen that no more was changed."""

import json
import re
import shlex
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import UsageError
from teamlead.system.disk import storing
from teamlead.system.user_folders import state_home

_TOUCHED = re.compile(rb"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,\d+)? \+\d+(?:,\d+)? @@")


class Edit(NamedTuple):
    folder: Path
    """Where it is kept."""
    path: Path

    @property
    def before(self) -> Path:
        return self.folder / "before"

    @property
    def after(self) -> Path:
        return self.folder / "after"

    @property
    def revert(self) -> str:
        """The command that takes it back."""
        return f"cp {shlex.quote(str(self.before))} {shlex.quote(str(self.path))}"


def keep(path: Path, before: str, after: str) -> Edit:
    folder = _place() / uuid.uuid4().hex[:12]
    edit = Edit(folder, path)
    with storing(folder):
        folder.mkdir(parents=True, mode=0o700)
        edit.before.write_text(before, encoding="utf-8", newline="")
        edit.after.write_text(after, encoding="utf-8", newline="")
        (folder / "edit.json").write_text(json.dumps({"path": str(path)}), encoding="utf-8")
    return edit


def kept() -> list[Edit]:
    """Edits that were allowed and not yet verified, by path."""
    return sorted((at(note.parent) for note in _place().glob("*/edit.json")), key=lambda edit: edit.path)


def at(folder: Path) -> Edit:
    return Edit(folder, Path(json.loads((folder / "edit.json").read_text(encoding="utf-8"))["path"]))


def unintended(edit: Edit) -> list[int]:
    """Lines of the file, as it was, that are touched although they were not to be."""
    return sorted(_touched(edit.before, edit.path) - _touched(edit.before, edit.after))


def is_made(edit: Edit) -> bool:
    """Whether the file is another one than it was when the edit was allowed."""
    return not edit.path.exists() or edit.path.read_bytes() != edit.before.read_bytes()


def forget(edit: Edit) -> None:
    for file in edit.folder.iterdir():
        file.unlink()
    edit.folder.rmdir()


def _place() -> Path:
    return state_home() / "guard" / "edits"


def _touched(before: Path, after: Path) -> set[int]:
    """By git's own account. What is inserted touches the line before it."""
    from teamlead.system.git import as_user  # noqa: PLC0415 - only an edit needs git

    there = after if after.exists() else Path("/dev/null")
    arguments = ("diff", "--no-index", "--no-ext-diff", "--no-color", "-U0", "--", str(before), str(there))
    found = as_user(before.parent, *arguments, ok=(0, 1)).output
    return {
        line
        for start, length in _TOUCHED.findall(found)
        for line in range(int(start), int(start) + max(1, int(length or b"1")))
    }


class _Hunk(NamedTuple):
    start: int
    old: list[str]
    new: list[str]


def patched(text: str, patch: str) -> str:
    """The text with a unified diff put onto it. Raises UsageError where that is none, or does not fit."""
    lines = text.split("\n")
    moved = 0
    hunks = _hunks(patch.removesuffix("\n").split("\n"))
    if not hunks:
        raise UsageError(
            "the patch on stdin has no hunk", remedy="give a unified diff, as `git diff` prints it"
        )
    for hunk in hunks:
        # A hunk that only inserts names the line before it.
        at = hunk.start - bool(hunk.old) + moved
        if lines[at : at + len(hunk.old)] != hunk.old:
            raise UsageError(
                f"the patch does not fit at line {hunk.start}", remedy="make it from the file as it is"
            )
        lines[at : at + len(hunk.old)] = hunk.new
        moved += len(hunk.new) - len(hunk.old)
    return "\n".join(lines)


def _hunks(lines: Sequence[str]) -> list[_Hunk]:
    found: list[_Hunk] = []
    for line in lines:
        if begun := _HUNK.match(line):
            found.append(_Hunk(int(begun[1]), [], []))
        elif found and line[:1] in {" ", "-", ""}:
            found[-1].old.append(line[1:])
        if found and not begun and line[:1] in {" ", "+", ""}:
            found[-1].new.append(line[1:])
    return found
