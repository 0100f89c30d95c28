"""What the planner is told: before there is a session, and about one."""

from collections.abc import Sequence
from typing import Literal

from teamlead.core.forms import FORM_OF_PURPOSE
from teamlead.core.model import Said
from teamlead.core.planning import Bounds
from teamlead.core.quoting import quoted
from teamlead.core.runs import Run
from teamlead.core.state import TeamState
from teamlead.prompts.fencing import fenced, shortened
from teamlead.prompts.library import Templates
from teamlead.prompts.material import Material, answer_form, bullets, headed
from teamlead.prompts.task_texts import (
    attempt_of,
    done_text,
    failed_text,
    left_out_text,
    report_text,
    rest_text,
    task_text,
    tried_text,
)

NAME = "planner"
OURS = Templates()


def plan_prompt(
    instruction: str,
    *,
    number: int,
    facts: Sequence[str] = (),
    bounds: Bounds,
    said: Sequence[Said] = (),
    problems: Sequence[str] = (),
    templates: Templates = OURS,
) -> str:
    values = {
        "INSTRUCTION": instruction,
        "FACTS": bullets(facts),
        "BOUNDS": f"At most {bounds.max_tasks} tasks, each of at most {bounds.max_task_hours:g} hours.",
        "CONVERSATION": _conversation(said),
        "PROBLEMS": bullets(map(quoted, problems)),
        "ANSWER": answer_form("plan"),
    }
    return headed(NAME, "plan", number, templates.of("planner-new").fill(values))


def interpret_prompt(
    document: str,
    *,
    number: int,
    facts: Sequence[str] = (),
    said: Sequence[Said] = (),
    problems: Sequence[str] = (),
    templates: Templates = OURS,
) -> str:
    values = {
        "DOCUMENT": fenced(document, "plan"),
        "FACTS": bullets(facts),
        "CONVERSATION": _conversation(said),
        "PROBLEMS": bullets(map(quoted, problems)),
        "ANSWER": answer_form("plan"),
    }
    return headed(NAME, "interpret", number, templates.of("planner-interpret").fill(values))


def again_prompt(
    asked: Literal["plan", "interpret"],
    *,
    number: int,
    said: Sequence[Said] = (),
    problems: Sequence[str] = (),
    templates: Templates = OURS,
) -> str:
    """For a planner that still knows what it was told before: what has happened since."""
    values = {
        "CONVERSATION": _conversation(said),
        "PROBLEMS": bullets(map(quoted, problems)),
        "ANSWER": answer_form("plan"),
    }
    return headed(NAME, asked, number, templates.of("planner-again").fill(values))


def quality_prompt(instruction: str, plan: str, *, number: int, templates: Templates = OURS) -> str:
    values = {
        "INSTRUCTION": instruction,
        "PLAN": fenced(plan, "plan"),
        "ANSWER": answer_form("plan-quality"),
    }
    return headed(NAME, "quality", number, templates.of("planner-quality").fill(values))


def replan_prompt(state: TeamState, consultation: Run, given: Material) -> str:
    task = state.tasks[consultation.task]
    attempt = attempt_of(task, consultation)
    values = {
        "INSTRUCTION": state.session.plan.wanted,
        "TASK": task_text(task),
        "TRIED": tried_text(task),
        "ABOUT": fenced(consultation.about, "reason"),
        "DONE": done_text(state),
        "REST": rest_text(state, besides=task.spec.id),
        "REPORT": report_text(attempt) if attempt else "",
        "CHANGE": fenced(shortened(given.change), "patch"),
        "LOG": fenced(shortened(given.log), "log"),
        "ANSWER": answer_form(FORM_OF_PURPOSE[consultation.purpose], consultation.problem),
    }
    return given.templates.of("planner-replan").fill(values)


def review_prompt(state: TeamState, consultation: Run, given: Material) -> str:
    values = {
        "INSTRUCTION": state.session.plan.wanted,
        "ABOUT": fenced(consultation.about, "reason"),
        "FAILED": failed_text(state),
        "DONE": done_text(state),
        "REST": rest_text(state, besides=""),
        "ANSWER": answer_form(FORM_OF_PURPOSE[consultation.purpose], consultation.problem),
    }
    return given.templates.of("planner-review").fill(values)


def completion_prompt(state: TeamState, consultation: Run, given: Material) -> str:
    whole = state.whole.checks if state.whole else ()
    values = {
        "INSTRUCTION": state.session.plan.wanted,
        "ADVICE": fenced(consultation.about, "answer"),
        "DONE": done_text(state, proof=True),
        "LEFT_OUT": left_out_text(state),
        "WHOLE": bullets(f"`{check.command}`: {check.verdict}" for check in whole),
        "CHANGE": fenced(shortened(given.change), "patch"),
        "ANSWER": answer_form(FORM_OF_PURPOSE[consultation.purpose], consultation.problem),
    }
    return given.templates.of("planner-complete").fill(values)


def _conversation(said: Sequence[Said]) -> str:
    return "\n\n".join(f"From {each.who}:\n{quoted(each.text)}" for each in said)
