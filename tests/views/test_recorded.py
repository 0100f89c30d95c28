"""Events as scripts read them."""

from teamlead.core import events as e
from teamlead.core.events import Recorded
from teamlead.core.runs import RunEnd
from teamlead.views.recorded import event_document


def test_an_event_has_its_kind_and_its_fields_and_moments_as_text() -> None:
    held = e.AgentHeld("claude", 1600.5, "a limit", 1)
    assert event_document(Recorded(7, 1000.25, held)) == {
        "seq": 7,
        "at": "1970-01-01T00:16:40.250Z",
        "kind": "AgentHeld",
        "version": 1,
        "body": {
            "kind": "claude",
            "until": "1970-01-01T00:26:40.500Z",
            "reason": "a limit",
            "strikes": 1,
        },
    }


def test_a_moment_within_a_part_of_an_event_is_text_too_and_other_numbers_stay() -> None:
    ended = e.RunEnded("task-1-1", "task-1", RunEnd("limit", turns=3, reset_at=5000.0))
    end = event_document(Recorded(1, 0.0, ended))["body"]["end"]
    assert end == {"status": "limit", "turns": 3, "reset_at": "1970-01-01T01:23:20.000Z"}
