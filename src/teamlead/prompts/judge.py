"""What the judge is told: the task, what code found, and what the worker says and did."""

from teamlead.core.forms import FORM_OF_PURPOSE
from teamlead.core.runs import Run
from teamlead.core.state import TeamState
from teamlead.prompts.fencing import fenced
from teamlead.prompts.logs import shortened
from teamlead.prompts.material import Material, answer_form
from teamlead.prompts.task_texts import (
    acceptance_text,
    attempt_of,
    evidence_text,
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
        "UNCHANGED": UNCHANGED if task.spec.needs_change and not attempt.work.commit else "",
        "EVIDENCE": evidence_text(state, task, attempt),
        "EARLIER": tried_text(task, besides=attempt.number),
        "REPORT": report_text(attempt),
        "CHANGE": fenced(shortened(given.change), "patch"),
        "LOG": fenced(shortened(given.log), "log"),
        "ANSWER": answer_form(FORM_OF_PURPOSE[consultation.purpose], consultation.problem),
    }
    return given.templates.of("judge").fill(values)
