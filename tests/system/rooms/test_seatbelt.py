"""The text of a profile. Whether macOS understands it, only a Mac can tell."""

from pathlib import Path

import pytest

from teamlead.ports.rooms import House, Room
from teamlead.system.rooms.mounts import Mount
from teamlead.system.rooms.seatbelt import arguments, profile

HOUSE = House(
    Path("/u/repo"), Path("/u/repo/.git"), Path("/u/state"), Path("/u/state/objects"), home=Path("/u")
)
ROOM = Room(HOUSE, Path("/u/state/copy"), Path("/u/state/git"), guarded=(Path("/u/.claude/settings.json"),))
MOUNTS = [
    Mount("/u/.ssh", "hidden"),
    Mount("/u/state", "hidden"),
    Mount("/u/state/copy", "writable", "/u/state/copy"),
    Mount("/u/state/objects", "read-only", "/u/repo/.git/objects"),
]


def position(text: str, rule: str, path: str) -> int:
    """Of a path below a rule: of two for one path the later holds."""
    start = text.index(f"({rule}\n")
    return text.index(f'(subpath "{path}")', start, text.index("))", start) + 1)


def test_all_can_be_read_but_what_is_hidden_and_nothing_written_but_what_is_the_program_s() -> None:
    text = profile(ROOM, MOUNTS)
    assert text.startswith("(version 1)\n(allow default)\n(deny file-write*)\n")
    hidden = [
        position(text, "deny file-read* file-write*", path)
        for path in ("/u/.ssh", "/u/state", "/u/repo/.git")
    ]
    assert max(hidden) < position(text, "allow file-read* file-write*", "/u/state/copy")
    assert max(hidden) < position(text, "allow file-read*", "/u/repo/.git/objects")
    assert text.rindex("(deny file-write*") < text.index('(subpath "/u/.claude/settings.json")')


def test_the_network_is_as_the_room_has_it() -> None:
    assert "network" not in profile(ROOM, MOUNTS)
    assert profile(ROOM._replace(network=False), MOUNTS).endswith("(deny network-outbound (remote ip))")
    assert '(allow network-outbound (remote tcp "*:443"))' in profile(ROOM._replace(ports=(443,)), MOUNTS)


@pytest.mark.parametrize(("path", "quoted"), [('/a"b', '"/a\\"b"'), ("/a\\b", '"/a\\\\b"')])
def test_a_path_cannot_break_out_of_its_quotes(path: str, quoted: str) -> None:
    assert f"(subpath {quoted})" in profile(ROOM, [Mount(path, "hidden")])


def test_the_program_follows_the_profile() -> None:
    assert arguments(ROOM, MOUNTS)[:2] == ["/usr/bin/sandbox-exec", "-p"]
    assert arguments(ROOM, MOUNTS)[-1] == "--"
