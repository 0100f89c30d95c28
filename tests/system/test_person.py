import json
import os
import pty
import pwd
import subprocess
import sys
from typing import Any

WHO = """
import msgspec
from teamlead.system.person import this_person
print(msgspec.json.encode(msgspec.structs.asdict(this_person())).decode())
"""


def who(errors: int = subprocess.DEVNULL) -> dict[str, Any]:
    """As a process finds it whose environment lies."""
    process = subprocess.Popen(
        [sys.executable, "-c", WHO],
        env={**os.environ, "USER": "somebody", "LOGNAME": "somebody"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
    )
    found: dict[str, Any] = json.loads(process.communicate()[0])
    assert found.pop("pid") == process.pid
    return found


def test_a_person_is_known_by_their_uid_and_their_terminal() -> None:
    user = pwd.getpwuid(os.getuid()).pw_name
    leader, follower = pty.openpty()
    try:
        assert who(follower) == {"user": user, "terminal": os.ttyname(follower)}
    finally:
        os.close(leader)
        os.close(follower)


def test_whoever_has_no_terminal_has_none() -> None:
    assert who()["terminal"] == ""
