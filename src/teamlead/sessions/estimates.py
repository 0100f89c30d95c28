"""What a plan will cost, as far as earlier sessions of this repository tell."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from teamlead.core.model import Plan, SessionSpec
from teamlead.errors import TeamleadError
from teamlead.plans.preview import Cost
from teamlead.sessions.finding import all_sessions
from teamlead.sessions.staffing import staffed_with, with_models
from teamlead.sessions.view_reader import ViewReader
from teamlead.settings.loading import load
from teamlead.settings.roles import roles
from teamlead.system.repository import Repository, discover
from teamlead.system.sessions import SessionFolder
from teamlead.views.documents.sessions import TaskPart

SESSIONS = 20
"""The latest ones: prices and plans change."""
TASKS = 500
"""Of one session."""


def foresee(folder: Path, plan: Plan) -> Cost:
    """For a plan that nobody has started: with the agents that the configuration names, if it does."""
    try:
        repository = discover(folder)
        settings = load(repository.root)
    except TeamleadError:
        return Cost(None, 0, len(plan.tasks), 0)
    draft = SessionSpec("", plan, "", "", settings.agent, model=settings.model, roles=roles(settings))
    return estimate(repository, with_models(draft, settings))


class Who(NamedTuple):
    agent: str
    model: str


def estimate(repository: Repository, session: SessionSpec) -> Cost:
    """By the mean of what the done tasks of the same agent and model have cost, with all their attempts."""
    wanted: Counter[Who] = Counter()
    for task in session.plan.tasks:
        if task.function:
            continue
        staff = staffed_with(session, task)
        wanted[Who(staff.agent, staff.model)] += 1
    seen: dict[Who, list[float]] = {}
    for who, usd in _earlier(repository):
        if who in wanted:
            seen.setdefault(who, []).append(usd)
    usd = sum(wanted[who] * sum(costs) / len(costs) for who, costs in seen.items())
    known = sum(wanted[who] for who in seen)
    samples = sum(map(len, seen.values()))
    return Cost(usd if seen else None, known, wanted.total() - known, samples)


def _earlier(repository: Repository) -> Iterator[tuple[Who, float]]:
    others = [folder for folder in all_sessions(repository) if not folder.plans]
    for folder in others[:SESSIONS]:
        for task in _done_tasks(folder):
            # A run that told no cost makes the sum too small to learn from.
            if task["spent"]["cost_usd"] is not None and not task["spent"]["unpriced"]:
                yield Who(task["agent"], task["model"]), task["spent"]["cost_usd"]


def _done_tasks(folder: SessionFolder) -> list[TaskPart]:
    # One that cannot be read tells nothing, and stops nobody.
    with suppress(TeamleadError), ViewReader(folder.journal) as reader:
        return reader.tasks(states=("DONE",), limit=TASKS)
    return []
