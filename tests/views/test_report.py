"""What a session came to, stated honestly."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.core.leading import led, mumble, replan
from tests.core.support import World, session, task
from tests.core.told import agent_ended, answered, check_ended, work_found

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.answers import Judgement
from teamlead.core.evidence.values import Evidence, RoomKind
from teamlead.core.model import Budget, Limits, Person, Question, Usage
from teamlead.core.reports import DifficultyFeedback, Result
from teamlead.views.documents.reports import (
    DonePart,
    NotDonePart,
    ReportDocument,
    ReportedDifficultyPart,
    RoomlessPart,
    UnverifiedPart,
    VerifiedPart,
)
from teamlead.views.documents.sessions import ApprovalPart, PersonPart
from teamlead.views.moments import iso
from teamlead.views.report import report_document
from teamlead.views.report_text import report_markdown

CRASH, ASK = 1, 5


def document(world: World) -> ReportDocument:
    return report_document(world.state)


def markdown(world: World) -> dict[str, list[str]]:
    """The lines of each part, by its title; what comes before the first is the part ''."""
    parts: dict[str, list[str]] = {"": []}
    title = ""
    for line in report_markdown(document(world)).splitlines():
        if line.startswith("## "):
            title = line.removeprefix("## ")
            assert title not in parts
            parts[title] = []
        elif line:
            parts[title].append(line)
    return parts


def ended(world: World, number: int, choice: int) -> None:
    world.advance(number, do.RunAgent)
    world.answer(world.due(do.RunAgent, number), choice)


def names(items: Sequence[DonePart | NotDonePart]) -> list[str]:
    return [item["task"] for item in items]


def test_every_task_is_in_exactly_one_part() -> None:
    limits = Limits(jobs=9, attempts=1)
    tasks = (*(task(n) for n in range(1, 8)), task(8, 7))
    world = led(*tasks, consultants=("planner",), limits=limits)
    world.finish(1)
    ended(world, 2, ASK)
    ended(world, 3, CRASH)
    mumble(world, "replan")
    world.tell(f.SkipTask("task-4", "not needed"))
    replan(world, 5, task(9), reason="a better plan")
    found = document(world)
    assert names(found["done"]) == ["task-1"]
    assert names(found["awaiting_answer"]) == ["task-2"]
    assert names(found["failed"]) == ["task-3"]
    assert names(found["skipped"]) == ["task-4", "task-5"]
    assert names(found["unfinished"]) == ["task-6", "task-7", "task-8", "task-9"]
    parts = markdown(world)
    assert parts["Skipped or replaced"][1].startswith("- task-5 (Title 5) REPLACED_BY_REPLAN: a better plan")
    assert parts["Not finished"][2] == "- task-8 (Title 8) READY"
    assert len(parts["Waiting for you"]) == len(parts["Failed or cancelled"]) == 1


def test_cancelled_tasks_are_told_among_the_failed() -> None:
    world = World(session(task(1), task(2, 1)))
    world.tell(f.Cancel("enough"))
    world.answer(world.due(do.StopAgent))
    assert names(document(world)["failed"]) == ["task-1", "task-2"]
    assert markdown(world)["Not verified by a command"] == ["- Nothing was finished."]
    assert markdown(world)["Done"] == markdown(world)["Verified, and how"] == ["- Nothing."]


@pytest.mark.parametrize(
    ("fields", "unverified"),
    [
        ({}, ["no acceptance criterion was given"]),
        ({"acceptance": ("it is nice",)}, ["it is nice"]),
        ({"checks": ("make",)}, None),
        ({"checks": ("make",), "acceptance": ("make", "it is nice")}, ["it is nice"]),
        ({"checks": ("make",), "acceptance": ("make",)}, None),
    ],
)
def test_what_no_command_stood_for_is_not_verified(
    fields: dict[str, Any], unverified: list[str] | None
) -> None:
    world = World(session(task(1, **fields)))
    world.finish(1)
    expected = (
        (UnverifiedPart(task="task-1", title="Title 1", acceptance=tuple(unverified), judged=""),)
        if unverified
        else ()
    )
    assert document(world)["not_verified"] == expected
    (line,) = markdown(world)["Not verified by a command"]
    told = (
        f"task-1 (Title 1): {'; '.join(unverified)}"
        if unverified
        else "Nothing: every criterion was a command."
    )
    assert line == f"- {told}"


def test_finished_work_is_told_with_its_proofs() -> None:
    world = World(session(task(1, scope=("src/", "docs/"), checks=("make", "lint"))))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", summary="did\n  all of it"))
    world.finish(1)
    (done,) = document(world)["done"]
    assert (done["commit"], done["files_total"], done["paths"]) == ("task-1@1", 1, ("src/task-1.py",))
    assert done["verified"]["merged"] is done["verified"]["changed"] is True
    parts = markdown(world)
    assert parts["Done"] == ["- task-1 (Title 1), 1 file, +3 -1: did all of it"]
    assert parts["Verified, and how"] == [
        "- task-1: changed only src/, docs/; `make` passed; `lint` passed; merged as task-1@1"
    ]


def test_checks_without_a_room_are_told_in_one_line() -> None:
    world = World(session(*(task(number, checks=("make",)) for number in (1, 2, 3))))
    rooms: tuple[RoomKind, ...] = ("none", "bubblewrap", "none")
    for number, room in enumerate(rooms, 1):
        world.advance(number, do.Check)
        world.tell(check_ended(f"task-{number}", 1, "make", 0, room=room))
        world.finish(number)
    (told,) = document(world)["without_full_room"]
    assert told == RoomlessPart(room="none", ran="without a room", checks_of=("task-1", "task-3"))
    assert markdown(world)["Verified, and how"][-1] == "- the checks of task-1, task-3 ran without a room"


def test_a_report_is_told_by_its_summary_with_what_its_examination_found() -> None:
    world = World(session(task(1, type="investigation")))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", summary="## worker Result\n### Status\nSUCCESS"))
    found = (
        Evidence("report", "proven", "it keeps the contract", "the report keeps its contract"),
        Evidence("references", "proven", "what it cites is there", "valid 2/2"),
    )
    result = Result(
        "SUCCESS",
        summary="All was read.",
        findings="none",
        references=(),
        confidence=80,
        confidence_reason="read",
    )
    world.tell(work_found("task-1", 1, "", result=result, evidence=found))
    parts = markdown(world)
    assert parts["Done"] == ["- task-1 (Title 1), no change: All was read."]
    assert parts["Verified, and how"] == ["- task-1: the report keeps its contract; references: valid 2/2"]


def test_a_citation_that_is_not_there_is_no_proof() -> None:
    world = World(session(task(1, type="investigation")))
    world.advance(1, do.Collect)
    none = Evidence("references", "unknown", "what it cites is there", "it cites no line of a file")
    world.tell(work_found("task-1", 1, "", evidence=(none,)))
    assert markdown(world)["Verified, and how"] == ["- task-1: nothing to verify"]


def test_what_failed_is_asked_about_in_one_line_and_what_an_agent_asks_is_told_whole() -> None:
    world = World(session(task(1, checks=("make",)), task(2), limits=Limits(attempts=1)))
    ended(world, 2, ASK)
    world.advance(1, do.Check)
    world.tell(check_ended("task-1", 1, "make", 2, output="one\ntwo"))
    asked = {line.split()[1]: line for line in markdown(world)["Questions"]}
    assert "Which one?" in asked["esc-1"]
    assert asked["esc-2"].endswith("failed with exit code 2 … → open")


def test_a_task_without_a_change_is_told_as_such() -> None:
    world = World(session(task(1, type="investigation")))
    world.advance(1, do.Collect)
    world.tell(work_found("task-1", 1, ""))
    parts = markdown(world)
    assert parts["Done"] == ["- task-1 (Title 1), no change: done"]
    assert parts["Verified, and how"] == ["- task-1: nothing to verify"]
    assert document(world)["done"][0]["verified"]["merged"] is False


def test_what_an_investigation_changed_is_not_told_as_merged() -> None:
    world = World(session(task(1, type="investigation", scope=("src/",))))
    world.finish(1)
    assert document(world)["done"][0]["verified"] == VerifiedPart(
        changed=True, in_scope=("src/",), checks=(), merged=False
    )
    assert "merged" not in markdown(world)["Verified, and how"][0]


def test_attempts_that_brought_nothing_are_told_with_their_reasons() -> None:
    world = World(session(task(1), limits=Limits(retry_delay=0.0)))
    ended(world, 1, CRASH)
    ended(world, 1, ASK)
    world.tell(f.Resolve("esc-1", "left"))
    world.finish(1)
    (refused,) = document(world)["unaccepted_attempts"]
    assert (refused["task"], refused["attempt"], refused["outcome"]) == ("task-1", 1, "failed")
    assert "it crashed" in " ".join(refused["reasons"])
    parts = markdown(world)
    assert parts["Attempts that brought nothing"][0].startswith("- task-1 attempt 1 failed: ")
    assert parts["Done"][0].startswith("- task-1 (Title 1), 1 file, +3 -1, 3 attempts")
    assert parts["Questions"] == ["- esc-1 task-1: Which one? → answered by user: left"]


def test_an_open_question_is_told_as_open() -> None:
    world = World(session(task(1)))
    ended(world, 1, ASK)
    assert markdown(world)["Questions"] == ["- esc-1 task-1: Which one? → open"]


def test_only_the_time_in_which_an_agent_worked_is_spent() -> None:
    world = World(session(task(1, checks=("make",)), limits=Limits(retry_delay=0.0)))
    world.now += 100.0
    world.advance(1, do.RunAgent)
    assert document(world)["spent"]["runs"] == 0
    world.now += 30.0
    world.answer(world.due(do.RunAgent), CRASH)
    world.advance(1, do.RunAgent)
    world.now += 60.0
    usage = Usage(input_tokens=100, output_tokens=20, cost_usd=0.456)
    world.tell(agent_ended("task-1", 2, "ok", usage=usage))
    world.now += 500.0
    world.finish(1)
    spent = document(world)["spent"]
    assert (spent["runs"], spent["agent_seconds"]) == (2, 90.0)
    told = "2 agent runs, 1m30s in total; 100 tokens in and 20 tokens out; cost at least $0.46"
    assert markdown(world)["Spent"] == [f"- {told}"]


def test_what_is_unknown_of_the_spending_is_not_told_as_zero() -> None:
    world = World(session(task(1)))
    world.finish(1)
    told = "1 agent run, 0s in total; unknown tokens in and unknown tokens out; cost unknown"
    assert markdown(world)["Spent"] == [f"- {told}"]


def test_a_cost_of_nothing_is_told_as_zero() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", usage=Usage(0, 0, 0.0)))
    assert markdown(world)["Spent"][0].endswith("; 0 tokens in and 0 tokens out; cost $0.00")


def test_spending_is_told_for_each_agent_and_role_where_there_are_several() -> None:
    world = World(session(task(1), task(2, agent="codex", role="qa-engineer")))
    for number, usage in ((1, Usage(100, 20, 0.5)), (2, Usage(300, 10, None))):
        world.advance(number, do.RunAgent)
        world.tell(agent_ended(f"task-{number}", 1, "ok", usage=usage, turns=number))
    spent = document(world)["spent"]
    assert spent["by_agent"]["codex"]["cost_usd"] is None
    assert [line.partition("; ")[2] for line in markdown(world)["Spent"]] == [
        "400 tokens in and 30 tokens out; 3 turns; cost at least $0.50",
        "100 tokens in and 20 tokens out; 1 turn; cost $0.50",
        "300 tokens in and 10 tokens out; 2 turns; cost unknown",
        "100 tokens in and 20 tokens out; 1 turn; cost $0.50",
        "300 tokens in and 10 tokens out; 2 turns; cost unknown",
    ]


def test_a_budget_is_told_with_what_was_spent_of_it() -> None:
    world = World(session(task(1), budget=Budget(tokens=1000)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", usage=Usage(300, 100)))
    assert markdown(world)["Spent"][1] == "- budget of the session: 400 of 1k tokens"


def test_what_was_put_on_hold_is_no_failure() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "limit", detail="come back at five", reset_at=5000.0))
    assert document(world)["unaccepted_attempts"] == ()
    (line,) = markdown(world)["Put on hold"]
    assert line.startswith("- task-1 attempt 1 (scripted), ")
    assert line.endswith(": come back at five")


def test_what_was_not_allowed_is_told_plainly() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", denials=("Write: not in its scope", "Bash: no")))
    world.tell(work_found("task-1", 1, "", trespasses=("main was moved",), remarks=("a stash is gone",)))
    assert markdown(world)["Not allowed, and what came of it"] == [
        "- task-1 attempt 1, prevented: Write: not in its scope",
        "- task-1 attempt 1, prevented: Bash: no",
        "- task-1 attempt 1, refused: main was moved",
        "- task-1 attempt 1, noticed: a stash is gone",
    ]


def test_talk_is_told_with_who_said_it_to_whom() -> None:
    world = World(session(task(1), task(2)))
    world.advance(1, do.RunAgent)
    world.tell(f.MessagePosted("task-1", 1, "lead", "I begin"))
    world.tell(f.Asked("task-1", 1, Question("Which one?"), "call-1"))
    world.tell(f.Resolve("esc-1", "left", who=Person("ada", 4711)))
    parts = markdown(world)
    assert parts["Messages"][0].endswith("Z task-1 to lead: I begin")
    assert parts["Questions"] == [
        "- esc-1 task-1 while it worked: Which one? → answered by user (ada, pid 4711, no terminal): left"
    ]


def test_work_that_no_branch_holds_is_told_with_its_place() -> None:
    world = World(session(task(1)))
    world.advance(1, do.Release)
    assert "Work kept aside" not in markdown(world)
    world.tell(f.CopyReleased("task-1", "refs/kept"))
    assert markdown(world)["Work kept aside"] == ["- task-1: refs/kept"]


def test_the_approval_is_told_as_far_as_it_went() -> None:
    world = World(session(task(1)))
    world.advance(1, do.Release)
    tip = world.state.integration_tip[:10]
    nothing = [f"- The work is at {tip}. Nothing was applied to `main`."]
    assert document(world)["approval"] is None
    assert markdown(world)["Approval"] == nothing
    world.tell(world.approval(who=Person("ada", 4711, "/dev/pts/3")))
    assert markdown(world)["Approval"] == nothing
    world.tell(f.ApprovalMade("0123456789abcdef", "main", "before", "git undo"))
    assert document(world)["approval"] == ApprovalPart(
        by="user",
        person=PersonPart(user="ada", pid=4711, terminal="/dev/pts/3"),
        branch="main",
        commit="0123456789abcdef",
        before="before",
        undo="git undo",
    )
    assert markdown(world)["Approval"] == [
        "- `main` is at 0123456789, by user (ada, pid 4711, /dev/pts/3); undo: `git undo`"
    ]


def test_difficulties_are_told_whatever_came_of_them() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    hard = DifficultyFeedback("it is\nslow", ("a cache",), "technical", "continue", "buy disks")
    world.tell(f.FeedbackGiven("task-1", 1, hard), f.FeedbackGiven("task-1", 1, DifficultyFeedback("odd")))
    world.finish(1)
    assert document(world)["difficulties"][0] == ReportedDifficultyPart(
        task="task-1",
        attempt=1,
        issue="it is\nslow",
        category="technical",
        requested_action="continue",
        tried=("a cache",),
        suggestion="buy disks",
    )
    assert markdown(world)["Difficulties that agents reported"] == [
        "- task-1 attempt 1, technical, continue: it is slow; tried: a cache; suggested: buy disks",
        "- task-1 attempt 1, no category: odd",
    ]


def test_rejected_work_is_told_as_such() -> None:
    world = World(session(task(1)))
    world.finish(1)
    world.tell(f.Reject("not\nwhat I meant"))
    parts = markdown(world)
    assert "**REJECTED** (DONE: the work was rejected)" in parts[""][1]
    (line,) = parts["Approval"]
    assert line.startswith("- Rejected: ")
    assert "not what I meant" in line
    assert line.endswith(". Nothing was applied.")


def test_the_head_and_the_time_line_tell_when_and_why() -> None:
    world = World(session(task(1)))
    world.now += 61.0
    world.finish(1)
    found = document(world)
    assert (found["session"]["seconds"], found["session"]["state"]) == (61.0, "COMPLETED")
    assert (found["session"]["created_at"], found["session"]["updated_at"]) == (iso(1000.0), iso(1061.0))
    parts = markdown(world)
    assert parts[""][0] == "# A plan"
    assert parts[""][1].endswith(f"started {iso(1000.0)}, 1m01s until the last event.")
    assert f"**COMPLETED** (AWAITING_APPROVAL: {world.state.phases[-1].reason})" in parts[""][1]
    assert parts["Time line"][0] == f"- {iso(1000.0)} IDLE: session opened"
    assert len(parts["Time line"]) == len(world.state.phases)


def test_stages_are_told_with_their_tasks_and_how_far_they_are() -> None:
    world = World(session(task(1, stage="Build"), task(2, stage="Build"), task(3, stage="Review")))
    world.finish(1)
    first, second = document(world)["stages"]
    assert (first["name"], first["state"], first["tasks"]) == ("Build", "open", ("task-1", "task-2"))
    assert (first["tasks_total"], first["tasks_unsettled"]) == (2, 1)
    assert (second["name"], second["state"], second["tasks"]) == ("Review", "waiting", ("task-3",))
    assert markdown(world)["Stages"] == [
        "- Build (open, 1 of 2 left): task-1, task-2",
        "- Review (waiting, 1 of 1 left): task-3",
    ]


def test_a_plan_without_stages_has_no_part_about_them() -> None:
    world = World(session(task(1)))
    assert [(stage["name"], stage["tasks"]) for stage in document(world)["stages"]] == [("", ("task-1",))]
    assert "Stages" not in markdown(world)


def test_what_was_asked_stands_at_the_end_as_a_quotation() -> None:
    world = World(session(task(1)))
    assert markdown(world)["Asked"] == ["> Do it"]
    assert report_markdown(document(world)).endswith("> Do it\n")


def test_what_models_were_asked_is_told_and_what_they_cost_is_counted() -> None:
    world = World(session(task(1, acceptance=("it is nice",)), consultants=("judge",)))
    world.advance(1)
    world.now += 30.0
    judgement = Judgement(success=True, reason="it is very nice")
    usage = Usage(1000, 50, 0.25)
    world.tell(answered("task-1-judge-1", "ok", judgement, usage=usage, turns=2))
    world.finish(1)
    parts = markdown(world)
    assert parts["Models that were asked"] == [
        "- task-1-judge-1: the judge about task-1 is satisfied: it is very nice"
    ]
    assert parts["Not verified by a command"] == [
        "- task-1 (Title 1): it is nice (fulfilled, says the judge: it is very nice)"
    ]
    spent = document(world)["spent"]
    judged = spent["by_role"]["judge"]
    assert (judged["runs"], judged["cost_usd"], judged["turns"]) == (1, 0.25, 2)
    assert judged["agent_seconds"] == 30.0
    assert (spent["runs"], spent["cost_usd"], spent["unpriced"]) == (2, 0.25, 1)


def test_a_model_that_gave_no_answer_is_told_as_such() -> None:
    world = World(session(task(1, acceptance=("it is nice",)), consultants=("judge",)))
    world.advance(1)
    world.tell(answered("task-1-judge-1", "ok", problem="no JSON"))
    told = markdown(world)["Models that were asked"]
    assert told[0] == "- task-1-judge-1: the judge about task-1 gave no answer that can be read: no JSON"
