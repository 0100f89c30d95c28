"""The checks, tried on an untouched copy of the base before an agent is paid for.

What fails there is for the tasks to mend. What cannot be run there at all can be mended by no agent: a person
is asked once for all tasks that share the obstacle, and these wait for the answer.
"""

from collections.abc import Sequence

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.asking import escalation
from teamlead.core.asking.escalation import GO_ON, RETRY, STOP
from teamlead.core.effects import Preflight
from teamlead.core.evidence.obstacles import Obstacle
from teamlead.core.model import Concern, Question
from teamlead.core.state.indexes import checks_of
from teamlead.core.state.records import Escalation, TriedCheck
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SETTLED
from teamlead.errors import Refused

Events = list[e.AnyEvent]

CORRECTION = "check:"
INSTEAD = " => "


def begin(state: TeamState, now: float) -> Events:
    if not state.untried or not state.leader or state.draining or state.machine_rests(now):
        return []
    return [e.PreflightStarted(tuple(state.untried))]


def block(state: TeamState, now: float) -> Events:
    """What would start, and has a check that a person is asked about."""
    # Asked in every turn, and mostly nothing is open.
    if not state.asked or not any(kind == "preflight" for kind, _ in state.asked):
        return []
    for task in state.heads(now):
        for command in checks_of(state, task.spec):
            known = state.preflights.get(command)
            if known is not None and known.obstacle is not None and _asked(state, known):
                return [e.TaskBlocked(task.spec.id, "CHECK", f"`{command}`: {known.obstacle.told}")]
    return []


def tried(state: TeamState, fact: f.CheckTried, now: float) -> Events:
    if Preflight(fact.command, fact.turn).key not in state.preflighting:
        return []
    ended = e.PreflightEnded(fact.command, fact.exit_code, fact.seconds, fact.obstacle, fact.untried)
    known = state.preflights[fact.command]
    if fact.obstacle is None or not _needed(state, known) or _goes_on(state, known, fact.obstacle):
        return [ended]
    return [ended, *_ask(state, known, fact.obstacle)]


def _needed(state: TeamState, known: TriedCheck) -> bool:
    common = known.command in state.session.checks
    return common or any(state.tasks[name].state not in SETTLED for name in known.tasks)


def _goes_on(state: TeamState, known: TriedCheck, obstacle: Obstacle) -> bool:
    """A person knows of it, and wants to go on with it."""
    cause = obstacle.cause(known.command)
    same = (r for r in state.escalations.values() if (r.kind, r.cause) == ("preflight", cause))
    return any(record.resolution.lower() == GO_ON for record in same)


def _ask(state: TeamState, known: TriedCheck, obstacle: Obstacle) -> Events:
    reason = f"`{known.command}` cannot hold in a fresh copy: {obstacle.told}"
    text = (
        f"{reason}\n{obstacle.remedy}\nAnswer `{CORRECTION} COMMAND` to run another command in its place, "
        f"`{RETRY}` once you have seen to it, `{GO_ON}` to let agents work with the check as it is, "
        f"or `{STOP}`."
    )
    question = Question(text, escalation.OPTIONS["preflight"])
    concerned = [Concern(name) for name in known.tasks if state.tasks[name].state not in SETTLED]
    return escalation.ask(
        state, "preflight", reason, question, *concerned, cause=obstacle.cause(known.command)
    )


def _asked(state: TeamState, known: TriedCheck) -> bool:
    return known.obstacle is not None and ("preflight", known.obstacle.cause(known.command)) in state.asked


def answer(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    word = " ".join(text.lower().split())
    resolved = e.EscalationResolved(record.id, text.strip(), by)
    if word == STOP:
        stopped = f"stopped by {by} at {record.id}"
        return [resolved, *escalation.fail_session(state, stopped, except_for=record.id)]
    commands = [
        known.command
        for known in state.preflights.values()
        if known.obstacle is not None and known.obstacle.cause(known.command) == record.cause
    ]
    return [
        # As a word, so that it is known again.
        e.EscalationResolved(record.id, GO_ON, by) if word == GO_ON else resolved,
        *_meaning(record, commands, text.strip(), word, by),
        *(e.TaskUnblocked(name, "") for name in _waiting(state, commands)),
    ]


def _meaning(record: Escalation, commands: Sequence[str], text: str, word: str, by: str) -> Events:
    if word == GO_ON:
        return []
    if word == RETRY:
        return [e.PreflightRepeated(tuple(commands))]
    if not text.lower().startswith(CORRECTION):
        raise Refused(
            f"{record.id} is answered with '{CORRECTION} COMMAND', {RETRY!r}, {GO_ON!r} or {STOP!r}, "
            f"not {word!r}"
        )
    before, after = _correction(record, commands, text[len(CORRECTION) :].strip())
    left = tuple(command for command in commands if command != before)
    return [e.CheckCorrected(before, after, by), *([e.PreflightRepeated(left)] if left else [])]


def _correction(record: Escalation, commands: Sequence[str], said: str) -> tuple[str, str]:
    named, arrow, after = said.partition(INSTEAD)
    if arrow and named.strip() in commands:
        before, after = named.strip(), after.strip()
    elif len(commands) == 1:
        before, after = commands[0], said
    else:
        known = " or ".join(f"`{command}`" for command in commands)
        raise Refused(
            f"{record.id} is about several checks: {known}",
            remedy=f"say which: `{CORRECTION} OLD{INSTEAD}NEW`",
        )
    if not after or "\n" in after:
        raise Refused(f"{record.id} needs one command, on one line, after `{CORRECTION}`")
    if after == before:
        raise Refused(
            f"{record.id}: `{after}` is the check as it is", remedy=f"answer {RETRY!r} to try it again"
        )
    return before, after


def _waiting(state: TeamState, commands: Sequence[str]) -> list[str]:
    """One that another question is about as well is blocked again by that, when it is to start."""
    everybody = any(command in state.session.checks for command in commands)
    names = state.tasks if everybody else {n: None for c in commands for n in state.preflights[c].tasks}
    return [name for name in names if state.tasks[name].blocked == "CHECK"]
