"""What people decide about the whole work, are told, and what stands in its way."""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core.effects import ApplyWork, RollBack
from teamlead.core.people import notices
from teamlead.core.people.mending import TRESPASSED
from teamlead.core.state.indexes import make_due
from teamlead.core.state.records import Approval
from teamlead.core.state.team_state import TeamState


def _person_notified(state: TeamState, event: e.PersonNotified, at: float) -> None:
    state.notices[event.about] = event.problem
    notices.settle(state, event.about)


def _approval_requested(state: TeamState, event: e.ApprovalRequested, at: float) -> None:
    state.approval = Approval(event.by, event.squash, event.sign, who=event.who)
    state.approval_refused = ""
    notices.settle(state, notices.approval(state))
    target = state.session.target_branch
    make_due(state, ApplyWork(event.commit, target, event.squash, event.sign))


def _approval_applied(state: TeamState, event: e.ApprovalApplied, at: float) -> None:
    state.due.pop(f"ApplyWork:{state.integration_tip}", None)
    assert state.approval is not None
    state.approval.commit = event.commit
    state.approval.branch = event.branch
    state.approval.before = event.before
    state.approval.undo = event.undo


def _approval_refused(state: TeamState, event: e.ApprovalRefused, at: float) -> None:
    state.due.pop(f"ApplyWork:{state.integration_tip}", None)
    state.approval = None
    state.approval_refused = event.reason
    notices.need(state, notices.approval(state))


def _work_revised(state: TeamState, event: e.WorkRevised, at: float) -> None:
    state.revisions += 1
    first = state.stages[event.stage].order
    for stage in state.stages.values():
        if stage.order >= first:
            stage.sent_back = 0


def _rollback_requested(state: TeamState, event: e.RollbackRequested, at: float) -> None:
    make_due(state, RollBack())


def _work_rolled_back(state: TeamState, event: e.WorkRolledBack, at: float) -> None:
    state.due.pop(RollBack().key, None)
    for ref in event.kept:
        state.kept[ref] = ref.split("/")[-2]


def _trespass_found(state: TeamState, event: e.TrespassFound, at: float) -> None:
    state.trespasses[event.trespass.item] = event.trespass


def _trespass_settled(state: TeamState, event: e.TrespassSettled, at: float) -> None:
    state.trespasses.pop(event.item, None)
    if not state.trespasses and state.approval_refused.startswith(TRESPASSED):
        state.approval_refused = ""


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.PersonNotified: _person_notified,
    e.TrespassFound: _trespass_found,
    e.TrespassSettled: _trespass_settled,
    e.ApprovalRequested: _approval_requested,
    e.ApprovalApplied: _approval_applied,
    e.ApprovalRefused: _approval_refused,
    e.WorkRevised: _work_revised,
    e.RollbackRequested: _rollback_requested,
    e.WorkRolledBack: _work_rolled_back,
}
