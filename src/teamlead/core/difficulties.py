"""What is in an agent's way, as it reports it, and whom that concerns.

Its category and what it asks for both name somebody. Where they differ, the user goes before the planner, and
the planner before those who advise. What it only wants to be known concerns nobody.
"""

from typing import NamedTuple

from teamlead.core import escalation
from teamlead.core import events as e
from teamlead.core.model import Question
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.routing import PRIORITY, TARGETS, Matter, Target, Targets
from teamlead.core.state import Attempt, Task

CATEGORIES: dict[str, e.EscalationKind] = {
    "technical": "technical",
    "ambiguity": "question",
    "scope": "scope",
    "dependency": "dependency",
}
ACTIONS: dict[str, Target | None] = {"clarification": "user", "replan": "planner", "escalate": None}


class Difficulty(NamedTuple):
    matter: Matter
    targets: Targets


def difficulty(task: Task, attempt: Attempt, feedback: object) -> Difficulty | None:
    """What somebody has to be asked because of a report."""
    if not isinstance(feedback, DifficultyFeedback) or feedback.requested_action not in ACTIONS:
        return None
    kind, targets = route(feedback)
    name = task.spec.id
    reason = f"{name} asks" if kind == "question" else f"{name} has a difficulty: {feedback.issue}"
    return Difficulty(Matter(kind, reason, _question(kind, feedback), name, attempt.number), targets)


def route(feedback: DifficultyFeedback) -> tuple[e.EscalationKind, Targets]:
    kind = CATEGORIES[feedback.category]
    targets = TARGETS[kind]
    wanted = ACTIONS[feedback.requested_action]
    first = min((wanted or targets[0], targets[0]), key=PRIORITY.index)
    if first == "user":
        return (kind if targets == ("user",) else "question"), ("user",)
    return kind, (first, *(target for target in targets if target != first))


def _question(kind: e.EscalationKind, feedback: DifficultyFeedback) -> Question:
    lines = [feedback.issue, *(f"Tried: {attempt}" for attempt in feedback.attempts)]
    if feedback.suggestion:
        lines.append(f"Suggested: {feedback.suggestion}")
    if kind == "scope":
        asked = f" ({', '.join(feedback.paths)})" if feedback.paths else ""
        lines.append(
            f"Allow it to change more{asked}, deny that and let it go on without, skip the task, or stop "
            "the session? `allow PATH...` names what it may change."
        )
    elif kind != "question":
        lines.append("Try again with your advice, skip the task, or stop the session?")
    return Question("\n".join(lines), escalation.OPTIONS[kind])
