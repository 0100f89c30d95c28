"""What only a person can decide: asked once, answered from anywhere, taken up without a restart."""

import signal

import pytest
from tests.flows.support import Project, Step, ask, fail, touch, until, wait_for, write

COLOUR = ask("Which colour?", "red", "blue")
ANSWERED = write("colour.txt", "{answer}\n")


def test_a_running_leader_takes_an_answer_from_another_process(project: Project) -> None:
    project.task(1, [COLOUR], [ANSWERED])
    leader = project.start_in_background("--wait")
    until(lambda: project.happened("EscalationRaised"), "the question is asked")

    answered = project.resolve("blue", project.session)

    assert (answered.code, answered.out) == (0, "esc-1 is answered\n")
    until(lambda: project.happened("TaskDone"), "the task is done")
    assert not leader.over
    assert project.outcomes(1) == ["asked", "accepted"]
    assert project.content(project.integration, "colour.txt") == "blue"
    assert project.teamlead("approve").code == 0
    assert leader.end().code == 0
    assert [e["kind"] for e in project.events()].count("LeaderStarted") == 1


def test_an_answer_after_the_leader_has_gone_waits_for_the_next_one(project: Project) -> None:
    project.task(1, [COLOUR], [ANSWERED])
    ended = project.start()
    assert ended.code == 3
    assert "Which colour?" in ended.out
    assert f"After your answers: teamlead resume {project.session}" in ended.out
    waiting = project.status()["session"]["waiting"]
    assert [item["what"] for item in waiting][:1] == ["task-1 (esc-1)"]
    assert f"teamlead resolve {project.session} --escalation-id esc-1" in waiting[0]["next"]

    answered = project.resolve("red")

    assert answered.code == 0
    assert f"Nobody leads this session: teamlead resume {project.session}" in answered.out
    assert project.states() == {"task-1": "READY"}
    assert project.teamlead("resume").code == 3
    assert project.content(project.integration, "colour.txt") == "red"


def test_an_answer_beside_the_options_is_taken_and_told_as_such(project: Project) -> None:
    project.task(1, [COLOUR], [ANSWERED])
    project.start()
    told = project.resolve("the port is 8080").out.splitlines()[0]
    assert told == "esc-1 is answered in your own words; its options were: red, blue"


def test_naming_the_paths_that_a_task_may_change_is_an_option_like_any_other(project: Project) -> None:
    impediment = {"category": "scope"}
    narrow: Step = {"feedback": {"type": "difficulty", "issue": "b is needed", "impediment": impediment}}
    project.task(1, [narrow], [write("b.txt", "b\n")], scope="a.txt")
    assert project.start().code == 3
    told = project.resolve("allow b.txt").out.splitlines()[0]
    assert told == "esc-1 is answered"
    assert project.teamlead("resume").code == 3
    assert project.states() == {"task-1": "DONE"}


def test_a_difficulty_with_which_the_agent_goes_on_asks_nobody_and_is_shown(project: Project) -> None:
    impediment = {"category": "technical", "requestedAction": "continue"}
    slow: Step = {"feedback": {"type": "difficulty", "issue": "the tests are slow", "impediment": impediment}}
    project.task(1, [write("a.txt", "a\n"), slow])
    assert project.start().code == 3
    assert project.states() == {"task-1": "DONE"}
    shown = "Difficulties that agents reported:\n  task-1  technical, continue: the tests are slow\n"
    assert shown in project.teamlead("status").out
    assert "- task-1 attempt 1, technical, continue: the tests are slow" in project.teamlead("report").out


def test_a_difficulty_of_a_category_that_nobody_knows_asks_nobody_and_is_shown(project: Project) -> None:
    difficulty = {"type": "Difficulty", "issue": "the tests are slow", "category": "blocked", "mood": "bad"}
    project.task(1, [write("a.txt", "a\n"), {"feedback": difficulty}])
    assert project.start().code == 3
    assert project.states() == {"task-1": "DONE"}
    for command in ("status", "report"):
        assert "the tests are slow" in project.teamlead(command).out


def test_independent_tasks_go_on_while_a_question_is_open(project: Project) -> None:
    project.task(1, [COLOUR])
    project.task(2, [write("b.txt", "b\n")])
    project.task(3, [write("c.txt", "c\n")], after=[1])

    assert project.start("--jobs", "1").code == 3

    assert project.states() == {"task-1": "BLOCKED", "task-2": "DONE", "task-3": "READY"}


def test_nothing_more_starts_while_a_question_is_open_if_the_user_wants_it_so(project: Project) -> None:
    project.task(1, [COLOUR], [ANSWERED])
    project.task(2, [write("b.txt", "b\n")])

    assert project.start("--jobs", "1", "--stop-on-escalation").code == 3
    assert project.states() == {"task-1": "BLOCKED", "task-2": "READY"}

    assert project.resolve("red").code == 0
    assert project.teamlead("resume").code == 3
    assert project.states() == {"task-1": "DONE", "task-2": "DONE"}


