"""A plan whose tasks fail one after the other, in the order in which they end: it is looked at as a whole.

The planner says what it would do instead, and the user decides. Nothing new starts meanwhile.
"""

from teamlead.core import events as e
from teamlead.core.advisers import replanning
from teamlead.core.answers import Proposal
from teamlead.core.asking import escalation, routing
from teamlead.core.asking.consulting import no_answer
from teamlead.core.asking.escalation import REPLAN, RETRY, STOP
from teamlead.core.model import Question, TaskSpec
from teamlead.core.people.replies import one_of
from teamlead.core.pipeline import reshape
from teamlead.core.runs import Run
from teamlead.core.state.records import Escalation, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SETTLED

Events = list[e.AnyEvent]

IN_A_ROW = 3


def awaits_review(state: TeamState, name: str) -> bool:
    """With this failure the planner looks at the whole plan, and the task waits for what comes of that."""
    row = {*state.failing, name}
    return len(row) >= IN_A_ROW and routing.choose(state, routing.TARGETS["plan"]) == "planner"


def review(state: TeamState) -> Events:
    if len(state.failing) < IN_A_ROW or any(record.kind == "plan" for record in state.halts.values()):
        return []
    reason = f"{len(state.failing)} tasks in a row failed for good: {', '.join(state.failing)}"
    choice = "Go on with the plan as it is, or stop the session?"
    matter = routing.matter_of("plan", reason, reason, choice)
    return routing.refer(state, matter, routing.TARGETS["plan"])


def wrong(state: TeamState, found: Run, answer: Proposal) -> str:
    if not answer.tasks:
        return "" if answer.reason or answer.questions else "it proposes no task, and gives no reason"
    return replanning.unfit(state, answer.tasks, replanning.ANYWHERE)


def reviewed(state: TeamState, found: Run, answer: Proposal, now: float) -> Events:
    record = state.referred[found.escalation]
    said = [text for text in (answer.reason, *answer.questions) if text]
    lines = [record.reason, *(f"The planner says: {text}" for text in said)]
    options: tuple[str, ...] = (RETRY, STOP)
    choice = "Go on"
    if answer.tasks:
        lines += ["In their place it proposes:", *(_line(task) for task in answer.tasks)]
        if replanning.unfunded(state, [state.tasks[name].spec for name in state.reviewed]):
            lines.append("Their budget has nothing left for that.")
        else:
            options = (REPLAN, *options)
            choice = "Replan as it proposes, go on"
    lines.append(f"{choice} with the plan as it is, or stop the session?")
    told = answer.reason or f"it proposes {len(answer.tasks)} tasks"
    return [
        e.EscalationResolved(record.id, told, found.role),
        *escalation.ask(state, "plan", record.reason, Question("\n".join(lines), options)),
    ]


def _line(task: TaskSpec) -> str:
    return f"- {task.id}: {task.title} ({', '.join(task.scope)})"


def unreviewed(state: TeamState, found: Run, problem: str, now: float) -> Events:
    return routing.forward(state, found, no_answer(found, problem))


def answer(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    word = text.strip().lower()
    resolved = e.EscalationResolved(record.id, text.strip(), by)
    if word == STOP:
        stopped = f"stopped by {by} at {record.id}"
        return [resolved, *escalation.fail_session(state, stopped, except_for=record.id)]
    if word == REPLAN:
        one_of(record, word, *(record.question.options if record.question else ()))
        return [resolved, *_carry_out(state, record)]
    advice = "" if word == RETRY else text.strip()
    return [resolved, *(e.TaskUnblocked(task.spec.id, advice) for task in _waiting(state))]


def _carry_out(state: TeamState, record: Escalation) -> Events:
    """What failed after the planner was asked is not what it proposes something for: it is tried again."""
    assert state.proposed is not None
    tasks = [state.tasks[name] for name in state.reviewed]
    specs = replanning.heirs(state, [task.spec for task in tasks], state.proposed.tasks)
    failed = [task for task in tasks if task.state not in SETTLED]
    reason = state.proposed.reason or record.reason
    return [
        *reshape.replacement(state, failed, specs, reason, by=f"replan at {record.id}"),
        *(e.TaskUnblocked(task.spec.id, "") for task in _waiting(state) if task not in tasks),
    ]


def _waiting(state: TeamState) -> list[Task]:
    """Those that were left to this decision. Others have a record of their own."""
    asked = {name for record in state.referred.values() for name in record.tasks}
    tasks = (state.tasks[name] for name in state.failing if name not in asked)
    return [task for task in tasks if task.blocked == "PLANNER"]
