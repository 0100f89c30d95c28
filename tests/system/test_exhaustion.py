"""Programs that cannot be started for want of processes, descriptors or memory: told apart from all else."""

import asyncio
import errno
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from teamlead.errors import GitFailed, MachineExhausted, StorageFailed
from teamlead.system import warden_client
from teamlead.system.disk import storing
from teamlead.system.exhaustion import SHELL_CANNOT_FORK, means_exhausted
from teamlead.system.faults import arm
from teamlead.system.git import as_user
from teamlead.system.processes import prepare, spawn
from teamlead.system.program_streams import Lines

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="wardens are for Linux")


async def said(argv: list[str]) -> list[bytes]:
    """What a program prints."""
    lines: list[bytes] = []
    process = await spawn(argv, cwd=Path("/"), env=dict(os.environ), stdout=Lines(lines.append))
    assert (await process.wait()).exit_code == 0
    return lines


@pytest.mark.parametrize(
    "complaint",
    [
        "error: cannot fork() for rev-list: Resource temporarily unavailable",
        "fatal: unable to create thread: Resource temporarily unavailable\nmore",
        'error: open("a"): Too many open files',
        "error: unable to open object: Too many open files in system",
        "fatal: mmap failed: Cannot allocate memory",
        "fatal: Out of memory, malloc failed (tried to allocate 5 bytes)",
    ],
)
def test_what_git_says_of_an_exhausted_machine_is_understood(complaint: str) -> None:
    assert means_exhausted(complaint)


@pytest.mark.parametrize("complaint", ["fatal: bad object 'Too many open files'", "error: it is locked", ""])
def test_nothing_else_that_git_says_is_taken_for_it(complaint: str) -> None:
    assert not means_exhausted(complaint)


@pytest.mark.parametrize(
    "words", [b"/bin/sh: 1: Cannot fork\n", b"/bin/sh: fork: Resource temporarily unavailable\n"]
)
def test_a_shell_that_could_not_fork_is_understood(words: bytes) -> None:
    assert SHELL_CANNOT_FORK.fullmatch(words)
    assert not SHELL_CANNOT_FORK.fullmatch(b"1 failed\n" + words)


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM])
def test_a_file_that_cannot_be_opened_for_want_of_descriptors_is_no_failure_of_storage(number: int) -> None:
    with (
        pytest.raises(MachineExhausted, match=f"{os.strerror(number)}: cannot write '/a'"),
        storing(Path("/a")),
    ):
        raise OSError(number, os.strerror(number))
    with pytest.raises(StorageFailed, match="cannot write '/a'"), storing(Path("/a")):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))


@pytest.mark.parametrize("name", ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"])
def test_git_that_cannot_be_started_is_nobodys_failure(tmp_path: Path, name: str) -> None:
    arm(f"{name} git init: before#1")
    try:
        with pytest.raises(MachineExhausted, match="cannot start git init"):
            as_user(tmp_path, "init", "--quiet")
    finally:
        arm("")
    as_user(tmp_path, "init", "--quiet")
    with pytest.raises(GitFailed):
        as_user(tmp_path, "checkout", "nothing-of-that-name")


def test_git_really_out_of_descriptors_is_nobodys_failure(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.dup(0)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, hard))
    try:
        with pytest.raises(MachineExhausted, match="Too many open files: cannot start git version"):
            as_user(tmp_path, "version")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert as_user(tmp_path, "version").text


@LINUX
def test_a_nursery_out_of_descriptors_blames_no_program(tmp_path: Path) -> None:
    async def start_with(limit: int) -> bool:
        """Whether it could be started."""
        prepare()
        (nursery,) = warden_client._nurseries
        soft, hard = resource.prlimit(nursery.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(nursery.pid, resource.RLIMIT_NOFILE, (limit, hard))
        try:
            return await said(["echo", "hello"]) == [b"hello"]
        except MachineExhausted:
            return False
        finally:
            if nursery in warden_client._nurseries:
                resource.prlimit(nursery.pid, resource.RLIMIT_NOFILE, (soft, hard))

    async def scenario() -> None:
        assert await said(["echo", "hello"]) == [b"hello"]
        found = [await start_with(limit) for limit in range(6, 16)]
        assert not all(found), "it had enough of them all the time"
        assert await said(["echo", "hello"]) == [b"hello"]

    asyncio.run(scenario())


LIMITED = """
import asyncio, os, resource, subprocess
from pathlib import Path
from teamlead.errors import MachineExhausted
from teamlead.system.program_streams import Lines
from teamlead.system.processes import spawn

async def start():
    lines = []
    try:
        process = await spawn(["/bin/echo", "ran"], cwd=Path("/"), env={}, stdout=Lines(lines.append))
    except MachineExhausted as error:
        return error.message.partition(":")[0]
    await process.wait()
    return lines[0].decode()

async def scenario():
    resource.setrlimit(resource.RLIMIT_NPROC, (12, 12))
    others = []
    try:
        while True:
            others.append(subprocess.Popen(["/bin/sleep", "1000"]))
    except BlockingIOError:
        pass
    while others:
        print(await start())
        gone = others.pop()
        gone.kill()
        gone.wait()

asyncio.run(scenario())
"""
# It may read what is the caller's, and nothing else that is an administrator's: limits hold it.
AS_ANOTHER = (
    *("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"),
    *("--inh-caps=-all,+dac_override", "--ambient-caps=-all,+dac_override"),
)


@LINUX
@pytest.mark.root
@pytest.mark.skipif(not shutil.which("setpriv"), reason="a user of its own is needed")
def test_a_user_really_out_of_processes_is_told_so_wherever_the_fork_fails() -> None:
    """In this process, in the nursery, in the warden."""
    done = subprocess.run(
        [*AS_ANOTHER, sys.executable, "-c", LIMITED], capture_output=True, text=True, check=False
    )
    found = done.stdout.splitlines()
    refused = found.count(os.strerror(errno.EAGAIN))
    assert refused >= 3, done.stderr
    assert found == [os.strerror(errno.EAGAIN)] * refused + ["ran"] * (len(found) - refused), done.stderr
    assert found[-1] == "ran"
