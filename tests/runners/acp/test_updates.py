from typing import Any

from teamlead.runners.acp.updates import MOST_TOOLS, Updates
from teamlead.runners.run_events import LONGEST_TEXT, Event


def told(*updates: dict[str, Any]) -> list[Event]:
    reader = Updates()
    events = [event for update in updates for event in reader.read(update)]
    return [*events, *reader.flush()]


def say(text: object) -> dict[str, Any]:
    return {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}


def tool(key: str, **known: Any) -> dict[str, Any]:
    return {"sessionUpdate": "tool_call", "toolCallId": key, **known}


def update(key: str, **known: Any) -> dict[str, Any]:
    return {"sessionUpdate": "tool_call_update", "toolCallId": key, **known}


def test_pieces_of_text_are_joined_until_something_else_happens() -> None:
    events = told(say("a"), say("b"), tool("1", title="T", rawInput={"x": 1}), say("c"), say(None))
    assert [event.get("text", event["type"]) for event in events] == ["turn", "ab", "tool_call", "c"]


def test_a_text_without_end_is_handed_over_in_parts() -> None:
    texts = [event["text"] for event in told(*[say("x" * 1000)] * 50) if event["type"] == "text"]
    assert len(texts) == 3
    assert max(map(len, texts)) <= LONGEST_TEXT + 1000


def test_a_call_that_is_told_piece_by_piece_counts_once_with_all_that_is_known() -> None:
    content = [{"type": "content", "content": {"type": "text", "text": "2 passed"}}]
    events = told(
        tool("1", title="Terminal", kind="execute", rawInput={"cwd": "/"}, status="pending"),
        update("1", rawInput={"command": "make"}, title="make", status="pending"),
        update("1", status="in_progress"),
        update("1", status="completed", content=content),
    )
    assert events[1:] == [
        {"type": "tool_call", "name": "make", "input": {"command": "make"}},
        {"type": "tool_result", "name": "make", "output": "2 passed"},
    ]


def test_a_call_whose_input_is_never_told_counts_when_it_ends() -> None:
    kinds = [event["type"] for event in told(tool("1", title="T"), update("1", status="failed"))]
    assert kinds == ["turn", "tool_call", "tool_result"]


def test_what_follows_the_results_is_a_new_turn_of_the_model() -> None:
    both = [tool("1", rawInput={"x": 1}), tool("2", rawInput={"x": 2})]
    done = [update("1", status="completed"), update("2", status="completed")]
    events = told(say("a"), *both, *done, {"sessionUpdate": "agent_thought_chunk"}, say("b"))
    assert sum(event["type"] == "turn" for event in events) == 2


def test_calls_that_never_end_fill_no_memory() -> None:
    reader = Updates()
    for number in range(2 * MOST_TOOLS):
        list(reader.read(tool(str(number), rawInput={"x": 1})))
    assert len(reader._tools) == MOST_TOOLS
