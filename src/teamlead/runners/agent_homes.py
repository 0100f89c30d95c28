"""Where agents keep their own things in the user's home, when they run by the user's login.

Conversations and refreshed logins are written through, in a room too: a login that is refreshed elsewhere
would log the user out. But what there runs code, or speaks to a model, in the user's own sessions stays as it
is. What exists is read-only in a room; what does not, and links, are compared afterwards.

Of one thing that runs there, only what exists is held: Claude Code's snapshots of a shell. It writes one for
each session, and each session reads its own alone.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from teamlead.system.rooms.users_home import AGENTS


class Home(NamedTuple):
    writable: tuple[Path, ...] = ()
    guarded: tuple[Path, ...] = ()


class _Known(NamedTuple):
    folder: str
    variable: str
    guarded: str
    """Names, or patterns for what exists."""
    programs: tuple[str, ...]
    """By which it is started, directly or through an adapter."""
    beside: tuple[str, ...] = ()
    """Below the user's home, read-only."""


_KNOWN: Mapping[str, _Known] = {
    "claude": _Known(
        ".claude",
        "CLAUDE_CONFIG_DIR",
        ".claude.json settings.json settings.local.json CLAUDE.md agents commands hooks keybindings.json "
        "output-styles plugins rules skills workflows local ide mcp.json .mcp.json statusline.sh statusline* "
        "shell-snapshots/*",
        ("claude", "claude-code", "claude-acp", "claude-code-acp", "claude-agent-acp"),
        (".claude.json",),
    ),
    "codex": _Known(
        ".codex",
        "CODEX_HOME",
        "config.toml AGENTS.md AGENTS.override.md agents hooks hooks.json plugins prompts rules skills .env "
        "instructions.md bin mcp.json mcp*",
        ("codex", "codex-cli", "codex-acp"),
    ),
    "gemini": _Known(
        ".gemini",
        "",
        "settings.json GEMINI.md .env agents commands extensions hooks policies skills trustedFolders.json "
        "bin tmp/bin mcp.json mcp*",
        ("gemini", "gemini-cli"),
    ),
}


_WORDS = re.compile(r"[^\s\"';|&()<>`=]+")
"""Of a shell's script, as far as they may be paths or programs."""
_VARIABLES = re.compile(r"\$(?:\{?(HOME)\b\}?|\{?CLAUDE_CONFIG_DIR\b\}?)")
_RUN = re.compile(r"command|Helper$|^awsAuthRefresh$|^awsCredentialExport$|^gcpAuthRefresh$")
"""Settings whose value is run."""
_SCRIPTS = frozenset({".sh", ".bash", ".zsh", ".fish", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl"})


def home_at(name: str, place: Path) -> Home:
    known = _KNOWN[name]
    named = [path for pattern in known.guarded.split() for path in _matching(place, pattern)]
    guarded = dict.fromkeys([*named, *_scripts(place)])
    beside = (Path.home() / other for other in known.beside)
    return Home((place, *_between(place, guarded)), (*guarded, *beside))


def _matching(place: Path, pattern: str) -> list[Path]:
    return sorted(place.glob(pattern)) if "*" in pattern else [place / pattern]


def _between(place: Path, guarded: Iterable[Path]) -> Iterator[Path]:
    """Lists folders around what is guarded: an agent could move away those that are no mounts."""
    existing = [path for path in guarded if path.exists()]
    around = {parent for path in existing for parent in path.parents if place in parent.parents}
    # By a link in a home the room would show what it points at.
    yield from sorted(path for path in around if not path.is_symlink())


def _scripts(place: Path) -> Iterator[Path]:
    """Lists what lies below the place and the settings there let a shell run."""
    for name in ("settings.json", "settings.local.json"):
        try:
            settings = msgspec.json.decode((place / name).read_bytes())
            commands = list(_commands(settings))
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
        for word in (word for command in commands for word in _WORDS.findall(command)):
            expanded = _VARIABLES.sub(lambda match: str(Path.home() if match[1] else place), word)
            path = Path(os.path.normpath(os.path.expanduser(expanded)))  # noqa: PTH111 - no Path of any text
            if place in path.parents and _is_script(path):
                yield path


def _commands(settings: Any) -> Iterator[str]:
    if isinstance(settings, dict):
        for name, value in settings.items():
            if isinstance(value, str) and _RUN.search(name):
                yield value
            yield from _commands(value)
    elif isinstance(settings, list):
        for value in settings:
            yield from _commands(value)


def _is_script(path: Path) -> bool:
    """Whether it is a script: commands name other files, too, which the agent writes, such as its login."""
    return path.suffix in _SCRIPTS or (path.is_file() and os.access(path, os.X_OK))


def home_of(argv: Sequence[str], source: Mapping[str, str] = os.environ) -> Home:
    """Finds the home of a known program, or of one whose name stands for something in the user's home."""
    names = {_program(word) for word in _words(argv)}
    for name, known in _KNOWN.items():
        if not names.isdisjoint(known.programs):
            return home_at(name, Path(source.get(known.variable) or Path.home() / known.folder))
    # Of `.aider.conf.yml` and `.config/goose` the names are aider and goose.
    own = _program(argv[0])
    named = (Path.home() / place for place in AGENTS if Path(place).name.lstrip(".").split(".")[0] == own)
    return Home(tuple(place for place in named if place.exists()))


def _words(argv: Sequence[str]) -> Iterator[str]:
    """Returns the words of a command, those of a script that a shell is given, too."""
    for before, word in zip(("", *argv), argv, strict=False):
        yield from _WORDS.findall(word) if before == "-c" else (word,)


def _program(word: str) -> str:
    """Returns `claude` for `/usr/bin/claude`, `claude.cmd`, and `@a/claude@1.2`."""
    return Path(Path(word).name.split("@")[0]).stem


FileStates = Mapping[Path, str]

ABSENT = ""
FILE = "/"
"""No link leads there."""


def file_states(guarded: Sequence[Path]) -> FileStates:
    """Takes a picture of the files that nothing guards."""
    return {path: state for path in guarded if (state := _state(path)) != FILE}


def changed(before: FileStates) -> Iterator[str]:
    """Says a sentence for each file that is there and not as it was."""
    for path, state in before.items():
        if _state(path) not in {state, ABSENT}:
            what = "replaced" if state else "made"
            yield f"{str(path)!r} was {what} meanwhile; it takes effect in your own sessions, so look at it"


def _state(path: Path) -> str:
    """Tells whether it is absent, a link that leads somewhere, or something else."""
    if path.is_symlink():
        return f"link to {path.readlink()}"
    return FILE if path.exists() else ABSENT
