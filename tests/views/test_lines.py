from typing import Any, get_args

import pytest
from tests.core.support import session, task

from teamlead.core import events as e
from teamlead.core.answers import Analysis, Answer, Completion, Judgement, PlannedFor, Proposal, Remark
from teamlead.core.evidence.values import CheckResult, Work
from teamlead.core.model import Concern, Person, Question
from teamlead.core.reports import DifficultyFeedback, ExplorationFeedback, ImplementationFeedback, Result
from teamlead.core.runs import AgentStatus, RunEnd
from teamlead.views import lines
from teamlead.views.lines import line
from teamlead.views.moments import clock

LONG = "x" * 200
TWO_LINES = "the first line\nthe second"


def finished(status: AgentStatus, **fields: Any) -> e.RunEnded:
    return e.RunEnded("task-1-1", "task-1", RunEnd(status, **fields))


def said(
    run: str, answer: Answer | None = None, *, status: AgentStatus = "ok", problem: str = ""
) -> e.RunEnded:
    return e.RunEnded(run, "", RunEnd(status), answer, problem)


def collected(**fields: Any) -> e.WorkCollected:
    return e.WorkCollected("task-1", 1, Work(**fields))


def checked(**fields: Any) -> e.CheckFinished:
    return e.CheckFinished("task-1", 1, CheckResult(**fields))


