"""Every setting there is, as data. The loader, `config show`, `init` and the reference all read it.

A setting is named by its key; in a table whose entries users name themselves, by "roles.reviewer.model".
"""

import os
import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from teamlead.core.model import EFFORTS, JUDGED, TOOLS, Commands, Limits

Kind = Literal[
    "agent",
    "text",
    "count",
    "money",
    "duration",
    "switch",
    "choice",
    "choices",
    "commands",
    "arguments",
    "paths",
    "places",
]
Value = str | int | float | tuple[str, ...]

Tighter = Literal["less", "limit", "more", "on", "off", "fewer", "further", "within", "later", "none"]
"""Which way a repository may go by itself; the other way needs the user's consent (see `consent`).

limit: less, where 0 stands for no limit at all. fewer, further: entries of a list. within: path patterns.
later: in the order of the choices. none: no way is tighter, and any value but the user's own needs consent.
"""

MOST_JOBS = 8
"""More agents than this at one time is a choice, not a default."""


class Key(NamedTuple):
    name: str
    kind: Kind
    default: Value
    tighter: Tighter
    description: str
    example: str = ""
    """As it would stand in a config file, where the default is empty."""
    minimum: int = 0
    maximum: int = 1000
    choices: tuple[str, ...] = ()
    can_be_off: bool = False
    """false stands beside the choices, before the first of them."""
    on: str = ""
    """The choice that true stands for."""
    own_only: bool = False
    """In a repository's file it is an error."""
    fixed: bool = False
    """A session keeps it as it was at its start: whoever goes on with it does not look at it again."""


class Table(NamedTuple):
    """Settings for each of several things that users name: `[roles.reviewer]`."""

    name: str
    entry: str
    """An example of what it can have."""
    description: str
    keys: tuple[Key, ...]


def default_jobs() -> int:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST_JOBS)


_LIMITS = Limits()
PLAN_ATTEMPTS = 5
_A_MONTH = 30 * 24 * 3600


def _count(name: str, default: int, description: str) -> Key:
    return Key(name, "count", default, "less", description, minimum=1, fixed=True)


def _duration(name: str, default: float, tighter: Tighter, description: str, *, fixed: bool = False) -> Key:
    return Key(name, "duration", default, tighter, description, maximum=_A_MONTH, fixed=fixed)


def _commands(name: str, example: str, description: str, *, fixed: bool = False) -> Key:
    return Key(name, "commands", (), "none", description, example=example, fixed=fixed)


def _paths(name: str, example: str, description: str) -> Key:
    return Key(name, "paths", (), "none", description, example=example)


def _staffing(whose: str) -> tuple[Key, ...]:
    return (
        Key(
            "model",
            "text",
            "",
            "none",
            f"The model of {whose}: a name, or small, medium or large.",
            example='"medium"',
            fixed=True,
        ),
        Key(
            "effort",
            "choice",
            "",
            "none",
            f"How hard {whose} thinks.",
            example='"high"',
            choices=EFFORTS,
            fixed=True,
        ),
        Key(
            "arguments",
            "arguments",
            (),
            "none",
            f"Further arguments for the program of {whose}.",
            example='["--verbose"]',
            fixed=True,
        ),
    )


def _budget(prefix: str, of: str) -> tuple[Key, ...]:
    return (
        Key(
            f"{prefix}budget_usd",
            "money",
            0.0,
            "limit",
            f"US dollars that {of} may cost; 0: no limit.",
            example="5.0",
            maximum=1_000_000,
            fixed=True,
        ),
        Key(
            f"{prefix}budget_tokens",
            "count",
            0,
            "limit",
            f"Tokens that {of} may use, in and out; 0: no limit.",
            example="2_000_000",
            maximum=10**12,
            fixed=True,
        ),
        Key(
            f"{prefix}budget_time",
            "duration",
            0.0,
            "limit",
            f"Time of agents, added up, that {of} may take; 0: no limit.",
            example='"4h"',
            maximum=12 * _A_MONTH,
            fixed=True,
        ),
        Key(
            f"{prefix}budget_turns",
            "count",
            0,
            "limit",
            f"Turns of models that {of} may take; 0: no limit.",
            example="200",
            maximum=10**9,
            fixed=True,
        ),
    )


