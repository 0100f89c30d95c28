"""What agents report while they run, in one form for all of them: dicts with a "type".

| type        | fields                                                      |
| ----------- | ----------------------------------------------------------- |
| started     | agent, model, conversation                                  |
| text        | text                                                        |
| turn        | (none): the model was asked once more                       |
| tool_call   | name, input                                                 |
| tool_result | name, exit_code, output                                     |
| denied      | name, reason: a tool call that was not allowed              |
| usage       | input_tokens, output_tokens, cost_usd: since the last one   |
| retry       | text: the program tries its service again                   |
| warning     | text                                                        |
| ask         | text, options: ends the turn                                |
| finished    | status, summary, report, error, conversation, reset_at      |
| raw         | text: a line that is no event                               |

The status of "finished" is "ok", or how a run can end otherwise (see `core.facts.AgentStatus`). Its summary
is its last words; where those are more than a summary, they are its report.

Other types are kept as they come. Nothing in an event is trusted: a field of the wrong type counts as absent.
"""

import re
from typing import Any

import msgspec

from teamlead.core.model import Question, Usage
from teamlead.system.text import clip, printable

Event = dict[str, Any]

LONGEST_TEXT = 20_000
LONGEST_REPORT = 200_000
LONGEST_RAW = 64 * 1024
"""Bytes. What is no event must fill neither log nor memory, where it is up to six times as long, escaped."""
MOST_OPTIONS = 20
MOST_DENIALS = 20
_TEAM = re.compile(r"mcp_+team_")
"""To talk with one's team is no work."""


def parse_event(line: bytes) -> Event:
    if line[:100].lstrip().startswith(b"{"):
        try:
            event = msgspec.json.decode(line.decode("utf-8", "replace"))
        except (msgspec.DecodeError, RecursionError):
            event = None
        if isinstance(event, dict) and isinstance(event.get("type"), str):
            return event
    return {"type": "raw", "text": line[:LONGEST_RAW].decode("utf-8", "replace")}


class Tally:
    """What the events of one run add up to."""

    def __init__(self, tool_calls: int | None = None) -> None:
        """`tool_calls`: 0 for one that tells each of them, None where they may be more than it tells."""
        self.finished: str | None = None
        self.summary = ""
        self.report = ""
        self.error = ""
        self.question: Question | None = None
        self.usage = Usage()
        self.tool_calls = tool_calls
        self.turns = 0
        self.conversation = ""
        self.reset_at: float | None = None
        self.denials: list[str] = []

    def add(self, event: Event) -> None:
        match event["type"]:
            case "started":
                self.conversation = _text(event.get("conversation")) or self.conversation
            case "turn":
                self.turns += 1
            case "tool_call" if not _TEAM.match(_text(event.get("name"))):
                self.tool_calls = (self.tool_calls or 0) + 1
            case "denied":
                if len(self.denials) < MOST_DENIALS:
                    self.denials.append(
                        clip(f"{_text(event.get('name'))}: {_text(event.get('reason'))}", 500)
                    )
            case "usage":
                self.usage = self.usage.plus(_usage(event))
            case "ask":
                self.question = _question(event)
            case "finished":
                self.finished = _text(event.get("status"))
                self.summary = _text(event.get("summary"))
                report = _text(event.get("report") or event.get("summary"), LONGEST_REPORT)
                self.report = report if report != self.summary else ""
                self.error = _text(event.get("error"))
                self.conversation = _text(event.get("conversation")) or self.conversation
                self.reset_at = _amount(event.get("reset_at"))


def _usage(event: Event) -> Usage:
    cost = _amount(event.get("cost_usd"))
    return Usage(
        _whole(event.get("input_tokens")),
        _whole(event.get("output_tokens")),
        None if cost is None else float(cost),
    )


def _whole(value: object) -> int | None:
    amount = _amount(value)
    return amount if isinstance(amount, int) else None


def _amount(value: object) -> int | float | None:
    """Returns a count: what is negative, or beyond any machine's measure, is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if 0 <= value < 2**53 else None


def _question(event: Event) -> Question:
    options = event.get("options")
    kept = (
        [_text(option) for option in options if isinstance(option, str)] if isinstance(options, list) else []
    )
    return Question(_text(event.get("text")), tuple(kept[:MOST_OPTIONS]))


def _text(value: object, longest: int = LONGEST_TEXT) -> str:
    return clip(printable(value), longest) if isinstance(value, str) else ""
