"""What keeps a stage whose tasks are settled from being closed: what is missing, and what it found.

Critical findings go back to the stages that its policy names, so often as it says. After that, and for what
is missing, a person is asked.
"""

from collections.abc import Iterator, Sequence

from teamlead.core import events as e
from teamlead.core.asking import escalation
from teamlead.core.asking.escalation import GO_ON, RETRY
from teamlead.core.model import Question
from teamlead.core.pipeline import guard
from teamlead.core.pipeline.reopening import Reopened, reopen
from teamlead.core.quoting import quoted
from teamlead.core.reports import ReviewFindings
from teamlead.core.state.records import Escalation, Task
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState
from teamlead.errors import Refused

Events = list[e.AnyEvent]

LONGEST = 200
"""Characters of what one member handed in that its line has."""


def close(state: TeamState, stage: Stage) -> Events:
    """It is closed, unless something is to be done before; nothing while a person is asked about that."""
    if ("stage", stage.spec.name) in state.asked:
        return []
    if missing := guard.misses(state, stage):
        told = "".join(f"\n- {text}" for text in missing)
        return _ask(state, stage, f"stage {stage.spec.name!r} cannot close:{told}", "Have it done again")
    if (found := standing(state, stage)) and stage.spec.reopens is not None:
        if stage.sent_back < stage.spec.reopens.times and _to_mend(state, stage):
            return _send_back(state, stage, found)
        told = "".join(f"\n- {text}" for text in found)
        reason = f"stage {stage.spec.name!r} finds critical faults, {_tried(stage)}:{told}"
        return _ask(state, stage, reason, "Have it mended once more")
    return [e.StageClosed(stage.spec.name, tuple(_found(state, stage)))]


def _found(state: TeamState, stage: Stage) -> Iterator[str]:
    if not stage.spec.findings:
        return
    for task in (state.tasks[name] for name in stage.tasks):
        if guard.delivers(task) and task.accepted is not None:
            result = task.accepted.result
            said = result.summary if result else task.accepted.run.summary
            yield f"{task.spec.member or task.spec.id}: {_in_a_line(said)}"


def _in_a_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} …"


def moot(state: TeamState) -> Events:
    """What is asked about a stage that is at work again, or waits for one before it."""
    return [
        e.EscalationWithdrawn(name, f"there is work again in or before stage {stage!r}")
        for (kind, stage), name in state.asked.items()
        if kind == "stage" and (state.stage is not state.stages[stage] or state.stages[stage].unsettled)
    ]


def standing(state: TeamState, stage: Stage) -> list[str]:
    """Critical findings of a stage with which nobody has said to go on."""
    found = (text for name in stage.tasks for text in _critical(state.tasks[name]))
    return [text for text in dict.fromkeys(found) if text not in stage.taken]


def _critical(task: Task) -> Iterator[str]:
    result = task.accepted.result if task.state == "DONE" and task.accepted else None
    if result is None:
        return
    if isinstance(result.details, ReviewFindings):
        for finding in result.details.findings:
            if finding.severity == "critical":
                told = (f"{finding.place}: {finding.text}", finding.evidence, finding.suggestion)
                yield "\n".join(filter(None, told))
    yield from (issue.text for issue in result.issues if issue.severity == "critical")


def _tried(stage: Stage) -> str:
    if not stage.sent_back:
        return "and nobody there can mend them"
    return f"although it sent work back {'once' if stage.sent_back == 1 else f'{stage.sent_back} times'}"


def _to_mend(state: TeamState, stage: Stage) -> list[Task]:
    """In the stages that the policy names: who changed something, or where nobody did, who worked there."""
    assert stage.spec.reopens is not None
    names = (name for other in stage.spec.reopens.stages for name in state.stages[other].tasks)
    done = [task for task in map(state.tasks.__getitem__, names) if task.state == "DONE"]
    return [task for task in done if task.spec.merges] or done


def _send_back(state: TeamState, stage: Stage, found: Sequence[str], advice: str = "") -> Events:
    told = "\n\n".join(map(quoted, found))
    reason = f"{stage.spec.name} found what must not stay:\n{told}"
    if advice:
        reason = f"{advice}\n\n{reason}"
    again = [Reopened(task.spec.id, reason, own=bool(advice)) for task in _to_mend(state, stage)]
    return [e.StageSentBack(stage.spec.name, tuple(found)), *reopen(state, again)]


def _ask(state: TeamState, stage: Stage, reason: str, again: str) -> Events:
    text = f"{reason}\n{again} (`{RETRY}`, or say how), go on as it is (`{GO_ON}`), or stop the session?"
    question = Question(text, escalation.OPTIONS["stage"])
    return escalation.ask(state, "stage", reason, question, cause=stage.spec.name)


def answer(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    stage = state.stages[record.cause]
    missing = guard.misses(state, stage)
    against = missing or standing(state, stage)
    resolved = e.EscalationResolved(record.id, text.strip(), by)
    word = text.strip().lower()
    if word == escalation.STOP:
        stopped = f"stopped by {by} at {record.id}"
        return [resolved, *escalation.fail_session(state, stopped, except_for=record.id)]
    if word == GO_ON:
        return [resolved, e.StageTaken(stage.spec.name, tuple(against), by)]
    advice = "" if word == RETRY else text.strip()
    if missing:
        return [resolved, *_do_again(state, stage, advice)]
    if not _to_mend(state, stage):
        named = ", ".join(stage.spec.reopens.stages) if stage.spec.reopens else ""
        raise Refused(f"nothing of {named} was done that could be mended: answer {GO_ON!r} or 'stop'")
    return [resolved, *_send_back(state, stage, against, advice)]


def _do_again(state: TeamState, stage: Stage, advice: str) -> Events:
    """What was left out; where all was left out with a person's word, all of it."""
    tasks = [state.tasks[name] for name in stage.tasks]
    again = [task for task in tasks if guard.left_out(task)] or [t for t in tasks if t.state == "SKIPPED"]
    if not again:
        raise Refused(f"nothing of {stage.spec.name!r} can be done again: answer {GO_ON!r} or 'stop'")
    reason = advice or f"stage {stage.spec.name} cannot close without it"
    return reopen(state, [Reopened(task.spec.id, reason, own=bool(advice)) for task in again])
