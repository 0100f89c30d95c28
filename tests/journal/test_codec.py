import json
from typing import Any

import pytest

from teamlead.core import events
from teamlead.core.events import AttemptEnded, EscalationRaised, Recorded, TaskDone
from teamlead.core.facts import AddTasks, SkipTask
from teamlead.core.model import Question, TaskSpec
from teamlead.errors import StorageFailed
from teamlead.journal import codec


def test_an_event_comes_back_as_it_was() -> None:
    event = EscalationRaised("esc-1", "user", "question", "asked", question=Question("Which?", ("a", "b")))
    assert codec.decode(*codec.encode(event), "journal.db") == event


def test_a_command_comes_back_as_it_was() -> None:
    for command in (
        AddTasks((TaskSpec("task-1", "One"),)),
        SkipTask("task-1", "why"),
    ):
        assert codec.decode_command(codec.encode_command(command), "inbox.db") == command


def test_an_old_shape_is_upgraded_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_commit(body: dict[str, Any]) -> dict[str, Any]:
        sha = body.pop("sha")
        return {**body, "commit": sha}

    def renamed(body: dict[str, Any]) -> dict[str, Any]:
        return {**body, "event": "TaskDone", "task": f"task-{body['task']}"}

    monkeypatch.setitem(codec.UPGRADES, ("TaskCompleted", 1), with_commit)
    monkeypatch.setitem(codec.UPGRADES, ("TaskCompleted", 2), renamed)
    monkeypatch.setitem(events.VERSIONS, "TaskDone", 3)
    body = b'{"event":"TaskCompleted","task":7,"sha":"c0ffee"}'
    assert codec.decode("TaskCompleted", 1, body, "journal.db") == TaskDone("task-7", "c0ffee")
    line = b'{"seq":1,"at":2.0,"kind":"TaskCompleted","version":1,"body":{"task":7,"sha":"c0ffee"}}'
    assert codec.load_line(line, "old.ndjson") == Recorded(1, 2.0, TaskDone("task-7", "c0ffee"))


@pytest.mark.parametrize(("kind", "version"), [("TaskDone", 2), ("TaskInvented", 1)])
def test_what_a_newer_teamlead_wrote_is_refused_by_name(kind: str, version: int) -> None:
    body = b'{"event":"TaskDone","task":"task-1","commit":""}'
    with pytest.raises(StorageFailed, match=r"'/x/journal.db' was written by a newer teamlead"):
        codec.decode(kind, version, body, "/x/journal.db")


def test_a_field_that_is_not_known_is_refused_rather_than_left_out() -> None:
    body = b'{"event":"TaskDone","task":"task-1","commit":"","mood":"good"}'
    with pytest.raises(StorageFailed, match=r"'journal.db' holds a TaskDone .* upgrade teamlead"):
        codec.decode("TaskDone", 1, body, "journal.db")


def test_a_body_that_is_not_json_is_called_damage() -> None:
    with pytest.raises(StorageFailed, match=r"'journal.db' is damaged"):
        codec.decode("TaskDone", 1, b'{"event":"Tas', "journal.db")
    with pytest.raises(StorageFailed, match=r"'inbox.db' is damaged"):
        codec.decode_command(b"", "inbox.db")


def test_a_recorded_line_is_one_json_object_and_comes_back_as_it_was() -> None:
    recorded = Recorded(4, 1.25, AttemptEnded("task-1", 2, "refused", ("no change\nwas made",)))
    line = codec.dump_line(recorded)
    assert b"\n" not in line
    assert json.loads(line)["body"]["reasons"] == ["no change\nwas made"]
    assert codec.load_line(line, "recorded.ndjson") == recorded


def test_an_event_is_shown_with_its_kind_beside_its_body() -> None:
    assert codec.as_dict(Recorded(1, 0.5, TaskDone("task-1", "c0ffee"))) == {
        "seq": 1,
        "at": 0.5,
        "kind": "TaskDone",
        "version": 1,
        "body": {"task": "task-1", "commit": "c0ffee"},
    }
