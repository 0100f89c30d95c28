import json
from pathlib import Path

from teamlead.sessions import transcripts
from teamlead.sessions.transcripts import transcript


def stream(folder: Path, *events: object) -> None:
    (folder / "events.jsonl").write_text("".join(f"{json.dumps(event)}\n" for event in events))


def test_nothing_is_told_of_an_agent_that_left_nothing(tmp_path: Path) -> None:
    assert transcript(tmp_path) == ""


def test_what_an_agent_said_and_did_is_told_in_its_order(tmp_path: Path) -> None:
    stream(
        tmp_path,
        {"type": "started"},
        {"type": "text", "text": "First I look."},
        {"type": "tool_call", "name": "run", "input": {"command": "make test"}},
        {"type": "tool_result", "exit_code": 2, "output": "1 failed"},
        {"type": "denied", "name": "write", "reason": "not in scope"},
        "no event at all",
        {"type": "finished", "summary": "Done."},
    )
    assert transcript(tmp_path).splitlines() == [
        "First I look.",
        '[run] {"command": "make test"}',
        "  → exit code 2: 1 failed",
        "not allowed: [write] not in scope",
        '"no event at all"',
        "finished: Done.",
    ]


def test_of_a_long_stream_both_ends_are_told(tmp_path: Path) -> None:
    many = [{"type": "text", "text": f"line {number} " + "x" * 1000} for number in range(3000)]
    stream(tmp_path, *many)
    told = transcript(tmp_path)
    assert told.startswith("line 0 ")
    assert "line 2999 " in told
    assert "line 1500 " not in told
    assert len(told) < 2 * transcripts.MOST_BYTES + 5000
