"""Where a journal may live: SQLite's locks and shared memory need a file system of this machine."""

import re
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import Refused

NETWORK = frozenset(
    {
        "9p",
        "acfs",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "coda",
        "drvfs",
        "gfs2",
        "glusterfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "ocfs2",
        "smb3",
        "smbfs",
        "fuse.ceph",
        "fuse.davfs2",
        "fuse.gcsfuse",
        "fuse.glusterfs",
        "fuse.mergerfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
    }
)

MOUNTS = Path("/proc/self/mountinfo")


class Mount(NamedTuple):
    point: str
    kind: str


def refuse_network_filesystem(path: Path, *, mounts: Path = MOUNTS) -> None:
    """Refuses a folder on a network file system. Where the system lists no mounts, refuses nothing."""
    try:
        listing = mounts.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return
    mount = mount_of(str(path.resolve()), listing)
    if mount is not None and mount.kind in NETWORK:
        raise Refused(
            f"{str(path)!r} is on the network file system {mount.point!r} ({mount.kind}), "
            "where a journal can be damaged",
            remedy="set XDG_STATE_HOME to a folder on a local disk",
        )


def mount_of(path: str, mountinfo: str) -> Mount | None:
    """The mount that holds an absolute path. Of several on one point, the last covers the others."""
    found: Mount | None = None
    for line in mountinfo.splitlines():
        left, separator, right = line.partition(" - ")
        fields = left.split(" ")
        if not separator or len(fields) < 5:
            continue
        point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), fields[4])
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and (found is None or len(point) >= len(found.point)):
            found = Mount(point, right.split(" ", 1)[0])
    return found
