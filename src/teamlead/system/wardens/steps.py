"""Steps into a room that are taken before the program of the room is started, in its process.

namespace                             what is mounted from here on is seen here only
overlay LOWER UPPER WORK MERGED ELSE  a private layer on top of a folder; ELSE is what is seen if that fails:
                                      `show` the folder, read-only, `empty` nothing
enclose                               nobody makes a namespace of control groups from here on: who has one can
                                      mount them, and kill or freeze all of the user's in the same group
keyring                               nobody reaches the kernel's keys, which all processes of a user share
restrict FILES CONNECT SCOPE          a Landlock ruleset, which forbids these kinds of access ...
path ACCESS PATH, port NUMBER         ... but here
confine                               from here on the ruleset holds

Words, each followed by its arguments. Whatever fails raises OSError, but for a path that has gone and an
overlay that the file system refuses.
"""

import contextlib
import ctypes
import errno
import os
import struct
import sys
from collections.abc import Callable, Sequence

from teamlead.system.wardens.messages import read_order

NEW_MOUNTS = 0x00020000
NEW_USER = 0x10000000
READ_ONLY = 0x1
REMOUNT = 0x20
BIND = 0x1000
RECURSIVE = 0x4000
PRIVATE = 0x40000
NO_NEW_PRIVILEGES = 38
FILTER_CALLS = 22
WITH_A_PROGRAM = 2
KEY_CALLS = {
    "x86_64": {0xC000003E: (248, 249, 250), 0x40000003: (286, 287, 288)},
    "aarch64": {0xC00000B7: (217, 218, 219), 0x40000028: (309, 310, 311)},
    "riscv64": {0xC00000F3: (217, 218, 219)},
}
"""add_key, request_key and keyctl, by machine and by each way to call that it knows: their numbers differ."""
X32 = 0x40000000
"""Another way to call on x86_64: the same numbers, with this bit."""
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
NUMBER_OF_CALL, WAY_TO_CALL = 0, 4
ALLOWED, REFUSED = 0x7FFF0000, 0x00050000 | errno.EPERM
CREATE_RULESET = 444
ADD_RULE = 445
RESTRICT_SELF = 446
WANT_VERSION = 1
PATH_BENEATH = 1
PORT = 2
CONNECT = 2

_library = ctypes.CDLL(None, use_errno=True)


def take(words: Sequence[bytes]) -> None:
    rest = list(words)
    ruleset = -1
    while rest:
        match rest:
            case [b"namespace", *rest]:
                _enter_namespace()
            case [b"overlay", lower, upper, work, merged, otherwise, *rest]:
                _overlay(lower, upper, work, merged, show=otherwise == b"show")
            case [b"enclose", *rest]:
                _enclose()
            case [b"keyring", *rest]:
                _forget_keys()
            case [b"restrict", files, connect, scope, *rest]:
                ruleset = _ruleset(int(files), int(connect), int(scope))
            case [b"path", access, path, *rest]:
                _allow_path(ruleset, int(access), path)
            case [b"port", number, *rest]:
                _add_rule(ruleset, PORT, struct.pack("QQ", CONNECT, int(number)))
            case [b"confine", *rest]:
                _confine(ruleset)
            case _:
                raise OSError(f"no step into a room: {rest[0]!r}")


def become(descriptor: int) -> None:
    """Becomes the program of an order, in this process: for a trial."""
    order = read_order(descriptor)
    try:
        os.chdir(order.cwd)
        take(order.steps)
    except OSError as error:
        sys.exit(error.strerror)
    os.execve(order.argv[0], order.argv, order.env)  # noqa: S606 - a program is what it becomes


def landlock_version() -> int:
    """Returns 0 where the kernel has no Landlock."""
    version: int = _library.syscall(CREATE_RULESET, None, 0, WANT_VERSION)
    return max(version, 0)


