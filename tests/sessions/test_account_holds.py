from pathlib import Path

from teamlead.core.events import AgentHeld, AgentReleased, AnyEvent, Recorded
from teamlead.core.state.team_state import TeamState
from teamlead.ports.runner import Held
from teamlead.sessions.account_holds import UserHolds

NOW = 1000.0


def holds(folder: Path, now: float = NOW) -> UserHolds:
    return UserHolds(folder / "holds", lambda: now)


def meet(there: UserHolds, *events: AnyEvent) -> None:
    there.follow([Recorded(seq, NOW, event) for seq, event in enumerate(events, 1)], TeamState())


def test_what_one_session_meets_holds_the_others_until_its_moment(tmp_path: Path) -> None:
    meet(holds(tmp_path), AgentHeld("claude", NOW + 60, "too many requests"))
    assert holds(tmp_path).held("claude") == Held(NOW + 60, "too many requests")
    assert holds(tmp_path, NOW + 59).held("claude") is not None
    assert holds(tmp_path, NOW + 60).held("claude") is None


def test_it_holds_no_other_kind(tmp_path: Path) -> None:
    meet(holds(tmp_path), AgentHeld("acp:one agent", NOW + 60, "wait"))
    assert holds(tmp_path).held("acp:another agent") is None
    assert holds(tmp_path).held("acp:one agent") is not None


def test_a_kind_that_is_released_holds_nobody_any_more(tmp_path: Path) -> None:
    meet(holds(tmp_path), AgentHeld("claude", NOW + 60, "wait"), AgentReleased("claude"))
    assert holds(tmp_path).held("claude") is None


def test_what_only_a_person_can_end_stays_with_its_session(tmp_path: Path) -> None:
    meet(holds(tmp_path), AgentHeld("claude", None, "no such key"))
    assert holds(tmp_path).held("claude") is None


def test_an_unreadable_file_holds_nobody(tmp_path: Path) -> None:
    meet(holds(tmp_path), AgentHeld("claude", NOW + 60, "wait"))
    (file,) = (tmp_path / "holds").iterdir()
    file.write_bytes(b"\xff{")
    assert holds(tmp_path).held("claude") is None


def test_a_folder_that_takes_no_file_ends_no_leader(tmp_path: Path) -> None:
    (tmp_path / "holds").write_text("in the way")
    meet(holds(tmp_path), AgentHeld("claude", NOW + 60, "wait"), AgentReleased("claude"))
    assert holds(tmp_path).held("claude") is None


def test_a_file_that_cannot_be_replaced_ends_no_leader(tmp_path: Path) -> None:
    meet(holds(tmp_path), AgentHeld("claude", NOW + 60, "wait"))
    (file,) = (tmp_path / "holds").iterdir()
    file.unlink()
    file.mkdir()
    meet(holds(tmp_path), AgentHeld("claude", NOW + 60, "wait"), AgentReleased("claude"))
    assert list((tmp_path / "holds").iterdir()) == [file]
