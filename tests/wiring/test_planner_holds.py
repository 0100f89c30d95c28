"""A planning waits for a limit that a session met, and sessions for one that a planning met."""

import asyncio
from pathlib import Path

import pytest

from teamlead.core.runs import AgentStatus, RunEnd
from teamlead.ports import Held
from teamlead.wiring.holds import UserHolds
from teamlead.wiring.planner_holds import Patience, Unserved


class Waiting:
    """Time passes only while somebody waits."""

    def __init__(self, folder: Path) -> None:
        self.now = 1000.0
        self.told: list[str] = []
        self.shared = UserHolds(folder, lambda: self.now)
        self.patience = Patience("claude", self.shared, self.told.append, lambda: self.now, self._pause)

    async def _pause(self, seconds: float) -> None:
        self.now += seconds

    def wait(self) -> float:
        began = self.now
        asyncio.run(self.patience.wait())
        return self.now - began


@pytest.fixture
def waiting(tmp_path: Path) -> Waiting:
    return Waiting(tmp_path / "holds")


def test_who_is_not_held_is_asked_at_once(waiting: Waiting) -> None:
    waiting.shared.hold("codex", Held(2000.0, "too many requests"))
    assert (waiting.wait(), waiting.told) == (0.0, [])


def test_a_hold_of_a_session_is_waited_for_and_told_once(waiting: Waiting) -> None:
    waiting.shared.hold("claude", Held(1090.0, "too many requests"))
    assert waiting.wait() == 90.0
    (told,) = waiting.told
    assert told.startswith("claude is on hold until ")
    assert "(in 1m30s): too many requests." in told


def test_a_limit_holds_all_sessions_until_the_time_that_was_named(waiting: Waiting) -> None:
    with pytest.raises(Unserved):
        waiting.patience.heed(RunEnd("limit", detail="5 hours", reset_at=1500.0))
    assert waiting.shared.held("claude") == Held(1500.0, "5 hours")
    assert waiting.wait() == 500.0


def test_where_no_time_is_named_it_waits_longer_each_time_and_not_for_ever(waiting: Waiting) -> None:
    waits = []
    for _ in range(5):
        with pytest.raises(Unserved):
            waiting.patience.heed(RunEnd("unavailable"))
        waits.append(waiting.wait())
    assert waits == [15.0, 30.0, 60.0, 120.0, 240.0]
    waiting.patience.heed(RunEnd("unavailable"))
    assert waiting.wait() == 0.0


def test_after_an_answer_it_counts_anew(waiting: Waiting) -> None:
    for _ in range(2):
        with pytest.raises(Unserved):
            waiting.patience.heed(RunEnd("limit"))
        assert waiting.wait() == 60.0
        waiting.patience.heed(RunEnd("ok"))


@pytest.mark.parametrize("status", ["error", "denied", "timeout"])
def test_what_no_time_mends_holds_nobody(waiting: Waiting, status: AgentStatus) -> None:
    waiting.patience.heed(RunEnd(status))
    assert waiting.shared.held("claude") is None
