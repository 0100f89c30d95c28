"""The prompt of every consultation of a session."""

from collections.abc import Callable

from teamlead.core.forms import FORM_OF_PURPOSE
from teamlead.core.quoting import quoted
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.runs import Purpose, Run
from teamlead.core.state.records import Attempt
from teamlead.core.state.team_state import TeamState
from teamlead.prompts.material import Material, answer_form, fenced, headed, shortened, time_of
from teamlead.prompts.planner import completion_prompt, quality_prompt, replan_prompt, review_prompt
from teamlead.prompts.task_texts import (
    acceptance_text,
    attempt_of,
    evidence_text,
    feedback_text,
    plan_title,
    report_text,
    task_text,
    tried_text,
)

UNCHANGED = """\
The attempt changed no file. So it can only be that what the task asks for was there before. Look whether it
is, and say `alreadySatisfied` if all of it is."""


def judge_prompt(state: TeamState, consultation: Run, given: Material) -> str:
    task = state.tasks[consultation.task]
    attempt = attempt_of(task, consultation)
    assert attempt is not None, "a judge is asked about an attempt"
    values = {
        "PLAN": plan_title(state),
        "TASK": task_text(task),
        "ACCEPTANCE": acceptance_text(task),
        "UNCHANGED": UNCHANGED if task.must_change and not attempt.work.commit else "",
        "EVIDENCE": evidence_text(state, task, attempt),
        "EARLIER": tried_text(task, besides=attempt.number),
        "REPORT": report_text(attempt),
        "CHANGE": fenced(shortened(given.change), "patch"),
        "LOG": fenced(shortened(given.log), "log"),
        "ANSWER": answer_form(FORM_OF_PURPOSE[consultation.purpose], consultation.problem),
    }
    return given.templates.of("judge").fill(values)


def analysis_prompt(state: TeamState, consultation: Run, given: Material) -> str:
    task = state.tasks[consultation.task]
    attempt = attempt_of(task, consultation)
    values = {
        "TASK": task_text(task),
        "ACCEPTANCE": acceptance_text(task),
        "DIFFICULTY": fenced(_difficulty(consultation, attempt), "difficulty"),
        "ABOUT": fenced(consultation.about, "reason"),
        "TRIED": tried_text(task),
        "CHANGE": fenced(shortened(given.change), "patch"),
        "LOG": fenced(shortened(given.log), "log"),
        "ANSWER": answer_form(FORM_OF_PURPOSE[consultation.purpose], consultation.problem),
    }
    return given.templates.of(consultation.role).fill(values)


def _difficulty(consultation: Run, attempt: Attempt | None) -> str:
    """As it was reported, unless the agent has reported something else since."""
    feedback = attempt.feedback if attempt else None
    if isinstance(feedback, DifficultyFeedback) and consultation.about.startswith(quoted(feedback.issue)):
        return feedback_text(feedback)
    return consultation.about


PROMPTS: dict[Purpose, Callable[[TeamState, Run, Material], str]] = {
    "judge": judge_prompt,
    "quality": quality_prompt,
    "replan": replan_prompt,
    "review": review_prompt,
    "complete": completion_prompt,
    "validate": analysis_prompt,
    "advise": analysis_prompt,
}


def consultation_prompt(state: TeamState, consultation: Run, given: Material) -> str:
    text = PROMPTS[consultation.purpose](state, consultation, given)
    return headed(consultation.name, consultation.purpose, time_of(state, consultation), text)
