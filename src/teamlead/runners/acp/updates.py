"""What an agent tells while it works on a turn, as our events."""

from collections.abc import Iterator, Mapping
from typing import Any

from teamlead.runners.run_events import LONGEST_TEXT, Event
from teamlead.runners.untrusted_fields import amount, count, table, tables, text

MOST_TOOLS = 1000
"""Under way at one time: what is beyond is told when it begins, or not at all."""


class ToolCall:
    def __init__(self) -> None:
        self.known: dict[str, Any] = {}
        self.told = ""
        """The name under which it was told."""

    def learn(self, update: Mapping[str, Any]) -> None:
        self.known.update({key: value for key, value in update.items() if value not in (None, {}, [])})

    @property
    def name(self) -> str:
        return self.told or text(self.known.get("title")) or text(self.known.get("kind")) or "tool"


class Updates:
    """The updates of one run. What a resumed conversation tells of earlier runs must not come here."""

    def __init__(self, cost: float = 0.0) -> None:
        self.said = ""
        """The last text."""
        self.cost = cost
        """Of the conversation so far, as far as it is known."""
        self._pieces: list[str] = []
        self._size = 0
        self._tools: dict[str, ToolCall] = {}
        self._new_turn = True

    def read(self, update: Mapping[str, Any]) -> Iterator[Event]:
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                yield from self._begin()
                yield from self._chunk(text(table(update.get("content")).get("text")))
            case "agent_thought_chunk":
                yield from self._begin()
            case "tool_call" | "tool_call_update":
                yield from self.tool(update)
            case "usage_update":
                yield from self._spent(table(update.get("cost")))

    def tool(self, update: Mapping[str, Any], *, asked: bool = False) -> Iterator[Event]:
        """Reads a piece about a call. It counts once its input is known, it is asked about, or it ends."""
        key = text(update.get("toolCallId"))
        tool = self._tools.get(key)
        partial = tool is None and update.get("status") == "pending"
        if tool is None:
            yield from self._begin()
            yield from self.flush()
            tool = ToolCall()
            if len(self._tools) < MOST_TOOLS:
                self._tools[key] = tool
        tool.learn(update)
        ended = update.get("status") in ("completed", "failed")
        if not tool.told and (asked or ended or ("rawInput" in tool.known and not partial)):
            tool.told = tool.name
            yield {"type": "tool_call", "name": tool.name, "input": tool.known.get("rawInput")}
        if ended:
            self._tools.pop(key, None)
            self._new_turn = True
            yield {"type": "tool_result", "name": tool.name, "output": _output(tool.known)}

    def known(self, update: Mapping[str, Any]) -> ToolCall:
        """Returns all that was told of a call, with what is told now."""
        tool = self._tools.get(text(update.get("toolCallId")), ToolCall())
        tool.learn(update)
        return tool

    @property
    def busy(self) -> bool:
        """Whether a tool is at work."""
        return bool(self._tools)

    def end(self) -> Iterator[Event]:
        """Ends a prompt; another may follow."""
        yield from self.flush()
        self._new_turn = True

    def flush(self) -> Iterator[Event]:
        if self._pieces:
            self.said = "".join(self._pieces)
            self._pieces.clear()
            self._size = 0
            yield {"type": "text", "text": self.said}

    def _begin(self) -> Iterator[Event]:
        """Counts an answer: agents do not tell when they ask their model, but it follows a tool's result."""
        if self._new_turn:
            self._new_turn = False
            yield {"type": "turn"}

    def _chunk(self, piece: str) -> Iterator[Event]:
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > LONGEST_TEXT:
            yield from self.flush()

    def _spent(self, cost: Mapping[str, Any]) -> Iterator[Event]:
        """Counts what was added: the amount is a total."""
        total = amount(cost.get("amount"))
        if cost.get("currency") == "USD" and total is not None:
            before, self.cost = self.cost, max(total, self.cost)
            yield {"type": "usage", "cost_usd": self.cost - before}


def tokens(usage: object) -> Iterator[Event]:
    """Returns the tokens of one turn; what came from a cache was input, too."""
    told = table(usage)
    if told:
        sent = sum(count(told.get(key)) for key in ("inputTokens", "cachedReadTokens", "cachedWriteTokens"))
        yield {"type": "usage", "input_tokens": sent, "output_tokens": count(told.get("outputTokens"))}


def _output(tool: Mapping[str, Any]) -> str:
    shown = [text(table(item.get("content")).get("text")) for item in tables(tool.get("content"))]
    return "\n".join(filter(None, shown))[:LONGEST_TEXT]