def test_a_question_that_is_unknown_answered_or_answered_with_nothing_is_refused(project: Project) -> None:
    project.task(1, [COLOUR], [ANSWERED])
    assert project.start().code == 3

    unknown = project.resolve("red", "--escalation-id", "esc-9")
    assert (unknown.code, "there is no escalation 'esc-9'" in unknown.err) == (4, True)
    empty = project.resolve("  ")
    assert (empty.code, "the answer is empty" in empty.err) == (2, True)
    assert project.teamlead("resolve").code == 2
    assert project.states() == {"task-1": "BLOCKED"}

    assert project.resolve("red", "--escalation-id", "1").code == 0
    again = project.resolve("blue", "--escalation-id", "1")
    assert (again.code, "esc-1 is resolved already: red" in again.err) == (5, True)
    nothing = project.resolve("blue")
    assert (nothing.code, "nothing is open" in nothing.err) == (4, True)


def test_of_several_open_questions_one_must_be_chosen(project: Project) -> None:
    project.task(1, [ask("First?")], [write("a.txt", "{answer}\n")])
    project.task(2, [ask("Second?")], [write("b.txt", "{answer}\n")])
    assert project.start("--jobs", "1").code == 3

    unclear = project.resolve("yes")
    assert unclear.code == 2
    assert "2 questions are open: esc-1, esc-2" in unclear.err

    assert project.resolve("two", "--escalation-id", "2").code == 0
    assert project.resolve("one").code == 0
    assert project.teamlead("resume").code == 3
    made = project.files(project.integration)
    assert (made["a.txt"], made["b.txt"]) == ("one", "two")
    listed = project.teamlead("escalations", "--all", "--json").json["questions"]
    assert [(r["id"], r["answer"], r["by"]) for r in listed] == [
        ("esc-1", "one", "user"),
        ("esc-2", "two", "user"),
    ]
    assert "Nothing needs you" in project.teamlead("escalations").out


def test_two_answers_at_the_same_moment_are_taken_once(project: Project) -> None:
    project.task(1, [COLOUR], [ANSWERED])
    assert project.start().code == 3

    rivals = [
        project.background("resolve", "--escalation-id", "1", "--resolution", colour)
        for colour in ("red", "blue", "green")
    ]

    assert sorted(rival.end().code for rival in rivals) == [0, 5, 5]
    assert [e["kind"] for e in project.events()].count("EscalationResolved") == 1


def test_beyond_the_agreed_number_of_questions_the_person_is_asked_whether_to_go_on(project: Project) -> None:
    project.settings("retry_delay = 0\nquestions = 1\nattempts = 1\n")
    for number in (1, 2):
        project.task(number, [fail(f"no idea {number}")])
    assert project.start("--jobs", "1").code == 3

    kinds = {r["id"]: r["kind"] for r in project.teamlead("escalations", "--json").json["questions"]}
    assert kinds == {"esc-1": "failed", "esc-3": "limit"}
    held = project.resolve("skip", "--escalation-id", "2")
    assert (held.code, "esc-2 is held" in held.err) == (5, True)
    wrong = project.resolve("perhaps", "--escalation-id", "3")
    assert (wrong.code, "'more' or 'stop'" in wrong.err) == (5, True)

    assert project.resolve("more", "--escalation-id", "3").code == 0
    assert project.resolve("skip", "--escalation-id", "2").code == 0
    assert project.states() == {"task-1": "BLOCKED", "task-2": "SKIPPED"}


@pytest.mark.parametrize("answer", ["skip", "stop", "retry"])
def test_words_of_the_lead_are_plain_answers_to_an_agents_own_question(project: Project, answer: str) -> None:
    project.task(1, [ask("What should the button say?")], [write("button.txt", "{answer}\n")])
    assert project.start().code == 3

    assert project.resolve(answer).code == 0
    assert project.teamlead("resume").code == 3

    assert project.content(project.integration, "button.txt") == answer


def test_an_answer_reaches_the_agent_as_it_was_typed(project: Project) -> None:
    project.task(1, [COLOUR], [ANSWERED])
    project.task(2, [touch(project.barrier("other")), wait_for(project.barrier("end")), write("b.txt", "")])
    leader = project.start_in_background("--jobs", "2")
    until(lambda: project.happened("EscalationRaised"), "the question is asked")

    assert project.resolve("  Grün, 緑 — `$(touch /tmp/x)` {task}  ").code == 0

    until(lambda: project.happened("TaskDone", task="task-1"), "the answer is used")
    project.barrier("end").touch()
    assert leader.end().code == 3
    assert project.content(project.integration, "colour.txt") == "Grün, 緑 — `$(touch /tmp/x)` {task}"


def test_a_task_that_only_asked_so_far_has_nothing_to_show(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])
    project.task(2, [ask("Which?")], after=[1])
    assert project.start().code == 3

    shown = project.teamlead("diff", "2")

    assert (shown.code, "task-2 has no collected work yet" in shown.err) == (4, True)


