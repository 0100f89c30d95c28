"""What can go wrong in a rehearsal, on request: each fault takes the place of one attempt of one task."""

from collections.abc import Sequence
from typing import NamedTuple

from teamlead.core.model import TaskSpec
from teamlead.errors import UsageError
from teamlead.rehearsal.fault_kinds import KINDS
from teamlead.rehearsal.made_up_work import outside
from teamlead.runners.script import PURPOSES, Part, Script, steps_for
from teamlead.runners.script_steps import Player, Step


class Fault(NamedTuple):
    kind: str
    task: str = ""
    attempt: int = 1
    """The one that it hits."""

    @property
    def role(self) -> str:
        """The role of the adviser that it strikes; "" for the worker."""
        return KINDS[self.kind].role


def parse(text: str) -> Fault:
    kind, _, task = text.partition(":")
    if kind not in KINDS:
        raise UsageError(f"unknown fault {kind!r}", remedy=f"there are: {', '.join(KINDS)}")
    return Fault(kind, f"task-{task}" if task.isdecimal() else task)


def place(faults: Sequence[Fault], tasks: Sequence[TaskSpec], *, all_judged: bool = False) -> list[Fault]:
    """Places each fault at a task: those without one at the first tasks that have none.

    `all_judged`: also those without acceptance in words.
    """
    judged = frozenset(task.id for task in tasks if all_judged or task.criteria)
    known = {task.id: task for task in tasks}
    for fault in faults:
        if fault.task and fault.task not in known:
            raise UsageError(f"fault {fault.kind!r}: there is no {fault.task!r} in the plan")
    named = {fault.task for fault in faults}
    free = [task for task in tasks if task.id not in named]
    placed: list[Fault] = []
    for fault in faults:
        task = known.get(fault.task) or _next(fault, free, judged) or tasks[0]
        if fault.role and task.id not in judged:
            raise UsageError(
                f"fault {fault.kind!r}: nobody judges {task.id}", remedy="give it an `Acceptance` in words"
            )
        attempt = 1 + sum((other.task, other.role) == (task.id, fault.role) for other in placed)
        placed.append(Fault(fault.kind, task.id, attempt))
    return placed


def _next(fault: Fault, free: list[TaskSpec], judged: frozenset[str]) -> TaskSpec | None:
    """Takes the first task that it can strike."""
    found = next((task for task in free if task.id in judged or not fault.role), None)
    if found:
        free.remove(found)
    return found


def staged(script: Script, faults: Sequence[Fault], tasks: Sequence[TaskSpec], player: Player) -> Script:
    """Returns the script, with runs that go wrong before its own."""
    known = {task.id: task for task in tasks}
    changed: Script = {}
    for task, role in dict.fromkeys((fault.task, fault.role) for fault in faults):
        kinds = [fault.kind for fault in faults if (fault.task, fault.role) == (task, role)]
        if role:
            changed[f"{task}-{role}"] = _consultations(script, kinds, task, role)
        else:
            changed[task] = _attempts(script, kinds, known[task], player)
    return script | changed


def _consultations(script: Script, kinds: Sequence[str], task: str, role: str) -> list[list[Step]]:
    part = Part(f"{task}-{role}", purpose=PURPOSES[role][0])
    own = script.get(part.task) or [steps_for(script, part)]
    return [*(list(KINDS[kind].steps) for kind in kinds), *own]


def _attempts(script: Script, kinds: Sequence[str], task: TaskSpec, player: Player) -> list[list[Step]]:
    own = script.get(task.id) or [steps_for(script, Part(task.id))]
    if "out-of-scope" in kinds:
        # Without -f, which Codex takes for dangerous; where nothing was written, nothing is lost.
        own = [[{"run": f"rm {outside(task)}"}, *steps] for steps in own]
    return [*(_steps(kind, task, player, own[0]) for kind in kinds), *own]


def _steps(kind: str, task: TaskSpec, player: Player, after: list[Step]) -> list[Step]:
    match kind, player:
        case "out-of-scope", _:
            return [{"write": outside(task), "text": "out of scope\n"}, {"done": "All done."}]
        case "question", _:
            # Where the answer comes while it waits, it goes on; otherwise in its next attempt.
            return [*KINDS[kind].steps, *after]
        case "break-stream", "agent":
            return [{"fail": "the connection broke off"}]
    return list(KINDS[kind].steps)
