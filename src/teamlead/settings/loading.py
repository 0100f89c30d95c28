"""Joins what flags, the repository, the user and the defaults say, in this order, into one `Settings`."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple

from teamlead.core.model import Budget, Limits
from teamlead.core.roles import role_named
from teamlead.errors import ConfigError
from teamlead.settings.schema import BY_NAME, POLICY, TIERS, Value, key_of
from teamlead.settings.source import Source, checked, read
from teamlead.settings.values import BadValue
from teamlead.system.user_folders import REPOSITORY_FILE, agent_at, user_config_file

OriginKind = Literal["default", "user", "repository", "flag"]


class Origin(NamedTuple):
    """Where a value comes from."""

    kind: OriginKind
    path: Path | None = None
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Durations are seconds; 0 means none."""

    agent: str
    """A kind, or kind:argument; a script's path is absolute. Empty: none was chosen."""
    model: str
    effort: str
    arguments: tuple[str, ...]
    autonomy: int
    judge: Literal["acceptance", "undecided", "all", False]
    judge_inputs: bool
    independent_tests: bool
    planner: bool
    question_wait: float
    permission_wait: float
    agent_settings: bool
    jobs: int
    check_jobs: int
    attempts: int
    retry_delay: float
    hard_timeout: float
    idle_timeout: float
    check_timeout: float
    proof_times: int
    grace: float
    leaving: float
    leaving_again: float
    questions: int
    radar: float
    replans: int
    validations: int
    advices: int
    max_tasks: int
    max_task_hours: int
    plan_attempts: int
    plan_quality: int
    plan_target: int
    min_free_space: int
    """Megabytes."""
    keep_awake: bool
    checks: tuple[str, ...]
    preflight: bool
    check_network: bool
    require_reports: bool
    notify: tuple[str, ...]
    post_create: tuple[str, ...]
    copy: tuple[str, ...]
    link: tuple[str, ...]
    sparse: bool
    keep_ignored: int
    """Megabytes."""
    room: Literal["default", "strict", False]
    expose: tuple[str, ...]
    """Absolute paths."""
    values: Mapping[str, Value]
    """Every setting by its name; of tables, those that somebody set."""
    origins: Mapping[str, Origin]
    own: Mapping[str, Value]
    """Every setting as it would be without the repository."""

    def origin(self, name: str) -> Origin:
        return self.origins[name]

    def value(self, name: str) -> Value:
        return self.values[name]

    def entries(self, table: str) -> dict[str, dict[str, Value]]:
        """What is set in each `[table.NAME]`."""
        found: dict[str, dict[str, Value]] = {}
        for name, value in self.values.items():
            if name.startswith(f"{table}."):
                _, entry, key = name.split(".")
                found.setdefault(entry, {})[key] = value
        return found

    def budget(self) -> Budget:
        return budget_of(self.values)

    def task_budget(self) -> Budget:
        """Of each task that states none itself."""
        return budget_of(self.values, "task_")

    def limits(self) -> Limits:
        return Limits(
            jobs=self.jobs,
            check_jobs=self.check_jobs,
            attempts=self.attempts,
            retry_delay=self.retry_delay,
            hard_timeout=self.hard_timeout,
            idle_timeout=self.idle_timeout,
            check_timeout=self.check_timeout,
            proof_times=self.proof_times,
            grace=self.grace,
            leaving=self.leaving,
            leaving_again=self.leaving_again,
            questions=self.questions,
            replans=self.replans,
            validations=self.validations,
            advices=self.advices,
            planned_tasks=self.max_tasks,
            planned_hours=self.max_task_hours,
            plan_quality=self.plan_quality,
            plan_target=self.plan_target,
        )


def budget_of(values: Mapping[str, Any], prefix: str = "") -> Budget:
    """0 stands for no limit."""
    cost, tokens, seconds, turns = (
        values.get(f"{prefix}budget_{unit}") or None for unit in ("usd", "tokens", "time", "turns")
    )
    return Budget(cost, tokens, seconds, turns)


def load(repository_root: Path, overrides: Mapping[str, object] | None = None) -> Settings:
    """Raises ConfigError that lists every problem of every source. An override of None was not given."""
    repository = read(repository_root / REPOSITORY_FILE, REPOSITORY_FILE, own=False)
    user = read(user_config_file(), str(user_config_file()), own=True)
    flags, flag_problems = _flags(overrides or {})
    problems = [*flag_problems, *repository.problems, *user.problems]
    if problems:
        plural = "s" if len(problems) > 1 else ""
        raise ConfigError("\n".join([f"the configuration has {len(problems)} problem{plural}:", *problems]))
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    own: dict[str, Value] = {}
    for name in dict.fromkeys([*BY_NAME, *TIERS, *user.values, *repository.values, *flags]):
        users = _users(name, user)
        value, origin = _overriding(name, flags, repository) or users
        values[name], origins[name] = _located(name, value, origin, repository_root), origin
        own[name] = _located(name, *users, repository_root)
    typed = {field.name: values[field.name] for field in fields(Settings) if field.name in values}
    return Settings(**typed, values=values, origins=origins, own=own)


def _users(name: str, user: Source) -> tuple[Value, Origin]:
    if found := user.values.get(name):
        return found.value, Origin("user", user.path, found.line)
    return _default(name), Origin("default")


def _overriding(name: str, flags: Mapping[str, Value], repository: Source) -> tuple[Value, Origin] | None:
    if name in flags:
        return flags[name], Origin("flag")
    if found := repository.values.get(name):
        return found.value, Origin("repository", repository.path, found.line)
    return None


def _default(name: str) -> Value:
    """What holds if nobody says anything: of a role's policy, what the role is built in with."""
    table, _, rest = name.partition(".")
    role, _, part = rest.rpartition(".")
    if table == "roles" and part in POLICY:
        said: Value = getattr(role_named(role).policy, part)
        return said
    key = key_of(name)
    assert key is not None
    return TIERS.get(name, key.default)


def _flags(overrides: Mapping[str, object]) -> tuple[dict[str, Value], list[str]]:
    values: dict[str, Value] = {}
    problems = []
    for name, value in overrides.items():
        if value is None:
            continue
        try:
            values[name] = checked(tuple(name.split(".")), value)
        except BadValue as problem:
            problems.append(f"on the command line: {problem}")
    return values, problems


def _located(name: str, value: Value, origin: Origin, repository_root: Path) -> Value:
    key = key_of(name)
    assert key is not None
    if key.kind == "places":
        assert isinstance(value, tuple)
        return tuple(str(Path(path).expanduser()) for path in value)
    if key.kind != "agent":
        return value
    bases = {"repository": repository_root, "user": user_config_file().parent}
    assert isinstance(value, str)
    return agent_at(value, bases.get(origin.kind, Path.cwd()))
