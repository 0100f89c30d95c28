"""An agent fails for good, and the plan goes on: without its work, or with what the lead reads itself."""

import json

from tests.flows.support import Project, done, fail, run, write

PARTIAL = """## code-explorer Result

### Status
PARTIAL

### Summary
Two of three modules were read.

### Findings
- Entry points: `README.md:1`

### Key References
| Item | Location | Relevance |
| --- | --- | --- |
| entry | `README.md:1` | it starts here |
| again | `shared.txt:1` | it is read there |

### Confidence
72 - all was read that could be

### Blockers
- the third module is in another repository | resolution: give access

### Next steps
- read the third module

### Verification
- [x] every file:line reference exists
- [x] quoted code matches the files
- [x] no path is invented
- [x] each finding has its evidence
"""


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


def test_what_an_investigation_found_in_part_is_taken_and_what_it_lacks_is_told(project: Project) -> None:
    project.task(
        1, [run("cat README.md"), done(PARTIAL)], kind="investigation", fields=["Role: code-explorer"]
    )
    project.task(2, [write("two.txt", "made\n")], after=[1], scope="two.txt")
    ended = project.start()
    assert ended.code == 3, ended.err

    assert project.states() == {"task-1": "DONE", "task-2": "DONE"}
    assert project.details_of(1)["attempts_total"] == 1
    (warning,) = project.status()["session"]["warnings"]
    assert warning.startswith("task-1 (Task number 1) is done in part: Two of three modules were read.")
    assert warning.endswith("Blocked by: the third module is in another repository")
    prompt = (project.sessions[-1] / "attempts" / "task-2-1" / "prompt.md").read_text()
    assert "- task-1 (Task number 1): done in part\n" in prompt
    assert "Blocked by: the third module is in another repository" in prompt


def test_the_lead_reads_what_a_failed_explorer_was_to_read_and_says_so(project: Project) -> None:
    project.settings("retry_delay = 0\n")
    project.commit("Rates", {"src/rates.py": "".join(f"RATE_{n} = {n}\n" for n in range(1, 401))})
    project.task(1, FAILS, kind="investigation", fields=["Role: code-explorer", "Context: src/rates.py:300"])
    project.task(2, [write("two.txt", "made\n")], after=[1], scope="two.txt")
    ended = project.start()
    assert ended.code == 3, ended.err

    assert project.details_of(1)["attempts_total"] == 2
    prompt = (project.sessions[-1] / "attempts" / "task-2-1" / "prompt.md").read_text()
    assert prompt.count("> RATE_") == 200
    assert "> RATE_300 = 300\n" in prompt
    (read,) = project.teamlead("report", "--json").json["read_by_lead"]
    assert read["read"] == ["src/rates.py:200-399"]
    assert "src/rates.py:200-399" in project.teamlead("report").out
