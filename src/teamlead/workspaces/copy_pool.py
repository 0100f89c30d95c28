"""The pool keeps folders of released copies: the next copy needs most of their files.

    <state dir>/pool/<number>/files/       the files of a copy, without its `.git`
    <state dir>/pool/<number>/index        git's notes of the files it wrote there itself, with their times
    <state dir>/pool/<number>/entry.json   what they were written from

Every copy gets git directories of its own, so that nothing an agent did to one (branches, locks, a merge
under way, settings of its own) reaches the next one. Of the files only those stay that nobody touched since
git wrote them, as inode and time of change tell: an agent can set neither.

A folder comes and goes by one rename, under the lock of the pool. An entry without one is a leftover.
"""

import os
import struct
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from teamlead.errors import GitFailed
from teamlead.system.atomic_files import write_atomically
from teamlead.system.faults import reach
from teamlead.system.file_modes import as_usual
from teamlead.system.git import Git
from teamlead.system.repository import Repository, locked
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord, sweep
from teamlead.workspaces.session_refs import Session

FEWEST_FILES = 100
"""With fewer, a new checkout is as fast."""
HEADER = struct.Struct(">8xI")
"""Of an index: behind its signature and its version is the number of its entries."""


class PooledFolder(msgspec.Struct, frozen=True):
    commit: str
    settings: str
    """A digest of the configuration that decides how a file is written."""


def folder(repository: Repository) -> Path:
    return repository.state_dir / "pool"


def give(copy: CopyFolder, record: CopyRecord) -> bool:
    """Takes over a copy whose work is safe. Returns False for one that is of no use, and leaves it there."""
    try:
        settings = _settings(copy) if copy.session.pooled else ""
        if not settings or not _reusable(copy, record):
            return False
        sweep(copy.git(record), copy.checkout)
        if not _only_as_written(copy, record):
            return False
    except GitFailed:
        return False
    with locked(copy.session.repository, "pool"):
        place = _free_place(copy.session)
        if place is None:
            return False
        write_atomically(
            place / "entry.json", msgspec.json.encode(PooledFolder(record.checked_out, settings))
        )
        reach("pool entry: noted")
        copy.checkout.rename(place / "index")
        reach("pool entry: named")
        (copy.path / ".git").unlink(missing_ok=True)
        copy.path.rename(place / "files")
        reach("pool entry: filled")
    copy.remove()
    return True


def take(copy: CopyFolder) -> str:
    """Puts a folder in the place of the copy, and returns the commit of its files; "" if there is none.

    The caller renews the files before anybody sees them.
    """
    settings = _settings(copy)
    with locked(copy.session.repository, "pool"):
        for place in reversed(_places(copy.session.repository)):
            files = place / "files"
            entry = _entry(place)
            if entry and entry.settings == settings and _nature(files) == _nature(copy.private, ours=True):
                files.rename(copy.path)
                reach("pool files: moved")
                (place / "index").replace(copy.lead_dir / "index")
                _forget(place)
                return entry.commit
    return ""


def renewable(copy: CopyFolder, record: CopyRecord, commit: str) -> bool:
    """Whether git would write unchanged files of `commit` the same way today."""
    question = ("diff-tree", "-r", "--quiet", commit, record.tip, "--", ":(glob)**/.gitattributes")
    try:
        return copy.git(record).holds(*question)
    except GitFailed:
        # The commit is gone by now.
        return False


def empty(repository: Repository) -> None:
    """Empties the pool. Nobody waits for it, and the next call removes what a crash leaves."""
    with locked(repository, "pool"):
        for place in _places(repository):
            place.rename(place.with_name(f"gone-{place.name}-{os.urandom(6).hex()}"))
    for place in sorted(folder(repository).glob("gone-*")):
        files = place / "files"
        if files.is_dir():
            (files / ".git").unlink(missing_ok=True)
            sweep(Git(repository.common_dir, files), place / "no-index")
            files.rmdir()
        _forget(place)
    with suppress(OSError):
        # Another copy may have come by now.
        folder(repository).rmdir()


