"""What a planner is told: everything, or what is new where its program still knows the rest."""

from functools import partial
from typing import Literal, NamedTuple

from teamlead.core.model import Plan
from teamlead.core.planning import Bounds
from teamlead.plans.writing import write
from teamlead.prompts.library import Templates
from teamlead.prompts.planner import again_prompt, interpret_prompt, plan_prompt, quality_prompt
from teamlead.settings.loading import Settings
from teamlead.system.repository import Repository
from teamlead.wiring.planner_sessions import Conversation, PlannerSession

MOST_NAMES = 100


class Terms(NamedTuple):
    """What holds for all rounds of a planning."""

    bounds: Bounds
    facts: tuple[str, ...]
    """What the planner need not look for."""
    templates: Templates


def terms_of(repository: Repository, commit: str, settings: Settings, templates: Templates) -> Terms:
    names = repository.git().text("ls-tree", "--name-only", commit).splitlines()
    checks = [f"Every task has to pass `{command}`." for command in settings.checks]
    bounds = Bounds(
        settings.max_tasks,
        settings.max_task_hours,
        settings.plan_attempts,
        settings.plan_quality,
        settings.plan_target,
    )
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    root = f"At the root: {', '.join(names[:MOST_NAMES])}{more}"
    return Terms(bounds, (root, *checks), templates)


def purpose_of(session: PlannerSession) -> Literal["plan", "interpret"]:
    return "interpret" if session.source_type == "plan-document" else "plan"


def whole(session: PlannerSession, number: int, terms: Terms) -> str:
    write_prompt, subject = (
        (interpret_prompt, session.document)
        if purpose_of(session) == "interpret"
        else (partial(plan_prompt, bounds=terms.bounds), session.instruction)
    )
    return write_prompt(
        subject,
        number=number,
        facts=terms.facts,
        said=session.conversation_history[1:],
        problems=_problems(session),
        templates=terms.templates,
    )


def news(session: PlannerSession, known: Conversation, number: int, terms: Terms) -> str:
    return again_prompt(
        purpose_of(session),
        number=number,
        said=session.conversation_history[known.heard :],
        problems=_problems(session),
        templates=terms.templates,
    )


def review(session: PlannerSession, plan: Plan, number: int, terms: Terms) -> str:
    wanted = session.instruction
    return quality_prompt(wanted, write(plan, wanted), number=number, templates=terms.templates)


def _problems(session: PlannerSession) -> tuple[str, ...]:
    return session.attempts[-1].problems if session.attempts else ()
