"""A journal that was restored from an older copy, while the repository remembers later leaders."""

import shutil
import signal

from tests.flows.support import HANG, Project, touch, until, write


def test_a_session_goes_on_from_an_older_copy_of_its_journal(project: Project) -> None:
    barriers = [project.barrier(f"at work {number}") for number in range(3)]
    hanging = [[touch(barrier), HANG] for barrier in barriers]
    project.settings("retry_delay = 0\nattempts = 9\n").task(1, *hanging, [write("one.txt", "1\n")])
    kept = project.place / "kept"
    kept.mkdir()
    for number, barrier in enumerate(barriers):
        leader = project.background("resume") if number else project.start_in_background("--approve")
        until(barrier.exists, "the agent is at work")
        leader.send(signal.SIGKILL).end()
        if number == 0:
            for file in project.sessions[-1].glob("journal.db*"):
                shutil.copy(file, kept)
    folder = project.sessions[-1]
    for file in folder.glob("journal.db*"):
        file.unlink()
    for file in kept.iterdir():
        shutil.copy(file, folder)

    ended = project.teamlead("resume")

    assert "has taken over" not in ended.err
    assert ended.code == 0, ended
    assert project.content("main", "one.txt") == "1"
    assert not any("/leader/" in ref for ref in project.refs())
