"""Whom the lead turns to with what it cannot decide: each matter has its targets, in their order.

A target that the session has no model for, or that was turned to as often as it may be, is passed over. The
user comes last, always, and is told why nobody else could help. A record is open with its target until that
has helped; if it cannot, it is closed and the next one gets a record of its own.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from teamlead.core import events as e
from teamlead.core.asking import consulting, escalation, holds
from teamlead.core.causes import Cause
from teamlead.core.model import Concern, Question
from teamlead.core.runs import Purpose, Run
from teamlead.core.state.records import NOBODY, Escalation, Task
from teamlead.core.state.team_state import TeamState

Events = list[e.AnyEvent]
Target = e.EscalationTarget
Targets = tuple[Target, ...]

PRIORITY: Targets = get_args(Target)
"""Who is turned to, where several apply."""

TARGETS: dict[e.EscalationKind, Targets] = {
    "failed": ("planner", "user"),
    "scope": ("user",),
    "question": ("user",),
    "technical": ("logicValidator", "externalAdvisor", "user"),
    "dependency": ("planner", "user"),
    "contradiction": ("user",),
    "impossible": ("planner", "user"),
    "already-done": ("user",),
    "plan": ("planner", "user"),
    "completion": ("planner", "user"),
}

ROLES: dict[Target, Literal["planner", "validator", "advisor"]] = {
    "planner": "planner",
    "logicValidator": "validator",
    "externalAdvisor": "advisor",
}

BLOCKS: dict[e.EscalationKind, e.BlockReason] = {"failed": "FAILED", "conflict": "CONFLICT"}


class Matter(NamedTuple):
    kind: e.EscalationKind
    reason: str
    """In one line."""
    about: str
    """All that is known of it, for models: what others said is quoted."""
    question: Question
    """As a person would be asked."""
    task: Concern = NOBODY
    """Whose matter it is; nobody's: the plan's."""
    cause: str = ""
    """By which an equal question is recognised; empty: none is."""

    @property
    def tasks(self) -> tuple[Concern, ...]:
        return (self.task,) if self.task.task else ()


def matter_of(kind: e.EscalationKind, reason: str, about: str, choice: str, task: Concern = NOBODY) -> Matter:
    question = Question(f"{about}\n{choice}" if choice else about, escalation.OPTIONS[kind])
    return Matter(kind, reason, about, question, task)


def choose(state: TeamState, targets: Sequence[Target]) -> Target:
    return next(target for target in targets if target == "user" or not _missing(state, target))


def _missing(state: TeamState, target: Target) -> str:
    """Why this target cannot be turned to; empty if it can."""
    role = ROLES[target]
    if role not in state.session.consultants:
        return f"there is no {role}"
    limits = state.session.limits
    limit = {"planner": limits.replans, "validator": limits.validations, "advisor": limits.advices}[role]
    if state.referrals.get(target, 0) >= limit:
        return f"the {role} was turned to {limit} times in this session, which is the limit"
    return ""


def refer(
    state: TeamState, matter: Matter, targets: Sequence[Target], *, cause: str = "", before: int = 0
) -> Events:
    """Turns to the first of the targets that there is. `cause`: why those before them could not help."""
    target = choose(state, targets)
    passed = targets[: targets.index(target)]
    if target == "user":
        return [*_warn(state, matter, passed), *_ask(state, matter, _causes(state, cause, passed), before)]
    number = len(state.escalations) + before + 1
    kind, reason, about, question, task, cause = matter
    record = e.EscalationRaised(
        id=f"esc-{number}",
        target=target,
        kind=kind,
        reason=reason,
        tasks=matter.tasks,
        question=question,
        cause=cause,
    )
    purpose = _purpose(target, kind)
    wanted = consulting.want(
        state, purpose, task.task, attempt=task.attempt, escalation=record.id, about=about
    )
    return [*_warn(state, matter, passed), record, wanted]


def _purpose(target: Target, kind: e.EscalationKind) -> Purpose:
    if target == "planner":
        return "review" if kind == "plan" else "replan"
    return "validate" if target == "logicValidator" else "advise"


def _causes(state: TeamState, cause: str, passed: Sequence[Target]) -> str:
    """A planner that there is not is missed by nobody, nor any model where there is none at all."""
    known = state.session.consultants
    missed = [target for target in passed if known and (target != "planner" or "planner" in known)]
    return "; ".join(filter(None, (cause, *(_missing(state, target) for target in missed))))


def _ask(state: TeamState, matter: Matter, causes: str, before: int) -> Events:
    reason, question = matter.reason, matter.question
    if causes:
        reason = f"{causes}; {reason}"
        question = Question(f"{causes}\n{question.text}", question.options)
    return escalation.ask(
        state, matter.kind, reason, question, *matter.tasks, cause=matter.cause, before=before
    )


def _warn(state: TeamState, matter: Matter, passed: Sequence[Target]) -> Events:
    """That nobody was named whom the lead could have asked for advice, once."""
    warning = "no external advisor is configured: technical difficulties go to the user"
    absent = "externalAdvisor" in passed and "advisor" not in state.session.consultants
    if not absent or not state.session.consultants or warning in state.warnings:
        return []
    return [e.WarningNoted(warning, matter.task.task)]


def forward(
    state: TeamState,
    found: Run,
    cause: str,
    matter: Matter | None = None,
    targets: Targets = (),
    *,
    trouble: Cause | None = None,
) -> Events:
    """The one who was turned to cannot help: the next one is.

    `matter`: as it is seen by now. `trouble`: what other tasks may have met with the same one.
    """
    record = state.referred[found.escalation]
    assert record.question is not None
    matter = matter or Matter(
        kind=record.kind,
        reason=record.reason,
        about=found.about,
        question=record.question,
        task=record.asker,
        cause=record.cause,
    )
    targets = targets or _after(record.target, TARGETS[matter.kind])
    name = record.asker.task
    # What an agent reports stays its own, whoever could not help.
    trouble = trouble if matter.kind == "failed" else None
    if trouble is not None:
        matter = matter._replace(cause=trouble.name)
    met = holds.others(state, name, trouble)
    task = state.tasks.get(name)
    waits = task is not None and task.blocked in {"PLANNER", "ADVICE"}
    after = waits_for(matter.kind, choose(state, targets))
    return [
        e.EscalationWithdrawn(record.id, cause),
        *refer(state, matter, targets, cause=cause),
        *([e.TaskBlocked(name, after, task.detail, trouble)] if task is not None and waits else ()),
        *holds.hold_thing(state, trouble, [*met, name]),
    ]


def _after(target: Target, targets: Targets) -> Targets:
    return targets[targets.index(target) + 1 :] if target in targets else targets


def waits_for(kind: e.EscalationKind, target: Target) -> e.BlockReason:
    """What a task is blocked by while this is open."""
    if target == "user":
        return BLOCKS.get(kind, "QUESTION")
    return "PLANNER" if target == "planner" else "ADVICE"


def go_on(state: TeamState, record: Escalation, name: str) -> Events:
    """A task that waited for this goes on, or waits for what else was asked about its last attempt."""
    task = state.tasks[name]
    if task.blocked not in {"QUESTION", "ADVICE"}:
        return []
    others = [other for other in unsettled(state, task) if other.id != record.id]
    if not others:
        return [e.TaskUnblocked(name, "")]
    reason = block_of(others)
    return [] if reason == task.blocked else [e.TaskBlocked(name, reason, task.detail)]


def unsettled(state: TeamState, task: Task) -> list[Escalation]:
    """What was asked about its last attempt, of anybody, and is not answered."""
    asked = task.attempts[-1].questions if task.attempts else ()
    records = (state.escalations[name] for name in asked)
    return [record for record in records if record.state in {"open", "held"} and task.spec.id in record.tasks]


def block_of(records: Sequence[Escalation]) -> e.BlockReason:
    return first_of([waits_for(record.kind, record.target) for record in records])


def first_of(reasons: Sequence[e.BlockReason]) -> e.BlockReason:
    """A person first, since they look at what waits for them. A replan last, since it ends the rest."""
    return min(reasons, key=("QUESTION", "ADVICE", "PLANNER").index)


def drop_referrals(state: TeamState, task: str, reason: str) -> Events:
    return [
        e.EscalationWithdrawn(record.id, reason) for record in state.referred.values() if task in record.tasks
    ]
