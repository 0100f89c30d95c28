"""Whole plans with the real programs: their work is checked and merged, and they end with their leader."""

import os
import signal
from collections.abc import Iterator

import pytest
from tests.flows.real import KEY, Agent, RealTeam, call, refuse, team
from tests.flows.support import Project, ask, done, run, touch, until, write

from teamlead.core.model import TaskSpec
from teamlead.rehearsal.made_up_work import rehearsed_report

AGENTS: tuple[Agent, ...] = ("claude", "codex")


@pytest.fixture(params=AGENTS)
def real(request: pytest.FixtureRequest, project: Project) -> Iterator[RealTeam]:
    real = RealTeam(project, request.param)
    yield real
    real.close()


@pytest.fixture
def claude(project: Project) -> Iterator[RealTeam]:
    real = RealTeam(project, "claude")
    yield real
    real.close()


def test_several_agents_of_two_kinds_work_side_by_side_and_their_work_is_merged(claude: RealTeam) -> None:
    project = claude.project
    meeting = [project.barrier("claude"), project.barrier("codex")]
    claude.task(
        1,
        [
            touch(meeting[0]),
            run(f"until [ -e {meeting[1]} ]; do sleep 0.05; done"),
            write("a/one.txt", "1\n"),
            done("one"),
        ],
        scope="a/",
    )
    claude.task(
        2,
        [run(f"until [ -e {meeting[0]} ]; do sleep 0.05; done"), write("b/two.txt", "2\n"), done("two")],
        scope="b/",
        fields=claude.beside("codex"),
    )
    claude.task(3, [write("c/three.txt", "3\n"), done("three")], scope="c/", after=[1, 2])
    meeting[1].touch()

    assert claude.start("--jobs", "2").code == 3

    assert project.states() == {"task-1": "DONE", "task-2": "DONE", "task-3": "DONE"}
    for path, content in (("a/one.txt", "1"), ("b/two.txt", "2"), ("c/three.txt", "3")):
        assert project.content(project.integration, path) == content


def test_a_false_done_is_refused_and_the_agent_goes_on_in_its_own_conversation(real: RealTeam) -> None:
    real.task(1, [done("It is all done.")], [write("a.txt", "a\n"), done("now it is")])

    assert real.start().code == 3

    assert real.project.outcomes(1) == ["refused", "accepted"]
    first, second = (event["end"] for event in real.events_of("RunEnded"))
    assert first["conversation"] == second["conversation"] != ""
    assert "in this conversation" in real.project.prompt(1, 2)
    assert first["usage"]["input_tokens"] > 0


def test_agents_and_the_lead_talk_while_they_work(real: RealTeam) -> None:
    real.task(
        1,
        [
            team("report_progress", text=f"I have begun, by the key {KEY}."),
            team("send_message", recipient="task-2", text="The header is blue."),
            write("a.txt", "a\n"),
            done("a"),
        ],
    )
    real.task(2, [team("read_messages"), write("b.txt", "b\n"), done("b")], after=[1])

    assert real.start().code == 3

    assert [event["text"] for event in real.events_of("ProgressReported")] == [
        "I have begun, by the key [secret]."
    ]
    assert [event["text"] for event in real.events_of("MessageSent")] == ["The header is blue."]
    assert [event["task"] for event in real.events_of("MessagesRead")] == ["task-2"]
    assert "The header is blue." in real.project.prompt(2, 1)


def test_a_question_answered_at_once_reaches_the_agent_in_its_turn(real: RealTeam) -> None:
    real.task(1, [ask("Which colour?", "red", "blue"), write("colour.txt", "{answer}\n"), done("painted")])
    leader = real.start_in_background("--wait")
    until(lambda: real.project.happened("EscalationRaised"), "the question is asked")

    assert real.project.resolve("blue", real.project.session).code == 0

    until(lambda: real.project.happened("TaskDone"), "the task is done")
    assert real.project.outcomes(1) == ["accepted"]
    assert "blue" in real.project.content(real.project.integration, "colour.txt")
    assert real.project.teamlead("approve").code == 0
    assert leader.end().code == 0


def test_a_parked_question_outlives_its_leader_and_is_resumed_once_with_the_answer(real: RealTeam) -> None:
    real.task(
        1,
        [ask("Which colour?", "red", "blue"), done("I wait.")],
        [write("colour.txt", "{answer}\n"), done("painted")],
    )
    leader = real.start_in_background("--wait")
    until(lambda: real.project.happened("EscalationRaised"), "the question is asked")
    leader.send(signal.SIGKILL).end()
    until(lambda: not real.project.processes(), "the agent has ended with its leader")

    assert real.project.resolve("blue").code == 0
    assert real.project.teamlead("resume").code == 3

    assert real.project.states() == {"task-1": "DONE"}
    assert "blue" in real.project.content(real.project.integration, "colour.txt")
    assert [event["id"] for event in real.events_of("EscalationRaised")] == ["esc-1"]


