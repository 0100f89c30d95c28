"""Messages to the agent of a task."""

from tests.flows.support import Project, ask, until, wait_for, write

TOLD = "The old API stays; only add to it"


def test_a_message_for_a_task_that_nobody_works_on_waits_for_the_next_agent(project: Project) -> None:
    project.task(1, [ask("Which colour?")], [write("a.txt", "a\n")])
    assert project.start().code == 3
    told = project.teamlead("tell", "1", TOLD)
    assert told.code == 0
    assert told.out.startswith(
        "No agent works on task-1 now: the next one gets it.\nNothing goes on before you answer:"
    )
    assert project.happened("MessageSent", sender="user", recipient="task-1", text=TOLD)
    assert project.details_of(1)["unread"] == ["msg-1"]


def test_a_message_for_a_running_agent_that_cannot_hear_is_said_to_wait(project: Project) -> None:
    barrier = project.barrier("go")
    project.task(1, [wait_for(barrier), write("a.txt", "a\n")])
    leader = project.start_in_background()
    until(lambda: project.happened("CopyPrepared"), "the agent works")
    told = project.teamlead("tell", "task-1", TOLD, "--session", project.session)
    assert (told.code, told.out) == (
        0,
        "The agent of task-1 gets it with its next tool call, or its next attempt.\n",
    )
    barrier.touch()
    assert leader.end().code == 3


def test_a_message_that_nobody_would_read_is_refused(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])
    assert project.start().code == 3
    done = project.teamlead("tell", "1", TOLD)
    assert (done.code, "task-1 is DONE" in done.err) == (5, True)
    unknown = project.teamlead("tell", "7", TOLD)
    assert (unknown.code, "there is no task 'task-7'" in unknown.err) == (4, True)


def test_what_is_said_while_the_work_is_checked_is_heard_before_it_counts_as_done(project: Project) -> None:
    begun, go_on = project.barrier("begun"), project.barrier("go")
    # Not where the base is tried: there it finds no work.
    check = f"test ! -f a.txt || {{ touch {begun}; until test -e {go_on}; do sleep 0.02; done; }}"
    project.task(1, [write("a.txt", "a\n")], [write("b.txt", "b\n")], checks=[check])
    leader = project.start_in_background()
    until(begun.exists, "the check runs")
    told = project.teamlead("tell", "1", TOLD)
    assert told.out == "No agent works on task-1 now: the next one gets it.\n"
    go_on.touch()
    assert leader.end().code == 3
    assert project.outcomes(1) == ["asked", "accepted"]
    assert TOLD in project.prompt(1, 2)


def test_a_paused_task_keeps_what_it_is_told_for_its_next_agent(project: Project) -> None:
    project.task(1, [ask("Which colour?")], [write("a.txt", "a\n")])
    assert project.start().code == 3
    assert project.teamlead("pause", "1").code == 0
    assert project.teamlead("tell", "1", TOLD).code == 0
    assert project.teamlead("retry", "1").code == 0
    assert project.teamlead("resume").code == 3
    assert TOLD in project.prompt(1, 2)
