"""Single calls of tools that a person has to allow. The agent waits for the word, and works on without it.

Nobody's answer is a no: the one who waits says when its patience is over. A request does not outlive its run.
"""

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.asking import escalation
from teamlead.core.model import Concern
from teamlead.core.state.records import Escalation
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.talk import speaker, still_wanted

Events = list[e.AnyEvent]


def asked(state: TeamState, fact: f.PermissionAsked, now: float) -> Events:
    if fact.id in state.calls:
        return []
    speaker(state, fact)
    still_wanted(state, fact)
    reason = f"{fact.task} asks for permission"
    asker = Concern(fact.task, fact.attempt)
    return escalation.ask(state, "permission", reason, fact.question, asker, call=fact.id)


def lapsed(state: TeamState, fact: f.PermissionLapsed, now: float) -> Events:
    speaker(state, fact)
    if fact.escalation not in state.permissions:
        return []
    return [e.EscalationWithdrawn(fact.escalation, "nobody answered in time, so it was refused")]


def moot(state: TeamState) -> Events:
    """Withdraws what nobody waits for any more."""
    return [
        e.EscalationWithdrawn(name, "the agent that asked has ended")
        for name, record in state.permissions.items()
        if not _waits(state, record)
    ]


def _waits(state: TeamState, record: Escalation) -> bool:
    asker = record.asker
    attempt = state.active.get(asker.task)
    return attempt is not None and attempt.number == asker.attempt and attempt.phase == "working"