TOLD: list[tuple[e.AnyEvent, str]] = [
    (e.SessionOpened(session(task(1))), "session s-1: A plan (1 task)"),
    (e.SessionOpened(session(task(1), task(2))), "session s-1: A plan (2 tasks)"),
    (e.PhaseChanged("EXECUTING", TWO_LINES), "phase EXECUTING: the first line"),
    (e.LeaderStarted(1, "pid 7"), "leader started: pid 7"),
    (e.LeaderStopped("nothing left"), "leader stopped: nothing left"),
    (e.TaskAdded(task(3), "user"), "task-3: added by user: Title 3"),
    (e.TaskReplaced("task-1", ("task-2", "task-3"), "better"), "task-1: replaced by task-2, task-3"),
    (e.TaskSkipped("task-1", TWO_LINES, "user"), "task-1: the first line"),
    (e.TaskBlocked("task-1", "FAILED", "it broke"), "task-1: blocked (FAILED)"),
    (e.TaskUnblocked("task-1", "go on"), "task-1: goes on"),
    (e.TaskRetried("task-1", 0.0, fresh=False), "task-1: to be tried again"),
    (e.TaskDone("task-1", "c0ffee"), "task-1: done"),
    (e.TaskReopened("task-1", TWO_LINES), "task-1: reopened: the first line"),
    (e.AttemptStarted("task-1", 2, (), "", fresh=False, agent="codex"), "task-1: attempt 2 starts (codex)"),
    (
        e.AttemptStarted("task-1", 2, (), "", fresh=False, agent="scripted:/a.toml"),
        "task-1: attempt 2 starts",
    ),
    (
        e.AttemptStarted("task-1", 2, (), "", fresh=False, agent="codex", model="gpt-5.5", effort="high"),
        "task-1: attempt 2 starts (codex, gpt-5.5 effort high)",
    ),
    (e.CopyPrepared("task-1", 1, "base"), ""),
    (e.CopyPrepared("task-1", 2, "base", "refs/kept"), "task-1: work kept at refs/kept"),
    (finished("ok", summary=TWO_LINES), "task-1: agent finished: the first line"),
    (finished("ok"), "task-1: agent finished"),
    (finished("error", detail="no money"), "task-1: agent ended (error): no money"),
    (finished("timeout"), "task-1: agent ended (timeout)"),
    (
        finished("budget", summary="All done.", detail="more than 9 turns"),
        "task-1: agent ended (budget): more than 9 turns",
    ),
    (
        finished("ok", denials=("Write: not in its scope", "Bash: no")),
        "task-1: agent finished [not allowed: Write: not in its scope and 1 more]",
    ),
    (e.RunWanted("task-1-judge-1", "judge", "task-1"), ""),
    (
        e.RunWanted("task-1-judge-2", "judge", "task-1", problem="no JSON"),
        "task-1: the judge is to be asked again",
    ),
    (e.RunStarted("planner-1", "", "claude", "c0ffee", "opus"), "the planner is asked (claude, opus)"),
    (e.RunStarted("task-1-judge-1", "task-1", "scripted:/a", "c0ffee"), "task-1: the judge is asked"),
    (
        said("task-1-judge-1", Judgement(success=True, reason=TWO_LINES)),
        "task-1: the judge is satisfied: the first line",
    ),
    (
        said("task-1-judge-1", Judgement(success=False, reason="no tests")),
        "task-1: the judge is not satisfied: no tests",
    ),
    (
        said("task-1-judge-1", Judgement(success=False, reason="too big", should_replan=True)),
        "task-1: the judge wants another plan: too big",
    ),
    (
        said("task-1-judge-1", Judgement(success=False, reason="it is", already_satisfied=True)),
        "task-1: the judge finds that it was there before: it is",
    ),
    (
        said("task-1-judge-1", Judgement(success=False, reason="no way", contradictions=("a", "not a"))),
        "task-1: the judge finds a contradiction (a; not a): no way",
    ),
    (
        said("task-2-planner-1", Proposal((task(1), task(2)))),
        "task-2: the planner proposes 2 tasks: Title 1; Title 2",
    ),
    (
        said("task-2-planner-1", Proposal((), questions=("Which one?",))),
        "task-2: the planner proposes nothing: Which one?",
    ),
    (
        said("planner-1", Completion(fulfilled=True, reason="it is all there")),
        "the planner finds all that was wanted: it is all there",
    ),
    (
        said("planner-1", Completion(fulfilled=False, reason="no", missing=("docs",))),
        "the planner misses something: docs",
    ),
    (
        said("task-1-validator-1", Analysis("a race", "lock it", "low")),
        "task-1: the validator recommends (low confidence): lock it",
    ),
    (
        said("task-1-advisor-1", problem="no JSON"),
        "task-1: the advisor gives no answer that can be read: no JSON",
    ),
    (
        said("task-1-advisor-1", status="limit"),
        "task-1: the advisor gives no answer (limit)",
    ),
    (
        e.EscalationRaised("esc-2", "planner", "failed", "task-1 failed 3 times", (Concern("task-1"),)),
        "esc-2: the planner is to help with task-1: task-1 failed 3 times",
    ),
    (
        e.EscalationRaised("esc-3", "externalAdvisor", "plan", "tasks fail"),
        "esc-3: the advisor is to help with the plan: tasks fail",
    ),
    (e.PlanDiscussed(True), "a person is asked to accept the plan"),
    (e.PlanDiscussed(False), "the plan counts without a person's word"),
    (e.PlanFiled("/a/plan.md", "abc"), "the plan is in /a/plan.md"),
    (e.TaskPaused("task-1", "user"), "task-1: paused by user"),
    (e.TaskResumed("task-1", "user"), "task-1: to go on, by user"),
    (e.TaskReassigned("task-1", "codex", "", "user"), "task-1: given to codex by user"),
    (
        e.ScopeEnlarged("task-1", ("docs/", "NEWS.md"), "user"),
        "task-1: may change docs/, NEWS.md too, says user",
    ),
    (
        e.ConflictForeseen("task-1", 1, "task-2", 1, ("a.py",)),
        "ahead: task-1 and task-2 change the same parts of a.py",
    ),
    (
        e.ConflictForeseen("task-1", 1, "", 0, ()),
        "ahead: task-1 and what was merged since it began merge again",
    ),
    (e.PersonNotified("esc-1"), "esc-1: you were notified"),
    (e.PersonNotified("failed", "no bell"), "failed: you could not be notified: no bell"),
    (
        e.CompletionAccepted("c0ffee", "user"),
        "the merged work was taken for all that was wanted by user",
    ),
    (collected(commit="", files=0, added=0, deleted=0), "task-1: no change"),
    (collected(commit="c0ffee", files=1, added=2, deleted=3), "task-1: 1 file changed, +2 -3"),
    (collected(commit="c0ffee", files=2, added=3, deleted=4), "task-1: 2 files changed, +3 -4"),
    (
        collected(
            commit="", files=0, added=0, deleted=0, trespasses=("main was moved",), remarks=("x is gone",)
        ),
        "task-1: no change [outside of its copy: main was moved; worth a look: x is gone]",
    ),
    (checked(command="make", exit_code=0), "task-1: check `make` passed"),
    (checked(command="make", exit_code=2), "task-1: check `make` failed (2)"),
    (
        checked(command="make", exit_code=0, unseen=("a.py",)),
        "task-1: check `make` passed, but does not see what was changed",
    ),
    (
        checked(command=TWO_LINES, exit_code=None),
        "task-1: check `the first line` did not end in time",
    ),
    (e.WorkAccepted("task-1", 1), ""),
    (e.WorkIntegrated("task-1", 1, "c0ffee", "tip"), "task-1: merged"),
    (e.AttemptStopping("task-1", 1, TWO_LINES), "task-1: being stopped: the first line"),
    (e.AttemptEnded("task-1", 1, "accepted", ("fine",)), ""),
    (
        e.AttemptEnded("task-1", 1, "refused", (TWO_LINES, "and more")),
        "task-1: attempt 1 refused: the first line",
    ),
    (
        e.AttemptEnded("task-1", 1, "returned", ("too little",)),
        "task-1: attempt 1 returned to be mended, which is no failure: too little",
    ),
    (e.AttemptEnded("task-1", 3, "lost"), "task-1: attempt 3 lost"),
    (e.AttemptEnded("task-1", 3, "held", ("a limit",)), ""),
    (e.CopyRemoved("task-1"), ""),
    (e.CopyRemoved("task-1", "refs/kept"), "task-1: work kept at refs/kept"),
    (e.EscalationRaised("esc-1", "user", "failed", TWO_LINES), "esc-1: a person is needed: the first line"),
    (
        e.EscalationRaised("esc-1", "user", "question", "it asks", (Concern("task-1"),), Question("Which?")),
        "esc-1: a person is needed: Which?",
    ),
    (
        e.EscalationRaised(
            "esc-1", "user", "question", TWO_LINES, (Concern("task-1"),), Question("Which?"), held=True
        ),
        "esc-1: held back: the first line",
    ),
    (e.EscalationReleased("esc-1"), "esc-1: asked now"),
    (e.EscalationResolved("esc-1", TWO_LINES, "user"), "esc-1: answered by user: the first line"),
    (e.EscalationWithdrawn("esc-1", TWO_LINES), "esc-1: withdrawn: the first line"),
    (e.QuestionsAllowed(10), "10 more questions allowed"),
    (
        e.QuestionParked("task-1", 1, "esc-1"),
        "esc-1: task-1 was told to end its turn, and goes on with the answer",
    ),
    (e.TaskAdvised("task-1", "Which?", "the left one"), ""),
    (
        e.AgentHeld("claude", 2000.0, TWO_LINES, 1),
        f"claude is on hold until {clock(2000.0)}: the first line",
    ),
    (e.AgentHeld("claude", None, "no key"), "claude is on hold until you answer: no key"),
    (e.AgentReleased("claude"), "claude: may be used again"),
    (
        said("task-1-judge-1", Judgement(True, "fine", objections=(Remark("unused", "a.py:3"),))),
        "task-1: the judge objects: unused (a.py:3)",
    ),
    (
        said("task-1-judge-1", Judgement(True, "fine", answers=(PlannedFor(1), PlannedFor(2, "Do it")))),
        "task-1: the judge objects: nothing in the plan asks for what question 1 is about",
    ),
    (
        said("task-1-judge-1", Judgement(True, "fine", statements=(Remark("it caches"),))),
        "task-1: the judge objects: the report says what no line bears out: it caches",
    ),
    (e.JudgeReplaced("codex"), "codex judges from now on"),
    (e.JudgeReplaced(""), "nobody judges any more"),
    (e.BudgetRaised("session"), "the budget of the session was raised"),
    (e.BudgetRaised("role:reviewer"), "the budget of the role reviewer was raised"),
    (e.BudgetRaised("task:task-1"), "the budget of task-1 was raised"),
    (e.ProgressReported("task-1", 1, TWO_LINES), "task-1: reports: the first line"),
    (
        e.FeedbackReported("task-1", 1, DifficultyFeedback("no database")),
        "task-1: has a difficulty: no database",
    ),
    (e.FeedbackReported("task-1", 1, ExplorationFeedback("three ways")), "task-1: found: three ways"),
    (
        e.FeedbackReported("task-1", 1, ImplementationFeedback("partial", notes="half of it")),
        "task-1: reports partial: half of it",
    ),
    (
        e.ResultReported(
            "task-1",
            1,
            Result(
                "FAILED", summary=TWO_LINES, findings="", references=(), confidence=10, confidence_reason=""
            ),
        ),
        "task-1: hands in its result, FAILED: the first line",
    ),
    (e.TaskNoted("task-1", 1, "blocked", "waits"), "task-1: says it is blocked: waits"),
    (
        e.MessageSent("msg-1", "task-1", "all", TWO_LINES),
        "msg-1 from task-1 to all: the first line",
    ),
    (e.MessagesRead("task-1", 1, ("msg-1",)), ""),
    (e.ApprovalRequested("c0ffee12345678", "user"), "approval of c0ffee1234 by user"),
    (e.ApprovalApplied("0123456789abcdef", "main", "b", ""), "approved: main is now 0123456789"),
    (
        e.ApprovalApplied("0123456789abcdef", "main", "b", "git undo"),
        "approved: main is now 0123456789 (undo: git undo)",
    ),
    (e.ApprovalRefused(TWO_LINES), "approval not possible: the first line"),
]


