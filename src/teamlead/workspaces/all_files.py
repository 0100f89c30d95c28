"""Every file of a copy, byte for byte, as a tree: what is kept before a copy goes.

`snapshots` has git's view of the same copy, which is what counts as a task's work.
"""

import shutil
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import quote_from_bytes

from teamlead.core.work.acceptance import listed as joined
from teamlead.errors import GitFailed, Refused
from teamlead.system.git import Git
from teamlead.workspaces import git_objects, provided_files
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord
from teamlead.workspaces.folder_contents import LINK, Contents, Found, walk
from teamlead.workspaces.git_objects import TreeEntry
from teamlead.workspaces.odd_names import escape
from teamlead.workspaces.snapshots import ABSENT, GITLINK

EXACT = (
    *("-c", "core.trustctime=true", "-c", "core.checkStat=default", "-c", "core.fileMode=true"),
    *("-c", "core.symlinks=true", "-c", "core.ignoreCase=false", "-c", "core.sparseCheckout=false"),
)
"""An agent can write the repository's configuration, and these decide what git notices."""
LINK_TO_GIT = b".git"


class Files(NamedTuple):
    contents: Contents
    ignored: frozenset[bytes]
    known: Mapping[bytes, TreeEntry]
    """What our index has: the last that was seen of the work."""
    new: Mapping[bytes, Found]
    """What is neither in the index as it is on disk, nor was provided."""
    gone: frozenset[bytes]


class StoredTree(NamedTuple):
    id: str
    entries: Mapping[bytes, TreeEntry]
    """By their names in the tree."""
    sizes: Mapping[str, int]
    """Of what was stored for it."""


def outer(copy: CopyFolder) -> Git:
    """Git that looks at the copy's files with the user's repository, and without the copy's own git."""
    return Git(copy.session.repository.common_dir, copy.path, copy.session.settings)


def look(copy: CopyFolder, record: CopyRecord) -> Files:
    git = outer(copy)
    listed = [field.split(b"\t", 1) for field in _our_index(copy, record, git)]
    known = {path: TreeEntry(*_mode_and_blob(head)) for head, path in listed}
    sparse = {path for head, path in listed if not head.startswith(b"H")}
    ignored = frozenset(
        _ask(git, copy, "ls-files", "--others", "--ignored", "--exclude-standard", "--directory")
    )
    contents = walk(copy.path, ignored, leave_out=LINK_TO_GIT)
    # After the walk: what changes from here on, a second walk notices.
    changed = frozenset(_ask(git, copy, *EXACT, "diff-files", "--name-only", "--ignore-submodules=all"))
    untouched = provided_files.recall(copy).files
    new = {
        path: found
        for path, found in contents.files.items()
        if (path not in known or path in changed or path in sparse or known[path].mode == GITLINK)
        and untouched.get(path) != found.stat
    }
    opened = _holding(new, (path for path, entry in known.items() if entry.mode == GITLINK))
    new |= {path: found for path, found in contents.files.items() if path.startswith(opened)}
    gone = changed - contents.files.keys() | {folder[:-1] for folder in opened}
    return Files(contents, ignored, known, new, gone)


def unchanged(copy: CopyFolder, files: Files) -> bool:
    """Whether nothing in the copy was touched since `files` were looked at."""
    return walk(copy.path, files.ignored, leave_out=LINK_TO_GIT) == files.contents


def store(copy: CopyFolder, record: CopyRecord, files: Files) -> StoredTree:
    """Stores the files as a tree. Raises Refused for what cannot be stored."""
    require_readable(copy, [files.contents])
    _require_small(copy, files)
    git = outer(copy)
    stored = git_objects.store(git, copy.path, files.new, copy.private)
    sizes = {entry.blob: files.new[path].stat.size for path, entry in stored.items()}
    nothing = TreeEntry(ABSENT, "0" * len(record.base))
    own = {p: _own(record, p, e) for p, e in {**dict.fromkeys(files.gone, nothing), **stored}.items()}
    changes = {path: e for path, e in own.items() if e != files.known.get(path, nothing)}
    entries = {path: e for path, e in {**files.known, **changes}.items() if e != nothing}
    renamed = {path: entry for path, entry in entries.items() if stored_name(path, entry) != path}
    changes |= dict.fromkeys(renamed.keys() & files.known.keys(), nothing)
    changes = {path: entry for path, entry in changes.items() if path not in renamed or entry == nothing}
    changes |= {stored_name(path, entry): entry for path, entry in renamed.items()}
    index = copy.private / "index.whole"
    shutil.copy2(copy.index, index)
    tree = git_objects.write_tree(git, changes, index)
    index.unlink()
    return StoredTree(tree, {stored_name(path, entry): entry for path, entry in entries.items()}, sizes)


def stored_name(path: bytes, entry: TreeEntry) -> bytes:
    return escape(path, link=entry.mode == LINK)


def _our_index(copy: CopyFolder, record: CopyRecord, git: Git) -> list[bytes]:
    question = ("ls-files", "-t", "--stage")
    try:
        if copy.index.exists():
            return _ask(git, copy, *question)
    except GitFailed:
        copy.index.unlink()
    git.run("read-tree", record.base, index=copy.index)
    return _ask(git, copy, *question)


def _ask(git: Git, copy: CopyFolder, *question: str) -> list[bytes]:
    return git.run(*question, "-z", index=copy.index).fields


def _holding(files: Iterable[bytes], folders: Iterable[bytes]) -> tuple[bytes, ...]:
    """The folders that have some of `files` below them, each with a slash at its end."""
    return tuple(f + b"/" for f in folders if any(path.startswith(f + b"/") for path in files))


def require_readable(copy: CopyFolder, seen: Iterable[Contents]) -> None:
    problems = [problem for contents in seen for problem in contents.problems]
    if problems:
        raise Refused(f"{str(copy.path)!r} cannot be kept whole: {joined(problems)}")


def _require_small(copy: CopyFolder, files: Files) -> None:
    ignored = sum(found.stat.size for found in files.new.values() if found.ignored)
    most = copy.session.keep_ignored
    if ignored > most * 1_000_000:
        raise Refused(
            f"{str(copy.path)!r} has {ignored / 1e6:.0f} MB of ignored files, and `keep_ignored` is {most} MB"
        )


def _own(record: CopyRecord, path: bytes, entry: TreeEntry) -> TreeEntry:
    """The agent's own entry, where the path is still as config or checks left it."""
    told = record.provided.get(quote_from_bytes(path), "").split(" ")
    return TreeEntry(*told[2:]) if tuple(told[:2]) == entry else entry


def _mode_and_blob(head: bytes) -> tuple[str, str]:
    _, mode, blob, _ = head.decode().split(" ")
    return mode, blob
