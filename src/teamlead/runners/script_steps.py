"""The steps of a script, and what can be wrong with one. Standard library only, as all that reads scripts."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

Step = dict[str, Any]
Player = Literal["agent", "model"]
"""Who follows a script: the scripted agent itself, or a model which a real program asks."""

_NUMBER = (int, float)
_ANSWER = (dict, list)
_Types = type | tuple[type, ...]

STEPS: Mapping[str, tuple[_Types, Mapping[str, _Types]]] = {
    "say": (str, {}),
    "write": (str, {"text": str}),
    "append": (str, {"text": str}),
    "delete": (str, {}),
    "touch": (str, {}),
    "run": (str, {"must_pass": bool}),
    "commit": (str, {}),
    "team": (str, {"input": dict}),
    "usage": (dict, {}),
    "feedback": (dict, {}),
    "wait_for": (str, {"seconds": _NUMBER}),
    "sleep": (_NUMBER, {}),
    "emit_raw": (str, {"repeat": int, "bytes": bool}),
    "spawn_stubborn": (bool, {"pid_file": str}),
    "done": (str, {}),
    "answer": (_ANSWER, {}),
    "ask": (str, {"options": list}),
    "fail": (str, {}),
    "exit": (int, {}),
    "crash": (bool, {}),
    "hang": (bool, {"stubborn": bool}),
    "call": (str, {"input": dict}),
    "http": (int, {"reset_in": _NUMBER, "headers": dict, "body": str}),
    "break_stream": (bool, {}),
    "silence": (bool, {}),
}
"""Each step by the key that names it: the type of its value, and its further keys."""

_ONLY: Mapping[Player, frozenset[str]] = {
    "agent": frozenset({"emit_raw", "exit"}),
    "model": frozenset({"call", "break_stream", "silence"}),
}
_OTHER: Mapping[Player, Player] = {"agent": "model", "model": "agent"}
_NEEDED = {"write": "text", "append": "text"}
_PATHS = ("write", "append", "delete", "touch")
_USAGE: Mapping[str, _Types] = {"input_tokens": int, "output_tokens": int, "cost_usd": _NUMBER}
_TYPE_NAMES: Mapping[_Types, str] = {
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    _NUMBER: "a number",
    _ANSWER: "a table or a list",
    dict: "a table",
    list: "a list of strings",
}


def steps_of(player: Player) -> list[str]:
    return [kind for kind in STEPS if kind not in _ONLY[_OTHER[player]]]


def kind_of(step: Step) -> str:
    return next(key for key in step if key in STEPS)


def last_words(step: Step, feedback: Iterable[Mapping[str, Any]]) -> str:
    """Returns the last words of a run that ends with this step, with what it said of its work before."""
    words = step["done"] if "done" in step else json.dumps(step["answer"], ensure_ascii=False)
    blocks = (f"## Feedback\n\n```json\n{json.dumps(each, ensure_ascii=False)}\n```" for each in feedback)
    return "\n\n".join([words, *blocks])


def problem_of(step: object, player: Player) -> str:
    """Says what is wrong with a step for this player; "" if nothing is."""
    if not isinstance(step, dict):
        return 'a step is a table like {say = "..."}'
    kinds = [key for key in step if key in STEPS]
    if len(kinds) != 1:
        known = ", ".join(steps_of(player))
        return (
            f"{' and '.join(map(repr, kinds))} in one step"
            if kinds
            else f"unknown step {_first(step)!r}; there are: {known}"
        )
    kind = kinds[0]
    if kind in _ONLY[_OTHER[player]]:
        return f"{kind!r} is a step of the scripted {_OTHER[player]}; the scripted {player} cannot do it"
    wanted, further = STEPS[kind]
    types = {kind: wanted, **further}
    for key, value in step.items():
        if key not in types:
            return f"{kind!r} has no key {key!r}"
        if not _is(value, types[key]):
            return f"{key!r} must be {_TYPE_NAMES[types[key]]}"
    if kind in _NEEDED and _NEEDED[kind] not in step:
        return f"{kind!r} needs {_NEEDED[kind]!r}"
    if step[kind] is False:
        return f"{kind!r} must be true, or left out"
    if kind in _PATHS and leaves_copy(step[kind]):
        return f"{step[kind]!r} leaves the working copy; only an absolute path may"
    return _inner_problem(kind, step)


def _inner_problem(kind: str, step: dict[str, Any]) -> str:
    match kind:
        case "usage":
            return _usage_problem(step["usage"])
        case "http":
            return _http_problem(step)
        case "answer" | "feedback":
            return _json_problem(kind, step[kind])
    return ""


def _usage_problem(usage: dict[str, Any]) -> str:
    for key, value in usage.items():
        if key not in _USAGE:
            return f"'usage' has no key {key!r}"
        if not _is(value, _USAGE[key]):
            return f"{key!r} must be {_TYPE_NAMES[_USAGE[key]]}"
    return ""


def _http_problem(step: dict[str, Any]) -> str:
    if not 400 <= step["http"] <= 599:
        return "'http' must be the status of an error, from 400 to 599"
    texts = all(isinstance(value, str) for value in step.get("headers", {}).values())
    return "" if texts else "'headers' must be a table of strings"


def _json_problem(kind: str, value: object) -> str:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return f"{kind!r} must hold only what JSON can: no dates, no infinite numbers"
    return ""


def leaves_copy(path: str) -> bool:
    return Path(os.path.normpath(path)).parts[:1] == (os.pardir,)


def _first(step: dict[str, Any]) -> str:
    return next(iter(step), "")


def _is(value: object, wanted: _Types) -> bool:
    if isinstance(value, bool):
        return wanted is bool
    if wanted is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, wanted)
