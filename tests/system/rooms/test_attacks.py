"""What a program in a room cannot do; and rooms that are broken on purpose, in which it can."""

import json
import socket
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.system.rooms.attacks import ATTACKS
from tests.system.rooms.support import Guest

NAMES = {attack.__name__ for attack in ATTACKS}
VICTIM = "import signal; signal.pause() # victim"


class Siege:
    """Attacks by programs of a guest, and what they are after."""

    def __init__(self, guest: Guest, abstract: str, victim: int) -> None:
        self._guest = guest
        self.places: dict[str, Any] = {
            "home": str(guest.home),
            "root": str(guest.root),
            "git": str(guest.root / ".git"),
            "state": str(guest.state),
            "socket": str(guest.folder / "socket"),
            "abstract": abstract,
            "pid": victim,
            "uid": guest.user,
            "word": str(uuid.uuid4()),
        }

    def succeed(self, *names: str, **request: Any) -> set[str]:
        """Which of the attacks do."""
        program = self._guest.write(
            self._guest.copy / "attacks.py", Path(__file__).with_name("attacks.py").read_text()
        )
        wanted = sorted(names or NAMES)
        runs = [[self._guest.python, str(program), name, json.dumps(self.places)] for name in wanted]
        ended = self._guest.run(*runs, **request)
        assert all(done.code in (0, 1) for done in ended), ended
        return {name for name, done in zip(wanted, ended, strict=True) if done.code == 0}


@pytest.fixture
def siege(guest: Guest) -> Iterator[Siege]:
    guest.write(guest.home / ".ssh" / "id_ed25519")
    guest.write(guest.folder / "keys" / "config")
    (guest.home / ".kube").symlink_to(guest.folder / "keys")
    for name in (".npmrc", ".codex/auth.json", ".bashrc"):
        guest.write(guest.home / name)
    abstract = f"teamlead-{uuid.uuid4()}"
    with (
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX) as unnamed,
        subprocess.Popen([guest.python, "-c", VICTIM], user=guest.user) as victim,
    ):
        named.bind(str(guest.folder / "socket"))
        unnamed.bind("\0" + abstract)
        named.listen()
        unnamed.listen()
        yield Siege(guest, abstract, victim.pid)
        victim.kill()


def test_no_attack_succeeds(siege: Siege) -> None:
    assert siege.succeed() == set()


def test_nothing_that_an_attack_leaves_behind_is_alive(siege: Siege) -> None:
    siege.succeed("outlive")
    assert not [path for path in Path("/proc").glob("[0-9]*/cmdline") if siege.places["word"] in _text(path)]


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def test_without_a_room_most_attacks_succeed(siege: Siege, guest: Guest) -> None:
    succeeded = siege.succeed(*NAMES - {"remount_root"}, nowhere=True)
    assert succeeded >= {
        *("read_journal", "read_sibling", "write_journal", "read_ssh_key", "read_through_link", "read_token"),
        *("read_other_agent", "write_profile", "write_git_directory", "write_objects", "connect_to_socket"),
        *("connect_to_abstract_socket", "kill_outside", "see_through_proc", "reach_the_keys"),
    }
    if guest.user == 0:
        assert succeeded >= {"trace_outside", "write_system", "make_device", "change_owner", "read_shadow"}


@pytest.mark.root
@pytest.mark.parametrize("guest", ["root"], indirect=True)
def test_a_room_of_root_that_keeps_its_capabilities_is_noticed(siege: Siege) -> None:
    assert siege.succeed(mutant={"without": ["--cap-drop", "ALL"]}) >= {"unmount_state", "remount_root"}


def test_a_room_with_the_state_directory_in_it_is_noticed(siege: Siege, guest: Guest) -> None:
    state = str(guest.state)
    succeeded = siege.succeed("read_journal", "read_sibling", mutant={"extra": ["--bind", state, state]})
    assert succeeded == {"read_journal", "read_sibling"}


def test_a_room_with_the_user_s_git_directory_in_it_is_noticed(siege: Siege, guest: Guest) -> None:
    git = str(guest.folder / "git")
    (guest.root / ".git").rename(git)
    guest.write(guest.root / ".git", f"gitdir: {git}\n")
    (guest.state / "objects").unlink()
    (guest.state / "objects").symlink_to(f"{git}/objects")
    siege.places["git"] = git
    house = {"common_dir": git}
    assert siege.succeed("write_git_directory", "write_objects", house=house) == set()
    mutant = {"extra": ["--bind", git, git]}
    assert siege.succeed("write_git_directory", house=house, mutant=mutant) == {"write_git_directory"}


def test_a_room_that_shares_processes_is_noticed(siege: Siege) -> None:
    mutant = {"without": ["--unshare-pid"]}
    assert siege.succeed("kill_outside", mutant=mutant, means={"landlock": 0}) == {"kill_outside"}


def test_abstract_sockets_are_kept_away_by_landlock_alone(siege: Siege) -> None:
    names = "connect_to_abstract_socket"
    assert siege.succeed(names, means={"landlock": 0}) == {names}


NESTED = 'bwrap --unshare-user --unshare-pid --unshare-net --ro-bind / / --bind "$PWD" "$PWD" --dev /dev'


def test_a_sandbox_of_an_agent_s_own_works_in_a_room(guest: Guest) -> None:
    done = guest.shell(f"{NESTED} -- sh -c 'echo inside > made; touch /etc/x || echo held'")
    assert (done.code, done.lines[-1]) == (0, "held")
    assert (guest.copy / "made").read_text() == "inside\n"


@pytest.mark.root
@pytest.mark.parametrize("guest", ["root"], indirect=True)
def test_root_needs_one_capability_for_a_sandbox_in_a_room(guest: Guest) -> None:
    done = guest.shell(f"{NESTED} -- true", mutant={"without": ["--cap-add", "CAP_SETFCAP"]})
    assert done.code != 0
    assert "uid map" in done.lines[-1]
