"""What an agent hands in reaches the tasks that build on it, and nothing of it gets into their work."""

from typing import Any

from tests.flows.support import Project, Step, done, run, write

RESULT: dict[str, Any] = {
    "status": "SUCCESS",
    "summary": "The rate is read twice.",
    "findings": "Once at the start, once for each order.",
    "references": [{"item": "the rate", "place": "shared.txt:2", "relevance": "it is read here"}],
    "confidence": 72,
    "confidence_reason": "the file was read",
    "checklist": dict.fromkeys(
        ("references_valid", "snippets_match", "no_invented_paths", "evidence_documented"), True
    ),
}


def hands_in(**fields: Any) -> Step:
    return {"team": "submit_result", "input": {**RESULT, **fields}}


def test_a_result_that_was_handed_in_is_in_the_prompts_of_those_who_build_on_it(project: Project) -> None:
    project.task(1, [run("cat shared.txt"), hands_in(), done("Done, see my result.")], kind="investigation")
    project.task(2, [write("two.txt", "made\n")], after=[1], scope="two.txt")
    assert project.start().code == 3
    prompt = project.prompt(2, 1)
    for words in (
        "The rate is read twice.",
        "Once at the start, once for each order.",
        "shared.txt:2: the rate",
    ):
        assert f"  > {words}" in prompt


def test_a_long_result_is_read_as_a_file_of_the_copy_and_is_in_nobodys_work(project: Project) -> None:
    name = ".teamlead/sessions/{}/results/task-1.md"
    found = "".join(f"The rate {number} is read.\n" for number in range(1000))
    project.task(1, [run("cat shared.txt"), hands_in(findings=found)], kind="investigation")
    look = "grep -h 'The rate 999 is read' .teamlead/sessions/*/results/task-1.md > two.txt; git add -A"
    project.task(2, [run(look)], after=[1], scope="two.txt", checks=['test -z "$(git status --porcelain)"'])
    assert project.start().code == 3

    assert project.states() == {"task-1": "DONE", "task-2": "DONE"}
    assert f"All of it is in `{name.format(project.session)}`" in project.prompt(2, 1)
    assert project.content(project.integration, "two.txt") == "The rate 999 is read."
    changed = project.git("diff", "--name-only", f"main...{project.integration}")
    assert changed.split() == ["two.txt"]
    assert ".teamlead/sessions" not in project.teamlead("evidence", "2", "--json").out
    assert project.status()["session"]["kept"] == []
    assert project.copies() == []
