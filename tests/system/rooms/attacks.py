"""What a program in a room tries to get out of it. Each ends with 0 if it has succeeded.

`attacks.py NAME PLACES`: one of them; PLACES is JSON of what lies where outside.
"""

import ctypes
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIBRARY = ctypes.CDLL(None, use_errno=True)
REMOUNT_WRITABLE = 0x1020
DETACH = 2
NEW_MOUNTS = 0x20000
NEW_USER = 0x10000000
ATTACH = 16
GET_ID, USERS_KEYS = 0, -4
Places = dict[str, Any]


def call(name: str, *arguments: Any) -> bool:
    result: int = LIBRARY[name](*arguments)
    return result == 0


def read(path: str) -> bool:
    return "xyzzy" in Path(path).read_text()


def read_journal(places: Places) -> bool:
    return read(f"{places['state']}/journal.db")


def read_sibling(places: Places) -> bool:
    return read(f"{places['state']}/copies/two/file.txt")


def write_journal(places: Places) -> bool:
    return bool(Path(places["state"], "journal.db").write_text("broken"))


def read_ssh_key(places: Places) -> bool:
    return read(f"{places['home']}/.ssh/id_ed25519")


def read_through_link(places: Places) -> bool:
    return read(f"{places['home']}/.kube/config")


def read_token(places: Places) -> bool:
    return read(f"{places['home']}/.npmrc")


def read_other_agent(places: Places) -> bool:
    return read(f"{places['home']}/.codex/auth.json")


def write_profile(places: Places) -> bool:
    return bool(Path(places["home"], ".bashrc").write_text("evil"))


def write_git_directory(places: Places) -> bool:
    return bool(Path(places["git"], "config").write_text("evil")) and Path(places["git"], "HEAD").exists()


def write_objects(places: Places) -> bool:
    return bool(Path(places["state"], "objects", "evil").write_text("evil"))


def write_system(places: Places) -> bool:
    return os.access("/etc", os.W_OK)


def connect_to_socket(places: Places) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(places["socket"])
    return True


def connect_to_abstract_socket(places: Places) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + places["abstract"])
    return True


def kill_outside(places: Places) -> bool:
    os.kill(places["pid"], 0)
    return "victim" in Path(f"/proc/{places['pid']}/cmdline").read_text()


def trace_outside(places: Places) -> bool:
    return call("ptrace", ATTACH, places["pid"], 0, 0)


def see_through_proc(places: Places) -> bool:
    return any(_sees(root, places) for root in Path("/proc").glob("[0-9]*/root"))


def _sees(root: Path, places: Places) -> bool:
    try:
        return read(f"{root}{places['state']}/journal.db")
    except OSError:
        return False


def unmount_state(places: Places) -> bool:
    return call("umount2", places["state"].encode(), DETACH)


def unmount_checkout(places: Places) -> bool:
    return call("umount2", places["root"].encode(), DETACH)


def remount_root(places: Places) -> bool:
    return call("mount", None, b"/", None, ctypes.c_ulong(REMOUNT_WRITABLE), None)


def unmount_in_namespace(places: Places) -> bool:
    _enter_namespace()
    return unmount_state(places)


def remount_in_namespace(places: Places) -> bool:
    _enter_namespace()
    return remount_root(places) and write_system(places)


def _enter_namespace() -> None:
    user = os.getuid()
    assert call("unshare", NEW_USER | NEW_MOUNTS)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"0 {user} 1")


def make_device(places: Places) -> bool:
    os.mknod("device", 0o20600, os.makedev(1, 9))
    return True


def change_owner(places: Places) -> bool:
    # To somebody who is nobody in the room.
    os.chown("file.txt", places["uid"] + 1, -1)
    return True


def outlive(places: Places) -> bool:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            os.execve("/bin/sleep", [places["word"], "60"], {})
        os._exit(0)
    return False


def reach_the_keys(places: Places) -> bool:
    """Of the user, whichever session they are in."""
    number = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
    return bool(LIBRARY.syscall(number, GET_ID, USERS_KEYS, 1) > 0)


def read_shadow(places: Places) -> bool:
    return bool(Path("/etc/shadow").read_text())


ATTACKS: tuple[Callable[[Places], bool], ...] = (
    *(
        read_journal,
        read_sibling,
        write_journal,
        read_ssh_key,
        read_through_link,
        read_token,
        read_other_agent,
    ),
    *(write_profile, write_git_directory, write_objects, write_system, connect_to_socket),
    *(connect_to_abstract_socket, kill_outside, trace_outside, see_through_proc, unmount_state),
    *(unmount_checkout, remount_root, unmount_in_namespace, remount_in_namespace, make_device, change_owner),
    *(outlive, read_shadow, reach_the_keys),
)


def main(name: str, places: Places) -> None:
    attack = next(attack for attack in ATTACKS if attack.__name__ == name)
    try:
        succeeded = attack(places)
    except (OSError, AssertionError) as error:
        sys.exit(f"{name}: {error!r}")
    sys.exit(0 if succeeded else 1)


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
