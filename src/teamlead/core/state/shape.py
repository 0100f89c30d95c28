"""Of which classes a state consists, as the classes themselves tell, and a mark that changes with them."""

from dataclasses import fields, is_dataclass
from hashlib import sha256
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

UNION = {Union, UnionType}
GENERIC = {*UNION, Annotated, Literal, tuple, list, dict}
"""Not sets: equal ones may differ in their order."""
PLAIN = {str, int, float, bool, NoneType}


def mark(classes: list[Any]) -> bytes:
    return sha256("\n".join(line for kind in classes for line in _outline(kind)).encode()).digest()


def classes_in(root: Any) -> list[Any]:
    """All that occur in the fields of this one, and in theirs; this one first."""
    found: dict[Any, None] = {}
    unseen = [root]
    while unseen:
        kind = unseen.pop()
        if get_origin(kind) in GENERIC:
            unseen += members(kind)
        elif kind not in PLAIN and kind not in found:
            if not (is_record(kind) or is_value(kind) or is_named_tuple(kind)):
                raise TypeError(f"a state cannot hold a {kind!r}")
            found[kind] = None
            unseen += field_types(kind).values()
    return list(found)


def is_record(kind: Any) -> bool:
    """Its objects change, and may be held in several places."""
    return is_dataclass(kind)


def is_value(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def is_named_tuple(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def field_types(kind: Any) -> dict[str, Any]:
    if is_value(kind):
        return {field.name: field.type for field in msgspec.structs.fields(kind)}
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)} if is_record(kind) else hints


def members(kind: Any) -> list[Any]:
    """The types that a generic one is made of."""
    if get_origin(kind) is Literal:
        return []
    arguments = get_args(kind)[:1] if get_origin(kind) is Annotated else get_args(kind)
    return [NoneType if each is None else each for each in arguments if each is not ...]


def _outline(kind: Any) -> list[str]:
    """A class as text: all that gives the same bytes another meaning."""
    lines = [_told(kind), *(f"{name}: {_told(each)}" for name, each in field_types(kind).items())]
    if is_value(kind):
        # What has its default is not written.
        lines += [f"{each.encode_name} = {each.default!r}" for each in msgspec.structs.fields(kind)]
        lines.append(f"{kind.__struct_config__.tag_field} = {kind.__struct_config__.tag!r}")
    return lines


def _told(kind: Any) -> str:
    """A type as text, the same under every version of Python."""
    origin = get_origin(kind)
    if origin is None:
        return f"{kind.__module__}.{kind.__qualname__}" if isinstance(kind, type) else repr(kind)
    name = "Union" if origin in UNION else origin.__name__
    return f"{name}[{', '.join(map(_told, get_args(kind)))}]"
