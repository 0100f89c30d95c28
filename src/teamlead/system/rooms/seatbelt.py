"""A room on macOS: a profile for `sandbox-exec`. Nobody has tried it on a Mac yet.

It keeps a program from what it may not read or write, as Landlock does. The copy is seen at its own path.
"""

from collections.abc import Iterable

from teamlead.ports.rooms import Room
from teamlead.system.rooms.mounts import Mount
from teamlead.system.rooms.paths import real

PROGRAM = "/usr/bin/sandbox-exec"
TEMPORARY = ("/private/tmp", "/private/var/tmp", "/private/var/folders", "/dev")
SECRETS = ("Library/Keychains", "Library/Cookies", "Library/Application Support/Google", "Library/Mail")


def arguments(room: Room, mounts: Iterable[Mount]) -> list[str]:
    return [PROGRAM, "-p", profile(room, mounts), "--"]


def profile(room: Room, mounts: Iterable[Mount]) -> str:
    """Of two rules for one path the later holds."""
    mounts = list(mounts)
    home = real(room.house.home.expanduser())
    hidden = [mount.path for mount in mounts if mount.sight == "hidden"]
    secrets = [real(room.house.common_dir), *(f"{home}/{name}" for name in SECRETS), *hidden]
    written = [mount.source for mount in mounts if mount.sight == "writable"]
    if room.scratch:
        written.append(real(room.scratch))
    shown = [mount.source for mount in mounts if mount.sight == "read-only"]
    lines = ["(version 1)", "(allow default)", "(deny file-write*)", _rule("allow file-write*", TEMPORARY)]
    lines += [_rule("deny file-read* file-write*", secrets)]
    lines += [_rule("allow file-read* file-write*", written), _rule("allow file-read*", shown)]
    lines += [_rule("deny file-write*", [real(path) for path in room.guarded])]
    if not room.network:
        lines.append("(deny network-outbound (remote ip))")
    elif room.ports is not None:
        lines.append("(deny network-outbound (remote ip))")
        lines += [f'(allow network-outbound (remote tcp "*:{port}"))' for port in room.ports]
    return "\n".join(line for line in lines if line)


def _rule(what: str, paths: Iterable[str]) -> str:
    places = "".join(f"\n  (subpath {_quoted(path)})" for path in dict.fromkeys(paths))
    return f"({what}{places})" if places else ""


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
