"""`teamlead guard hook`: Claude Code asks before and after a lead uses a tool, and is answered in its format.

A Claude Code that works for teamlead itself, or was started with TEAMLEAD_GUARD=off, is not held.

Fail closed: where a call cannot be judged, or its use not be logged, it is not made. What comes after a call
stops nobody, so there a problem is only told.
"""

import json
import os
import sys
from typing import NamedTuple

from teamlead.errors import TeamleadError
from teamlead.guard.events import HANDLERS, Answer, Event, Malformed, deny

BLOCKED = 2
"""The exit code with which a hook keeps a tool from being used."""


class Outcome(NamedTuple):
    answer: Answer
    code: int = 0
    problem: str = ""


def main() -> int:
    outcome = respond(sys.stdin.buffer.read())
    if outcome.answer:
        sys.stdout.write(json.dumps(outcome.answer))
    if outcome.problem:
        sys.stderr.write(f"teamlead guard: {outcome.problem}\n")
    return outcome.code


def respond(raw: bytes) -> Outcome:
    if os.environ.get("TEAMLEAD_GUARD") == "off" or os.environ.get("TEAMLEAD_TASK"):
        return Outcome({})
    name = ""
    try:
        event = _event(raw)
        name = str(event.get("hook_event_name"))
        handler = HANDLERS.get(name)
        return Outcome(handler(event) if handler else {})
    except Exception as error:  # noqa: BLE001 - the top: whatever goes wrong, a tool must not be used unjudged
        what = str(error) if isinstance(error, TeamleadError) else f"{type(error).__name__}: {error}"
        if name == "PreToolUse":
            return Outcome(deny(f"The guard cannot judge this call, so it is not made: {what}"))
        return Outcome({}, 1 if name else BLOCKED, what)


def _event(raw: bytes) -> Event:
    try:
        event = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"what arrived on stdin is not JSON ({error})") from error
    if not isinstance(event, dict) or not isinstance(event.get("hook_event_name"), str):
        raise Malformed("what arrived on stdin is no event of Claude Code: hook_event_name is missing")
    return event
