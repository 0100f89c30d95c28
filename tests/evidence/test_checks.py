import asyncio
import socket
import sys
from pathlib import Path

import pytest

from teamlead.core.evidence.values import SuiteRun
from teamlead.errors import Failed, StorageFailed
from teamlead.evidence import checks
from teamlead.evidence.checks import ShellChecker
from teamlead.ports.checking import CheckEnd
from teamlead.ports.rooms import House, Means, Room
from teamlead.system import processes, warden_client
from teamlead.system.offline import why_not
from teamlead.system.process_groups import group_alive
from teamlead.system.run_lock import claim


def check(command: str, folder: Path, bound: float = 30.0, *, network: bool = True) -> CheckEnd:
    checker = ShellChecker(network=network)
    return asyncio.run(checker.check(command, folder, folder / "logs" / "check.txt", bound, slot=5))


def test_a_passing_check_has_exit_code_zero_and_its_output(tmp_path: Path) -> None:
    end = check("echo fine; pwd", tmp_path)
    assert (end.exit_code, end.output) == (0, f"fine\n{tmp_path}")
    assert Path(end.log).read_text() == f"fine\n{tmp_path}\n"
    assert end.seconds > 0


def test_a_failing_check_keeps_what_it_printed_in_order(tmp_path: Path) -> None:
    end = check("echo out; echo err >&2; echo out; exit 3", tmp_path)
    assert (end.exit_code, end.output) == (3, "out\nerr\nout")


def test_a_check_that_does_not_end_in_time_has_no_exit_code(tmp_path: Path) -> None:
    end = check("echo begun; sleep 60", tmp_path, bound=0.3)
    assert (end.exit_code, end.output) == (None, "begun")


def test_a_check_knows_its_slot_and_none_of_the_users_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    assert check('echo "$TEAMLEAD_SLOT-$API_KEY"', tmp_path).output == "5-"


def test_no_secret_that_a_check_prints_is_kept_or_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://ada:correct-horse@proxy.invalid")
    (tmp_path / ".env").write_text("API_KEY=4f9c0de8aa17")
    checker = ShellChecker(secrets={"4f9c0de8aa17": "API_KEY"})
    log = tmp_path / "logs" / "check.txt"
    end = asyncio.run(checker.check("cat .env; echo; echo $HTTPS_PROXY >&2; exit 1", tmp_path, log, 30.0, 0))
    assert end.output == "API_KEY=[secret]\nhttp://[secret]@proxy.invalid"
    assert log.read_text() == f"{end.output}\n"


def test_only_the_end_is_shown_and_the_log_has_it_all(tmp_path: Path) -> None:
    end = check("seq 1000", tmp_path)
    shown = end.output.splitlines()
    assert (shown[0], shown[-1], len(shown)) == ("[...]", "1000", 41)
    assert Path(end.log).read_text().splitlines()[0] == "1"


def test_the_end_is_shown_also_when_the_log_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "LOG_CAP", 100)
    end = check("seq 100000; echo failed here; exit 1", tmp_path)
    assert end.output.endswith("failed here")
    assert Path(end.log).read_text().endswith("[output cut: it is longer than 100 bytes]\n")


def test_the_result_of_a_test_program_is_read_from_the_whole_log(tmp_path: Path) -> None:
    end = check("echo 'FAILED t.py::x'; seq 5000; echo '=== 2 passed, 1 skipped in 0.01s ==='", tmp_path)
    assert end.suite == SuiteRun("pytest", 2, 0, 1)
    assert check("echo 2 passed", tmp_path).suite is None


def test_a_report_that_a_check_writes_is_read_once_it_was_written(tmp_path: Path) -> None:
    write = """echo '<testsuite><testcase name="x"/></testsuite>' > report.xml"""
    assert check(write, tmp_path).suite == SuiteRun("junit", 1, 0, 0, {"x": "passed"})
    assert check("cat report.xml >/dev/null", tmp_path).suite is None


def test_a_check_that_was_stopped_has_no_result(tmp_path: Path) -> None:
    assert check("echo '2 passed in 0.01s'; sleep 60", tmp_path, bound=0.3).suite is None


def test_what_is_shown_is_inert(tmp_path: Path) -> None:
    assert check(r"printf '\033]0;owned\007\033[31mred\377\n'", tmp_path).output == "red\ufffd"


