import os
from pathlib import Path

import pytest
from tests.system.rooms.support import Guest

from teamlead.system.untrusted_folder import remove_tree

WRITE = "cat ~/.npm/known ~/.cache/tool/known; echo new > ~/.npm/new && echo own > ~/.cache/tool/known"


@pytest.fixture
def caches(guest: Guest) -> Guest:
    guest.write(guest.home / ".npm" / "known", "of npm\n")
    guest.write(guest.home / ".cache" / "tool" / "known", "of a tool\n")
    return guest


def untouched(guest: Guest) -> bool:
    known = guest.home / ".cache" / "tool" / "known"
    return known.read_text() == "of a tool\n" and not (guest.home / ".npm" / "new").exists()


def test_caches_are_read_as_they_are_and_written_privately(caches: Guest) -> None:
    first, second = caches.run(["sh", "-c", WRITE], ["sh", "-c", "cat ~/.npm/new ~/.cache/tool/known"])
    assert first == (0, ["of npm", "of a tool"])
    assert second == (0, ["new", "own"])
    assert untouched(caches)


def test_two_rooms_do_not_see_what_the_other_writes_to_a_cache(caches: Guest) -> None:
    caches.shell(WRITE)
    other = caches.shell("cat ~/.npm/new ~/.cache/tool/known", room={"scratch": caches.state / "other"})
    assert other.code != 0
    assert other.lines[-1] == "of a tool"
    remove_tree(caches.state / "other")


def test_without_overlays_caches_are_empty_and_private(caches: Guest) -> None:
    first, second = caches.run(
        ["sh", "-c", "ls ~/.npm; echo new > ~/.npm/new"],
        ["sh", "-c", "cat ~/.npm/new"],
        means={"overlays": False},
    )
    assert (first, second) == ((0, []), (0, ["new"]))
    assert untouched(caches)


def test_without_overlays_layers_are_read_only(guest: Guest) -> None:
    guest.write(guest.root / "layer" / "file", "layer\n")
    (guest.copy / "layer").mkdir()
    room = {"layered": [[guest.root / "layer", "layer"]]}
    done = guest.shell("cat layer/file; touch layer/x || echo held", room=room, means={"overlays": False})
    assert (done.lines[0], done.lines[-1]) == ("layer", "held")


def test_without_a_scratch_folder_caches_are_private_for_one_program(caches: Guest) -> None:
    done = caches.run(
        ["sh", "-c", "echo x > ~/.npm/new"], ["ls", f"{caches.home}/.npm"], room={"scratch": None}
    )
    assert done == [(0, []), (0, [])]
    assert untouched(caches)


def test_a_cache_that_the_user_has_elsewhere_is_treated_alike(guest: Guest) -> None:
    place = guest.home / "elsewhere"
    guest.write(place / "known", "known\n")
    done = guest.shell('cat "$CARGO_HOME"/known; touch "$CARGO_HOME"/x', env={"CARGO_HOME": str(place)})
    assert done == (0, ["known"])
    assert not (place / "x").exists()


def test_a_cache_that_the_user_does_not_have_yet_has_a_private_place(guest: Guest) -> None:
    script = 'echo x > "$npm_config_cache"/x && mkdir -p "$CARGO_HOME/registry"; echo "$GOMODCACHE"'
    first, second = guest.run(["sh", "-c", script], ["sh", "-c", 'cat "$npm_config_cache"/x'])
    assert first.code == 0
    assert first.lines[0].startswith(str(guest.scratch))
    assert second == (0, ["x"])
    assert not (guest.home / ".npm").exists()


def test_a_cache_in_a_strict_room_is_empty(caches: Guest) -> None:
    done = caches.shell("ls ~/.npm; touch ~/.npm/new", house={"strict": True})
    assert done == (0, [])
    assert untouched(caches)


def test_a_scratch_folder_is_removed_whole(guest: Guest) -> None:
    guest.write(guest.root / "layer" / "folder" / "file", "")
    (guest.copy / "layer").mkdir()
    guest.write(guest.home / "kept.txt", "kept")
    script = f"rm -r folder && mkdir folder closed && ln -s {guest.home} link && chmod 0 closed"
    room = {"layered": [[guest.root / "layer", "layer"]]}
    assert guest.shell(f"cd layer && {script}", room=room).code == 0
    made = {path.name for path in guest.scratch.rglob("*")}
    assert {"link", "closed", "folder"} <= made
    if guest.ours:
        remove_tree(guest.scratch)
    else:
        _remove_as(guest, guest.scratch)
    assert not guest.scratch.exists()
    assert (guest.home / "kept.txt").read_text() == "kept"


def _remove_as(guest: Guest, path: Path) -> None:
    child = os.fork()
    if not child:
        os.setgid(guest.user)
        os.setuid(guest.user)
        remove_tree(path)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_a_layer_that_the_system_refuses_is_shown_as_it_is(guest: Guest) -> None:
    # No overlay lies on top of what the kernel itself makes up.
    lower = Path("/proc/sys/fs")
    (guest.copy / "layer").mkdir()
    done = guest.shell("cat layer/nr_open; touch layer/x || echo held", room={"layered": [[lower, "layer"]]})
    assert (done.lines[0], done.lines[-1]) == ((lower / "nr_open").read_text().strip(), "held")
