"""The git directory that an agent, or a check, works with: its copy's own.

    HEAD, refs/, packed-refs   where the copy stands; the user's branches and tags as they were, to look at
    config                     the user's identity, and what decides how files are read
    objects/                   what is made in the copy; all else is borrowed from the user's repository
    index, info/               as git left them when it wrote the files, and what the user excludes

So nothing that is done with git in a copy reaches the user's repository, and the copy can lie in the place of
the user's checkout, where that repository cannot be seen. It is written file by file: no process is needed.

The lead believes nothing of it, and never runs git with its configuration. What only this directory has and
is worth keeping, commits and staged content, is brought home first, through git's own strict check.
"""

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from teamlead.system import untrusted_folder
from teamlead.system.faults import reach
from teamlead.system.repository import link_state
from teamlead.workspaces import git_objects
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord
from teamlead.workspaces.refs import shown_refs
from teamlead.workspaces.session_refs import Session
from teamlead.workspaces.sparse import SETTINGS as SPARSE

OBJECT = re.compile(rb"(?:[0-9a-f]{64}|[0-9a-f]{40})")
SYMBOLIC = re.compile(rb"ref: (refs/[!-~]+)\s*")
EXCLUDED = "info/exclude"
COPIED = (EXCLUDED, "info/attributes", "shallow")
SPECIAL = re.compile(r"[\\*?\[ ]")
"""What git reads in a pattern as more than a letter."""
UNDER_WAY = (
    *(
        "MERGE_HEAD",
        "MERGE_MSG",
        "MERGE_MODE",
        "AUTO_MERGE",
        "CHERRY_PICK_HEAD",
        "REVERT_HEAD",
        "REBASE_HEAD",
    ),
    *("rebase-merge", "rebase-apply", "sequencer"),
)
ESCAPED = ("utf-8", "surrogateescape")
LOCKED = ("index.lock", "HEAD.lock", "config.lock", "packed-refs.lock")


def make(copy: CopyFolder, record: CopyRecord) -> None:
    """Makes the directory for files that git has just written, and that no agent has seen."""
    place = copy.own_dir
    untrusted_folder.remove_tree(place)
    for folder in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info"):
        (place / folder).mkdir(parents=True, exist_ok=True)
    link_state(copy.session.repository)
    _settle(copy, record, record.tip)
    _borrow(copy)
    untrusted_folder.write(place, "packed-refs", _packed(shown_refs(copy.session.repository.common_dir)))
    for name in COPIED:
        content = untrusted_folder.read(copy.session.repository.common_dir, name)
        if content is not None:
            untrusted_folder.write(place, name, content)
    if record.sparse:
        untrusted_folder.write(
            place, "info/sparse-checkout", "".join(f"{line}\n" for line in record.sparse).encode()
        )
    shutil.copy2(copy.index, place / "index")
    reach("private git directory: made")
    link(copy)


def link(copy: CopyFolder) -> None:
    untrusted_folder.write(copy.path, ".git", f"gitdir: {copy.own_dir}\n".encode(*ESCAPED))


def exclude(copy: CopyFolder, paths: Iterable[PurePosixPath]) -> None:
    """Excludes what is mounted there: it is no work, and `git add --all` does not mean it."""
    known = untrusted_folder.read(copy.own_dir, EXCLUDED) or b""
    wanted = [b"/" + SPECIAL.sub(r"\\\g<0>", str(path)).encode(*ESCAPED) for path in paths]
    missing = [line for line in wanted if line not in known.splitlines()]
    if missing:
        untrusted_folder.write(copy.own_dir, EXCLUDED, b"\n".join([known, *missing, b""]))


def restore(copy: CopyFolder, record: CopyRecord) -> None:
    """Lets the copy's `.git` lead here again, and sets aside what an agent put in the place of either."""
    if (
        not copy.own_dir.is_dir()
        or copy.own_dir.is_symlink()
        or untrusted_folder.read(copy.own_dir, "HEAD") is None
    ):
        copy.set_aside(copy.own_dir)
        make(copy, record)
    elif untrusted_folder.read(copy.path, ".git") != f"gitdir: {copy.own_dir}\n".encode(*ESCAPED):
        copy.set_aside(copy.path / ".git")
        link(copy)


def settle(copy: CopyFolder, record: CopyRecord, index: Path) -> None:
    """Checks out the lead's commit of the agent's work, and removes what is locked or half done.

    The agent's settings and hooks go: none of them may run if a person calls git in the copy.
    """
    place = copy.own_dir
    for name in (*LOCKED, *UNDER_WAY, "hooks", "config.worktree", "commondir"):
        untrusted_folder.remove(place, name)
    _settle(copy, record, record.tip)
    untrusted_folder.write(place, "index", index.read_bytes())
    # With its times: a newer index would trust files that changed in the same tick.
    shutil.copystat(index, place / "index", follow_symlinks=False)