KEYS: tuple[Key, ...] = (
    Key(
        "agent",
        "agent",
        "",
        "none",
        "The agent that does the work: a kind, or kind:argument. Unset: the first one that is installed.",
        example='"claude"',
        fixed=True,
    ),
    *_staffing("the agent"),
    *_budget("", "a session"),
    *_budget("task_", "one task"),
    Key(
        "autonomy",
        "count",
        1,
        "less",
        "1: the lead acts when an agent has ended. 2: also on what it reports while it works.",
        minimum=1,
        maximum=2,
        fixed=True,
    ),
    Key(
        "judge",
        "choice",
        "all",
        "later",
        "Whose work a model judges that code has accepted. all: every task's. undecided: not what code has "
        "decided on all counts. acceptance: only where words say when it is done. false: nobody's.",
        choices=JUDGED,
        can_be_off=True,
        on="all",
        fixed=True,
    ),
    Key(
        "judge_inputs",
        "switch",
        True,
        # On, commands are run that a model thought of; off, less is found.
        "none",
        "The judge thinks of inputs before it sees the work, which are run on it as checks are. "
        "They decide nothing.",
        example="false",
        fixed=True,
    ),
    Key(
        "independent_tests",
        "switch",
        False,
        # On, commands are run that a model wrote; off, less is found.
        "none",
        "A tester who sees only the task writes tests while its agent works, which the agent never sees. "
        "They are run on the work, and decide nothing.",
        example="true",
        fixed=True,
    ),
    Key(
        "planner",
        "switch",
        True,
        # On, it changes what is done; off, nobody looks whether all is done.
        "none",
        "A model plans anew what fails, and says whether the merged work is all that was wanted.",
        example="false",
        fixed=True,
    ),
    _duration(
        "question_wait", 45.0, "less", "How long an agent waits for your answer before its task is set aside."
    ),
    _duration(
        "permission_wait",
        600.0,
        "less",
        "How long an agent waits for your yes to a tool call before it is a no.",
    ),
    Key(
        "agent_settings",
        "switch",
        False,
        "off",
        "Let the repository's own settings and hooks for agents take effect.",
        example="true",
        fixed=True,
    ),
    _count("jobs", default_jobs(), "Agents at work at one time. Unset: one a core, at most 8."),
    Key(
        "check_jobs",
        "count",
        _LIMITS.check_jobs,
        "less",
        "Checks that run at one time, besides the agents. 0: as many as `jobs`.",
        "2",
        fixed=True,
    ),
    _count("attempts", _LIMITS.attempts, "Failures of one task before you are asked."),
    _duration(
        "retry_delay",
        _LIMITS.retry_delay,
        "more",
        "Wait before the first retry after an agent's crash, error or time-out; doubles each time.",
        fixed=True,
    ),
    _duration(
        "hard_timeout",
        _LIMITS.hard_timeout,
        "limit",
        "The longest one run of an agent may take; 0: no limit.",
        fixed=True,
    ),
    _duration(
        "idle_timeout",
        _LIMITS.idle_timeout,
        "limit",
        "The longest an agent may be silent; 0: no limit.",
        fixed=True,
    ),
    _duration(
        "check_timeout",
        _LIMITS.check_timeout,
        "limit",
        "The longest one check may take; 0: no limit.",
        fixed=True,
    ),
    Key(
        "proof_times",
        "count",
        2,
        "more",
        "Further runs that show whether a task's checks prove it take at most so many times as long as they, "
        "all together, besides those with the tests of the base. 0: there are none.",
        maximum=100,
        fixed=True,
    ),
    _duration(
        "grace",
        _LIMITS.grace,
        "less",
        "The time an agent gets to end by itself when it is stopped.",
        fixed=True,
    ),
    _duration(
        "leaving",
        _LIMITS.leaving,
        "less",
        "The time an agent at work gets to answer when the session has ended and it is asked to leave.",
        fixed=True,
    ),
    _duration(
        "leaving_again",
        _LIMITS.leaving_again,
        "less",
        "The time it gets once it was asked again; then it is ended.",
        fixed=True,
    ),
    _count("questions", _LIMITS.questions, "Questions to you before you are asked whether to go on."),
    _duration(
        "radar",
        20.0,
        "none",
        "How often the lead looks whether the work of agents would merge; 0: never.",
    ),
    _count("replans", _LIMITS.replans, "How often a session turns to its planner; then to you."),
    _count("validations", _LIMITS.validations, "How often it turns to its validator; then to its advisor."),
    _count("advices", _LIMITS.advices, "How often it turns to its advisor; then to you."),
    _count("max_tasks", _LIMITS.planned_tasks, "Tasks that a plan of the planner may have."),
    Key(
        "max_task_hours",
        "count",
        int(_LIMITS.planned_hours),
        "less",
        "Hours that one of its tasks may take.",
        minimum=1,
        maximum=8,
        fixed=True,
    ),
    _count("plan_attempts", PLAN_ATTEMPTS, "Proposals of the planner before you are asked."),
    Key(
        "plan_quality",
        "count",
        _LIMITS.plan_quality,
        "more",
        "The score from which a plan is used.",
        maximum=100,
        fixed=True,
    ),
    Key(
        "plan_target",
        "count",
        _LIMITS.plan_target,
        "more",
        "The score from which no better plan is asked for.",
        maximum=100,
        fixed=True,
    ),
    Key(
        "min_free_space",
        "count",
        500,
        "more",
        "Megabytes of the disk that stay free: with less, no work starts; 0: no such limit.",
        maximum=1_000_000,
    ),
    Key("keep_awake", "switch", True, "off", "Keep the machine from going to sleep while a session is led."),
    _commands(
        "checks",
        '["python -m pytest -q"]',
        "Commands that every task must pass in its working copy.",
        fixed=True,
    ),
    Key(
        "preflight",
        "switch",
        True,
        "on",
        "Try every check on a clean copy of the base before the first agent starts, at most a minute long.",
        example="false",
        fixed=True,
    ),
    Key(
        "check_network",
        "switch",
        True,
        "off",
        "Checks may use the network; without it they have a loopback of their own (Linux only).",
        example="false",
    ),
    Key(
        "require_reports",
        "switch",
        False,
        "on",
        "Every agent has to end with a report in the contract's form, not only where its task asks for one.",
        example="true",
    ),
    _commands(
        "notify",
        '["desktop"]',
        "What tells you that you are needed: commands that read it from their input; desktop shows it there.",
        fixed=True,
    ),
    _commands("post_create", '["npm ci"]', "Commands that prepare each new working copy."),
    _paths("copy", '[".env"]', "Untracked paths or patterns copied into each working copy."),
    _paths("link", '["node_modules"]', "Untracked paths or patterns linked into each working copy."),
    Key(
        "sparse",
        "switch",
        False,
        # Agents see less, and so do checks.
        "none",
        "Working copies hold only the scope of their task, where it has one, and the files at the root.",
        example="true",
    ),
    Key(
        "keep_ignored",
        "count",
        100,
        "less",
        "Megabytes of ignored files kept of one copy; a copy with more stays on disk.",
        maximum=1_000_000,
    ),
    Key(
        "room",
        "choice",
        "default",
        "none",
        "How agents and checks are shut in. strict: nothing starts where that is impossible. false: not.",
        choices=("default", "strict"),
        can_be_off=True,
    ),
    Key(
        "expose",
        "places",
        (),
        "none",
        "Paths outside of the repository that are seen in a room, too. Only in your own file.",
        example='["~/.ssh"]',
        own_only=True,
    ),
)

