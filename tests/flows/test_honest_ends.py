"""An agent that says honestly what it cannot do, or need not do, is heard: through the real command."""

from tests.flows.support import Project, Step, run, write

IMPOSSIBLE: Step = {
    "feedback": {
        "type": "difficulty",
        "issue": "the test wants 5 for 2 + 2",
        "attempts": ["ran it"],
        "impediment": {"category": "impossible"},
    }
}
THERE: Step = {"feedback": {"type": "implementation", "result": "already_done", "notes": "README.md has it"}}


def test_what_cannot_be_done_honestly_is_a_persons_to_decide_and_no_failure(project: Project) -> None:
    project.task(1, [IMPOSSIBLE], [write("a.txt", "a\n")])
    assert project.start().code == 3
    assert project.outcomes(1) == ["asked"]
    [listed] = project.teamlead("escalations", "--json").json["questions"]
    assert listed["kind"] == "impossible"
    assert listed["reason"].startswith(
        "task-1 cannot be done honestly as it is asked, its agent says: the test"
    )
    status = project.teamlead("status").out
    assert "cannot be done honestly as it is asked: the test wants 5 for 2 + 2" in status
    evidence = project.teamlead("evidence", "1").out
    assert "? unknown   report: it can be done honestly as it is asked" in evidence
    assert "tried: ran it" in evidence

    assert project.resolve("leave the test alone").code == 0
    assert project.teamlead("resume").code == 3
    assert project.outcomes(1) == ["asked", "accepted"]
    assert project.teamlead("approve").code == 0


def test_what_was_done_before_is_done_once_its_checks_pass_on_what_it_started_from(project: Project) -> None:
    project.task(1, [run("cat README.md"), THERE], checks=("test -e README.md",))
    project.task(2, [write("b.txt", "b\n")], after=[1])
    assert project.start().code == 3
    assert project.states() == {"task-1": "DONE", "task-2": "DONE"}
    assert (
        "was done before: `test -e README.md` passes on what it started from"
        in project.teamlead("status").out
    )
    evidence = project.teamlead("evidence", "1").out
    assert "change: it was done before" in evidence
    assert "its agent says: README.md has it" in evidence


def test_a_check_that_passes_only_in_the_copy_of_its_agent_is_no_proof(project: Project) -> None:
    left_ignored = run("mkdir -p made && echo '*' > made/.gitignore && touch made/it")
    project.task(
        1,
        [left_ignored, THERE],
        [write("a.txt", "a\n"), run("true")],
        checks=("test -e made/it || test -e a.txt",),
    )
    project.start()
    assert project.outcomes(1)[0] == "refused"
    [reason] = project.teamlead("evidence", "1", "--attempt", "1", "--json").json["reasons"]
    assert reason.endswith("does not pass on what it started from")
