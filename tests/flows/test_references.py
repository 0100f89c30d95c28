"""What an agent cites, checked again by its user."""

from tests.flows.support import Project, done, write


def test_a_tasks_report_is_checked_against_its_own_commit(project: Project) -> None:
    steps = [write("new.py", "first = 1\nsecond = 2\n"), done("new.py:2 and new.py:1; shared.txt:3")]
    project.task(1, steps)
    assert project.start().code == 3

    shown = project.teamlead("refs", "verify", "--task", "1")

    assert (shown.code, shown.out) == (0, "task-1, attempt 1: valid 3/3 (3 unverified)\n")
    assert not (project.root / "new.py").exists()
    marked = project.teamlead("refs", "verify", "--task", "1", "--session", project.session, "--mark").out
    assert marked.count("[UNVERIFIED]") == 3
    told = project.teamlead("refs", "verify", "--task", "1", "--json").json
    assert told["commit"] == project.tip(f"teamlead/{project.session}/task-1")


def test_a_path_outside_of_the_agents_copy_is_refused(project: Project) -> None:
    project.task(1, [write("new.py", "first = 1\n"), done("see /elsewhere/new.py:1")])
    assert project.start().code == 3
    shown = project.teamlead("refs", "verify", "--task", "1")
    assert shown.code == 5
    assert "/elsewhere/new.py:1: file_not_found: outside of the working copy" in shown.out
    assert project.teamlead("refs", "verify", "--task", "7").code == 4
