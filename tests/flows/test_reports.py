"""What a session came to, as people and their scripts read it."""

import json
import shutil
from typing import Any

import pytest
from tests.flows.support import Project, answer, ask, done, say, touch, until, wait_for, write

WAITING = {"what", "reason", "since", "deadline", "next"}


@pytest.fixture(scope="module")
def mixed(shared: Project) -> Project:
    """For tests that only look."""
    return carry_out(shared)


def carry_out(project: Project) -> Project:
    """Two tasks are done, one of them at the second attempt; one asks, and one waits for it."""
    usage = {"usage": {"input_tokens": 100, "output_tokens": 20, "cost_usd": 0.5}}
    project.task(
        1, [done("all of it")], [say("now really"), write("a.txt", "a\n"), usage, done("wrote a.txt")]
    )
    project.task(2, [write("b.txt", "b\n"), usage], checks=["test -f b.txt"], scope="b.txt")
    project.task(3, [ask("Which?", "this", "that")])
    project.task(4, [write("d.txt", "d\n")], after=[3, 1])
    assert project.start().code == 3
    return project


def test_status_has_the_documented_shape(mixed: Project) -> None:
    status = mixed.status()

    assert set(status) == {"schema_version", "session", "tasks"}
    assert status["schema_version"] == 1
    session = status["session"]
    assert (session["id"], session["state"], session["phase"]) == (mixed.session, "ESCALATING", "EXECUTING")
    assert session["title"] == "A plan for a test"
    assert session["base_commit"] == mixed.tip("main")
    assert session["integration_commit"] == mixed.tip(mixed.integration)
    assert (session["target_branch"], session["integration_branch"]) == ("main", mixed.integration)
    assert (session["tasks_total"], session["tasks_unsettled"]) == (4, 2)
    assert session["leader"] == ""
    assert session["led"] is False
    spent = session["spent"]
    assert (spent["input_tokens"], spent["output_tokens"], spent["cost_usd"]) == (200, 40, 1.0)
    assert [record["id"] for record in session["questions"]] == ["esc-1"]

    tasks = {task["id"]: task for task in status["tasks"]}
    assert list(tasks) == ["task-1", "task-2", "task-3", "task-4"]
    assert {name: (task["state"], task["attempts_total"]) for name, task in tasks.items()} == {
        "task-1": ("DONE", 2),
        "task-2": ("DONE", 1),
        "task-3": ("BLOCKED", 1),
        "task-4": ("READY", 0),
    }
    assert tasks["task-4"]["depends_on"] == ["task-3", "task-1"]
    assert tasks["task-1"]["title"] == "Task number 1"
    assert tasks["task-1"]["branch"] == f"teamlead/{mixed.session}/task-1"
    assert tasks["task-1"]["commit"] == mixed.tip(tasks["task-1"]["branch"])

    assert all(set(item) == WAITING for item in status["session"]["waiting"])
    assert [item["what"] for item in status["session"]["waiting"]] == [
        "task-3 (esc-1)",
        "tasks to start",
        "session",
    ]


def test_every_running_thing_says_what_it_waits_for_and_until_when(project: Project) -> None:
    project.settings("hard_timeout = 1000\n")
    go_on = project.barrier("go on")
    project.task(1, [touch(project.barrier("at work")), wait_for(go_on), write("a.txt", "a\n")])
    project.task(2, [write("b.txt", "b\n")], after=[1])
    leader = project.start_in_background()
    until(project.barrier("at work").exists, "the agent works")

    status = project.status()

    assert status["session"]["state"] == "EXECUTING"
    waiting = {item["what"]: item for item in status["session"]["waiting"]}
    assert set(waiting) == {"tasks to start", "task-1"}
    assert waiting["task-1"]["reason"] == "its agent works (attempt 1)"
    assert waiting["task-1"]["deadline"] > waiting["task-1"]["since"]
    assert waiting["tasks to start"]["deadline"] is None
    assert "task-1" in project.teamlead("status").out
    go_on.touch()
    assert leader.end().code == 3


