"""Who works on what, for how much, and what is shown of it."""

import json
import signal
import time

import pytest
from tests.flows.support import Project, Step, toml, until, write

from teamlead.views.moments import clock

USES = {"usage": {"input_tokens": 500, "output_tokens": 100}}


def script(project: Project, name: str, *steps: Step) -> str:
    path = project.place / name
    listed = ", ".join(map(toml, steps))
    path.write_text(f"[[default]]\nsteps = [{listed}]\n")
    return f"scripted:{path}"


def plan(project: Project, *labels: str) -> str:
    """One task for each, which writes a file of its own."""
    tasks = [
        f"### {number}. Write it\n- Scope: task-{number}.txt\n- Acceptance: it is there\n{label}\n"
        for number, label in enumerate(labels, 1)
    ]
    path = project.place / "mixed.md"
    path.write_text("# A mix\n\n" + "\n".join(tasks))
    return str(path)


def test_each_task_is_done_by_the_agent_that_it_its_role_or_the_session_names(project: Project) -> None:
    writes = write("{task}.txt", "made\n")
    names = [script(project, f"{word}.toml", writes) for word in ("session", "role", "task")]
    mixed = plan(project, "", "- Role: qa-engineer", f"- Role: qa-engineer\n- Agent: {names[2]}")

    ended = project.teamlead("start", mixed, "--agent", names[0], "--role", f"qa-engineer={names[1]}")

    assert ended.code == 3
    started = [event["body"] for event in project.events() if event["kind"] == "AttemptStarted"]
    assert {body["task"]: body["agent"] for body in started} == {
        "task-1": names[0],
        "task-2": names[1],
        "task-3": names[2],
    }
    members = json.loads((project.root / ".teamlead/sessions" / project.session / "session.json").read_text())
    assert [(m["role"], m["agent"]) for m in members["members"]][1:] == [
        ("worker", names[0]),
        ("qa-engineer", names[1]),
        ("qa-engineer", names[2]),
    ]


@pytest.mark.parametrize(
    "option", [["--role", "qa-engineer=hal9000"], ["--effort", "heroic"], ["--budget", "5"]]
)
def test_a_wrong_word_about_staffing_starts_nothing(project: Project, option: list[str]) -> None:
    agent = script(project, "a.toml", write("{task}.txt", "made\n"))
    ended = project.teamlead("start", plan(project, "- Role: qa-engineer"), "--agent", agent, *option)
    assert ended.code == 2
    assert option[1].rpartition("=")[2] in ended.err
    assert project.sessions == []


def test_a_role_on_the_command_line_that_no_task_has_is_told(project: Project) -> None:
    agent = script(project, "session.toml", write("{task}.txt", "made\n"))
    ended = project.teamlead("start", plan(project, ""), "--agent", agent, "--role", f"qa-enginer={agent}")
    assert "--role qa-enginer: no task of the plan has this role (there are: worker)." in ended.err


def test_at_the_limit_of_a_budget_a_person_is_asked_and_more_goes_on(project: Project) -> None:
    agent = script(project, "a.toml", USES, write("{task}.txt", "made\n"))

    ended = project.teamlead(
        "start", plan(project, "", ""), "--agent", agent, "--jobs", "1", "--budget", "700 tokens"
    )

    assert ended.code == 3
    assert "Budget of the session: 700 tokens." in ended.err
    assert project.states() == {"task-1": "DONE", "task-2": "READY"}
    shown = project.teamlead("status").out
    assert "budget of the session: 600 of 700 tokens" in shown
    asked = project.teamlead("escalations").out
    assert "options: more, stop" in asked
    assert project.resolve("more").code == 0
    assert project.teamlead("resume").code == 3
    assert project.states() == {"task-1": "DONE", "task-2": "DONE"}
    assert "budget of the session: 1.2k of 1.4k tokens" in project.teamlead("report").out


def test_a_limit_of_the_account_is_shown_with_the_time_it_ends_and_fails_nothing(project: Project) -> None:
    reset = time.time() + 3600
    finished = {"type": "finished", "status": "limit", "error": "come back later", "reset_at": reset}
    agent = script(project, "a.toml", {"emit_raw": json.dumps(finished) + "\n"}, {"exit": 1})
    leader = project.background("start", plan(project, "", ""), "--agent", agent, "--jobs", "1")
    until(lambda: project.happened("AgentHeld"), "the limit is met")

    shown = project.teamlead("status").out
    document = project.status()

    assert f"on hold: {agent} until " in shown
    assert ": come back later" in shown
    (hold,) = [item for item in document["session"]["waiting"] if item["what"] == f"agent {agent}"]
    assert hold["deadline"] == document["session"]["holds"][0]["until"]
    assert project.outcomes(1) == ["held"]
    assert not any(event["kind"] == "EscalationRaised" for event in project.events())
    project.interrupt(leader)


def test_whoever_resumes_a_session_is_told_what_is_on_hold_and_until_when(project: Project) -> None:
    project.task(1, [{"http": 429, "reset_in": 3600}])
    leader = project.start_in_background().says("is on hold until")
    assert leader.send(signal.SIGINT).end().code == 130

    resumed = project.background("resume").says("leader started")

    (moment,) = (event["body"]["until"] for event in project.events() if event["kind"] == "AgentHeld")
    assert f" until {clock(moment)} " in next(line for line in resumed.err.splitlines() if "on hold:" in line)
    assert resumed.send(signal.SIGINT).end().code == 130


def test_a_session_that_was_stopped_waits_for_nothing_more(project: Project) -> None:
    project.task(1, [{"http": 401}])
    assert project.start().code == 3
    assert "to be tried again" in project.teamlead("status").out

    assert project.resolve("stop").code == 0

    told = project.teamlead("status").out
    assert not any(word in told for word in ("Waiting for", "on hold", "to be tried again"))
