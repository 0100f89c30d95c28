"""The form of a script for the scripted agent and the scripted model, checked whole before anything runs.

A script is TOML: an array of tables for each task or role, one table a run, each with its `steps`. Standard
library only: the agent's own program reads it, and must start fast.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from teamlead.errors import ConfigError
from teamlead.runners.script_steps import Player, Step, problem_of

PURPOSES: Mapping[str, tuple[str, ...]] = {
    "judge": ("judge", "examples"),
    "planner": ("plan", "quality", "interpret", "replan", "review", "complete"),
    "validator": ("validate",),
    "advisor": ("advise",),
    "tester": ("tests",),
}
"""What each of those whom the lead consults is asked for."""

_WELL = "The script says nothing else."
_MET = [{"criterion": "all", "met": True, "why": _WELL}]
_ANALYSIS = {
    "rootCause": _WELL,
    "recommendation": "Try again.",
    "confidence": "high",
    "requiresUserDecision": False,
    "reasoning": _WELL,
}
DEFAULTS: Mapping[str, dict[str, Any]] = {
    "tests": {"examples": []},
    "examples": {"examples": []},
    "judge": {"success": True, "reason": _WELL},
    "validate": _ANALYSIS,
    "advise": _ANALYSIS,
    "complete": {"fulfilled": True, "reason": _WELL},
    "quality": {"critical": _MET, "important": _MET, "nice": _MET},
}
"""What is answered where no table says otherwise. Tasks cannot be made up: without a table there are none."""
_BESIDE = {"examples", "complete", "quality"}
"""Asked of a judge or a planner besides, in another shape: only tables for them answer these."""

_NAME = rf"task-[\w.-]+|{'|'.join(PURPOSES)}"
_HEADING = re.compile(rf"^# ({_NAME}):(?: (\w+)(?: \((\d+)\))?$)?", re.MULTILINE)
_ATTEMPT = re.compile(r"^This is attempt (\d+)\b", re.MULTILINE)
_ROLE = re.compile(rf"(?:.+-)?({'|'.join(PURPOSES)})")


_REQUIRED = re.compile(r"^Give `fulfilled` an entry for each number from 1 to (\d+)", re.MULTILINE)
_QUESTIONS = re.compile(r"^Answer each number from 1 to (\d+) in `answers`", re.MULTILINE)
_STATED = re.compile(r"^Give `statements` an entry", re.MULTILINE)
_FIRST = re.compile(r"^1\. (.+)$", re.MULTILINE)
_CHANGED = re.compile(r"^\+\+\+ b/([^\n\t]+)\t?\n@@ -\S+ \+(\d+)", re.MULTILINE)
_GONE = re.compile(r"^diff --git a/(.+?) b/", re.MULTILINE)


class Part(NamedTuple):
    """One run, as scripts name it: by its task and the first line of its prompt."""

    task: str
    """Or who is consulted: `task-1-judge`, `planner`."""
    attempt: int = 1
    """Of those who are consulted: how often for this purpose."""
    purpose: str = ""
    """What somebody is consulted for."""

    @property
    def tables(self) -> list[str]:
        """The tables that its steps are looked for in, in this order."""
        role = role_of(self.task)
        if not role:
            return [self.task, "default"]
        names = list(dict.fromkeys((self.task, role)))
        if not self.purpose:
            return names
        if self.purpose in _BESIDE:
            return [f"{name}: {self.purpose}" for name in names]
        return [table for name in names for table in (f"{name}: {self.purpose}", name)]


def role_of(name: str) -> str:
    """Returns the role of the adviser with this name; "" for a task, and for a table of another kind."""
    found = _ROLE.fullmatch(name)
    return found[1] if found else ""


def part_of(prompt: str) -> Part | None:
    """Returns None where the prompt names nobody's part."""
    heading = _HEADING.search(prompt)
    if heading is None:
        return None
    name, purpose, number = heading.groups()
    if role_of(name):
        return Part(name, int(number or 1), purpose or "")
    attempt = _ATTEMPT.search(prompt)
    return Part(name, int(attempt[1]) if attempt else 1)


Script = dict[str, list[list[Step]]]
"""Runs in their order, by the name of their tables; with a `for`, by the name that a prompt begins with."""


class _Table(NamedTuple):
    name: str
    start: int
    """Where its content begins in the text."""
    value: dict[str, Any]


