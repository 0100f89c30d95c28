"""A lead's own edits: what a file was, and was to be, is kept until it is seen that no more was changed."""

import json
import re
import shlex
import uuid
from pathlib import Path
from typing import NamedTuple

from teamlead.system.disk import storing
from teamlead.system.user_folders import state_home

_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)


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
        for start, length in _HUNK.findall(found)
        for line in range(int(start), int(start) + max(1, int(length or b"1")))
    }