def _entry(place: Path) -> PooledFolder | None:
    """Returns None for an entry that cannot be read: it only saves time."""
    try:
        return msgspec.json.decode((place / "entry.json").read_bytes(), type=PooledFolder)
    except (OSError, msgspec.DecodeError):
        return None


def _forget(place: Path) -> None:
    for name in ("index", "entry.json"):
        (place / name).unlink(missing_ok=True)
    place.rmdir()


def _places(repository: Repository) -> list[Path]:
    """Lists the places with files, the latest last, and removes what a crash left."""
    numbered = (place for place in folder(repository).glob("[0-9]*") if place.name.isdecimal())
    found = sorted(numbered, key=lambda place: int(place.name))
    for place in found:
        if not (place / "files").is_dir():
            _forget(place)
    return [place for place in found if place.is_dir()]


def _free_place(session: Session) -> Path | None:
    places = _places(session.repository)
    if len(places) >= session.pooled:
        return None
    number = int(places[-1].name) + 1 if places else 1
    place = folder(session.repository) / str(number)
    place.mkdir(parents=True)
    return place


def _reusable(copy: CopyFolder, record: CopyRecord) -> bool:
    git = copy.git(record)
    if record.sparse or (copy.own_dir / "modules").exists() or not copy.checkout.is_file():
        return False
    with copy.checkout.open("rb") as stream:
        header = stream.read(HEADER.size)
    # Whoever wrote it may have been killed over it.
    if len(header) < HEADER.size:
        return False
    (files,) = HEADER.unpack(header)
    return bool(files >= FEWEST_FILES) and not _filtered(copy, git)


def _filtered(copy: CopyFolder, git: Git) -> bool:
    """Whether a filter writes some of the files: what it writes may depend on more than the file."""
    configured = b"filter" in _content(copy.session.repository.common_dir / "config") or any(
        key.startswith("filter.") for key, _ in copy.session.settings.options
    )
    question = ("ls-files", "--", ".", ":(exclude,attr:!filter)")
    return configured and bool(git.text(*question, index=copy.checkout))


def _only_as_written(copy: CopyFolder, record: CopyRecord) -> bool:
    """Removes what was touched since git wrote it. False where git passes over something: pipes, submodules.

    git itself compares whole seconds, and takes a file for unchanged that a filter reads the same.
    """
    listed = copy.git(record).run("ls-tree", "-r", "-d", "-z", record.checked_out).fields
    if any(field.startswith(b"160000") for field in listed):
        return False
    written = copy.checkout.stat().st_mtime_ns
    usual = _nature(copy.private, ours=True)
    waiting: list[os.PathLike[str]] = [copy.path]
    while waiting:
        place = waiting.pop()
        if _nature(place) != usual:
            return False
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry)
                elif not entry.is_file(follow_symlinks=False) and not entry.is_symlink():
                    return False
                elif entry.stat(follow_symlinks=False).st_ctime_ns >= written:
                    Path(entry).unlink()
    return True


def _nature(path: os.PathLike[str], *, ours: bool = False) -> tuple[object, ...]:
    """Type, permissions, owner and extended attributes: all that a folder has besides its files.

    `ours`: as it would be in a copy.
    """
    found = os.lstat(path)
    attributes = os.listxattr(path, follow_symlinks=False) if hasattr(os, "listxattr") else []
    mode = as_usual(found.st_mode) if ours else found.st_mode
    return (mode, found.st_uid, found.st_gid, *sorted(attributes))


def _settings(copy: CopyFolder) -> str:
    """Returns "" where git's configuration includes files that we do not look at."""
    common_dir = copy.session.repository.common_dir
    options = dict(copy.session.settings.options)
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    attributes = Path(options.get("core.attributesfile", home / "git" / "attributes")).expanduser()
    names = ("config", "config.worktree", "info/attributes")
    contents = [_content(path) for path in (*(common_dir / name for name in names), attributes)]
    if b"[include" in contents[0].lower():
        return ""
    return sha256(msgspec.json.encode([copy.session.settings, *contents])).hexdigest()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