def test_a_limit_holds_the_kind_until_its_reset_and_then_it_goes_on_by_itself(claude: RealTeam) -> None:
    claude.task(1, [refuse(429, reset_in=2)], [write("a.txt", "a\n"), done("a")])
    claude.task(2, [write("b.txt", "b\n"), done("b")], after=[1])

    assert claude.start().code == 3

    assert claude.project.outcomes(1) == ["held", "accepted"]
    assert [held["kind"] for held in claude.events_of("AgentHeld")] == ["claude"]
    assert claude.project.states() == {"task-1": "DONE", "task-2": "DONE"}


def test_while_a_kind_is_held_nothing_of_it_starts_and_status_names_the_reset(real: RealTeam) -> None:
    real.task(1, [refuse(429, reset_in=3600)], [write("a.txt", "a\n"), done("a")])
    real.task(2, [write("b.txt", "b\n"), done("b")])
    leader = real.start_in_background("--jobs", "1", "--wait")
    until(lambda: real.project.happened("AgentHeld"), "the kind is held")

    status = real.project.status()

    (held,) = real.events_of("AgentHeld")
    assert 0 < held["until"] - real.project.events()[-1]["at"] < 2 * 3600
    assert any(real.agent in waiting["what"] for waiting in status["session"]["waiting"])
    assert [event["task"] for event in real.events_of("AttemptStarted")] == ["task-1"]
    assert real.project.teamlead("release", real.agent).out == f"{real.agent} is no longer on hold\n"
    until(lambda: len(real.events_of("AttemptStarted")) > 1, "it is tried again at once")
    leader.send(signal.SIGINT).end()


def test_an_account_that_is_refused_asks_the_user_and_goes_on_after_the_answer(real: RealTeam) -> None:
    real.task(1, [refuse(401)], [write("a.txt", "a\n"), done("a")])
    real.task(2, [write("b.txt", "b\n"), done("b")])

    assert real.start("--jobs", "1").code == 3

    assert real.project.outcomes(1) == ["held"]
    assert real.project.states() == {"task-1": "NEEDS_CONTINUATION", "task-2": "READY"}
    assert real.project.resolve("retry").code == 0
    assert real.project.teamlead("resume").code == 3
    assert real.project.states() == {"task-1": "DONE", "task-2": "DONE"}


def test_a_role_that_may_only_read_changes_nothing_however_it_tries(real: RealTeam) -> None:
    tries = {
        "claude": [call("Write", file_path="bad.txt", content="x"), call("Bash", command="echo x > bad.txt")],
        "codex": [
            {"run": "git log -1"},
            {"run": "echo x > bad.txt"},
            {"run": "git commit --allow-empty -m bad"},
        ],
    }[real.agent]
    report = rehearsed_report(TaskSpec("task-1", "Look", role="system-architect"))
    real.task(1, [*tries, done(report)], kind="investigation", fields=["Role: system-architect"])

    assert real.start().code == 0

    assert real.project.outcomes(1) == ["accepted"]
    (found,) = real.events_of("WorkCollected")
    assert found["work"].get("files", 0) == 0


def test_cancelling_in_the_middle_of_a_command_leaves_no_process(real: RealTeam) -> None:
    real.task(1, [run("touch begun; sleep 600"), done("slept")])
    leader = real.start_in_background("--wait")
    until(lambda: real.in_copy("begun"), "the command runs")

    assert real.project.teamlead("cancel", "--now").code == 0

    assert leader.end().code == 1
    real.project.require_nothing_runs()


def test_a_killed_leader_takes_its_agents_along_and_nothing_they_wrote_is_lost(real: RealTeam) -> None:
    hanging = [write("half.txt", "half\n"), run("touch begun; sleep 600"), done("slept")]
    real.task(1, hanging, [write("rest.txt", "rest\n"), done("finished")])
    leader = real.start_in_background()
    until(lambda: real.in_copy("begun"), "the command runs")

    os.kill(leader.pid, signal.SIGKILL)
    leader.end()

    until(lambda: not real.project.processes(), "the agents have ended with their leader")
    assert real.project.teamlead("resume").code == 3
    assert real.project.outcomes(1) == ["lost", "accepted"]
    assert real.project.content(real.project.integration, "half.txt") == "half"
    assert real.project.content(real.project.integration, "rest.txt") == "rest"