def test_a_check_that_is_given_up_leaves_no_process(tmp_path: Path) -> None:
    async def main() -> None:
        pid_file = tmp_path / "pid"
        running = asyncio.create_task(
            ShellChecker().check(f"echo $$ > {pid_file}; exec sleep 60", tmp_path, tmp_path / "log", 60.0, 0)
        )
        async with asyncio.timeout(20):
            while not (pid_file.exists() and pid_file.read_text()):  # noqa: ASYNC110 - another process writes it
                await asyncio.sleep(0.005)
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()
        assert not group_alive(int(pid_file.read_text()))

    asyncio.run(main())


def test_a_missing_working_copy_is_named(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="absent"):
        asyncio.run(ShellChecker().check("true", tmp_path / "absent", tmp_path / "log", 1.0, 0))


def test_a_log_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="no/such"):
        asyncio.run(ShellChecker().check("true", tmp_path, Path("/proc/no/such/log"), 1.0, 0))


LOCKED = "import fcntl; fcntl.flock(open('logs/alive.lock'), fcntl.LOCK_EX | fcntl.LOCK_NB)"


def test_a_check_waits_until_what_ran_before_it_has_ended(tmp_path: Path) -> None:
    async def main() -> tuple[bool, CheckEnd]:
        log = tmp_path / "logs" / "check.txt"
        log.parent.mkdir()
        with await claim(log.with_name("alive.lock")) or pytest.fail("nobody has it"):
            checked = asyncio.create_task(ShellChecker().check("true", tmp_path, log, 30, slot=0))
            early, _ = await asyncio.wait([checked], timeout=0.05)
        return bool(early), await asyncio.wait_for(checked, 20)

    early, end = asyncio.run(main())
    assert (early, end.exit_code) == (False, 0)


@pytest.mark.skipif(not warden_client.supported(), reason="only a warden holds the lock")
def test_what_runs_after_a_check_can_wait_for_it(tmp_path: Path) -> None:
    assert check(f'{sys.executable} -c "{LOCKED}"', tmp_path).output.endswith("unavailable")


NO_NAMESPACES = why_not()
offline = pytest.mark.skipif(bool(NO_NAMESPACES), reason=f"no network namespaces here: {NO_NAMESPACES}")


@offline
def test_a_check_without_network_reaches_nothing_outside(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        reach = (
            f"""{sys.executable} -c "import socket; socket.create_connection(('127.0.0.1', {port}), 5)" """
        )
        assert check(reach, tmp_path).exit_code == 0
        refused = check(reach, tmp_path, network=False)
    assert refused.exit_code == 1
    assert "ConnectionRefusedError" in refused.output


@offline
def test_a_check_without_network_is_ended_with_all_it_started(tmp_path: Path) -> None:
    nested = "setsid sleep 61 & echo $! > pid; echo begun; sleep 61"
    end = check(nested, tmp_path, bound=1.0, network=False)
    assert (end.exit_code, end.output) == (None, "begun")
    left = int((tmp_path / "pid").read_text())
    assert not Path(f"/proc/{left}").exists()


@offline
def test_a_check_without_network_runs_in_its_folder_and_tells_its_results(tmp_path: Path) -> None:
    end = check("pwd; echo '3 passed in 0.1s'; exit 2", tmp_path, network=False)
    assert (end.exit_code, end.output.split("\n")[0]) == (2, str(tmp_path))
    assert end.suite == SuiteRun("pytest", 3, 0, 0)


def test_a_check_without_a_room_tells_so(tmp_path: Path) -> None:
    assert check("true", tmp_path).room == "none"


def test_a_check_that_did_not_get_into_its_room_says_nothing_about_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "means", lambda: Means(program="/bin/false"))
    root, copy, state = tmp_path / "project", tmp_path / "copy", tmp_path / "state"
    for folder in (root / ".git/objects", copy, state, tmp_path / "git"):
        folder.mkdir(parents=True)
    room = Room(House(root, root / ".git", state, state / "objects", home=tmp_path), copy, tmp_path / "git")
    with pytest.raises(Failed, match=r"no room could be made for the check 'true' \(`teamlead doctor` says"):
        asyncio.run(ShellChecker().check("true", copy, tmp_path / "log", 30.0, 0, room=room))
