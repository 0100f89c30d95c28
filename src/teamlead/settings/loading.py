"""Joins what flags, the repository, the user and the defaults say, in this order, into one `Settings`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from teamlead.core.model import Limits
from teamlead.errors import ConfigError
from teamlead.settings.schema import BY_NAME, KEYS, Value
from teamlead.settings.source import Source, nearest, read
from teamlead.settings.values import BadValue, check
from teamlead.system.places import REPOSITORY_FILE, agent_at, user_config_file

OriginKind = Literal["default", "user", "repository", "flag"]


class Origin(NamedTuple):
    """Where a value comes from."""

    kind: OriginKind
    path: Path | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """Durations are seconds; 0 means none."""

    agent: str
    """A kind, or kind:argument; a script's path is absolute. Empty: none was chosen."""
    jobs: int
    attempts: int
    retry_delay: float
    hard_timeout: float
    idle_timeout: float
    check_timeout: float
    grace: float
    questions: int
    min_free_space: int
    """Megabytes."""
    keep_awake: bool
    checks: tuple[str, ...]
    post_create: tuple[str, ...]
    copy: tuple[str, ...]
    link: tuple[str, ...]
    sparse: bool
    keep_ignored: int
    """Megabytes."""
    origins: Mapping[str, Origin]

    def origin(self, name: str) -> Origin:
        return self.origins[name]

    def value(self, name: str) -> Value:
        assert name in BY_NAME
        value: Value = getattr(self, name)
        return value

    def limits(self) -> Limits:
        return Limits(
            jobs=self.jobs,
            attempts=self.attempts,
            retry_delay=self.retry_delay,
            hard_timeout=self.hard_timeout,
            idle_timeout=self.idle_timeout,
            check_timeout=self.check_timeout,
            grace=self.grace,
            questions=self.questions,
        )


def load(repository_root: Path, overrides: Mapping[str, object] | None = None) -> Settings:
    """Raises ConfigError that lists every problem of every source. An override of None was not given."""
    repository = read(repository_root / REPOSITORY_FILE, REPOSITORY_FILE)
    user = read(user_config_file(), str(user_config_file()))
    flags, flag_problems = _flags(overrides or {})
    problems = [*flag_problems, *repository.problems, *user.problems]
    if problems:
        plural = "s" if len(problems) > 1 else ""
        raise ConfigError("\n".join([f"the configuration has {len(problems)} problem{plural}:", *problems]))
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for key in KEYS:
        values[key.name], origins[key.name] = _choose(key.name, key.default, flags, repository, user)
    values["agent"] = _located(values["agent"], origins["agent"], repository_root)
    return Settings(**values, origins=origins)


def keep_ignored(repository_root: Path) -> int:
    """For commands that decide and run no agent: they work with a broken configuration, too."""
    try:
        return load(repository_root).keep_ignored
    except ConfigError:
        default = BY_NAME["keep_ignored"].default
        assert isinstance(default, int)
        return default


def _choose(
    name: str, default: Value, flags: Mapping[str, Value], repository: Source, user: Source
) -> tuple[Value, Origin]:
    if name in flags:
        return flags[name], Origin("flag")
    if found := repository.values.get(name):
        return found.value, Origin("repository", repository.path, found.line)
    if found := user.values.get(name):
        return found.value, Origin("user", user.path, found.line)
    return default, Origin("default")


def _flags(overrides: Mapping[str, object]) -> tuple[dict[str, Value], list[str]]:
    values: dict[str, Value] = {}
    problems = []
    for name, value in overrides.items():
        if value is None:
            continue
        flag = f"--{name.replace('_', '-')}"
        if name not in BY_NAME:
            problems.append(f"{flag}: unknown key {name!a}{nearest(name)}")
            continue
        try:
            values[name] = check(BY_NAME[name], value)
        except BadValue as problem:
            problems.append(f"{flag} {problem}")
    return values, problems


def _located(agent: str, origin: Origin, repository_root: Path) -> str:
    bases = {"repository": repository_root, "user": user_config_file().parent}
    return agent_at(agent, bases.get(origin.kind, Path.cwd()))