@pytest.mark.parametrize(("event", "told"), TOLD, ids=[type(event).__name__ for event, _ in TOLD])
def test_an_event_is_one_line_that_a_person_reads(event: e.AnyEvent, told: str) -> None:
    assert line(event) == told


def test_what_a_person_wanted_is_told_with_who_they_were() -> None:
    ada = Person("ada", 4711, "/dev/pts/3")
    assert (
        line(e.ApprovalRequested("c0ffee12345678", "user", who=ada))
        == "approval of c0ffee1234 by user (ada, pid 4711, /dev/pts/3)"
    )
    by_script = Person("ada", 4711)
    assert line(e.TaskPaused("task-1", "user", who=by_script)).endswith("(ada, pid 4711, no terminal)")
    assert line(e.WorkAccepted("task-1", 1, who=ada)) == ""


def test_a_leader_that_stops_says_why() -> None:
    assert line(e.LeaderStopping("received SIGINT")).startswith("stopping: received SIGINT; ")


def test_every_kind_of_event_has_a_line() -> None:
    assert set(lines._LINES) == set(get_args(e.AnyEvent))


def test_a_text_that_is_too_long_is_cut_and_says_so() -> None:
    shown = line(e.TaskSkipped("task-1", LONG, "user"))
    assert shown == f"task-1: {'x' * 159}…"
    assert line(e.TaskSkipped("task-1", LONG[:160], "user")) == f"task-1: {'x' * 160}"


def test_a_long_reason_ends_with_a_sentence_and_says_where_all_of_it_is() -> None:
    reason = f"It cannot be done as described. Nothing was changed, {'so ' * 60}that is it.\n\nPlease decide."
    told = line(e.AttemptEnded("task-1", 1, "refused", (reason,)))
    assert told.startswith(
        "task-1: attempt 1 refused: It cannot be done as described. Nothing was changed, so"
    )
    assert told.endswith("so so… (all of it: teamlead evidence 1)")
    sentences = f"{'It says one thing. ' * 6}And then, {'so ' * 60}.\n\nPlease decide."
    told = line(e.AttemptEnded("task-1", 1, "refused", (sentences,)))
    assert told.endswith("It says one thing. … (all of it: teamlead evidence 1)")


def test_what_is_sent_back_once_is_no_failure() -> None:
    told = line(e.AttemptEnded("task-1", 1, "returned", ("mend it",)))
    assert told == "task-1: attempt 1 returned to be mended, which is no failure: mend it"
