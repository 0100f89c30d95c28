"""The reference: the user's belongings, with content, as they were when nobody but the user had touched them.

At first that is the start of the session. What changes while nobody but the user is at work becomes a part of
it, and so does what the user takes for their own. Everything else is compared with it, and put back from it.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import msgspec

from teamlead.system.atomic_files import write_atomically
from teamlead.system.disk import storing
from teamlead.system.git import as_user
from teamlead.workspaces.belongings import is_setting, path_of, read, settings_in
from teamlead.workspaces.odd_names import name_as_text, name_from_text
from teamlead.workspaces.refs import STASH, USERS, log_entry, log_tail, look

WHOLE, CUT = "whole", "cut"
"""Of a log of git's: it still ends with what it ended with, or goes on after that; or it does not."""
EXPIRY = {"gc.reflogExpire": "90.days.ago", "gc.reflogExpireUnreachable": "30.days.ago"}
"""How long entries of a log stay; the second is for what no branch leads to any more."""
REGISTRATION = ("HEAD", "commondir", "gitdir")
"""What git knows a working tree by."""


class Content(msgspec.Struct, frozen=True):
    mode: int
    data: bytes
    link: str = ""
    """Where a symbolic link leads."""


class Reference(msgspec.Struct):
    belongings: dict[str, str] = {}
    values: dict[str, tuple[bytes, ...]] = {}
    """Of settings."""
    contents: dict[str, Content] = {}
    """Of files, by path in the git directory. Of logs the last part."""

    def now(self, common_dir: Path, found: dict[str, str]) -> dict[str, str]:
        """Adds to what was found which of the known logs still hold what they held."""
        logs = {}
        for name in self.belongings:
            for log in logs_of(name):
                # The log of a branch goes with the branch.
                logs[log] = self._look_at_log(common_dir, log) if name in found else WHOLE
        return {**found, **logs}

    def _look_at_log(self, common_dir: Path, log: str) -> str:
        last = self.last_line(log)
        path = f"{common_dir}/{name_from_text(log)}"
        found = look(path)
        if not last or (found and _holds(path, last, *found)):
            return WHOLE
        return WHOLE if log_entry(last).at < _expired_before(common_dir) else CUT

    def last_line(self, log: str) -> bytes:
        """Returns b"" where there is no log."""
        known = self.contents.get(log)
        return known.data.rstrip(b"\n").rpartition(b"\n")[2] if known else b""

    def take(self, common_dir: Path, found: dict[str, str], names: Iterable[str]) -> None:
        """Takes these for the user's, as they are now. Those that were not found are gone."""
        for name in names:
            for each in (name, *logs_of(name)):
                for known in (self.belongings, self.values, self.contents):
                    known.pop(each, None)
            if name in found:
                self.belongings[name] = found[name]
                self._keep_content(common_dir, name)

    def _keep_content(self, common_dir: Path, name: str) -> None:
        file, _, key = name.partition(":")
        if is_setting(name):
            values = settings_in(read(common_dir / file)).get(name_from_text(key), ())
            self.values[name] = tuple(map(os.fsencode, values))
            self._keep_file(common_dir, file)
        elif name.startswith("worktrees/") and name.rpartition("/")[2] in REGISTRATION:
            for each in REGISTRATION:
                self._keep_file(common_dir, f"{name.rpartition('/')[0]}/{each}")
        elif not name.startswith((*USERS, STASH)):
            self._keep_file(common_dir, name)
        for log in (name,) if is_log(name) else logs_of(name):
            self.belongings[log] = WHOLE
            self.contents[log] = Content(0o644, log_tail(common_dir / name_from_text(log)))

    def _keep_file(self, common_dir: Path, name: str) -> None:
        self.contents.pop(name, None)
        path = path_of(common_dir, name)
        with suppress(PermissionError):
            if path and (found := content_of(path)) is not None:
                self.contents[name] = found


def content_of(path: Path) -> Content | None:
    """Returns None for what is no file."""
    try:
        link = name_as_text(str(path.readlink())) if path.is_symlink() else ""
        mode = path.stat().st_mode
        return Content(stat.S_IMODE(mode), path.read_bytes(), link) if stat.S_ISREG(mode) else None
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def put_content(path: Path, content: Content | None) -> None:
    """Writes the content; None removes what is there."""
    with storing(path):
        if content is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        link = name_from_text(content.link)
        if link and not (path.is_symlink() and str(path.readlink()) == link):
            path.unlink(missing_ok=True)
            path.symlink_to(link)
        place = path.resolve() if link else path
        if place.is_symlink():
            place.unlink()
        write_atomically(place, content.data, mode=content.mode)
        place.chmod(content.mode)


def is_log(name: str) -> bool:
    return name.startswith("logs/") or "/logs/" in name


def logs_of(name: str) -> Iterator[str]:
    """Names the logs in which git notes the moves of a branch or of a HEAD."""
    if name.startswith(("refs/heads/", "refs/notes/")) or name == "HEAD":
        yield f"logs/{name}"
    elif name.startswith("worktrees/") and name.endswith("/HEAD") and not is_log(name):
        yield f"{name.removesuffix('HEAD')}logs/HEAD"


@lru_cache(maxsize=1 << 14)
def _holds(path: str, line: bytes, *_: int) -> bool:
    return line in log_tail(Path(path)).splitlines()


def _expired_before(common_dir: Path) -> int:
    """Returns the moment, in seconds, before which git's own tidying may have removed entries of a log."""
    moments = []
    for key, usual in EXPIRY.items():
        question = ("config", "--type=expiry-date", "--default", usual, "--get", key)
        found = as_user(common_dir, f"--git-dir={common_dir}", *question, ok=(0, 1, 128)).text
        moments.append(int(found) if found.isdecimal() else 0)
    return max(moments)


def load(path: Path) -> Reference | None:
    """Returns None where there is no reference that can be read."""
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=Reference)
    except (OSError, msgspec.DecodeError):
        return None


def save(path: Path, reference: Reference) -> None:
    # Settings may be secrets.
    write_atomically(path, msgspec.msgpack.encode(reference), mode=0o600)
