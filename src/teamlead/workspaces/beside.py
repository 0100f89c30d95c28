"""What git holds of a copy beside its files: what was staged, conflicts, commits that nothing else names.

As names of one tree:

    staged/<path>           what was staged, where it is neither on disk nor in a commit
    conflicts/<1-3>/<path>  the sides of a conflict: the common one, ours, theirs
    registration/<path>     files of git's registration: an unfinished rebase, repositories of submodules
    set-aside/git-<n>/      a repository that an agent put in place of the copy's link to ours
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import GitFailed
from teamlead.system.git import Git
from teamlead.workspaces import provided, raw
from teamlead.workspaces.contents import Contents, Found, stat_of, walk
from teamlead.workspaces.copies import CopyFolder, Record
from teamlead.workspaces.raw import Entry
from teamlead.workspaces.snapshots import GITLINK, same_file
from teamlead.workspaces.whole import Files, Tree, outer, require_readable, stored_name

ORDINARY = re.compile(
    rb"(?:modules/(?:.+/)?)?(?:index|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|logs/.*|.*\.lock)"
    rb"|HEAD|commondir|gitdir|locked|index\.teamlead|info/sparse-checkout|config\.worktree"
)
"""Of a registration, what tells nothing that is not kept otherwise."""
NAMING = re.compile(rb"(?:[A-Z_]+_)?HEAD|logs/HEAD|rebase-[a-z]+/(?:onto|orig-head)|refs/.*")
"""Files that name commits."""
OBJECT = re.compile(rb"\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b")
SYMBOLIC = re.compile(rb"ref: (refs/[^\n]+)\n?")


class Beside(NamedTuple):
    head: str
    """The commit the copy stands on; "" if that is none."""
    tips: tuple[str, ...]
    """Commits that no branch, tag or kept ref reaches."""
    entries: Mapping[bytes, Entry]
    seen: tuple[Contents, ...]
    """What was looked at, to notice a change."""


def look(copy: CopyFolder, record: Record, files: Files, tree: Tree, *, without: str = "") -> Beside:
    """`without`: a branch that will not hold its commits much longer."""
    git = outer(copy)
    seen = surroundings(copy, record)
    require_readable(copy, seen)
    registration, *aside = seen
    head, *tips = _commits(copy, record, git, registration, without)
    untouched = provided.recall(copy).registration
    told = {
        path: found
        for path, found in registration.files.items()
        if untouched.get(path) != found.stat and not (ORDINARY.fullmatch(path) and (head or path != b"HEAD"))
    }
    if any(path.startswith(b"modules/") for path in told):
        told |= {path: f for path, f in registration.files.items() if path.startswith(b"modules/")}
    entries = _from_index(copy, record, git, files, tree)
    entries |= _stored(git, copy.git_dir(record), told, copy.private, b"registration/")
    for part in aside:
        entries |= _stored(git, copy.private, part.files, copy.private, b"set-aside/")
    return Beside(head, tuple(tips), entries, seen)


def standing_on(copy: CopyFolder, git_dir: Path) -> str:
    """The commit that a registration's HEAD leads to, or ""."""
    head = _pointed(git_dir / "HEAD")
    return _resolved(outer(copy), [head]).get(head, "")


def surroundings(copy: CopyFolder, record: Record) -> tuple[Contents, ...]:
    """The registration, and what an agent had put in place of the link to it."""
    return walk(copy.git_dir(record)), *(_inside(link) for link in copy.replaced_links())


def _from_index(copy: CopyFolder, record: Record, git: Git, files: Files, tree: Tree) -> dict[bytes, Entry]:
    """The copy's own index is read here as another witness: what it names and nothing else does is kept."""
    index = copy.git_dir(record) / "index"
    if not index.exists() or same_file(copy.index, index):
        return {}
    try:
        listed = git.run("ls-files", "-z", "--stage", index=index).fields
    except GitFailed:
        # As it is: nobody can tell what it holds.
        found = {b"index": Found(stat_of(index.lstat()))}
        return _stored(git, index.parent, found, copy.private, b"registration/")
    elsewhere = {entry.blob for entry in (*tree.entries.values(), *files.known.values())}
    entries = {}
    for field in listed:
        head, path = field.split(b"\t", 1)
        mode, blob, stage = head.decode().split(" ")
        if mode == GITLINK or (stage == "0" and blob in elsewhere):
            continue
        entry = Entry(mode, blob)
        place = b"staged/" if stage == "0" else b"conflicts/%b/" % stage.encode()
        entries[place + stored_name(path, entry)] = entry
    there = raw.existing(git, {entry.blob for entry in entries.values()})
    return {path: entry for path, entry in entries.items() if there[entry.blob] >= 0}


def _commits(copy: CopyFolder, record: Record, git: Git, registration: Contents, without: str) -> list[str]:
    """HEAD first, "" if it is none; then those that nothing else names."""
    folder = copy.git_dir(record)
    names = [copy.branch.encode()]
    for path in registration.files:
        if NAMING.fullmatch(path):
            names += OBJECT.findall((folder / os.fsdecode(path)).read_bytes())
    head = _pointed(folder / "HEAD")
    found = _resolved(git, dict.fromkeys([head, *names]))
    branch = found.get(copy.branch.encode(), "")
    others = dict.fromkeys(commit for commit in found.values() if commit)
    if others.keys() - {record.base, "" if without else branch}:
        places = ("--branches", "--tags", "--remotes", "--glob=refs/teamlead/kept/")
        excluded = (f"--exclude={without.removeprefix('refs/heads/')}",) if without else ()
        asked = "\n".join(others).encode() + b"\n"
        # A broken ref holds nothing, and is in nobody's way.
        question = ("rev-list", "--ignore-missing", "--stdin", "--not", *excluded, *places)
        loose = set(git.run(*question, stdin=asked).text.splitlines())
    else:
        loose = set()
    return [found.get(head, ""), *(commit for commit in others if commit in loose)]


def _pointed(head: Path) -> bytes:
    try:
        content = head.read_bytes()
    except OSError:
        return b""
    symbolic = SYMBOLIC.fullmatch(content)
    return symbolic[1] if symbolic else content.strip()


def _resolved(git: Git, names: Iterable[bytes]) -> dict[bytes, str]:
    names = [name for name in names if re.fullmatch(rb"[!-~]+", name)]
    return dict(zip(names, git.resolve(*(f"{name.decode()}^{{commit}}" for name in names)), strict=True))


def _inside(link: Path) -> Contents:
    """By names that begin with the link's own."""
    if not link.is_dir() or link.is_symlink():
        return Contents({os.fsencode(link.name): Found(stat_of(link.lstat()))})
    contents = walk(link)
    contents.files = {os.fsencode(link.name) + b"/" + path: found for path, found in contents.files.items()}
    return contents


def _stored(
    git: Git, folder: Path, files: Mapping[bytes, Found], scratch: Path, prefix: bytes
) -> dict[bytes, Entry]:
    stored = raw.store(git, folder, files, scratch)
    return {prefix + stored_name(path, entry): entry for path, entry in stored.items()}
