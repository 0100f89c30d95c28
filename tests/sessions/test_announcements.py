from pathlib import Path

from teamlead.ports.rooms import House
from teamlead.ports.runner import Capabilities
from teamlead.sessions.announcements import told_of_roomless, told_of_rooms
from teamlead.settings.loading import load

HOUSE = House(Path("/r"), Path("/r/.git"), Path("/s"), Path("/s/objects"))


def test_who_has_no_room_is_told_where_there_are_rooms() -> None:
    agents = {"claude": Capabilities(), "codex": Capabilities(roomless="no more namespaces")}
    (told,) = told_of_roomless(HOUSE, agents)
    assert told.startswith("codex has no room: ")
    assert told.endswith("(no more namespaces).")
    assert [*told_of_roomless(None, agents)] == []


def test_what_holds_outside_of_copies_is_told_with_the_rooms(tmp_path: Path) -> None:
    assert told_of_rooms(load(tmp_path), HOUSE).endswith("and the rest of your disk is read-only.")
    assert told_of_rooms(load(tmp_path), None).endswith("is noticed, not prevented.")