def test_an_answer_that_ends_the_session_does_not_ask_to_resume_it(project: Project) -> None:
    project.task(1, [fail("no idea")])
    assert project.start("--attempts", "1").code == 3

    told = project.resolve("stop")

    assert "has ended (FAILED" in told.out
    assert "teamlead resume" not in told.out


def test_open_questions_are_listed_first_with_what_waits_for_them(project: Project) -> None:
    project.task(1, [ask("First?")], [write("a.txt", "{answer}\n")])
    project.task(2, [ask("Second?", "yes", "no")], [write("b.txt", "{answer}\n")])
    project.task(3, [write("c.txt", "c\n")], after=[2])
    project.task(4, [write("d.txt", "d\n")], after=[3])
    assert project.start("--jobs", "1").code == 3
    assert project.resolve("one", "--escalation-id", "1").out.splitlines()[1] == "still open: esc-2"

    listed = project.teamlead("escalations", "--all", "--json").json["questions"]
    assert [(record["id"], record["blocks"]) for record in listed] == [
        ("esc-2", ["task-3", "task-4"]),
        ("esc-1", []),
    ]
    assert {record["to"] for record in listed} == {"user"}
    shown = project.teamlead("escalations").out
    assert "options: yes, no" in shown
    assert "waiting for it: task-3, task-4" in shown


def test_the_last_answer_ends_the_waiting(project: Project) -> None:
    project.task(1, [ask("First?")], [write("a.txt", "{answer}\n")])
    project.task(2, [ask("Second?")], [write("b.txt", "{answer}\n")])
    assert project.start("--jobs", "1").code == 3
    assert project.status()["session"]["state"] == "ESCALATING"
    project.resolve("two", "--escalation-id", "2")
    assert project.status()["session"]["state"] == "ESCALATING"
    project.resolve("one")
    assert project.status()["session"]["state"] == "REVIEWING"


def test_resume_goes_on_with_what_needs_no_answer_and_else_names_the_questions(project: Project) -> None:
    project.task(1, [COLOUR], [ANSWERED])
    project.task(2, [fail("not yet")], [write("b.txt", "b\n")])
    assert project.start("--jobs", "1", "--attempts", "1").code == 3
    assert project.states() == {"task-1": "BLOCKED", "task-2": "BLOCKED"}
    project.resolve("retry", "--escalation-id", "2")

    resumed = project.teamlead("resume")
    assert (resumed.code, project.states()) == (3, {"task-1": "BLOCKED", "task-2": "DONE"})
    assert "open: esc-1; what does not wait for an answer goes on" in resumed.err

    stuck = project.teamlead("resume")
    assert stuck.code == 3
    assert "Which colour?" in stuck.out
    assert "Nothing can move without you." in stuck.err
    assert project.outcomes(1) == ["asked"]


@pytest.mark.parametrize("end", ["completed", "failed", "cancelled"])
def test_a_session_that_has_ended_is_not_resumed(project: Project, end: str) -> None:
    project.task(1, [write("a.txt", "a\n") if end == "completed" else fail("no")])
    assert project.start("--attempts", "1").code == 3
    ending = {
        "completed": ("approve",),
        "failed": ("resolve", "--resolution", "stop"),
        "cancelled": ("cancel",),
    }
    assert project.teamlead(*ending[end]).code == 0
    refused = project.teamlead("resume")
    assert refused.code == 5
    assert "has ended" in refused.err


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_two_questions_outlive_their_leader_and_each_answer_is_used_once(
    project: Project, order: tuple[int, int]
) -> None:
    for number in (1, 2):
        asked = ask(f"Which colour for {number}?", "red", "blue")
        project.task(number, [asked], [write(f"{number}.txt", "{answer}\n")])
    project.task(3, [write("c.txt", "c\n")], after=[1, 2])
    first = project.start_in_background("--wait", "--jobs", "2")
    until(lambda: project.happened("EscalationRaised", id="esc-2"), "both questions are asked")
    first.send(signal.SIGKILL).end()
    asked_by = {record["tasks"][0]["id"]: record["id"] for record in project.status()["session"]["questions"]}

    second = project.background("resume", "--wait")
    until(lambda: [e["kind"] for e in project.events()].count("LeaderStarted") == 2, "another leader came")
    for number in order:
        escalation = asked_by[f"task-{number}"]
        assert project.resolve(f"colour {number}", "--escalation-id", escalation).code == 0
    until(lambda: project.happened("TaskDone", task="task-3"), "the rest is done")
    assert project.teamlead("approve").code == 0
    assert second.end().code == 0

    for number in (1, 2):
        assert project.outcomes(number) == ["asked", "accepted"]
        assert f"colour {number}" in project.prompt(number, 2)
        assert project.content("main", f"{number}.txt") == f"colour {number}"
    unblocked = [e["body"]["task"] for e in project.events() if e["kind"] == "TaskUnblocked"]
    assert unblocked == [f"task-{number}" for number in order]
