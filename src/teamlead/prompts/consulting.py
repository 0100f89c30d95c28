"""The prompt of every consultation of a session."""

from collections.abc import Callable

from teamlead.core.attempts.proof import questions
from teamlead.core.forms import FORM_OF_PURPOSE
from teamlead.core.quoting import quoted
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.runs import Purpose, Run
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.forms.answers.named_faults import Asked, speaks_of_code
from teamlead.prompts.long_texts import plan_file
from teamlead.prompts.material import Material, answer_form, fenced, headed, numbered, shortened, time_of
from teamlead.prompts.planner import completion_prompt, quality_prompt, replan_prompt, review_prompt
from teamlead.prompts.task_texts import (
    acceptance_text,
    attempt_of,
    evidence_text,
    feedback_text,
    numbered_acceptance,
    plan_text,
    plan_title,
    report_text,
    task_text,
    tried_text,
    words_of,
)

UNCHANGED = """\
The attempt changed no file. So it can only be that what the task asks for was there before. Look whether it
is, and say `alreadySatisfied` if all of it is."""


QUESTIONS = """\
Code found what follows, and could not tell whether the plan asks for it.
Answer each number from 1 to {most} in `answers`."""
STATED = "Give `statements` an entry for what the report says of code."
REQUIRED = "Give `fulfilled` an entry for each number from 1 to {most}."


def judge_prompt(state: TeamState, consultation: Run, given: Material) -> str:
    task = state.tasks[consultation.task]
    attempt = attempt_of(task, consultation)
    assert attempt is not None, "a judge is asked about an attempt"
    required = REQUIRED.format(most=len(task.spec.required)) if attempt.work.commit else ""
    stated = STATED if attempt.work.commit and speaks_of_code(words_of(attempt)) else ""
    values = {
        "PLAN": plan_title(state),
        "PLAN_TEXT": plan_text(state, whole_in=plan_file(state)),
        "TASK": task_text(task),
        "ACCEPTANCE": _parted(numbered_acceptance(task), required),
        "UNCHANGED": UNCHANGED if task.must_change and not attempt.work.commit else "",
        "EVIDENCE": _parted(evidence_text(state, task, attempt), _questions(state, task, attempt)),
        "EARLIER": tried_text(task, besides=attempt.number),
        "REPORT": _parted(report_text(attempt), stated),
        "CHANGE": fenced(shortened(given.change), "patch"),
        "SINCE": fenced(shortened(given.since), "patch"),
        "LOG": fenced(shortened(given.log), "log"),
        "ANSWER": answer_form(FORM_OF_PURPOSE[consultation.purpose], consultation.problem),
    }
    return given.templates.of("judge").fill(values)


def examples_prompt(state: TeamState, consultation: Run, given: Material) -> str:
    """Nothing of the work, nor of who did it, is in it."""
    task = state.tasks[consultation.task]
    values = {
        "PLAN": plan_title(state),
        "PLAN_TEXT": plan_text(state, whole_in=plan_file(state)),
        "TASK": task_text(task),
        "ACCEPTANCE": numbered_acceptance(task),
        "ANSWER": answer_form(FORM_OF_PURPOSE[consultation.purpose], consultation.problem),
    }
    return given.templates.of("tester" if consultation.role == "tester" else "judge-examples").fill(values)


def _parted(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))


def _questions(state: TeamState, task: Task, attempt: Attempt) -> str:
    asked = [f"{item.question}\n{item.found}" for item in questions(state, task, attempt)]
    told = QUESTIONS.format(most=len(asked))
    return f"{told}\n\n{fenced(numbered(asked), 'questions')}" if asked else ""


def asked_of(state: TeamState, consultation: Run) -> Asked:
    """What a judge's answer has to hold, and in which words of the plan it may find what it quotes."""
    task = state.tasks[consultation.task]
    attempt = attempt_of(task, consultation)
    assert attempt is not None, "a judge is asked about an attempt"
    return Asked(
        required=len(task.spec.required),
        questions=len(questions(state, task, attempt)),
        changed=bool(attempt.work.commit),
        words=words_about(state, task),
        checks=(*task.spec.checks, *state.session.checks),
        report=words_of(attempt),
    )


def words_about(state: TeamState, task: Task) -> tuple[str, ...]:
    """All in which somebody may have asked for something: the plan, the task, what was decided since."""
    plan, spec = state.session.plan, task.spec
    said = (plan.text, plan.instruction, plan.common, spec.title, spec.description, spec.context)
    decided = (*(answer for _, answer in task.guidance), *(message.text for message in task.told))
    return (*said, *spec.acceptance, *decided)


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
    "tests": examples_prompt,
    "examples": examples_prompt,
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
