"""What is in an agent's way, as it reports it, and whom that concerns.

Its category and what it asks for both name somebody. Where they differ, the user goes before the planner, and
the planner before those who advise. Where it asks for nothing, its category decides. What it only wants to be
known (`continue`) concerns nobody, and so does what has neither.
"""

from typing import NamedTuple

from teamlead.core import events as e
from teamlead.core.asking.routing import PRIORITY, TARGETS, Matter, Target, Targets, matter_of
from teamlead.core.model import Concern
from teamlead.core.quoting import quoted
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.state.records import Attempt, Task

CATEGORIES: dict[str, e.EscalationKind] = {
    "technical": "technical",
    "ambiguity": "question",
    "scope": "scope",
    "dependency": "dependency",
    "impossible": "impossible",
}
ACTIONS: dict[str, Target] = {"clarification": "user", "replan": "planner"}

ADVISE = "Try again with your advice, skip the task, or stop the session?"
CHOICES: dict[e.EscalationKind, str] = {
    "technical": ADVISE,
    "dependency": ADVISE,
    "contradiction": "Say which requirement goes first, skip the task, or stop the session?",
    "impossible": "Say how it is to be done instead, skip the task, or stop the session?",
    "scope": (
        "Allow it to change more, deny that and let it go on without, skip the task, or stop the session? "
        "`allow PATH...` names what it may change."
    ),
}
"""What a person has to decide; nothing where an agent asks in words of its own."""


class Difficulty(NamedTuple):
    matter: Matter
    targets: Targets


def difficulty(task: Task, attempt: Attempt, feedback: object) -> Difficulty | None:
    """What somebody has to be asked because of a report."""
    if not isinstance(feedback, DifficultyFeedback) or feedback.requested_action == "continue":
        return None
    if feedback.category is None and feedback.requested_action is None:
        return None
    kind, targets = route(feedback)
    name = task.spec.id
    reason = f"{name} {_says(kind, feedback)}"
    told = _told(feedback)
    matter = matter_of(kind, reason, told, CHOICES.get(kind, ""), Concern(name, attempt.number))
    # Who wants to change the same wants the same, in whatever words.
    cause = ", ".join(sorted(set(feedback.paths))) if kind == "scope" else ""
    return Difficulty(matter._replace(about=quoted(told), cause=cause), targets)


def route(feedback: DifficultyFeedback) -> tuple[e.EscalationKind, Targets]:
    kind = CATEGORIES[feedback.category or "technical"]
    targets = TARGETS[kind]
    wanted = ACTIONS.get(feedback.requested_action or "", targets[0])
    first = min((wanted, targets[0]), key=PRIORITY.index)
    if first == "user":
        return (kind if targets == ("user",) or kind == "impossible" else "question"), ("user",)
    return kind, (first, *(target for target in targets if target != first))


def _says(kind: e.EscalationKind, feedback: DifficultyFeedback) -> str:
    if kind == "question":
        return "asks"
    if kind == "impossible":
        return f"cannot be done honestly as it is asked, its agent says: {feedback.issue}"
    return f"has a difficulty: {feedback.issue}"


def _told(feedback: DifficultyFeedback) -> str:
    lines = [feedback.issue, *(f"Tried: {attempt}" for attempt in feedback.attempts)]
    if feedback.suggestion:
        lines.append(f"Suggested: {feedback.suggestion}")
    if feedback.paths:
        lines.append(f"Would have to change: {', '.join(feedback.paths)}")
    return "\n".join(lines)
