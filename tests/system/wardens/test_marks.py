import os
import signal
import subprocess

from teamlead.system.wardens import marks


def marked(mark: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(["setsid", "sleep", "60"], env={**os.environ, marks.VARIABLE: mark})


def test_all_that_carry_a_mark_are_ended_and_no_other() -> None:
    mark = marks.new()
    with marked(mark) as first, marked(mark) as second, marked(f"{mark}0") as other:
        assert marks.end(mark)
        assert (first.wait(20), second.wait(20)) == (-signal.SIGKILL, -signal.SIGKILL)
        assert other.poll() is None
        other.kill()


def test_nothing_is_found_by_a_mark_that_none_carries() -> None:
    assert not marks.end(marks.new())


def test_a_process_keeps_its_own_mark_and_a_fork_has_another_one() -> None:
    read, write = os.pipe()
    mark = marks.own()
    if not os.fork():
        os.write(write, marks.own().encode())
        os._exit(0)
    os.wait()
    assert os.read(read, 100).decode() != mark == marks.own()
    os.close(read)
    os.close(write)