def test_status_of_a_person_shows_the_same(mixed: Project) -> None:
    shown = mixed.teamlead("status").out
    assert "2 of 4 done" in shown
    assert f"{mixed.integration} at {mixed.tip(mixed.integration)[:10]} → main" in shown
    rows = {line.split()[0]: line for line in shown.splitlines() if line.startswith("task-")}
    assert [rows[f"task-{number}"].split()[1] for number in (1, 2, 3, 4)] == [
        *("DONE", "DONE", "BLOCKED", "READY"),
    ]
    assert f"teamlead resolve {mixed.session} --escalation-id esc-1" in shown


def test_the_report_says_what_was_refused_and_what_nothing_verified(mixed: Project) -> None:
    report = mixed.teamlead("report", "--json").json

    assert report["schema_version"] == 1
    assert [item["task"] for item in report["done"]] == ["task-1", "task-2"]
    assert [item["task"] for item in report["not_verified"]] == ["task-1", "task-2"]
    (refused,) = report["unaccepted_attempts"]
    assert (refused["task"], refused["attempt"], refused["outcome"]) == ("task-1", 1, "refused")
    assert "nothing was changed" in refused["reasons"][0]
    verified = {item["task"]: item["verified"] for item in report["done"]}
    assert verified["task-2"]["in_scope"] == ["b.txt"]
    assert [(c["command"], c["exit_code"]) for c in verified["task-2"]["checks"]] == [("test -f b.txt", 0)]
    assert [item["task"] for item in report["awaiting_answer"]] == ["task-3"]
    assert report["failed"] == []
    assert [item["task"] for item in report["unfinished"]] == ["task-4"]
    assert report["spent"]["cost_usd"] == 1.0
    assert report["spent"]["runs"] == 4
    assert report["plan_text"] == mixed.plan.read_text()
    assert [entry["phase"] for entry in report["phases"]] == ["IDLE", "PLANNING", "EXECUTING"]


def test_the_report_for_people_says_so_in_words(mixed: Project) -> None:
    text = mixed.teamlead("report").out
    parts = {part.split("\n", 1)[0]: part for part in text.split("\n## ")}
    assert text.startswith("# A plan for a test\n")
    assert "task-1 (Task number 1), 1 file, +1 -0, 2 attempts: wrote a.txt" in parts["Done"]
    assert "`test -f b.txt` passed" in parts["Verified, and how"]
    assert "task-1 (Task number 1): task 1 is done" in parts["Not verified by a command"]
    assert "task-2 (Task number 2): task 2 is done" in parts["Not verified by a command"]
    assert "task-1 attempt 1 refused: nothing was changed" in parts["Attempts that brought nothing"]
    assert "task-3" in parts["Waiting for you"]
    assert "task-4 (Task number 4) READY" in parts["Not finished"]
    assert "200 tokens in and 40 tokens out; cost at least $1.00" in parts["Spent"]
    assert "Nothing was applied to `main`." in parts["Approval"]


def test_readable_files_lie_beside_the_code_and_git_does_not_see_them(mixed: Project) -> None:
    folder = mixed.root / ".teamlead" / "sessions" / mixed.session
    assert sorted(path.name for path in folder.iterdir()) == [
        "approvals",
        "events.ndjson",
        "findings",
        "report.md",
        "session.json",
        "tickets",
    ]
    session: dict[str, Any] = json.loads((folder / "session.json").read_text())
    assert (session["id"], session["status"], session["totalTaskCount"]) == (mixed.session, "ESCALATING", 4)
    letters = mixed.session.rsplit("-", 1)[-1]
    assert [task["id"] for task in session["tasks"]] == [f"task-{letters}-{n}" for n in (1, 2, 3, 4)]
    events = [json.loads(line) for line in (folder / "events.ndjson").read_text().splitlines()]
    assert events == mixed.teamlead("watch", "--json").lines
    assert (folder / "report.md").read_text() == mixed.teamlead("report").out
    assert mixed.git("status", "--porcelain") == ""


