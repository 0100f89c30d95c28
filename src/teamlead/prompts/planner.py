"""What the planner is told: to make a plan, and about the one that is carried out."""

from collections.abc import Sequence

from teamlead.core.advisers.drafts import conversation, interprets
from teamlead.core.forms import FORM_OF_PURPOSE
from teamlead.core.model import Said
from teamlead.core.pipeline import whole_plan
from teamlead.core.quoting import quoted
from teamlead.core.runs import Run
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.members import conversation_of
from teamlead.prompts.library import Templates
from teamlead.prompts.material import Drafting, Material, answer_form, bullets, fenced, headed, shortened
from teamlead.prompts.task_texts import (
    NOT_ACCEPTED,
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


def planning_prompt(state: TeamState, run: Run, templates: Templates = OURS) -> str:
    """For whoever is to make the plan: everything, or what is new where its program still knows the rest."""
    task = state.tasks[run.task]
    asked: Drafting = "interpret" if interprets(state) else "plan"
    values = {"PROBLEMS": bullets(map(quoted, _problems(task))), "ANSWER": answer_form("plan")}
    if conversation_of(task.member, run.agent):
        known = max(attempt.number for attempt in task.attempts if attempt.run.conversation)
        values["CONVERSATION"] = _conversation(conversation(state, after=known))
        return headed(NAME, asked, run.number, templates.of("planner-again").fill(values))
    values["CONVERSATION"] = _conversation(conversation(state)[1:])
    values["FACTS"] = bullets(task.spec.context.splitlines())
    plan, limits = state.session.plan, state.session.limits
    if asked == "interpret":
        values["DOCUMENT"] = fenced(plan.text, "plan")
        return headed(NAME, asked, run.number, templates.of("planner-interpret").fill(values))
    values["INSTRUCTION"] = plan.instruction
    values["BOUNDS"] = (
        f"At most {limits.planned_tasks} tasks, each of at most {limits.planned_hours:g} hours."
    )
    return headed(NAME, asked, run.number, templates.of("planner-new").fill(values))


def _problems(task: Task) -> tuple[str, ...]:
    """What was wrong with its last proposal, unless the user has said something since."""
    *earlier, live = task.attempts
    told = (attempt for attempt in reversed(earlier) if attempt.guided == live.guided)
    return next((attempt.reasons for attempt in told if attempt.outcome in NOT_ACCEPTED), ())


def quality_prompt(state: TeamState, consultation: Run, given: Material) -> str:
    values = {
        "INSTRUCTION": state.session.plan.instruction,
        "PLAN": fenced(given.plan, "plan"),
        "ANSWER": answer_form(FORM_OF_PURPOSE[consultation.purpose], consultation.problem),
    }
    return given.templates.of("planner-quality").fill(values)


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
        "WHOLE": bullets(f"{whole_plan.named(state, check.command)}: {check.verdict}" for check in whole),
        "CHANGE": fenced(shortened(given.change), "patch"),
        "ANSWER": answer_form(FORM_OF_PURPOSE[consultation.purpose], consultation.problem),
    }
    return given.templates.of("planner-complete").fill(values)


def _conversation(said: Sequence[Said]) -> str:
    return "\n\n".join(f"From {each.who}:\n{quoted(each.text)}" for each in said)
