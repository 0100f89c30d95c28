"""What those are told who find out what is behind a difficulty: the validator, and the advisor after it."""

from teamlead.core.forms import FORM_OF_PURPOSE
from teamlead.core.quoting import quoted
from teamlead.core.records import Attempt
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.runs import Run
from teamlead.core.state import TeamState
from teamlead.prompts.fencing import fenced
from teamlead.prompts.logs import shortened
from teamlead.prompts.material import Material, answer_form
from teamlead.prompts.task_texts import acceptance_text, attempt_of, feedback_text, task_text, tried_text


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
