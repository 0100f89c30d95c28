"""Releasing removes a copy once all that it holds is safe.

What branches hold needs nothing. What they do not goes to a kept ref first, and is read back. What cannot be
stored, or not be looked into, stays with its copy: unknown is not clean, and nothing is deleted by hand.
"""

import os

import msgspec

from teamlead.errors import MachineUnable, Refused, StaleLeader, TeamleadError
from teamlead.system.disk import storing
from teamlead.workspaces import copy_pool
from teamlead.workspaces.copy_folder import CopyFolder, Record
from teamlead.workspaces.keeping import keep_work, last_kept


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


def let_go(copy: CopyFolder, record: Record | None) -> None:
    """Removes a copy whose work is safe, or not wanted. With a record its files may serve another copy."""
    for link in copy.replaced():
        # Back to where it came from, so that git removes it with the rest.
        link.rename(copy.path / f"{link.name}.{os.urandom(6).hex()}")
    if record is None or not copy_pool.give(copy, record):
        copy.remove()


def _still_there(copy: CopyFolder, record: Record) -> Record | None:
    if copy.there():
        return record
    if os.path.lexists(copy.path):
        raise Refused(f"{str(copy.path)!r} is no folder any more")
    if not copy.own_dir.is_dir():
        return None
    # Its files went without us. Commits and staged content may be left, and a folder lets git look at them.
    copy.path.mkdir()
    return msgspec.structs.replace(record, releasing=True)
