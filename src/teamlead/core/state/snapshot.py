"""The state of a session as bytes, and back: whoever goes on from there need not fold all events again.

Records, the objects that change, are written once each, in a table of their class. Whatever holds one holds
its place there instead, so what was one object is one again. Values are written by their declared types.

A snapshot is good for one shape of the state, and says for which: events are for ever, snapshots are not.
"""

from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from types import NoneType
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin

import msgspec

from teamlead.core.state.shape import (
    UNION,
    classes_in,
    field_types,
    is_named_tuple,
    is_record,
    is_value,
    mark,
    members,
)
from teamlead.core.state.team_state import TeamState
from teamlead.errors import StorageFailed

Root = TypeVar("Root")
Refer = Callable[[Any, Any], Any]
"""Of a class: the place of this record in its table, or the record at this place."""
Rewrite = Callable[[Any, Refer], Any]

DIGEST = sha256().digest_size
REMEDY = "fold the session's events instead"


def dump(state: TeamState) -> bytes:
    """Equal states give equal bytes."""
    return _of_state().dump(state)


def load(data: bytes) -> TeamState:
    return _of_state().load(data)


@cache
def _of_state() -> "Codec[TeamState]":
    return Codec(TeamState)


class Codec(Generic[Root]):
    """For a record of this class, and all that it holds."""

    def __init__(self, root: type[Root]) -> None:
        classes = classes_in(root)
        _check_values(kind for kind in classes if not is_record(kind))
        self.mark = mark(classes)
        self._root = root
        self._tables = {kind: _Table(kind) for kind in classes if is_record(kind)}
        rows: Any = tuple(list[table.row] for table in self._tables.values())  # type: ignore[name-defined]
        self._decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(tuple[rows])

    def dump(self, root: Root) -> bytes:
        places: dict[Any, dict[Any, int]] = {kind: {} for kind in self._tables}
        rows: dict[Any, list[list[Any]]] = {kind: [] for kind in self._tables}
        met: list[Any] = []

        def place_of(kind: Any, record: Any) -> int:
            known = places[kind]
            if record not in known:
                known[record] = len(known)
                met.append(record)
            return known[record]

        place_of(self._root, root)
        # It grows meanwhile, instead of a recursion that long chains of tasks would break.
        for record in met:
            rows[type(record)].append(self._tables[type(record)].written(record, place_of))
        content = self.mark + msgspec.msgpack.encode(list(rows.values()))
        return sha256(content).digest() + content

    def load(self, data: bytes) -> Root:
        digest, content = data[:DIGEST], data[DIGEST:]
        if digest != sha256(content).digest():
            raise StorageFailed("the snapshot is damaged", remedy=REMEDY)
        if content[:DIGEST] != self.mark:
            raise StorageFailed("the snapshot is of a state that has another shape", remedy=REMEDY)
        rows = dict(zip(self._tables, self._decoder.decode(content[DIGEST:]), strict=True))
        records = {kind: [kind.__new__(kind) for _ in rows[kind]] for kind in rows}
        for kind, table in self._tables.items():
            for record, row in zip(records[kind], rows[kind], strict=True):
                table.fill(record, row, lambda kind, place: records[kind][place])
        root: Root = records[self._root][0]
        return root


class _Table:
    """The records of one class, each as a row of its fields."""

    def __init__(self, kind: Any) -> None:
        if kind.__eq__ is not object.__eq__:
            raise TypeError(f"{kind!r} is compared by value, so equal ones would become one")
        types = field_types(kind)
        self.row: Any = tuple[tuple(_written_type(each) for each in types.values())]  # type: ignore[misc]
        self._writing = [(name, _rewriting(each, _write)) for name, each in types.items()]
        self._reading = [(name, _rewriting(each, _read)) for name, each in types.items()]

    def written(self, record: Any, place_of: Refer) -> list[Any]:
        return [rewrite(getattr(record, name), place_of) for name, rewrite in self._writing]

    def fill(self, record: Any, row: Any, record_at: Refer) -> None:
        for (name, rewrite), each in zip(self._reading, row, strict=True):
            setattr(record, name, rewrite(each, record_at))


def _written_type(kind: Any) -> Any:
    """With places for records."""
    if is_record(kind):
        return int
    if _rewriting(kind, _read) is _same:
        return kind
    inside = tuple(each if each is ... else _written_type(each) for each in get_args(kind))
    origin: Any = get_origin(kind)
    return Union[inside] if origin in UNION else origin[inside]  # noqa: UP007  (there is no other way to say it)


def _rewriting(kind: Any, leaf: Callable[[Any], Rewrite]) -> Rewrite:
    """What rewrites all leaves in something of this type."""
    types = list(field_types(kind).values()) if is_named_tuple(kind) else members(kind)
    parts = [_rewriting(each, leaf) for each in types]
    if all(part is _same for part in parts):
        return leaf(kind)
    origin = get_origin(kind)
    if origin in UNION or origin is Annotated:
        return _one_of(kind, {part for each, part in zip(types, parts, strict=True) if each is not NoneType})
    if origin is dict and parts[0] is _same:
        return lambda table, refer: {key: parts[1](each, refer) for key, each in table.items()}
    if origin is list:
        return lambda items, refer: [parts[0](each, refer) for each in items]
    if get_args(kind)[1:] == (...,):
        return lambda items, refer: tuple([parts[0](each, refer) for each in items])
    if origin is tuple or is_named_tuple(kind):
        return lambda items, refer: tuple(
            [part(each, refer) for each, part in zip(items, parts, strict=True)]
        )
    raise TypeError(f"nothing says how a {kind!r} is rewritten")


def _one_of(kind: Any, parts: set[Rewrite]) -> Rewrite:
    if len(parts) > 1:
        raise TypeError(f"nothing tells apart what a {kind!r} may be")
    [rewrite] = parts
    return lambda each, refer: None if each is None else rewrite(each, refer)


def _same(each: Any, refer: Refer) -> Any:
    return each


def _read(kind: Any) -> Rewrite:
    return (lambda place, record_at: record_at(kind, place)) if is_record(kind) else _same


def _write(kind: Any) -> Rewrite:
    if is_record(kind):
        return lambda record, place_of: place_of(kind, record)
    if is_value(kind):
        return _write_value
    return _write_float if kind is float else _same


def _write_float(number: float, place_of: Refer) -> float:
    """An int may stand in its place, and is equal to it."""
    return float(number)


def _write_value(value: Any, place_of: Refer) -> dict[str, Any]:
    """Without what is equal to its default; msgspec would leave out what is the very same object."""
    kind: Any = type(value)
    tag, parts = _value_parts(kind)
    written = dict(tag)
    for name, key, default, rewrite in parts:
        each = getattr(value, name)
        if each != default:
            written[key] = rewrite(each, place_of)
    return written


@cache
def _value_parts(kind: Any) -> tuple[dict[str, Any], list[tuple[str, str, Any, Rewrite]]]:
    """What names its class, and how its fields are written."""
    config, fields = kind.__struct_config__, msgspec.structs.fields(kind)
    tag = {config.tag_field: config.tag} if config.tag_field else {}
    return tag, [
        (each.name, each.encode_name, each.default, _rewriting(each.type, _write)) for each in fields
    ]


def _check_values(kinds: Iterable[Any]) -> None:
    """Whatever cannot be written is refused before anything is."""
    for kind in kinds:
        for each in field_types(kind).values():
            _rewriting(each, _write)
            if _rewriting(each, _read) is not _same:
                raise TypeError(f"{kind!r} is a value, and holds a record")
