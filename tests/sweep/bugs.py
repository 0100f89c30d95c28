"""Planted bugs, each a promise broken, which the sweep has to catch."""

import threading
from collections.abc import Callable
from typing import Any

from teamlead.core import evolve as evolving
from teamlead.core.events import EscalationJoined
from teamlead.core.pipeline import reopening
from teamlead.core.team import leaving
from teamlead.journal.lease import Lock
from teamlead.runners.attempt_folder import AttemptFolder
from teamlead.system.git import Git, as_user
from teamlead.workspaces import approval, collecting, merging, preparing, releasing
from teamlead.workspaces.session_refs import Session


def merge_without_looking() -> None:
    """The integration branch is not asked whether it has the work already, neither on arrival nor later."""
    looks, merges = Git.contains, merging.integrate
    here = threading.local()

    def contains(self: Git, tip: str, commit: str) -> bool:
        return not hasattr(here, "merging") and looks(self, tip, commit)

    def integrate(*arguments: Any) -> str:
        here.merging = True
        try:
            return merges(*arguments)
        finally:
            del here.merging

    Git.contains = contains  # type: ignore[method-assign]
    merging.integrate = integrate  # type: ignore[assignment]
    collecting.merged = lambda *_: ""


def run_without_looking() -> None:
    """An attempt that was started already is started again."""
    begins = AttemptFolder.begin

    async def recall(_: AttemptFolder) -> None:
        return None

    def begin(self: AttemptFolder, prompt: str) -> str:
        self.started.unlink(missing_ok=True)
        return begins(self, prompt)

    AttemptFolder.recall = recall  # type: ignore[assignment, method-assign]
    AttemptFolder.begin = begin  # type: ignore[method-assign]


def let_go_without_keeping() -> None:
    """A copy goes, or is made anew, with what is in it."""
    for module in (preparing, releasing):
        module.keep_work = lambda *_: ""  # type: ignore[attr-defined]


def approve_by_force() -> None:
    """The user's branch is set to the session's work, whatever else was approved since it began."""

    def force(session: Session, request: approval.ApprovalRequest, *_: object) -> bool:
        as_user(session.repository.root, "reset", "--quiet", "--hard", request.commit)
        return True

    approval._move = force  # type: ignore[assignment]
    approval._new_tip = lambda session, request, old: request.commit


def lead_without_a_lease() -> None:
    """Whoever wants to lead a session leads it, beside whoever does so already."""
    Lock.take = staticmethod(lambda descriptor: True)  # type: ignore[method-assign]


def forget_who_joined() -> None:
    """A task for which the same is to be decided is no part of the question."""
    evolving._HANDLERS[EscalationJoined] = lambda *_: None


def leave_followers_behind() -> None:
    """What was built on a task that is done again stays as it is."""
    reopening.followers = lambda *_: []


def delete_the_team_at_once() -> None:
    """Nobody makes sure that its members have left."""
    leaving.CHECKS["members-left"] = lambda _: iter(())


BUGS: dict[str, Callable[[], None]] = {
    "merge without looking": merge_without_looking,
    "run without looking": run_without_looking,
    "let go without keeping": let_go_without_keeping,
    "approve by force": approve_by_force,
    "lead without a lease": lead_without_a_lease,
    "forget who joined": forget_who_joined,
    "leave followers behind": leave_followers_behind,
    "delete the team at once": delete_the_team_at_once,
}
