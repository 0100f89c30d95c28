"""session.json, as a session with a judge leaves it."""

import json

from tests.flows.support import Project, answer, write


def test_a_task_judged_three_times_has_three_entries_with_verdicts_and_decisions(project: Project) -> None:
    project.task(1, *([write("a.txt", f"{number}\n")] for number in (1, 2, 3)))
    project.plays(
        "task-1-judge",
        [answer(success=False, reason="no greeting", should_continue=True)],
        [answer(success=False, reason="no name", should_continue=True)],
        [answer(success=True, reason="it greets by name")],
    )
    assert project.start().code == 3
    folder = project.root / ".teamlead" / "sessions" / project.session
    document = json.loads((folder / "session.json").read_text())

    short = project.session.rsplit("-", 1)[-1]
    history = document["memberTaskHistory"]
    assert [(entry["taskId"], entry["attempt"]) for entry in history] == [
        (f"task-{short}-1", number) for number in (1, 2, 3)
    ]
    verdicts = [entry["judgementResult"]["judge"] for entry in history]
    assert [verdict["reason"] for verdict in verdicts] == ["no greeting", "no name", "it greets by name"]
    assert [entry["leaderDecision"] for entry in history] == ["continue", "continue", "accept"]
    assert "no greeting" in history[0]["leader_decision_reason"]
    assert [each["id"] for each in document["consultations"]] == [f"task-1-judge-{n}" for n in (1, 2, 3)]
    (task,) = document["tasks"]
    assert (task["state"], task["version"]) == ("DONE", 7)
    assert (document["completedTaskCount"], document["totalTaskCount"]) == (1, 1)
