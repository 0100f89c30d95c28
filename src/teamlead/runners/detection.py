"""Which agents are installed, and how they would find their credentials. No model is asked."""

import asyncio
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import TeamleadError, UsageError
from teamlead.runners.registry import runner_for
from teamlead.system.environment import allowed
from teamlead.system.processes import spawn
from teamlead.system.program_streams import RECENT
from teamlead.system.text import printable

PATIENCE = 10.0
LOGIN = "login of the user"


class Program(NamedTuple):
    agent: str
    """As users name it."""
    executable: str
    oldest: tuple[int, ...]
    """The oldest release that was tried."""
    credentials: tuple[str, ...]
    """Variables, the first that is set counts; without any, the program uses the user's login."""

    @property
    def variable(self) -> str:
        """Names another file than the one on the PATH; empty where the agent's name is a command itself."""
        return "" if ":" in self.agent else f"TEAMLEAD_{self.executable.upper()}"


PROGRAMS = (
    Program(
        "claude",
        "claude",
        (2, 1),
        (
            *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
            *("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"),
        ),
    ),
    Program("codex", "codex", (0, 163), ("CODEX_API_KEY", "OPENAI_API_KEY")),
    Program("gemini", "gemini", (0, 61), ("GEMINI_API_KEY", "GOOGLE_API_KEY")),
    Program(
        "acp:opencode acp", "opencode", (1, 18), ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY")
    ),
)
_BY_AGENT = {program.agent: program for program in PROGRAMS}
DEFAULTS = ("claude", "codex", "gemini")
"""The first of these that is there is used where no agent was chosen."""
NOBODY = (
    "install claude, codex or gemini; or name another with --agent: acp:COMMAND, command:COMMAND, "
    "or scripted:FILE, which plays a script (`teamlead demo` shows it)"
)
"""What to do where none of them is."""


class FoundProgram(NamedTuple):
    kind: str
    path: Path | None = None
    """None: absent."""
    version: str = ""
    problem: str = ""
    """Why it cannot be used, though it seems to be there."""
    warning: str = ""
    unheld: str = ""
    """Why the system does not let it hold its commands: only the user's own arguments let it run then."""
    roomless: str = ""
    """Why it can hold them only without a room around itself."""

    @property
    def usable(self) -> bool:
        return self.path is not None and not self.problem


def locate(kind: str) -> Path | None:
    """Returns the file that would be started."""
    program = _BY_AGENT[kind]
    path = shutil.which(os.environ.get(program.variable) or program.executable)
    return Path(path).absolute() if path else None


def require(kind: str) -> Path:
    """Returns the file to be started, or raises."""
    path = locate(kind)
    if path is None:
        variable = _BY_AGENT[kind].variable
        if problem := _misnamed(kind):
            raise UsageError(problem, remedy="write the path of its file there, or unset it")
        raise UsageError(f"no program {kind!r}", remedy=f"install it, or name its file in {variable}")
    return path


def _misnamed(kind: str) -> str:
    variable = _BY_AGENT[kind].variable
    named = os.environ.get(variable)
    return f"{variable} names {named!r}, which is no program" if named else ""


def find(*kinds: str) -> list[FoundProgram]:
    """Asks all at once, each within its own time-out; without arguments, every program that is known."""

    async def look() -> list[FoundProgram]:
        return await asyncio.gather(*map(_look, kinds or _BY_AGENT))

    return asyncio.run(look())


def credentials(kind: str, environment: Mapping[str, str] = os.environ) -> str:
    """Says where they would come from: the name of a variable, never its value."""
    names = _BY_AGENT[kind].credentials
    return next((name for name in names if environment.get(name)), LOGIN)


def first_usable(found: Iterable[FoundProgram]) -> str:
    """Returns the agent that works where none was chosen; "" if there is none.

    One that cannot hold its commands comes last: only the user's own arguments let it run.
    """
    usable = {one.kind: one for one in found if one.usable}
    named = [usable[kind] for kind in DEFAULTS if kind in usable]
    return next((one.kind for one in sorted(named, key=lambda one: bool(one.unheld))), "")


def default_agent() -> str:
    found = find(*DEFAULTS)
    if chosen := first_usable(found):
        return chosen
    broken = "".join(f"; {one.kind}: {one.problem}" for one in found if one.problem)
    raise UsageError(
        f"no agent was chosen, and none that works was found{broken}",
        remedy=NOBODY,
    )


class _Said:
    """What a program prints when it is asked about itself; the beginning is enough."""

    def __init__(self) -> None:
        self.text = b""

    def write(self, data: bytes) -> None:
        self.text = (self.text + data)[:RECENT]

    def close(self) -> None:
        pass


class Answer(NamedTuple):
    exit_code: int | None
    """None: it gave none in time."""
    said: str
    errors: str


async def ask(path: Path, *arguments: str, environment: Mapping[str, str] = {}) -> Answer:
    """What a program says about itself. Raises TeamleadError where it cannot be started."""
    said, errors = _Said(), _Said()
    process = await spawn(
        [str(path), *arguments],
        cwd=Path("/"),
        env=allowed() | dict(environment),
        stdout=said,
        stderr=errors,
        hard_timeout=PATIENCE,
    )
    ended = await process.wait()
    told, complained = (printable(each.text.decode("utf-8", "replace")) for each in (said, errors))
    return Answer(None if ended.stopped else ended.exit_code, told, complained)


async def _look(kind: str) -> FoundProgram:
    path = locate(kind)
    if path is None:
        return FoundProgram(kind, problem=_misnamed(kind))
    try:
        answer = await ask(path, "--version")
    except TeamleadError as error:
        return FoundProgram(kind, path, problem=error.message)
    if answer.exit_code is None:
        return FoundProgram(kind, path, problem=f"`--version` gave no answer within {PATIENCE:g} s")
    if answer.exit_code:
        words = (answer.errors or answer.said).strip().splitlines()
        return FoundProgram(
            kind, path, problem=f"`--version` failed: {words[-1] if words else answer.exit_code}"
        )
    found = _judged(kind, path, answer.said)
    if not found.usable:
        return found
    able = await asyncio.to_thread(lambda: runner_for(kind).capabilities)
    return found._replace(unheld=able.unheld, roomless=able.roomless)


def _judged(kind: str, path: Path, said: str) -> FoundProgram:
    match = re.search(r"\d+(\.\d+)+\S*", said)
    if match is None:
        return FoundProgram(kind, path, problem="`--version` tells no version")
    version = match[0]
    oldest = _BY_AGENT[kind].oldest
    if _numbers(version) < oldest:
        wanted = ".".join(map(str, oldest))
        return FoundProgram(
            kind, path, version, warning=f"{version} is older than {wanted}, the oldest tried: update it"
        )
    return FoundProgram(kind, path, version)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])
