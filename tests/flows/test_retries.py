"""An attempt that is not accepted is tried again with its reasons, a bounded number of times."""

from tests.flows.support import Project, done, fail, say, until, write

CHECK = "grep -q good a.txt || (echo nee''dle; exit 7)"


def test_what_a_failing_check_printed_is_in_the_next_prompt(project: Project) -> None:
    project.task(1, [write("a.txt", "bad\n")], [write("a.txt", "good\n")], checks=[CHECK])

    assert project.start().code == 3

    assert project.outcomes(1) == ["refused", "accepted"]
    told = project.prompt(1, 2)
    assert f"the check `{CHECK}` failed with exit code 7:\n  > needle" in told
    assert "its work is still in your copy: a.txt" in told
    assert "needle" not in project.prompt(1, 1)
    assert (project.attempt(1, 1) / "check-1.txt").read_text() == "needle\n"
    assert project.content(project.integration, "a.txt") == "good"


def test_every_failing_check_is_reported_and_passing_ones_are_not(project: Project) -> None:
    checks = ["echo alpha; exit 1", "true # beta", "echo gamma; exit 2"]
    project.task(1, [write("a.txt", "a\n")], checks=checks)

    assert project.start("--attempts", "2").code == 3

    told = project.prompt(1, 2).split("## Earlier attempts")[1]
    assert "alpha" in told
    assert "gamma" in told
    assert "beta" not in told


def test_after_three_failures_a_person_is_asked(project: Project) -> None:
    project.task(1, [fail("no idea")])
    project.task(2, [write("b.txt", "b\n")], after=[1])
    project.task(3, [write("c.txt", "c\n")])

    ended = project.start()

    assert ended.code == 3
    assert "teamlead resolve" in ended.out
    assert project.outcomes(1) == ["failed"] * 3
    assert project.states() == {"task-1": "BLOCKED", "task-2": "READY", "task-3": "DONE"}
    assert "no idea" in project.details_of(1)["reason"]
    (record,) = project.teamlead("escalations", "--json").json["questions"]
    assert record["kind"] == "failed"
    assert record["options"] == ["retry", "skip", "stop"]


def test_a_skipped_task_holds_nobody_back(project: Project) -> None:
    project.task(1, [fail("no idea")])
    project.task(2, [write("b.txt", "b\n")], after=[1])
    assert project.start("--attempts", "1").code == 3

    assert project.resolve("skip").code == 0
    assert project.teamlead("resume").code == 3

    assert project.states() == {"task-1": "SKIPPED", "task-2": "DONE"}
    assert set(project.files(project.integration)) == {"README.md", "shared.txt", "b.txt"}
    assert project.copies() == []


def test_advice_starts_a_new_attempt_that_is_told_it(project: Project) -> None:
    project.task(1, [fail("which one?")], [write("a.txt", "{answer}\n")])
    assert project.start("--attempts", "1").code == 3

    assert project.resolve("use the blue one").code == 0
    assert project.teamlead("resume").code == 3

    assert project.outcomes(1) == ["failed", "accepted"]
    assert "Answer:\n> use the blue one" in project.prompt(1, 2)
    assert project.content(project.integration, "a.txt") == "use the blue one"


def test_advice_makes_room_for_as_many_failures_as_before(project: Project) -> None:
    project.task(1, [fail("no idea")])
    assert project.start("--attempts", "2").code == 3

    assert project.resolve("retry").code == 0
    assert project.teamlead("resume").code == 3

    assert project.outcomes(1) == ["failed"] * 4
    assert project.state_of(1) == "BLOCKED"


def test_stopping_at_a_question_fails_the_session(project: Project) -> None:
    project.task(1, [fail("no idea")])
    before = project.users_things()
    assert project.start("--attempts", "1").code == 3

    assert project.resolve("stop").code == 0

    session = project.status()["session"]
    assert (session["state"], session["phase"]) == ("FAILED", "FAILED")
    refused = project.teamlead("resume")
    assert refused.code == 5
    assert "has ended (FAILED" in refused.err
    assert project.users_things() == before
    assert project.copies() == []


def test_a_leader_whose_session_is_stopped_by_a_person_ends_with_failure(project: Project) -> None:
    project.task(1, [say("well"), done("nothing at all")])
    leader = project.start_in_background("--attempts", "1", "--wait")
    until(lambda: project.happened("EscalationRaised"), "the question is asked")

    assert project.resolve("stop").code == 0

    ended = leader.end()
    assert ended.code == 1
    assert "FAILED: stopped by user at esc-1" in ended.out


def test_what_a_check_leaves_behind_is_nobodys_work(project: Project) -> None:
    check = "echo junk > junk.o; grep -q good a.txt"
    project.task(1, [write("a.txt", "bad\n")], [write("a.txt", "good\n")], checks=[check])

    assert project.start().code == 3

    assert project.outcomes(1) == ["refused", "accepted"]
    assert "junk.o" not in project.files(project.integration)
    assert project.copies() == []
