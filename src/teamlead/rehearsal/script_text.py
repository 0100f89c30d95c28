"""A script as text, as it would have been written by hand."""

import json
from typing import Any

from teamlead.runners.script import Script


def written(script: Script) -> str:
    lines: list[str] = []
    for name, runs in script.items():
        table, _, purpose = name.partition(": ")
        head = [f"[[{_value(table)}]]", *([f"for = {_value(purpose)}"] if purpose else [])]
        for steps in runs:
            lines += [*head, "steps = [", *(f"  {_value(step)}," for step in steps), "]", ""]
    return "\n".join(lines)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_value(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    # Strings, numbers and booleans are written alike in both; only half a character must not be escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
