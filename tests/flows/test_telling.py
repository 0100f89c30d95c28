"""Messages to the agent of a task."""

from tests.flows.support import Project, ask, until, wait_for, write

TOLD = "The old API stays; only add to it"


def test_a_message_for_a_task_that_nobody_works_on_waits_for_the_next_agent(project: Project) -> None:
    project.task(1, [ask("Which colour?")], [write("a.txt", "a\n")])
    assert project.start().code == 3
    told = project.teamlead("tell", "1", TOLD)
    assert (told.code, told.out) == (0, "No agent works on task-1 now: the next one gets it.\n")
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
