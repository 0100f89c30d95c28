"""The user's word about the whole work."""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core import notices
from teamlead.core.effects import ApplyWork
from teamlead.core.indexes import make_due
from teamlead.core.records import Approval
from teamlead.core.state import TeamState


def _approval_requested(state: TeamState, event: e.ApprovalRequested, at: float) -> None:
    state.approval = Approval(event.by, event.squash, event.sign)
    state.approval_refused = ""
    notices.settle(state, notices.approval(state))
    target = state.session.target_branch
    make_due(state, ApplyWork(state.integration_tip, target, event.squash, event.sign))


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


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.ApprovalRequested: _approval_requested,
    e.ApprovalApplied: _approval_applied,
    e.ApprovalRefused: _approval_refused,
}
