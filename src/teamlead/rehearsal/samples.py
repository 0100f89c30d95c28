"""The plainest value that a JSON schema allows, for programs that want an answer of a certain shape."""

from collections.abc import Mapping
from typing import Any

DEEPEST = 20


def sample(schema: object, depth: int = DEEPEST) -> Any:
    if not isinstance(schema, Mapping) or depth == 0:
        return None
    if "const" in schema:
        return schema["const"]
    for choice in ("enum", "anyOf", "oneOf"):
        if isinstance(schema.get(choice), list) and schema[choice]:
            first = schema[choice][0]
            return first if choice == "enum" else sample(first, depth - 1)
    match str(schema.get("type", "object")).lower():
        case "object":
            properties = schema.get("properties")
            known = properties if isinstance(properties, Mapping) else {}
            return {name: sample(inside, depth - 1) for name, inside in known.items()}
        case "array":
            return []
        case "string":
            return "all is well"
        case "number" | "integer":
            return schema.get("minimum", 1)
        case "boolean":
            return True
    return None