def check_script(text: str, name: str, player: Player = "agent") -> Script:
    """Returns the runs of each task and role as steps. A mistake raises ConfigError, with its line."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: {error}") from error
    if not tables:
        raise ConfigError(f"{name}: line 1: the script is empty", remedy="begin with [[default]]")
    script: Script = {}
    for table in _tables(text, name, tables):
        steps = _steps(text, name, player, table)
        script.setdefault(_key(text, name, table), []).append(steps)
    return script


def script_roles(path: Path) -> frozenset[str]:
    """Returns the roles of advisers that a script has tables for; none if it cannot be read."""
    return frozenset(filter(None, map(role_of, _read(path))))


def script_purposes(path: Path) -> frozenset[str]:
    """Returns what its tables name by `for`; nothing if it cannot be read."""
    runs = (run for table in _read(path).values() if isinstance(table, list) for run in table)
    named = (run.get("for") for run in runs if isinstance(run, dict))
    return frozenset(purpose for purpose in named if isinstance(purpose, str))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def steps_for(script: Script, part: Part) -> list[Step]:
    runs = next(filter(None, map(script.get, part.tables)), None)
    if runs:
        return runs[min(part.attempt, len(runs)) - 1]
    if part.purpose in DEFAULTS:
        return [{"answer": DEFAULTS[part.purpose]}]
    raise ConfigError(f"the script has neither {' nor '.join(f'[[{table}]]' for table in part.tables)}")


def completed(steps: list[Step], part: Part, prompt: str) -> list[Step]:
    """As a model would answer: a judge that is content names the places that it was asked for.

    Each sentence is fulfilled by the first line of the change, and all that code asks about is planned for.
    """
    if part.purpose != "judge":
        return steps
    return [
        {**step, "answer": _whole(step["answer"], prompt)} if "answer" in step else step for step in steps
    ]


def _whole(answer: dict[str, Any], prompt: str) -> dict[str, Any]:
    if answer.get("success") is not True:
        return answer
    first, place = _FIRST.search(prompt), _first_place(prompt)
    return {
        "fulfilled": [{"number": number, "line": place} for number in _numbers(_REQUIRED, prompt)],
        "answers": [
            {"number": number, "sentence": first[1] if first else ""}
            for number in _numbers(_QUESTIONS, prompt)
        ],
        "statements": [{"says": "it does", "line": place}] if _STATED.search(prompt) else [],
        **answer,
    }


def _numbers(told: re.Pattern[str], prompt: str) -> range:
    found = told.search(prompt)
    return range(1, int(found[1]) + 1) if found else range(0)


def _first_place(prompt: str) -> str:
    """That a patch in it changes. What only goes was in the base."""
    if found := _CHANGED.search(prompt):
        return f"{found[1]}:{max(1, int(found[2]))}"
    gone = _GONE.search(prompt)
    return gone[1] if gone else ""


def script_text(script: Script) -> str:
    """Writes a script as a person would by hand."""
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


def fill(value: Any, values: Mapping[str, str]) -> Any:
    """Fills placeholders in one pass, so that an answer cannot smuggle in another one."""
    if isinstance(value, str):
        names = "|".join(map(re.escape, values))
        return re.sub(rf"\{{({names})\}}", lambda match: values[match[1]], value)
    if isinstance(value, dict):
        return {key: fill(item, values) for key, item in value.items()}
    return [fill(item, values) for item in value] if isinstance(value, list) else value


def last_answer(prompt: str) -> str:
    """Returns what a person answered, as a prompt tells it."""
    answers = re.findall(r"^Answer:\n((?:> .*\n?)+)", prompt, re.MULTILINE)
    return answers[-1].replace("\n> ", "\n").removeprefix("> ").strip() if answers else ""


def _tables(text: str, name: str, tables: dict[str, Any]) -> Iterator[_Table]:
    for table, value in tables.items():
        if not isinstance(value, list) or not all(isinstance(run, dict) for run in value):
            line = _line_of(text, 0, rf"\[\s*{re.escape(table)}\s*\]|{re.escape(table)}\s*=")
            raise ConfigError(
                f"{name}: line {line}: {table!r} is not an array of tables", remedy=f"write [[{table}]]"
            )
        for number, run in enumerate(value):
            yield _Table(table, _start_of(text, table, number), run)


def _key(text: str, name: str, table: _Table) -> str:
    purpose = table.value.get("for")
    if purpose is None:
        return table.name
    known = PURPOSES[role_of(table.name)]
    if purpose not in known:
        line = _line_of(text, table.start, r"\bfor\b")
        raise ConfigError(f"{name}: line {line}: 'for' must be one of: {', '.join(known)}")
    return f"{table.name}: {purpose}"


def _steps(text: str, name: str, player: Player, table: _Table) -> list[Step]:
    keys = ["steps", "for"] if role_of(table.name) else ["steps"]
    if unknown := set(table.value) - set(keys):
        key = min(unknown)
        line = _line_of(text, table.start, rf"\b{re.escape(key)}\b")
        known = " and ".join(f"`{key}`" for key in keys)
        raise ConfigError(
            f"{name}: line {line}: unknown key {key!r}", remedy=f"[[{table.name}]] has only {known}"
        )
    steps = table.value.get("steps")
    if not isinstance(steps, list):
        line = text.count("\n", 0, table.start) + 1
        raise ConfigError(f"{name}: line {line}: [[{table.name}]] has no list of `steps`")
    _check_steps(text, name, player, table.start, steps)
    return steps


def _check_steps(text: str, name: str, player: Player, start: int, steps: list[Any]) -> None:
    seen: dict[str, int] = {}
    for number, step in enumerate(steps, 1):
        keys = list(step) if isinstance(step, dict) else []
        for key in keys:
            seen[key] = seen.get(key, 0) + 1
        if problem := problem_of(step, player):
            key = keys[0] if keys else "steps"
            line = _line_of(text, start, rf"\b{re.escape(key)}[\"']?\s*=", seen.get(key, 1))
            raise ConfigError(f"{name}: line {line}: step {number}: {problem}")


def _start_of(text: str, task: str, number: int) -> int:
    headers = list(re.finditer(rf"^\s*\[\[\s*[\"']?{re.escape(task)}[\"']?\s*\]\]", text, re.MULTILINE))
    return headers[number].end() if number < len(headers) else 0


def _line_of(text: str, start: int, pattern: str, nth: int = 1) -> int:
    """Returns the line of the nth match after `start`. Tables keep no positions, so it searches the text."""
    found = list(re.finditer(pattern, text[start:]))[:nth]
    return text.count("\n", 0, start + (found[-1].start() if found else 0)) + 1
