"""The user's word about the whole work, and what came of carrying it out."""

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core import phases
from teamlead.core.effects import RollBack
from teamlead.core.people.mending import require_none
from teamlead.core.pipeline.reshape import not_over
from teamlead.core.state.team_state import TeamState
from teamlead.core.work.acceptance import listed
from teamlead.errors import Refused

Events = list[e.AnyEvent]


def approve(state: TeamState, fact: f.Approve, now: float) -> Events:
    not_over(state, "approval")
    if not phases.awaits_approval(state.phase):
        raise Refused(
            f"session {state.session.id} does not wait for approval: it is {state.phase}",
            remedy=_what_is_missing(state),
        )
    if state.approval is not None:
        raise Refused(f"session {state.session.id} is being approved already")
    require_none(state)
    if fact.commit != state.integration_tip:
        raise Refused(
            _merged_since(state, fact.commit),
            remedy=f"look at it: teamlead diff --session {state.session.id}; then approve again",
        )
    return [e.ApprovalRequested(fact.commit, fact.by, fact.squash, fact.sign)]


def _merged_since(state: TeamState, shown: str) -> str:
    tips = [merge.tip for merge in state.merges]
    now = f"the work of session {state.session.id} is {state.integration_tip[:10]} by now"
    if shown not in tips:
        return f"{now}, and {shown[:10]} is not what it was at any time"
    since = dict.fromkeys(merge.task for merge in state.merges[tips.index(shown) + 1 :])
    return f"{now}, and not {shown[:10]} as it was shown: {listed(since)} came in since then"


def _what_is_missing(state: TeamState) -> str:
    if state.unsettled:
        return f"not settled yet: {state.unsettled} of {len(state.tasks)}"
    if state.checking_whole:
        led = "" if state.leader else f": teamlead resume {state.session.id}"
        return f"the checks of the whole plan come first{led}"
    return ""


def reject(state: TeamState, fact: f.Reject, now: float) -> Events:
    not_over(state, "rejection")
    if not phases.awaits_approval(state.phase) or state.approval is not None:
        raise Refused(f"session {state.session.id} does not wait for approval: it is {state.phase}")
    reason = fact.reason or f"rejected by {fact.by}"
    rollback = [e.RollbackRequested(fact.by)] if fact.rollback else []
    return [*rollback, e.PhaseChanged("REJECTED", reason)]


def rolled_back(state: TeamState, fact: f.RolledBack, now: float) -> Events:
    if not rolls_back(state):
        return []
    done = e.WorkRolledBack(fact.kept)
    if state.final:
        return [done]
    if fact.problem:
        kept = f"its branches stay: {fact.problem}"
        return [done, e.WarningNoted(kept), e.PhaseChanged("DONE", f"the work was rejected; {kept}")]
    return [done, e.PhaseChanged("ROLLED_BACK", "its branches are gone, and what they held is kept aside")]


def rolls_back(state: TeamState) -> bool:
    return RollBack().key in state.due


def made(state: TeamState, fact: f.ApprovalMade, now: float) -> Events:
    if state.approval is None or not phases.awaits_approval(state.phase):
        return []
    return [
        e.ApprovalApplied(fact.commit, fact.branch, fact.before, fact.undo),
        e.PhaseChanged("APPROVED", f"approved by {state.approval.by}"),
    ]


def impossible(state: TeamState, fact: f.ApprovalImpossible, now: float) -> Events:
    if state.approval is None or not phases.awaits_approval(state.phase):
        return []
    return [e.ApprovalRefused(fact.reason)]
