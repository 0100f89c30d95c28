"""An agent fails for good, and the plan goes on: without its work, or with what the lead reads itself."""

import json

from tests.flows.support import Project, fail, write

FAILS = [fail("the service hung up")]


def test_a_task_that_is_not_critical_fails_and_the_rest_is_done_without_it(project: Project) -> None:
    project.settings("retry_delay = 0\n")
    project.task(1, FAILS, scope="one.txt", fields=["Critical: no"])
    project.task(2, [write("two.txt", "made\n")], after=[1], scope="two.txt")
    ended = project.start()
    assert ended.code == 3, ended.err

    assert project.states() == {"task-1": "SKIPPED", "task-2": "DONE"}
    (warning,) = project.status()["session"]["warnings"]
    assert warning.startswith("Agent worker failed, results may be incomplete (task-1: ")
    assert warning in project.teamlead("status").out
    assert warning in project.teamlead("report").out
    file = project.root / ".teamlead/sessions" / project.session / "session.json"
    assert json.loads(file.read_text())["warnings"] == [warning]


def test_the_lead_reads_what_a_failed_explorer_was_to_read_and_says_so(project: Project) -> None:
    project.settings("retry_delay = 0\n")
    project.commit("Rates", {"src/rates.py": "".join(f"RATE_{n} = {n}\n" for n in range(1, 401))})
    project.task(1, FAILS, kind="investigation", fields=["Role: code-explorer", "Context: src/rates.py:300"])
    project.task(2, [write("two.txt", "made\n")], after=[1], scope="two.txt")
    ended = project.start()
    assert ended.code == 3, ended.err

    assert project.details_of(1)["attempts"] == 2
    prompt = (project.sessions[-1] / "attempts" / "task-2-1" / "prompt.md").read_text()
    assert prompt.count("> RATE_") == 200
    assert "> RATE_300 = 300\n" in prompt
    (read,) = project.teamlead("report", "--json").json["read_by_lead"]
    assert read["read"] == ["src/rates.py:200-399"]
    assert "src/rates.py:200-399" in project.teamlead("report").out
