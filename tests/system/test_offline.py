import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from teamlead.system import offline as module
from teamlead.system.offline import offline, why_not

REASON = why_not()
here = pytest.mark.skipif(bool(REASON), reason=f"no network namespaces here: {REASON}")

REACH = "import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
TALK_TO_ITSELF = """
import socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
server.accept()[0].sendall(b"heard")
print(client.recv(5).decode())
"""
NOBODY = 65534
FOR_ALL = "/usr/bin/python3"


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def run(argv: list[str], user: int | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(argv, capture_output=True, text=True, check=False, cwd="/", user=user, group=user)


def python(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", code]


@here
def test_a_listener_outside_is_out_of_reach(port: int) -> None:
    reach = python(REACH.format(port=port))
    assert run(reach).returncode == 0
    refused = run(offline(reach))
    assert refused.returncode != 0
    assert "ConnectionRefusedError" in refused.stderr


@here
def test_there_is_no_way_out_but_the_loopback() -> None:
    listed = run(offline(["cat", "/proc/self/net/dev"])).stdout.splitlines()[2:]
    assert [line.split(":")[0].strip() for line in listed] == ["lo"]


@here
def test_the_loopback_inside_works() -> None:
    done = run(offline(python(TALK_TO_ITSELF)))
    assert (done.stdout, done.returncode) == ("heard\n", 0)


@here
def test_the_program_stays_who_it_was_and_ends_as_it_ends(tmp_path: Path) -> None:
    done = run(offline(["/bin/sh", "-c", f"id -u; id -g; touch {tmp_path}/made; exit 7"]))
    assert done.stdout.split() == [str(os.getuid()), str(os.getgid())]
    assert done.returncode == 7
    assert (tmp_path / "made").stat().st_uid == os.getuid()


@here
@pytest.mark.optional
@pytest.mark.root
@pytest.mark.skipif(not Path(FOR_ALL).exists(), reason="there is no Python for all users")
def test_an_ordinary_user_is_kept_from_the_network_too(port: int) -> None:
    launch = [FOR_ALL, "-I", "-S", "-c", Path(module.__file__).read_text()]
    if run([*launch, "true"], user=NOBODY).returncode:
        pytest.skip("this system allows ordinary users no namespaces")
    reach = [FOR_ALL, "-c", REACH.format(port=port)]
    assert run(reach, user=NOBODY).returncode == 0
    assert run([*launch, *reach], user=NOBODY).returncode != 0
    assert run([*launch, "id", "-u"], user=NOBODY).stdout == f"{NOBODY}\n"


def test_what_cannot_be_started_is_told_in_one_line() -> None:
    done = run(offline(["no-such-program"]))
    assert done.returncode == 1
    assert done.stderr.startswith("cannot run 'no-such-program' without network: ")
    assert done.stderr.count("\n") == 1


def test_other_systems_have_no_such_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert why_not() == "only Linux has network namespaces"
