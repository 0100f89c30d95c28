"""Every setting there is, as one table. The loader, `config show` and `init` all read it."""

import os
from typing import Literal, NamedTuple

from teamlead.core.model import Limits

Kind = Literal["text", "count", "duration", "switch", "commands", "paths"]
Value = str | int | float | tuple[str, ...]

MOST_JOBS = 8
"""More agents than this at one time is a choice, not a default."""


class Key(NamedTuple):
    name: str
    kind: Kind
    default: Value
    description: str
    example: str = ""
    """As it would stand in a config file, where the default is empty."""
    minimum: int = 0
    maximum: int = 1000
    runs_commands: bool = False
    """From a repository's file it takes effect only after the user allowed that exact content."""


def default_jobs() -> int:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST_JOBS)


_LIMITS = Limits()
_A_MONTH = 30 * 24 * 3600


def _count(name: str, default: int, description: str) -> Key:
    return Key(name, "count", default, description, minimum=1)


def _duration(name: str, default: float, description: str) -> Key:
    return Key(name, "duration", default, description, maximum=_A_MONTH)


def _commands(name: str, example: str, description: str) -> Key:
    return Key(name, "commands", (), description, example, runs_commands=True)


def _paths(name: str, example: str, description: str) -> Key:
    return Key(name, "paths", (), description, example)


KEYS: tuple[Key, ...] = (
    Key(
        "agent",
        "text",
        "",
        "The agent that does the work: a kind, or kind:argument. A script's path is relative to the root.",
        '"scripted:demo.toml"',
        runs_commands=True,
    ),
    _count("jobs", default_jobs(), "Agents at work at one time. Unset: one a core, at most 8."),
    _count("attempts", _LIMITS.attempts, "Failures of one task before you are asked."),
    _duration(
        "retry_delay",
        _LIMITS.retry_delay,
        "Wait before the first retry after an agent's crash, error or time-out; doubles each time.",
    ),
    _duration("hard_timeout", _LIMITS.hard_timeout, "The longest one run of an agent may take; 0: no limit."),
    _duration("idle_timeout", _LIMITS.idle_timeout, "The longest an agent may be silent; 0: no limit."),
    _duration("check_timeout", _LIMITS.check_timeout, "The longest one check may take; 0: no limit."),
    _duration("grace", _LIMITS.grace, "The time an agent gets to end by itself when it is stopped."),
    _count("questions", _LIMITS.questions, "Questions to you before you are asked whether to go on."),
    Key(
        "min_free_space",
        "count",
        500,
        "Megabytes of the disk that stay free: with less, no work starts; 0: no such limit.",
        maximum=1_000_000,
    ),
    Key("keep_awake", "switch", True, "Keep the machine from going to sleep while a session is led."),
    _commands("checks", '["python -m pytest -q"]', "Commands that every task must pass in its working copy."),
    _commands("post_create", '["npm ci"]', "Commands that prepare each new working copy."),
    _paths("copy", '[".env"]', "Untracked paths or patterns copied into each working copy."),
    _paths("link", '["node_modules"]', "Untracked paths or patterns linked into each working copy."),
    Key(
        "sparse",
        "switch",
        False,
        "Working copies hold only the scope of their task, where it has one, and the files at the root.",
        "true",
    ),
    Key(
        "keep_ignored",
        "count",
        100,
        "Megabytes of ignored files kept of one copy; a copy with more stays on disk.",
        maximum=1_000_000,
    ),
)

BY_NAME = {key.name: key for key in KEYS}
