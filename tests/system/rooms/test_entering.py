import signal

import pytest
from tests.system.rooms.support import Guest


def test_the_copy_lies_at_the_path_of_the_checkout(guest: Guest) -> None:
    done = guest.shell(f'pwd; echo "$PWD"; cat file.txt; cat {guest.copy}/file.txt; id -u')
    assert done == (0, [str(guest.root), str(guest.root), "of the copy", "of the copy", str(guest.user)])


def test_what_is_written_there_is_written_to_the_copy(guest: Guest) -> None:
    done = guest.shell(f"echo new > {guest.root}/new.txt && mkdir folder")
    assert done.code == 0
    assert (guest.copy / "new.txt").read_text() == "new\n"
    assert (guest.copy / "new.txt").stat().st_uid == guest.user
    assert not (guest.root / "new.txt").exists()


def test_a_folder_of_the_copy_is_where_a_program_may_start(guest: Guest) -> None:
    (guest.copy / "sub").mkdir()
    assert guest.shell("pwd", cwd=guest.copy / "sub").lines == [f"{guest.root}/sub"]


def test_git_works_on_a_git_directory_of_its_own(guest: Guest) -> None:
    done = guest.shell("git -c user.name=a -c user.email=a commit -qam second && git log --format=%s")
    assert done == (0, ["second", "first"])
    assert guest.git("-C", str(guest.root), "log", "--format=%s").split() == ["first"]


@pytest.mark.parametrize("code", [0, 1, 7, 126, 127, 200, 255])
def test_the_exit_code_is_the_program_s(guest: Guest, code: int) -> None:
    assert guest.shell(f"exit {code}").code == code


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_death_by_a_signal_is_a_negative_exit_code(guest: Guest, number: signal.Signals) -> None:
    assert guest.shell(f"kill -{int(number)} $$").code == -number


def test_a_missing_program_is_an_error_before_the_start(guest: Guest) -> None:
    said = guest.fail("no-such-program")
    assert said == f"cannot start 'no-such-program' in '{guest.copy}': No such file or directory"


def test_a_program_that_only_the_checkout_has_is_missing(guest: Guest) -> None:
    guest.write(guest.root / "tool", "#!/bin/sh\n").chmod(0o755)
    assert guest.fail("./tool").endswith("No such file or directory")
    guest.write(guest.copy / "tool", "#!/bin/sh\necho works\n").chmod(0o755)
    assert guest.run(["./tool"])[0].lines == ["works"]


def test_a_program_without_the_right_to_be_run_is_an_error_before_the_start(guest: Guest) -> None:
    guest.write(guest.copy / "tool", "#!/bin/sh\n")
    assert guest.fail("./tool").endswith("Permission denied")


def test_a_missing_folder_is_an_error_before_the_start(guest: Guest) -> None:
    gone = guest.copy / "gone"
    assert guest.fail("true", cwd=gone) == f"cannot start 'true' in '{gone}': No such file or directory"


def test_without_the_means_for_a_room_nothing_is_started(guest: Guest) -> None:
    said = guest.fail("true", means={"program": "", "why_not": "bubblewrap is not installed"})
    assert said == "cannot start 'true' in a room: bubblewrap is not installed"


def test_a_room_that_cannot_be_made_is_not_taken_for_the_program_s_failure(guest: Guest) -> None:
    done = guest.refused("true", mutant={"extra": ["--bind", "/nowhere", "/nowhere"]})
    assert done == (1, ["bwrap: Can't find source path /nowhere: No such file or directory"])


def test_a_program_that_is_asked_to_end_finishes_its_work(guest: Guest) -> None:
    script = "trap 'echo finished; exit 7' TERM; trap '' INT; echo ready; while :; do sleep 0.05; done"
    done = guest.shell(script, cancel=4)
    assert (done.code, done.lines[-1]) == (7, "finished")


def test_an_interruption_reaches_what_the_program_has_started(guest: Guest) -> None:
    inner = "trap 'echo inner; exit 0' INT; echo ready; while :; do sleep 0.05; done"
    done = guest.shell(f'trap "exit 3" INT; sh -c "{inner}"; exit 4', cancel=20)
    assert done.code == 3
    assert "inner" in done.lines


def test_a_stubborn_program_is_killed_when_the_grace_is_over(guest: Guest) -> None:
    done = guest.shell("trap '' INT TERM; echo ready; while :; do sleep 0.05; done", cancel=0.4)
    assert done.code == -signal.SIGKILL