TABLES: tuple[Table, ...] = (
    Table(
        "roles",
        "reviewer",
        "What holds for the agents of one role, unless their task says otherwise.",
        (
            Key("agent", "agent", "", "none", "Who works in the role.", example='"codex"', fixed=True),
            *_staffing("an agent of the role"),
            Key(
                "tools",
                "choices",
                (),
                "fewer",
                "What it may use.",
                example='["read", "search"]',
                choices=TOOLS,
                fixed=True,
            ),
            Key(
                "asks",
                "choices",
                (),
                "further",
                "Tools of which you allow each single call.",
                example='["shell"]',
                choices=TOOLS,
                fixed=True,
            ),
            Key(
                "commands",
                "choice",
                "",
                "later",
                "What its shell is for. audit: only commands that read.",
                example='"audit"',
                choices=get_args(Commands),
                fixed=True,
            ),
            Key(
                "writes",
                "paths",
                (),
                "within",
                "Path patterns it may change, where its task may, too.",
                example='["docs/**"]',
                fixed=True,
            ),
            *_budget("", "the role"),
        ),
    ),
    Table(
        "tiers",
        "codex",
        "The models that small, medium and large stand for, with one kind of agent.",
        tuple(
            Key(name, "text", "", "none", f"The model for {use}.", example=f'"{name}-model"', fixed=True)
            for name, use in (
                ("small", "finding and matching"),
                ("medium", "most work"),
                ("large", "what is hard"),
            )
        ),
    ),
)

POLICY = ("tools", "asks", "commands", "writes")
"""Those keys of a role that say what it may do; built-in roles have them without anybody's doing."""

ENTRY_NAME = re.compile(r"[^\W_][\w-]{0,63}")

TIERS: Mapping[str, Value] = {
    "tiers.claude.small": "haiku",
    "tiers.claude.medium": "sonnet",
    "tiers.claude.large": "opus",
}
"""Settings that tables have without anybody's doing."""

BY_NAME = {key.name: key for key in KEYS}
BY_TABLE = {table.name: {key.name: key for key in table.keys} for table in TABLES}


def key_of(name: str) -> Key | None:
    """Of "jobs" or "roles.reviewer.model"."""
    table, _, rest = name.partition(".")
    entry, _, key = rest.rpartition(".")
    if not rest:
        return BY_NAME.get(name)
    return BY_TABLE.get(table, {}).get(key) if ENTRY_NAME.fullmatch(entry) else None
