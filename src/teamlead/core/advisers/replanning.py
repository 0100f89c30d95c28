"""Other tasks in the place of those that failed, as a planner proposes them.

A proposal is a model's word, so code holds it to what the user had laid down: it may change what the tasks
before it might, its last tasks have to pass their checks, and it names neither agents nor new commands.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from teamlead.core import events as e
from teamlead.core.advisers.planning import excesses
from teamlead.core.answers import Proposal
from teamlead.core.asking import routing
from teamlead.core.asking.consulting import no_answer
from teamlead.core.causes import cause_of
from teamlead.core.model import Budget, TaskSpec
from teamlead.core.pipeline import reshape
from teamlead.core.policy.scope import within
from teamlead.core.runs import Run
from teamlead.core.state.budget import UNLIMITED, grants_nothing, left_of, scope_of_task, shared
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.work import graph
from teamlead.errors import Refused

Events = list[e.AnyEvent]

ANYWHERE = ("**",)
"""The scope of a task that names none."""


def wrong(state: TeamState, found: Run, answer: Proposal) -> str:
    """Why it cannot be carried out, for the planner to mend; empty if it can, or if a person is asked."""
    if not answer.tasks:
        return "" if answer.questions else "it proposes no task, and asks nothing"
    task = state.tasks[found.task]
    if unfunded(state, [task.spec]):
        return ""
    if problem := unfit(state, answer.tasks, task.spec.scope):
        return problem
    try:
        _replacement(state, found, task, answer)
    except Refused as refusal:
        return str(refusal)
    return ""


def replanned(state: TeamState, found: Run, answer: Proposal, now: float) -> Events:
    record = state.referred[found.escalation]
    if not answer.tasks:
        return routing.forward(state, found, f"the planner asks: {' '.join(answer.questions)}")
    if unfunded(state, [state.tasks[found.task].spec]):
        return routing.forward(
            state, found, "its budget has nothing left for the tasks that the planner proposes"
        )
    replaced = _replacement(state, found, state.tasks[found.task], answer)
    new = ", ".join(event.spec.id for event in replaced if isinstance(event, e.TaskAdded))
    return [e.EscalationResolved(record.id, f"{found.task} is replaced by {new}", found.role), *replaced]


def unfunded(state: TeamState, before: Sequence[TaskSpec]) -> bool:
    """What these may cost is spent: that more may be is no model's to say."""
    return grants_nothing(_share(state, before, 1))


def _share(state: TeamState, before: Sequence[TaskSpec], among: int) -> Budget:
    """Of what is left to those before. What one of them reserves for its run is counted as left."""
    purses = [(state.purses.get(scope_of_task(spec.id)), spec.id) for spec in before]
    return shared([left_of([purse], name) if purse else UNLIMITED for purse, name in purses], among)


def _replacement(state: TeamState, found: Run, task: Task, answer: Proposal) -> Events:
    specs = heirs(state, [task.spec], answer.tasks)
    reason = answer.reason or "the planner proposes other tasks"
    return reshape.replacement(state, [task], specs, reason, by=found.id, except_for=found.escalation)


def not_replanned(state: TeamState, found: Run, problem: str, now: float) -> Events:
    why = no_answer(found, problem)
    return routing.forward(state, found, why, trouble=cause_of(problem, found.role))


def unfit(state: TeamState, tasks: Sequence[TaskSpec], scope: Sequence[str]) -> str:
    """What forbids these tasks wherever they are put. Their ids are the answer's own."""
    own = {task.id for task in tasks}
    others: dict[str, tuple[str, ...]] = {name: () for name in state.tasks if name not in own}
    limits = state.session.limits
    problems = (*graph.problems(tasks, others), *excesses(tasks, limits), *_beyond(tasks, scope))
    return "; ".join(problems)


def _beyond(tasks: Sequence[TaskSpec], scope: Sequence[str]) -> Iterator[str]:
    for task in tasks:
        further = [path for path in task.scope if task.scope != ANYWHERE and not within(path, scope)]
        if further:
            yield (
                f"{task.id} would change {', '.join(further)}, and only {', '.join(scope)} is allowed: "
                "stay within that, or ask for more in `questions`"
            )


def heirs(state: TeamState, before: Sequence[TaskSpec], tasks: Sequence[TaskSpec]) -> list[TaskSpec]:
    """The proposed tasks as the session takes them, in the place of those `before`, if any."""
    names = dict(zip((task.id for task in tasks), graph.free_ids(state.tasks), strict=False))
    awaited = {name for task in tasks for name in task.depends_on}
    known = {check for name in state.own_checks for check in state.tasks[name].spec.checks}
    known.update(state.session.checks)
    like = msgspec.structs.replace(
        before[0] if before else TaskSpec("", ""),
        scope=scope_of(before) if before else plan_scope(state),
        protects=_all_of(spec.protects for spec in before),
        removes_tests=_all_of(spec.removes_tests for spec in before),
        budget=_share(state, before, len(tasks)),
        critical=any(spec.critical for spec in before) or not before,
    )
    taken = [_taken(task, like, names, known) for task in tasks]
    return [
        spec if task.id in awaited else _last(spec, before) for task, spec in zip(tasks, taken, strict=True)
    ]


def _all_of(given: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for some in given for each in some))


def scope_of(specs: Iterable[TaskSpec]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for spec in specs for path in spec.scope))


def plan_scope(state: TeamState) -> tuple[str, ...]:
    """What the tasks of the plan may change, all together."""
    return scope_of(task.spec for task in state.tasks.values())


def _taken(task: TaskSpec, like: TaskSpec, names: dict[str, str], known: set[str]) -> TaskSpec:
    # A command that a model thought of is not run by the lead: it is for the judge to read.
    words = tuple(f"`{check}` passes" for check in task.checks if check not in known)
    return msgspec.structs.replace(
        task,
        id=names[task.id],
        depends_on=tuple(names.get(name, name) for name in task.depends_on),
        scope=like.scope if task.scope == ANYWHERE else task.scope,
        acceptance=(*task.acceptance, *words),
        checks=tuple(check for check in task.checks if check in known),
        role=like.role,
        agent=like.agent,
        model=like.model,
        effort=like.effort,
        arguments=like.arguments,
        budget=like.budget,
        critical=like.critical,
        protects=like.protects,
        removes_tests=like.removes_tests,
        hidden_checks=(),
    )


def _last(task: TaskSpec, before: Sequence[TaskSpec]) -> TaskSpec:
    """What had to be shown of the old tasks is shown of the new: else a replan would be a way around it."""
    promised = tuple(words for spec in before for words in spec.acceptance)
    return msgspec.structs.replace(
        task,
        acceptance=task.acceptance or promised,
        checks=tuple(dict.fromkeys((*task.checks, *(check for spec in before for check in spec.checks)))),
        hidden_checks=_all_of(spec.hidden_checks for spec in before),
        outputs=tuple(dict.fromkeys((*task.outputs, *(path for spec in before for path in spec.outputs)))),
    )
