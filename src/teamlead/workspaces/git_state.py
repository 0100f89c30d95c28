"""What git holds of a copy beside its files: staged content, conflicts, commits that nothing else names.

All of it is stored in one tree:

    staged/<path>           what was staged, where it is neither on disk nor in a commit
    conflicts/<1-3>/<path>  the sides of a conflict: the common one, ours, theirs
    git/<path>              of the copy's git directory: an unfinished rebase, submodules' repositories
    set-aside/git-<n>/      a repository that an agent put in place of the copy's link to ours
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import GitFailed
from teamlead.system.git import Git
from teamlead.workspaces import git_objects, private_git, provided_files
from teamlead.workspaces.all_files import Files, StoredTree, outer, require_readable, stored_name
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord
from teamlead.workspaces.folder_contents import Contents, Found, put, stat_of, walk
from teamlead.workspaces.git_objects import TreeEntry
from teamlead.workspaces.snapshots import GITLINK, same_file

ORDINARY = re.compile(
    rb"(?:modules/(?:.+/)?)?(?:index|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|logs/.*|.*\.lock)"
    rb"|HEAD|config(?:\.worktree)?|description|shallow|packed-refs|(?:refs|info|hooks|lfs)/.*"
)
"""Of a copy's git directory, what tells nothing that is not kept otherwise."""
NAMING = re.compile(rb"(?:[A-Z_]+_)?HEAD|logs/.*|rebase-[a-z]+/(?:onto|orig-head)|refs/.*|packed-refs")
"""Files that name commits."""


class GitState(NamedTuple):
    head: str
    """The commit the copy stands on; "" if that is none."""
    tips: tuple[str, ...]
    """Commits that no branch, tag or kept ref reaches."""
    entries: Mapping[bytes, TreeEntry]
    seen: tuple[Contents, ...]
    """What was looked at, to notice a change."""


def look(
    copy: CopyFolder, record: CopyRecord, files: Files, tree: StoredTree, *, without: str = ""
) -> GitState:
    """Stores all of it. `without`: a branch that will not hold its commits much longer."""
    git = outer(copy)
    seen = surroundings(copy)
    require_readable(copy, seen)
    own, *aside = seen
    head, *tips = _commits(copy, record, git, own, without)
    untouched = provided_files.recall(copy).own
    told = {
        path: found
        for path, found in own.files.items()
        if untouched.get(path) != found.stat and not (ORDINARY.fullmatch(path) and (head or path != b"HEAD"))
    }
    if any(path.startswith(b"modules/") for path in told):
        told |= {path: f for path, f in own.files.items() if path.startswith(b"modules/")}
    entries = _from_index(copy, record, git, files, tree)
    entries |= _stored(git, copy.own_dir, told, copy.private, b"git/")
    for part in aside:
        entries |= _stored(git, copy.private, part.files, copy.private, b"set-aside/")
    return GitState(head, tuple(tips), entries, seen)


def surroundings(copy: CopyFolder) -> tuple[Contents, ...]:
    """The copy's git directory without its objects, and what an agent had put in the place of it."""
    return walk(copy.own_dir, leave_out=b"objects"), *(_inside(link) for link in copy.replaced())


def _from_index(
    copy: CopyFolder, record: CopyRecord, git: Git, files: Files, tree: StoredTree
) -> dict[bytes, TreeEntry]:
    """Keeps what only the copy's own index names. The index is the agent's: it is one more witness."""
    index = copy.own_dir / "index"
    if not index.is_file() or index.is_symlink() or same_file(copy.index, index):
        return {}
    try:
        listed = git.run("ls-files", "-z", "--stage", index=index).fields
    except GitFailed:
        # As it is: nobody can tell what it holds.
        found = {b"index": Found(stat_of(index.lstat()))}
        return _stored(git, index.parent, found, copy.private, b"git/")
    elsewhere = {entry.blob for entry in (*tree.entries.values(), *files.known.values())}
    entries = {}
    for field in listed:
        head, path = field.split(b"\t", 1)
        mode, blob, stage = head.decode().split(" ")
        if mode == GITLINK or (stage == "0" and blob in elsewhere):
            continue
        entry = TreeEntry(mode, blob)
        place = b"staged/" if stage == "0" else b"conflicts/%b/" % stage.encode()
        entries[place + stored_name(path, entry)] = entry
    blobs = {entry.blob for entry in entries.values()}
    private_git.bring_home(copy, record, blobs)
    there = git_objects.existing(git, blobs)
    return {path: entry for path, entry in entries.items() if there[entry.blob] >= 0}


def _commits(copy: CopyFolder, record: CopyRecord, git: Git, own: Contents, without: str) -> list[str]:
    """Returns the commit of HEAD, or "", and then the commits that nothing else names."""
    head = private_git.head(copy)
    names = [head, *private_git.named(copy, filter(NAMING.fullmatch, own.files))]
    others = dict.fromkeys(name for name in names if name and name not in {record.base, record.tip})
    private_git.bring_home(copy, record, others)
    commits = _existing(git, [head, copy.branch, *others])
    branch = commits.pop(copy.branch, "")
    loose = dict.fromkeys(commit for commit in (*commits.values(), branch if without else "") if commit)
    if loose.keys() - {record.base, "" if without else branch}:
        places = ("--branches", "--tags", "--remotes", "--glob=refs/teamlead/kept/")
        excluded = (f"--exclude={without.removeprefix('refs/heads/')}",) if without else ()
        asked = "\n".join(loose).encode() + b"\n"
        # A broken ref holds nothing, and is in nobody's way.
        question = ("rev-list", "--ignore-missing", "--stdin", "--not", *excluded, *places)
        found = set(git.run(*question, stdin=asked).text.splitlines())
    else:
        found = set()
    return [commits.get(head, ""), *(commit for commit in loose if commit in found)]


def _existing(git: Git, names: Iterable[str]) -> dict[str, str]:
    names = [name for name in dict.fromkeys(names) if name]
    return dict(zip(names, git.resolve(*(f"{name}^{{commit}}" for name in names)), strict=True))


def _inside(link: Path) -> Contents:
    """Lists what lies at the link, by names that begin with the link's own."""
    if not link.is_dir() or link.is_symlink():
        contents = Contents()
        put(contents, os.fsencode(link.name), link.lstat())
        return contents
    contents = walk(link)
    contents.files = {os.fsencode(link.name) + b"/" + path: found for path, found in contents.files.items()}
    return contents


def _stored(
    git: Git, folder: Path, files: Mapping[bytes, Found], scratch: Path, prefix: bytes
) -> dict[bytes, TreeEntry]:
    stored = git_objects.store(git, folder, files, scratch)
    return {prefix + stored_name(path, entry): entry for path, entry in stored.items()}
