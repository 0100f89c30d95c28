"""The form of a script for the scripted agent and the scripted model, checked whole before anything runs.

A script is TOML: an array of tables for each task, one table an attempt, each with its `steps`. Standard
library only: the agent's own program reads it, and must start fast.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from teamlead.errors import ConfigError

Step = dict[str, Any]
Script = dict[str, list[list[Step]]]
Player = Literal["agent", "model"]
"""Who follows a script: the scripted agent itself, or a model which a real program asks."""

_NUMBER = (int, float)
_Types = type | tuple[type, ...]

STEPS: Mapping[str, tuple[_Types, Mapping[str, _Types]]] = {
    "say": (str, {}),
    "write": (str, {"text": str}),
    "append": (str, {"text": str}),
    "delete": (str, {}),
    "touch": (str, {}),
    "run": (str, {"must_pass": bool}),
    "commit": (str, {}),
    "usage": (dict, {}),
    "wait_for": (str, {"seconds": _NUMBER}),
    "sleep": (_NUMBER, {}),
    "emit_raw": (str, {"repeat": int, "bytes": bool}),
    "spawn_stubborn": (bool, {"pid_file": str}),
    "done": (str, {}),
    "ask": (str, {"options": list}),
    "fail": (str, {}),
    "exit": (int, {}),
    "crash": (bool, {}),
    "hang": (bool, {"stubborn": bool}),
    "call": (str, {"input": dict}),
    "team": (str, {"input": dict}),
    "http": (int, {"reset_in": _NUMBER, "headers": dict, "body": str}),
    "break_stream": (bool, {}),
    "silence": (bool, {}),
}
"""Each step by the key that names it: the type of its value, and its further keys."""

_ONLY: Mapping[Player, frozenset[str]] = {
    "agent": frozenset({"emit_raw", "exit"}),
    "model": frozenset({"call", "team", "break_stream", "silence"}),
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
    dict: "a table",
    list: "a list of strings",
}


def check_script(text: str, name: str, player: Player = "agent") -> Script:
    """The attempts of each task, each a list of steps. A mistake raises ConfigError with `name` and line."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: {error}") from error
    if not tables:
        raise ConfigError(f"{name}: line 1: the script is empty", remedy="begin with [[default]]")
    return {task: _attempts(text, name, player, task, value) for task, value in tables.items()}


def steps_for(script: Script, task: str, attempt: int) -> list[Step]:
    attempts = script.get(task) or script.get("default")
    if not attempts:
        raise ConfigError(f"the script has neither [[{task}]] nor [[default]]")
    return attempts[min(attempt, len(attempts)) - 1]


def steps_of(player: Player) -> list[str]:
    return [kind for kind in STEPS if kind not in _ONLY[_OTHER[player]]]


def kind_of(step: Step) -> str:
    return next(key for key in step if key in STEPS)


def fill(value: Any, values: Mapping[str, str]) -> Any:
    """Placeholders in one pass, so that an answer cannot smuggle in another one."""
    if isinstance(value, str):
        names = "|".join(map(re.escape, values))
        return re.sub(rf"\{{({names})\}}", lambda match: values[match[1]], value)
    if isinstance(value, dict):
        return {key: fill(item, values) for key, item in value.items()}
    return [fill(item, values) for item in value] if isinstance(value, list) else value


def last_answer(prompt: str) -> str:
    """What a person answered, as a prompt tells it."""
    answers = re.findall(r"^Answer: (.*)$", prompt, re.MULTILINE)
    return answers[-1].strip() if answers else ""


def _attempts(text: str, name: str, player: Player, task: str, value: object) -> list[list[Step]]:
    if not isinstance(value, list) or not all(isinstance(attempt, dict) for attempt in value):
        line = _line_of(text, 0, rf"\[\s*{re.escape(task)}\s*\]|{re.escape(task)}\s*=")
        raise ConfigError(
            f"{name}: line {line}: {task!r} is not an array of tables", remedy=f"write [[{task}]]"
        )
    attempts = []
    for number, attempt in enumerate(value):
        start = _start_of(text, task, number)
        line = text.count("\n", 0, start) + 1
        if unknown := set(attempt) - {"steps"}:
            key = min(unknown)
            line = _line_of(text, start, rf"\b{re.escape(key)}\b")
            raise ConfigError(
                f"{name}: line {line}: unknown key {key!r}", remedy="an attempt has only `steps`"
            )
        steps = attempt.get("steps")
        if not isinstance(steps, list):
            raise ConfigError(f"{name}: line {line}: [[{task}]] has no list of `steps`")
        _check_steps(text, name, player, start, steps)
        attempts.append(steps)
    return attempts


def _check_steps(text: str, name: str, player: Player, start: int, steps: list[Any]) -> None:
    seen: dict[str, int] = {}
    for number, step in enumerate(steps, 1):
        keys = list(step) if isinstance(step, dict) else []
        for key in keys:
            seen[key] = seen.get(key, 0) + 1
        if problem := _problem(step, player):
            key = keys[0] if keys else "steps"
            line = _line_of(text, start, rf"\b{re.escape(key)}[\"']?\s*=", seen.get(key, 1))
            raise ConfigError(f"{name}: line {line}: step {number}: {problem}")


def _problem(step: object, player: Player) -> str:
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


def leaves_copy(path: str) -> bool:
    return Path(os.path.normpath(path)).parts[:1] == (os.pardir,)


def _first(step: dict[str, Any]) -> str:
    return next(iter(step), "")


def _is(value: object, wanted: _Types) -> bool:
    if isinstance(value, bool):
        return wanted is bool
    if isinstance(value, list):
        return wanted is list and all(isinstance(item, str) for item in value)
    return isinstance(value, wanted)


def _start_of(text: str, task: str, number: int) -> int:
    headers = list(re.finditer(rf"^\s*\[\[\s*[\"']?{re.escape(task)}[\"']?\s*\]\]", text, re.MULTILINE))
    return headers[number].end() if number < len(headers) else 0


def _line_of(text: str, start: int, pattern: str, nth: int = 1) -> int:
    """The line of the nth match after `start`; tables keep no positions, so the text is searched."""
    found = list(re.finditer(pattern, text[start:]))[:nth]
    return text.count("\n", 0, start + (found[-1].start() if found else 0)) + 1
