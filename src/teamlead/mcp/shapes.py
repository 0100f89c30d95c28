"""Shapes of arguments, as JSON Schema."""

from typing import Any, Final

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}


def text(description: str) -> Schema:
    return {"type": "string", "description": description}


def one_of(description: str, *values: str) -> Schema:
    return {"type": "string", "enum": list(values), "description": description}


def several(description: str, items: Schema | None = None) -> Schema:
    return {"type": "array", "items": items or {"type": "string"}, "description": description}


def plain_object(required: str = "", /, **properties: Schema) -> Schema:
    shape = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**shape, "required": required.split()} if required else shape


def bare_object(description: str = "", /, **properties: str | Schema) -> Schema:
    """An object whose fields explain themselves: every request of an agent carries all shapes."""
    typed = {name: {"type": kind} if isinstance(kind, str) else kind for name, kind in properties.items()}
    described = {"description": description} if description else {}
    return {"type": "object", "properties": typed, **described}