def _call(function: Callable[..., int], *arguments: object) -> int:
    result = function(*arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _enter_namespace() -> None:
    try:
        # Whoever may have one without a user namespace keeps the rights to all files.
        _call(_library.unshare, NEW_MOUNTS)
    except OSError:
        _become_another(NEW_MOUNTS)
    _mount(None, b"/", None, RECURSIVE | PRIVATE, None)


def _become_another(namespaces: int = 0) -> None:
    """Enters a user namespace, as the same user."""
    user, group = os.getuid(), os.getgid()
    try:
        _call(_library.unshare, NEW_USER | namespaces)
    except OSError as error:
        # What these numbers stand for elsewhere, such as a full disk, would mislead.
        name = errno.errorcode.get(error.errno or 0, "")
        raise OSError(error.errno, f"a new user namespace was refused ({name})") from error
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")


def _enclose() -> None:
    _become_another()
    # A kernel without control groups has no such limit.
    with contextlib.suppress(FileNotFoundError):
        _write("/proc/sys/user/max_cgroup_namespaces", "0")


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:  # noqa: PTH123 - pathlib costs start-up time
        file.write(text)


def _forget_keys() -> None:
    """Forbids all calls about keys: a new keyring for the session would leave the user's own in reach."""
    ways = KEY_CALLS.get(os.uname().machine)
    if not ways:
        return
    program = [(LOAD, 0, 0, WAY_TO_CALL)]
    for way, numbers in ways.items():
        calls = (*numbers, *(X32 + number for number in numbers)) if way == 0xC000003E else numbers
        # Another way: on to the next one, behind what is asked about this one.
        program += [(EQUAL, 0, 2 * len(calls) + 2, way), (LOAD, 0, 0, NUMBER_OF_CALL)]
        for number in calls:
            program += [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSED)]
        program.append((RETURN, 0, 0, ALLOWED))
    program.append((RETURN, 0, 0, ALLOWED))
    lines = b"".join(struct.pack("HBBI", *line) for line in program)
    content = ctypes.create_string_buffer(lines, len(lines))
    request = struct.pack("HxxxxxxP", len(program), ctypes.addressof(content))
    _call(_library.prctl, NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _call(_library.prctl, FILTER_CALLS, WITH_A_PROGRAM, request, 0, 0)


def _overlay(lower: bytes, upper: bytes, work: bytes, merged: bytes, *, show: bool) -> None:
    options = b",".join(
        [
            b"lowerdir=" + _escaped(lower),
            b"upperdir=" + _escaped(upper),
            b"workdir=" + _escaped(work),
            b"userxattr",
        ]
    )
    try:
        _mount(b"overlay", merged, b"overlay", 0, options)
    except OSError:
        # Else an empty folder is what is seen.
        if show:
            _mount(lower, merged, None, BIND | RECURSIVE, None)
            _mount(None, merged, None, BIND | REMOUNT | READ_ONLY, None)


def _escaped(path: bytes) -> bytes:
    for character in (b"\\", b":", b","):
        path = path.replace(character, b"\\" + character)
    return path


def _mount(
    source: bytes | None, target: bytes, kind: bytes | None, flags: int, options: bytes | None
) -> None:
    _call(_library.mount, source, target, kind, ctypes.c_ulong(flags), options)


def _ruleset(files: int, connect: int, scope: int) -> int:
    # Older kernels know fewer fields, and refuse longer requests.
    fields = [files, connect, scope]
    while len(fields) > 1 and not fields[-1]:
        fields.pop()
    request = struct.pack(f"{len(fields)}Q", *fields)
    return _call(_library.syscall, CREATE_RULESET, request, ctypes.c_size_t(len(request)), 0)


def _allow_path(ruleset: int, access: int, path: bytes) -> None:
    with contextlib.suppress(FileNotFoundError):
        place = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            _add_rule(ruleset, PATH_BENEATH, struct.pack("=Qi", access, place))
        finally:
            os.close(place)


def _add_rule(ruleset: int, kind: int, rule: bytes) -> None:
    _call(_library.syscall, ADD_RULE, ruleset, kind, rule, 0)


def _confine(ruleset: int) -> None:
    _call(_library.prctl, NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _call(_library.syscall, RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
