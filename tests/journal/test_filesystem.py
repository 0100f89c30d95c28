from pathlib import Path

import pytest

from teamlead.errors import Refused
from teamlead.journal.filesystem import Mount, mount_of, refuse_network_filesystem

MOUNTS = r"""22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
31 27 0:40 / /home rw,relatime shared:2 master:1 - nfs4 server:/home rw,vers=4.2
32 31 254:1 / /home/ann/local rw,relatime - xfs /dev/vdb rw
33 27 0:41 / /mnt/my\040share rw - cifs //server/share rw
34 27 0:42 / /data rw - nfs server:/data rw
35 34 0:43 / /data rw - ext4 /dev/vdc rw
36 27 0:44 / /ssh rw - fuse.sshfs ann@server:/ rw
a line that is not a mount
"""


@pytest.mark.parametrize(
    ("path", "mount"),
    [
        ("/var/lib", Mount("/", "ext4")),
        ("/", Mount("/", "ext4")),
        ("/home", Mount("/home", "nfs4")),
        ("/home/bob/.local/state", Mount("/home", "nfs4")),
        ("/homestead", Mount("/", "ext4")),
        ("/home/ann/local/state", Mount("/home/ann/local", "xfs")),
        ("/mnt/my share/x", Mount("/mnt/my share", "cifs")),
        ("/data/x", Mount("/data", "ext4")),
    ],
)
def test_the_mount_that_holds_a_path_is_the_nearest_and_the_last(path: str, mount: Mount) -> None:
    assert mount_of(path, MOUNTS) == mount


def test_a_network_file_system_is_refused_with_its_kind_and_a_remedy(tmp_path: Path) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS)
    with pytest.raises(Refused, match=r"'/ssh/state' .* \(fuse\.sshfs\).*XDG_STATE_HOME"):
        refuse_network_filesystem(Path("/ssh/state"), mounts=mounts)
    refuse_network_filesystem(Path("/data/state"), mounts=mounts)


def test_a_link_to_a_network_file_system_is_refused(tmp_path: Path) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(f"1 1 0:1 / / rw - ext4 /dev/vda rw\n2 1 0:2 / {tmp_path}/far rw - nfs server:/ rw\n")
    (tmp_path / "far").mkdir()
    (tmp_path / "near").symlink_to("far")
    with pytest.raises(Refused, match="network file system"):
        refuse_network_filesystem(tmp_path / "near" / "state", mounts=mounts)


def test_where_mounts_are_not_listed_nothing_is_refused(tmp_path: Path) -> None:
    refuse_network_filesystem(tmp_path, mounts=tmp_path / "missing")
