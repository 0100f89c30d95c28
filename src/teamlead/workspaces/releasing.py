"""Releasing removes a copy once all that it holds is safe; also copies that sessions left behind.

What branches hold needs nothing. What they do not goes to a kept ref first, and is read back. What cannot be
stored, or not be looked into, stays with its copy: unknown is not clean, and nothing is deleted by hand.
"""

import os
from contextlib import suppress

import msgspec

from teamlead.errors import MachineUnable, Refused, StaleLeader, StorageFailed, TeamleadError
from teamlead.system.disk import storing
from teamlead.system.repository import Repository
from teamlead.workspaces import copy_pool, private_git
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord
from teamlead.workspaces.fence import Update
from teamlead.workspaces.keeping import keep_work, last_kept
from teamlead.workspaces.kept_work import ROLLED_BACK
from teamlead.workspaces.session_refs import NAME, Session


def release(copy: CopyFolder) -> str:
    """Lets the copy go; returns "", the ref that holds what no branch did, or where the copy had to stay."""
    try:
        with storing(copy.path):
            return part_with(copy)
    except (StaleLeader, MachineUnable):
        raise
    except TeamleadError:
        return str(copy.path)


def part_with(copy: CopyFolder) -> str:
    """Does what `release` does, but raises, with the reason, where the copy has to stay."""
    record = copy.load()
    if record is None:
        if copy.path.exists():
            raise Refused(f"{str(copy.path)!r} is not known to be a working copy of ours")
        copy.forget()
        return last_kept(copy)
    if not record.ready:
        copy.remove()
        copy.forget()
        return ""
    found = _still_there(copy, record)
    if found is None:
        copy.forget()
        return last_kept(copy)
    kept = keep_work(copy, found, "released") or record.kept
    copy.save(msgspec.structs.replace(record, releasing=True, kept=kept))
    let_go(copy, record)
    copy.forget()
    return kept


def let_go(copy: CopyFolder, record: CopyRecord | None) -> None:
    """Removes a copy whose work is safe, or not wanted. With a record its files may serve another copy."""
    for link in copy.replaced():
        # Back to where it came from, so that git removes it with the rest.
        link.rename(copy.path / f"{link.name}.{os.urandom(6).hex()}")
    if record is None or not copy_pool.give(copy, record):
        copy.remove()


def _still_there(copy: CopyFolder, record: CopyRecord) -> CopyRecord | None:
    if copy.there():
        return record
    if os.path.lexists(copy.path):
        raise Refused(f"{str(copy.path)!r} is no folder any more")
    if not copy.own_dir.is_dir():
        return None
    # Its files went without us. Commits and staged content may be left, and a folder lets git look at them.
    copy.path.mkdir()
    return msgspec.structs.replace(record, releasing=True)


def sessions_with_copies(repository: Repository) -> list[str]:
    """Lists their names. What lies there under another kind of name is not a session's."""
    folders = repository.state_dir / "copies"
    found = {path.name for path in folders.iterdir()} if folders.is_dir() else set()
    return sorted(name for name in found if NAME.fullmatch(name) and "-" in name)


def copies_of(session: Session) -> list[CopyFolder]:
    names = (
        {path.name.removeprefix(".") for path in session.copies.iterdir()}
        if session.copies.is_dir()
        else set()
    )
    return [CopyFolder(session, name) for name in sorted(names) if NAME.fullmatch(name)]


def clear_away(copy: CopyFolder) -> str:
    """Does what `part_with` does, also where our notes about the copy are gone."""
    if copy.load() is None and copy.own_dir.is_dir():
        git = copy.session.git
        # The branch first: it is where the lead left it, and what the agent committed since counts as work.
        base = git.commit(copy.branch) or git.commit(private_git.head(copy))
        if not base:
            raise Refused(
                f"nobody knows which commit {str(copy.path)!r} stood on", remedy="look into it yourself"
            )
        if not copy.index.exists():
            git.run("read-tree", base, index=copy.index)
        copy.save(CopyRecord(attempt=0, base=base, ready=True, tip=base))
    return part_with(copy)


def drop(copy: CopyFolder) -> None:
    """Removes a copy and keeps nothing of it: the user said so. Our notes may be broken or gone."""
    with suppress(StorageFailed):
        if copy.load() is not None and copy.there():
            let_go(copy, None)
    copy.remove()
    copy.forget()


def roll_back(session: Session) -> tuple[str, ...]:
    """Takes all branches of the session away, once a ref of each keeps what it holds."""
    git, place = session.git, f"refs/heads/teamlead/{session.id}/"
    lines = git.text("for-each-ref", "--format=%(refname) %(objectname)", place).splitlines()
    for ref, commit in (line.split(" ") for line in lines):
        name = ref.removeprefix(place)
        kept = session.kept(name, ROLLED_BACK)
        if git.commit(kept) != commit:
            session.fence.update(f"keep {name}", Update(kept, commit))
        session.fence.update(f"roll back {name}", Update(ref, "0" * len(commit), commit))
    held = git.text("for-each-ref", "--format=%(refname)", f"{session.kept()}/").splitlines()
    return tuple(ref for ref in held if ref.endswith(f"/{ROLLED_BACK}"))


def remove_empty_branches(session: Session) -> list[str]:
    """Removes branches whose commits other branches, tags or kept refs have, too, and notes of approvals.

    Returns the names of the branches that stay.
    """
    git = session.git
    ours = f"teamlead/{session.id}/*"
    elsewhere = (f"--exclude={ours}", "--branches", "--tags", "--remotes", "--glob=refs/teamlead/kept/")
    found = git.text(
        "for-each-ref", "--format=%(refname) %(objectname)", f"refs/heads/teamlead/{session.id}/"
    )
    stay = []
    for line in found.splitlines():
        ref, commit = line.split(" ")
        # A broken ref elsewhere holds nothing, and is in nobody's way.
        if git.text("rev-list", "--ignore-missing", "--max-count=1", commit, "--not", *elsewhere):
            stay.append(ref.removeprefix("refs/heads/"))
        else:
            git.run("update-ref", "-d", ref, commit)
    notes = git.text("for-each-ref", "--format=%(refname) %(objectname)", f"{session.approvals()}/")
    for line in notes.splitlines():
        git.run("update-ref", "-d", *line.split(" "))
    return stay