def head(copy: CopyFolder) -> str:
    """Returns the commit that the copy stands on, as its files say; "" if that is none."""
    return _commit_in(copy.own_dir, "HEAD")


def own_branch(copy: CopyFolder) -> str:
    return _commit_in(copy.own_dir, copy.branch) if copy.branch else ""


def named(copy: CopyFolder, files: Iterable[bytes]) -> Iterator[str]:
    """Lists commits that `files` of the directory name, and the user's own refs do not."""
    theirs = set(shown_refs(copy.session.repository.common_dir).values())
    for path in files:
        content = untrusted_folder.read(copy.own_dir, path.decode(*ESCAPED)) or b""
        yield from (name for name in map(bytes.decode, OBJECT.findall(content)) if name not in theirs)


def bring_home(copy: CopyFolder, record: CopyRecord, names: Iterable[str]) -> None:
    """Brings objects to the user's repository, with all that they need. What is missing stays missing."""
    git = copy.session.git
    missing = [name for name, size in git_objects.existing(git, dict.fromkeys(names)).items() if size < 0]
    if not missing or not (copy.own_dir / "objects").is_dir():
        return
    # An agent may have named other stores.
    _borrow(copy)
    both = git._replace(beyond=copy.own_dir / "objects")
    found = [name for name, size in git_objects.existing(both, missing).items() if size >= 0]
    if found:
        known = dict.fromkeys(name for name in (record.tip, record.base, copy.session.base_commit) if name)
        asked = "".join(f"{line}\n" for line in (*found, "--not", *known)).encode()
        pack = both.run("pack-objects", "--revs", "--stdout", "--quiet", stdin=asked).output
        git.run(*git_objects.ON_DISK, "index-pack", "--strict", "--stdin", stdin=pack)


def _borrow(copy: CopyFolder) -> None:
    stores = (copy.session.repository.objects, *copy.session.borrowed)
    content = "".join(f"{store}\n" for store in stores).encode(*ESCAPED)
    untrusted_folder.write(copy.own_dir, "objects/info/alternates", content)


def _settle(copy: CopyFolder, record: CopyRecord, commit: str) -> None:
    """Writes where the copy stands, and its settings."""
    place = copy.own_dir
    if copy.branch:
        untrusted_folder.write(place, copy.branch, f"{commit}\n".encode())
        untrusted_folder.remove(place, f"{copy.branch}.lock")
    untrusted_folder.write(
        place, "HEAD", f"ref: {copy.branch}\n".encode() if copy.branch else f"{commit}\n".encode()
    )
    untrusted_folder.write(place, "config", _configuration(copy.session, sparse=bool(record.sparse)))


def _configuration(session: Session, *, sparse: bool) -> bytes:
    settings = dict(session.repository_settings)
    settings |= dict(session.settings.configuration)
    settings |= {
        "core.bare": "false",
        "core.logallrefupdates": "true",
        "gc.auto": "0",
        "maintenance.auto": "false",
    }
    if sparse:
        settings |= dict(SPARSE)
    settings.setdefault("core.repositoryformatversion", "0")
    return written(settings.items())


def written(settings: Iterable[tuple[str, str]]) -> bytes:
    """Writes settings as in a file of git's configuration."""
    return "".join(map(_setting, settings)).encode(*ESCAPED)


def _setting(pair: tuple[str, str]) -> str:
    section, _, name = pair[0].rpartition(".")
    outer, dot, inner = section.partition(".")
    quoted = inner.replace("\\", "\\\\").replace('"', '\\"')
    value = pair[1].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'[{outer}{f" {chr(34)}{quoted}{chr(34)}" if dot else ""}]\n\t{name} = "{value}"\n'


def _packed(refs: dict[str, str]) -> bytes:
    lines = (f"{value} {name}\n" for name, value in sorted(refs.items()) if OBJECT.fullmatch(value.encode()))
    return ("# pack-refs with: sorted \n" + "".join(lines)).encode(*ESCAPED)


def _commit_in(place: Path, name: str) -> str:
    for _ in range(5):
        content = untrusted_folder.read(place, name)
        if content is None:
            packed = untrusted_folder.read(place, "packed-refs") or b""
            found = re.search(rb"^(\S+) " + re.escape(name.encode(*ESCAPED)) + rb"$", packed, re.MULTILINE)
            content = found[1] if found else b""
        symbolic = SYMBOLIC.fullmatch(content)
        if not symbolic or b".." in symbolic[1]:
            commit = content.strip()
            return commit.decode() if OBJECT.fullmatch(commit) else ""
        name = symbolic[1].decode()
    return ""
