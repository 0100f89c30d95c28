"""What consulted models said, in words."""

from typing import get_args

from teamlead.core.advisers.planning import score
from teamlead.core.answers import Analysis, Answer, Completion, Draft, Examples, Judgement, Proposal, Quality
from teamlead.core.events import RunEnded
from teamlead.core.runs import Consultant, Purpose, Run
from teamlead.views.documents.sessions import ConsultationPart
from teamlead.views.moments import counted, iso
from teamlead.views.spending import usage_view

ASKED: dict[Purpose, str] = {
    "tests": "a tester who sees only the task writes tests for it",
    "examples": "its judge thinks of inputs that its work has to get right",
    "judge": "its work is being judged",
    "quality": "its plan is being reviewed",
    "replan": "the planner is asked how else it can be done",
    "review": "the planner is asked about the plan, as task after task fails",
    "complete": "the planner is asked whether the merged work is all that was wanted",
    "validate": "the validator is asked about its difficulty",
    "advise": "the advisor is asked about its difficulty",
}


def advises(run: str) -> bool:
    """By its id: `task-1-2` works on an attempt, `task-1-judge-2` and `planner-1` are asked something."""
    return run.rpartition("-")[0].rpartition("-")[2] in get_args(Consultant)


def who(run: str) -> str:
    """Of an id: `task-1-judge-2` is "task-1: the judge"."""
    name = run.rpartition("-")[0]
    task, _, role = name.rpartition("-")
    return f"{task}: the {role}" if task else f"the {role}"


def told_end(event: RunEnded) -> str:
    if event.answer is not None:
        return told(event.answer)
    if event.end.status == "ok":
        return f"gives no answer that can be read: {event.problem}"
    return f"gives no answer ({event.end.status}){f': {event.end.detail}' if event.end.detail else ''}"


def told(answer: Answer) -> str:
    """After the name of who said it."""
    match answer:
        case Judgement():
            return f"{_verdict(answer)}: {_because(answer)}"
        case Examples():
            return f"thinks of {counted(len(answer.examples), 'input')}"
        case Proposal(tasks=()):
            return f"proposes nothing: {'; '.join(answer.questions) or answer.reason}"
        case Completion(fulfilled=True):
            return f"finds all that was wanted: {answer.reason}"
        case Completion():
            return f"misses something: {'; '.join(answer.missing) or answer.reason}"
        case Proposal() | Draft(questions=()):
            titles = "; ".join(task.title for task in answer.tasks)
            return f"proposes {counted(len(answer.tasks), 'task')}: {titles}"
        case Draft():
            return f"asks: {'; '.join(answer.questions)}"
        case Quality():
            return f"gives the plan {score(answer)} of 100"
        case Analysis():
            return f"recommends ({answer.confidence} confidence): {answer.recommendation}"


def _verdict(answer: Judgement) -> str:
    if answer.success:
        return "objects" if answer.objects else "is satisfied"
    if answer.contradictions:
        return f"finds a contradiction ({'; '.join(answer.contradictions)})"
    if answer.already_satisfied:
        return "finds that it was there before"
    if answer.should_replan:
        return "wants another plan"
    return "is not satisfied"


def _because(answer: Judgement) -> str:
    if not (answer.success and answer.objects):
        return answer.reason
    unplanned = [f"nothing in the plan asks for what question {n} is about" for n in answer.unplanned]
    unfounded = [f"the report says what no line bears out: {says}" for says in answer.unfounded]
    return "; ".join([*unplanned, *(remark.told for remark in answer.objections), *unfounded])


def consultation_view(found: Run) -> ConsultationPart:
    """One that is under way, or that has ended."""
    return ConsultationPart(
        id=found.id,
        role=found.role,
        purpose=found.purpose,
        task=found.task,
        attempt=found.attempt or None,
        question=found.escalation,
        agent=found.agent,
        model=found.model,
        wanted_at=iso(found.wanted_at),
        started_at=iso(found.started_at),
        ended_at=iso(found.ended_at),
        end=found.status,
        answer=told(found.answer) if found.answer is not None else "",
        problem=found.problem,
        tries=found.tries,
        usage=usage_view(found.usage),
    )