@pytest.mark.parametrize("damage", ["deleted", "cut", "replaced"])
def test_readable_files_are_never_read_back(project: Project, damage: str) -> None:
    mixed = carry_out(project)
    folder = mixed.root / ".teamlead" / "sessions" / mixed.session
    before = mixed.status()
    if damage == "deleted":
        shutil.rmtree(folder.parent)
    elif damage == "cut":
        cut = folder / "events.ndjson"
        cut.write_bytes(cut.read_bytes()[:-20])
    else:
        for path in [each for each in folder.rglob("*") if each.is_file()]:
            path.write_text('{"seq": 100000}\n')

    assert mixed.status() == before
    assert mixed.resolve("this").code == 0

    events = [json.loads(line) for line in (folder / "events.ndjson").read_text().splitlines()]
    assert events == mixed.teamlead("watch", "--json").lines
    assert json.loads((folder / "session.json").read_text())["status"] == mixed.status()["session"]["state"]


def test_logs_show_what_an_agent_said_and_was_told(mixed: Project) -> None:
    last = mixed.teamlead("logs", "1")
    assert (last.code, "now really" in last.out, "[write] a.txt" in last.out) == (0, True, True)
    first = mixed.teamlead("logs", "task-1", "--attempt", "1")
    assert "finished: all of it" in first.out
    assert "now really" not in first.out
    assert mixed.teamlead("logs", "1", "--prompt").out == mixed.prompt(1, 2)
    assert mixed.teamlead("logs", "9").code == 4
    missing = mixed.teamlead("logs", "1", "--attempt", "7")
    assert (missing.code, "task-1 has no attempt 7" in missing.err) == (4, True)
    document = mixed.teamlead("logs", "2", "--json").json
    assert "finished" in [event["type"] for event in document["events"]]
    assert [(check["exit_code"], check["output"]) for check in document["checks"]] == [(0, "")]
    assert document["outcome"] == "accepted"


def test_a_diff_shows_a_task_or_the_whole_session(mixed: Project) -> None:
    whole = mixed.teamlead("diff").out
    assert "+++ b/a.txt" in whole
    assert "+++ b/b.txt" in whole
    one = mixed.teamlead("diff", "2").out
    assert "+++ b/b.txt" in one
    assert "a.txt" not in one
    document = mixed.teamlead("diff", "1", "--json").json
    assert document["files"] == [{"path": "a.txt", "lines_added": 1, "lines_deleted": 0}]
    assert document["before"] == mixed.tip("main")
    nothing = mixed.teamlead("diff", "4")
    assert (nothing.code, "task-4 has no collected work yet" in nothing.err) == (4, True)
    assert mixed.teamlead("diff", "9").code == 4


def test_a_run_tells_its_result_as_json_on_request(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])

    ended = project.start("--json", "--approve")

    assert ended.code == 0
    document = ended.json
    assert document["end"] == "finished"
    assert document["session"]["approval"]["commit"] == project.tip("main")
    assert [task["state"] for task in document["tasks"]] == ["DONE"]
    assert document["session"]["waiting"] == []


def test_logs_show_what_a_judge_was_asked_and_said(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n"), done("written")])
    project.plays("task-1-judge", [done("fine!")], [answer(success=True, reason="it is")])
    assert project.start().code == 3
    last = project.teamlead("logs", "1-judge")
    assert "the judge is satisfied: it is" in last.out
    first = project.teamlead("logs", "1-judge", "--attempt", "1", "--json").json
    assert first["run"] == "task-1-judge-1"
    assert "no JSON" in first["reasons"][0]
    assert "task 1 is done" in project.teamlead("logs", "task-1-judge", "--prompt").out
    assert project.teamlead("logs", "1-judge", "--attempt", "3").code == 4
