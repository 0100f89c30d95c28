"""Sessions that another process leads: in the background, and followed from elsewhere."""

import signal
from pathlib import Path

from tests.flows.support import Project, ask, fail, run, say, touch, until, wait_for, write

from teamlead.views.moments import iso


def journaled(lines: list[dict[str, object]]) -> list[dict[str, object]]:
    return [line for line in lines if line["seq"] is not None]


def test_a_detached_session_goes_on_without_the_command_that_started_it(project: Project) -> None:
    go_on = project.barrier("go on")
    project.task(1, [wait_for(go_on), write("a.txt", "a\n")])
    project.task(2, [write("b.txt", "b\n")], after=[1])

    ended = project.start("--detach", "--approve")

    assert ended.code == 0, ended.err
    assert ended.out == f"session {project.session} (watch it: teamlead watch {project.session})\n"
    assert project.status()["session"]["led"] is True
    until(lambda: project.states() == {"task-1": "RUNNING", "task-2": "READY"}, "the first is at work")

    watch = project.background("watch")
    go_on.touch()
    followed = watch.end()

    assert followed.code == 0, followed.err
    assert "task-2: done" in followed.out
    assert {"a.txt", "b.txt"} <= set(project.files("main"))
    until(lambda: not project.processes(), "the background leader has ended")
    assert project.copies() == []


def test_a_detached_leader_survives_the_end_of_its_terminal(project: Project) -> None:
    go_on = project.barrier("go on")
    project.task(1, [wait_for(go_on), write("a.txt", "a\n")])
    assert project.start("--detach", "--approve").code == 0

    def leaders() -> list[int]:
        return [pid for pid, command in project.processes().items() if " resume " in command]

    # A child looks like its parent until it has become another program.
    until(lambda: len(leaders()) == 1, "the leader starts nothing")
    (leader,) = leaders()
    stat = Path(f"/proc/{leader}/stat").read_text().rpartition(")")[2].split()

    parent, group, session, terminal = (int(part) for part in stat[1:5])
    assert (group, session, terminal) == (leader, leader, 0)
    assert parent not in project.processes()
    go_on.touch()
    assert project.teamlead("watch").code == 0


def test_a_detached_session_waits_for_people_and_takes_their_word(project: Project) -> None:
    project.task(1, [ask("Which?")], [write("a.txt", "{answer}\n")])
    assert project.start("--detach").code == 0
    until(lambda: project.happened("EscalationRaised"), "the question is asked")

    assert project.resolve("this").code == 0
    until(lambda: project.happened("PhaseChanged", phase="AWAITING_APPROVAL"), "approval is asked")
    assert project.teamlead("approve").code == 0

    assert project.content("main", "a.txt") == "this"
    until(lambda: not project.processes(), "the background leader has ended")


def test_a_stopped_session_can_go_on_in_the_background(project: Project) -> None:
    project.task(1, [ask("Which?")], [write("a.txt", "{answer}\n")])
    assert project.start("--approve").code == 3
    assert project.resolve("this").code == 0

    ended = project.teamlead("resume", "--detach")

    assert ended.code == 0, ended.err
    assert project.session in ended.out
    assert project.teamlead("watch").code == 0
    assert project.content("main", "a.txt") == "this"


def test_a_watcher_sees_what_other_processes_cause_in_one_unbroken_order(project: Project) -> None:
    project.task(1, [say("thinking aloud"), ask("Which?")], [say("I see"), write("a.txt", "{answer}\n")])
    leader = project.start_in_background("--wait", "--approve")
    until(lambda: project.sessions, "the session is there")
    watch = project.background("watch", "--json")
    watch.says("EscalationRaised")

    assert project.resolve("this").code == 0

    followed = watch.end()
    assert (followed.code, leader.end().code) == (0, 0)
    events = journaled(followed.lines)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["at"] for event in events] == [iso(event["at"]) for event in project.events()]
    kinds = [event["kind"] for event in events]
    asked, answered, finished = (
        kinds.index(kind) for kind in ("EscalationRaised", "EscalationResolved", "TaskDone")
    )
    assert asked < answered < finished
    spoken = [line["stream"] for line in followed.lines if line["seq"] is None]
    assert all(event["at"].endswith("Z") for event in spoken)
    assert {line["task"] for line in followed.lines if line["seq"] is None} <= {"task-1"}
    assert "I see" in [event.get("text") for event in spoken]


def test_a_watcher_can_begin_after_an_event_it_has_seen(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])
    assert project.start("--approve").code == 0
    everything = project.teamlead("watch", "--json")
    assert everything.code == 0

    rest = project.teamlead("watch", "--json", "--since", "4")

    assert rest.lines == [line for line in everything.lines if line["seq"] > 4]
    assert rest.lines[0]["seq"] == 5
    assert project.teamlead("watch", "--json", "--since", "100000").out == ""


def test_a_watcher_of_a_session_that_nobody_leads_is_told_what_it_waits_for(project: Project) -> None:
    project.task(1, [ask("Which?")])
    assert project.start().code == 3

    ended = project.teamlead("watch")

    assert ended.code == 3
    assert "a person is needed: Which?" in ended.out
    assert f"Nobody leads {project.session} (ESCALATING)." in ended.err
    assert f"teamlead resolve {project.session} --escalation-id esc-1" in ended.err


def test_a_watcher_of_a_failed_session_ends_with_failure(project: Project) -> None:
    project.task(1, [fail("no idea")])
    assert project.start("--attempts", "1").code == 3
    assert project.resolve("stop").code == 0
    assert project.teamlead("watch").code == 1


def test_a_watcher_that_is_interrupted_disturbs_nobody(project: Project) -> None:
    go_on = project.barrier("go on")
    project.task(1, [touch(project.barrier("at work")), wait_for(go_on), write("a.txt", "a\n")])
    leader = project.start_in_background("--approve")
    until(project.barrier("at work").exists, "the agent works")
    watch = project.background("watch").says("attempt 1 starts")

    watch.send(signal.SIGINT)

    assert watch.end().code == 130
    go_on.touch()
    assert leader.end().code == 0


def test_a_file_that_is_a_plan_is_started_without_the_word(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])
    ended = project.teamlead(project.plan, "--agent", f"scripted:{project.script}", "--approve")
    assert ended.code == 0, ended.err
    assert project.content("main", "a.txt") == "a"


def test_a_watcher_hears_an_agent_from_its_first_word_to_its_last(project: Project) -> None:
    go_on = project.barrier("go on")
    project.task(1, [wait_for(go_on), write("a.txt", "a\n")])
    project.task(2, [say("first word"), run("ls"), say("last word")], after=[1], kind="investigation")
    assert project.start("--detach", "--approve").code == 0
    watch = project.background("watch", "--json").says("AttemptStarted")

    go_on.touch()
    lines = watch.end().lines

    heard = [line["stream"].get("text") for line in lines if line.get("task") == "task-2"]
    assert "first word" in heard
    assert "last word" in heard
    until(lambda: not project.processes(), "the background leader has ended")


def test_no_event_comes_before_the_first(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])
    assert project.start().code == 3

    refused = project.teamlead("watch", "--since", "-5")

    assert refused.code == 2
    assert "--since" in refused.err


def test_a_script_gets_the_id_of_a_detached_session_as_json(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])

    started = project.start("--detach", "--approve", "--json")

    assert started.json == {"schema_version": 1, "session": project.session}
    until(lambda: not project.processes(), "the background leader has ended")
