"""How agents leave a session that a person ends, through the command line."""

import signal
from typing import Any

from tests.flows.recording import leaving
from tests.flows.support import HANG, Project, Running, touch, until, wait_for, write

STUBBORN = {**HANG, "stubborn": True}


def left(project: Project) -> dict[str, str]:
    report = project.teamlead("report", "--json").json["leaving"]
    assert report["deleted_at"]
    assert [rule["held"] for rule in report["rules"]] == [True, True, True]
    return {each["member"]: each["how"] for each in report["members"]}


def sent(project: Project) -> list[dict[str, Any]]:
    return [event["body"] for event in project.events() if event["kind"] == "MessageSent"]


def at_work(project: Project) -> Running:
    project.task(1, [write("half.txt", "half\n"), touch(project.barrier("at work")), STUBBORN])
    leader = project.start_in_background()
    until(project.barrier("at work").exists, "its agent is at work")
    return leader


def test_one_agrees_one_ends_its_turn_and_one_is_ended_after_it_was_asked_twice(project: Project) -> None:
    before = project.users_things()
    leaving(project)

    assert left(project) == {"task-1": "approved", "task-2": "idle", "task-3": "ended"}
    assert project.states() == {f"task-{n}": "CANCELLED" for n in (1, 2, 3)}
    requests = [body for body in sent(project) if body.get("type") == "shutdown_request"]
    assert [request["recipient"] for request in requests] == ["task-1", "task-2", "task-3", "task-3"]
    report = project.teamlead("report").out
    assert "task-3 attempt 1: it was asked twice, did not leave, and was ended" in report
    assert "lead-leaves-first: held (the lead asks nobody any more)" in report
    kept = project.details_of(1)["kept"]
    assert project.content(kept, "one.txt") == "half"
    project.require_nothing_runs()
    assert project.copies() == []
    assert project.users_things() == before


def test_whoever_has_not_left_is_shown_with_what_follows_and_can_be_ended_at_once(project: Project) -> None:
    leader = at_work(project)
    ended = project.teamlead("cancel", "--reason", "wrong plan")
    assert f"task-1 asked to leave; teamlead cancel {project.session} --now" in ended.out
    until(lambda: project.happened("MessageSent", type="shutdown_request"), "it is asked")
    status = project.teamlead("status").out
    assert "it was asked to leave, and has not answered" in status
    assert project.status()["tasks"][0]["member_state"] == "asked to leave"

    refused = project.teamlead("cancel")
    assert (refused.code, f"teamlead cancel {project.session} --now" in refused.err) == (5, True)
    assert project.teamlead("cancel", "--now").code == 0
    assert leader.end().code == 1
    assert left(project) == {"task-1": "stopped"}
    project.require_nothing_runs()


def test_a_leader_that_is_killed_while_its_team_leaves_is_followed_by_the_same_end(project: Project) -> None:
    for number in (1, 2):
        mark = project.barrier(f"at work {number}")
        project.task(number, [write("half.txt", "half\n"), touch(mark), STUBBORN])
    leader = project.start_in_background("--jobs", "2")
    until(lambda: all(project.barrier(f"at work {n}").exists() for n in (1, 2)), "both are at work")
    assert project.teamlead("cancel").code == 0
    until(lambda: len(sent(project)) == 2, "both are asked")
    leader.send(signal.SIGKILL).end()
    until(lambda: not project.processes(), "its agents have ended with it")
    interrupted = project.status()["session"]
    assert (interrupted["state"], interrupted["leaving"]["deleted_at"]) == ("CANCELLED", None)

    assert project.teamlead("resume").code == 0
    assert left(project) == {"task-1": "stopped", "task-2": "stopped"}
    assert [project.outcomes(number) for number in (1, 2)] == [["stopped"], ["stopped"]]
    assert project.states() == {"task-1": "CANCELLED", "task-2": "CANCELLED"}
    assert all(project.details_of(number)["kept"] for number in (1, 2))
    assert project.copies() == []


def test_a_message_reaches_an_agent_with_its_type_and_its_summary(project: Project) -> None:
    told, go_on = project.barrier("told"), project.barrier("go on")
    sends = {"team": "send_message", "input": {"recipient": "task-1", "text": "Stop.", "summary": "be quiet"}}
    reads = {"team": "read_messages", "input": {}}
    project.task(1, [touch(told), wait_for(go_on), reads, write("one.txt", "1\n")])
    project.task(2, [wait_for(told), sends, touch(go_on), write("two.txt", "2\n")])
    assert project.start("--jobs", "2").code == 3
    (message,) = project.teamlead("report", "--json").json["messages"]
    assert (message["type"], message["summary"], message["text"]) == ("message", "be quiet", "Stop.")
    assert project.states() == {"task-1": "DONE", "task-2": "DONE"}, "a message asks nobody to leave"
