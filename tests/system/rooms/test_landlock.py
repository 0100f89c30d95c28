"""Landlock as an addition to a room, and as all there is of one."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from tests.system.rooms.support import SECRET, Guest

from teamlead.system.wardens.steps import landlock_version

ALONE: dict[str, Any] = {"kind": "landlock"}
CONNECT = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5); print('reached')"


@pytest.fixture(autouse=True)
def with_landlock() -> None:
    if landlock_version() < 4:
        pytest.skip("this kernel's Landlock knows no ports")


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("house", [{}, ALONE], ids=["room", "alone"])
def test_only_the_ports_that_are_named_can_be_connected_to(guest: Guest, port: int, house: Any) -> None:
    run = [guest.python, "-c", CONNECT, str(port)]
    assert guest.run(run, house=house, room={"ports": [port]})[0] == (0, ["reached"])
    refused = guest.run(run, house=house, room={"ports": [port + 1]})[0]
    assert refused.lines[-1] == "PermissionError: [Errno 13] Permission denied"


def test_alone_it_keeps_the_copy_at_its_own_path(guest: Guest) -> None:
    script = "pwd; cat file.txt; echo new > new.txt; echo x > $TMPDIR/x && cat $TMPDIR/x"
    assert guest.shell(script, house=ALONE) == (0, [str(guest.copy), "of the copy", "x"])
    assert (guest.copy / "new.txt").read_text() == "new\n"


def test_alone_it_hides_secrets_the_state_and_the_git_directory(guest: Guest) -> None:
    secrets = [
        guest.write(guest.home / ".ssh" / "id"),
        guest.write(guest.home / ".npmrc"),
        guest.state / "journal.db",
        guest.state / "copies" / "two" / "file.txt",
        guest.write(guest.root / ".git" / "secret"),
    ]
    guest.write(guest.home / "notes.txt", "open\n")
    done = guest.shell(f"cat ~/notes.txt; cat {' '.join(map(str, secrets))}", house=ALONE)
    assert done.lines[0] == "open"
    assert [line for line in done.lines if SECRET in line] == []
    assert len(done.lines) == len(secrets) + 1


def test_alone_it_shows_a_checkout_in_a_temporary_folder_without_its_git_directory(guest: Guest) -> None:
    root = guest.folder / "elsewhere" / "project"
    guest.write(root.parent / "secret")
    guest.write(root / ".venv" / "pyvenv.cfg", "home = /usr/bin\n")
    guest.write(root / ".git" / "HEAD")
    house = {**ALONE, "root": root, "common_dir": root / ".git"}
    places = f"{root}/.git/HEAD {root}/../secret"
    done = guest.shell(f"cat {root}/.venv/pyvenv.cfg; cat {places}; touch {root}/new", house=house)
    assert done.lines[0] == "home = /usr/bin"
    assert [line for line in done.lines if SECRET in line] == []
    assert not (root / "new").exists()


def test_alone_it_lets_nothing_be_written_but_what_is_the_program_s(guest: Guest) -> None:
    own = guest.state / "homes" / "one"
    places = (guest.home, guest.root, guest.root / ".git", guest.state, "/usr", "/etc", own, guest.git_dir)
    script = f"for f in {' '.join(map(str, places))}; do touch $f/made 2>/dev/null && echo $f; done"
    done = guest.shell(script, house=ALONE, room={"writable": [own]})
    assert done.lines == [str(own), str(guest.git_dir)]


def test_alone_it_lets_git_work_in_the_copy(guest: Guest) -> None:
    done = guest.shell(
        "git -c user.name=a -c user.email=a commit -qam second && git log --format=%s", house=ALONE
    )
    assert done == (0, ["second", "first"])


def test_alone_it_gives_caches_a_private_place(guest: Guest) -> None:
    guest.write(guest.home / ".npm" / "known", "known\n")
    done = guest.shell("cat ~/.npm/known; touch $npm_config_cache/x && touch ~/.npm/x", house=ALONE)
    assert done.lines[0] == "known"
    assert done.code != 0
    assert not (guest.home / ".npm" / "x").exists()


def test_alone_it_keeps_exit_codes_and_grace(guest: Guest) -> None:
    script = "trap 'exit 7' TERM; trap '' INT; echo ready; while :; do sleep 0.05; done"
    assert guest.shell(script, house=ALONE, cancel=4).code == 7
    assert guest.shell("exit 137", house=ALONE).code == 137