def test_a_silent_service_ends_the_run_and_is_nobodys_failure(real: RealTeam) -> None:
    real.settings(idle_timeout=3)
    real.task(1, [{"silence": True}], [write("a.txt", "a\n"), done("a")])

    leader = real.start_in_background("--wait")
    until(lambda: real.project.happened("AgentHeld"), "the kind is held")

    assert real.project.outcomes(1) == ["held"]
    leader.send(signal.SIGINT).end()


def test_a_budget_of_tokens_stops_the_start_of_more_agents_and_asks(real: RealTeam) -> None:
    real.settings(budget_tokens=150)
    real.task(1, [write("a.txt", "a\n"), done("a")])
    real.task(2, [write("b.txt", "b\n"), done("b")], after=[1])

    assert real.start().code == 3

    (asked,) = real.events_of("EscalationRaised")
    assert asked["kind"] == "budget"
    assert "task-2" not in {event["task"] for event in real.events_of("AttemptStarted")}


def test_a_message_of_the_user_reaches_a_running_agent(claude: RealTeam) -> None:
    begun, told = claude.project.barrier("begun"), claude.project.barrier("told")
    waiting = run(f"touch {begun}; until [ -e {told} ]; do sleep 0.05; done")
    claude.task(1, [waiting, write("a.txt", "a\n"), done("a")])
    leader = claude.start_in_background("--wait")
    until(begun.exists, "the agent is at work")

    assert claude.project.teamlead("tell", "1", "Mind the header.").code == 0
    until(lambda: claude.project.happened("MessagesRead"), "the message has gone in")
    told.touch()

    until(lambda: claude.project.happened("TaskDone"), "the task is done")
    assert claude.model is not None
    assert any("Mind the header." in request.content.decode() for request in claude.model.requests)
    leader.send(signal.SIGINT).end()


ATTACKS = {
    "another branch": ("git -C {root} update-ref refs/heads/victim HEAD", "victim"),
    "the configuration": ("git -C {root} config core.editor evil", "core.editor"),
    "a hook": ("touch {root}/.git/hooks/post-merge", "post-merge"),
}


@pytest.mark.parametrize("what", ATTACKS)
def test_what_an_agent_changes_in_the_users_repository_is_found_and_refused(
    real: RealTeam, what: str
) -> None:
    project = real.project
    project.git("branch", "victim")
    project.commit("second", {"new.txt": "new\n"})
    before = project.users_things()
    real.settings(more="room = false\n")
    command, named = ATTACKS[what]
    command = command.format(root=project.root)
    real.task(1, [{"run": command}, write("a.txt", "a\n"), done("a")], [write("a.txt", "b\n"), done("b")])

    real.start_in_background().end()

    if real.agent == "codex":
        assert project.users_things() == before, "its sandbox keeps it from git's own files"
        assert project.outcomes(1) == ["accepted"]
        return
    assert project.outcomes(1) == ["refused", "accepted"]
    (found, _) = real.events_of("WorkCollected")
    assert any(named in trespass for trespass in found["work"]["trespasses"])
    assert named in project.teamlead("report").out


@pytest.mark.parametrize(("answer", "outcome"), [("allow", "blue"), ("deny", "")])
def test_a_command_that_a_person_must_allow_waits_for_their_word(
    claude: RealTeam, answer: str, outcome: str
) -> None:
    claude.settings(more='[roles.worker]\nasks = ["shell"]\n')
    claude.task(1, [{"run": "echo blue > colour.txt"}, write("a.txt", "a\n"), done("painted")])
    leader = claude.start_in_background()
    until(lambda: claude.project.happened("EscalationRaised"), "the person is asked")
    (asked,) = claude.events_of("EscalationRaised")
    assert (asked["kind"], "echo blue > colour.txt" in asked["question"]["text"]) == ("permission", True)
    assert "Without an answer within 10m it is a no." in asked["question"]["text"]

    assert claude.project.resolve(answer, claude.project.session).code == 0

    leader.end()
    assert claude.project.outcomes(1) == ["accepted"]
    tree = claude.project.git("ls-tree", "--name-only", claude.project.integration).split()
    assert ("colour.txt" in tree) == bool(outcome)


def test_without_a_word_in_time_the_command_is_refused_and_the_agent_goes_on(claude: RealTeam) -> None:
    claude.settings(permission_wait=1, more='[roles.worker]\nasks = ["shell"]\n')
    claude.task(1, [{"run": "echo blue > colour.txt"}, write("a.txt", "a\n"), done("painted")])

    assert claude.start().code == 3

    assert claude.project.outcomes(1) == ["accepted"]
    (withdrawn,) = claude.events_of("EscalationWithdrawn")
    assert "nobody answered in time" in withdrawn["reason"]
    assert "colour.txt" not in claude.project.git("ls-tree", "--name-only", claude.project.integration)
