"""Events and commands, to bytes and back.

An event is stored with its kind and the version of its shape. What an older teamlead wrote is brought up to
date step by step by `UPGRADES`; what a newer one wrote is refused, because leaving a part out would be a lie.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, get_args

import msgspec

from teamlead.core.events import VERSIONS, AnyEvent, Recorded
from teamlead.core.facts import Command
from teamlead.errors import StorageFailed

UPGRADES: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""From a kind's version to the next one. The tag, `event`, is in the body: an upgrade may rename it."""

PROTOCOL = 5
"""Raised when a command is added or changes its shape: a leader is asked nothing it cannot read."""

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises: the second for bytes that are no text, the third for what is nested too deeply."""

_TAG = "event"
_KINDS = frozenset(kind.__name__ for kind in get_args(AnyEvent))

_encoder = msgspec.json.Encoder()
_event_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
_command_decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)


class Encoded(NamedTuple):
    kind: str
    version: int
    body: bytes


class _Line(msgspec.Struct):
    """One event of a recorded journal. The tag is left out of the body: the kind says it."""

    seq: int
    at: float
    kind: str
    version: int
    body: dict[str, Any]


_line_decoder = msgspec.json.Decoder(_Line)


def encode(event: AnyEvent) -> Encoded:
    kind = type(event).__name__
    return Encoded(kind, VERSIONS.get(kind, 1), _encoder.encode(event))


def decode(kind: str, version: int, body: bytes, source: str) -> AnyEvent:
    """`source` names the file, for the message if it cannot be read."""
    try:
        if version == VERSIONS.get(kind, 1) and kind in _KINDS:
            return _event_decoder.decode(body)
        return _upgraded(kind, version, msgspec.json.decode(body), source)
    except UNREADABLE as error:
        raise _unreadable(kind, source, error) from error


def encode_command(command: Command) -> bytes:
    return _encoder.encode(command)


def decode_command(body: bytes, source: str) -> Command:
    try:
        return _command_decoder.decode(body)
    except UNREADABLE as error:
        raise _unreadable("command", source, error) from error


def as_dict(recorded: Recorded) -> dict[str, Any]:
    """An event as a recorded journal has it."""
    kind = type(recorded.event).__name__
    body = msgspec.to_builtins(recorded.event)
    del body[_TAG]
    version = VERSIONS.get(kind, 1)
    return {"seq": recorded.seq, "at": recorded.at, "kind": kind, "version": version, "body": body}


def dump_line(recorded: Recorded) -> bytes:
    """One line of a recorded journal, without the line's end."""
    return _encoder.encode(as_dict(recorded))


def load_line(line: bytes, source: str) -> Recorded:
    try:
        stored = _line_decoder.decode(line)
        event = _upgraded(stored.kind, stored.version, {_TAG: stored.kind, **stored.body}, source)
    except UNREADABLE as error:
        raise _unreadable("line", source, error) from error
    return Recorded(stored.seq, stored.at, event)


def _upgraded(kind: str, version: int, body: dict[str, Any], source: str) -> AnyEvent:
    while kind not in _KINDS or version != VERSIONS.get(kind, 1):
        upgrade = UPGRADES.get((kind, version))
        if upgrade is None:
            raise StorageFailed(
                f"{source!r} was written by a newer teamlead: it holds {kind!r} in version {version}",
                remedy="upgrade teamlead; nothing was changed",
            )
        body = upgrade(body)
        kind = body[_TAG]
        version += 1
    event: AnyEvent = msgspec.convert(body, AnyEvent)
    return event


def _unreadable(what: str, source: str, error: Exception) -> StorageFailed:
    if isinstance(error, msgspec.ValidationError):
        return StorageFailed(
            f"{source!r} holds a {what} this teamlead cannot read: {error}",
            remedy="a newer one may have written it: upgrade teamlead; nothing was changed",
        )
    return StorageFailed(
        f"{source!r} is damaged: a {what} in it is not JSON: {error}",
        remedy="restore it from a backup; nothing was changed",
    )
