"""A lead's shell command as what it reads, or a refusal: it writes nothing, and reads no more than a lookup.

What only asks for names and states is free: `ls`, `wc`, `git status`, `git log`. So is `teamlead` itself.
"""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from teamlead.core.policy.audit import refusal
from teamlead.core.policy.exemptions import Portion
from teamlead.core.policy.reading_commands import DIGITS, FILES, Reader
from teamlead.core.policy.shell import Unclear, commands
from teamlead.guard.delegation import Verdict, refused, role_for, work_on
from teamlead.guard.lookup import ENOUGH, SEARCHED, files_below, lines_of

_SHOWS = frozenset({"cat", "head", "tail"})
_SEARCHES = frozenset({"grep", "rg", "find"})
_SUMMARY = frozenset(
    {"--stat", "--shortstat", "--numstat", "--name-only", "--name-status", "--summary", "--no-patch"}
)
_PATCH = ("-p", "-u", "-U", "--patch", "--unified", "-L", "-S", "-G", "-c", "--cc", "-W", "--binary")
_VERBOSE = ("-v", "--verbose")
_AROUND = frozenset(f"vABC{DIGITS}")
_AROUND_LONG = ("--invert", "--after", "--before", "--context", "--passthru")
"""By these a search shows more than what it finds."""
_ANYTHING = frozenset({"", ".", ".*", "^", "$", ".+", r"\w", r"\s", r"\S"})
"""What finds every line shows the file."""
_TESTING = frozenset({"pytest", "unittest", "jest", "vitest", "test", "tests", "tox", "nox", "rspec"})
_SCANNING = frozenset({"audit", "bandit", "semgrep", "trivy", "gitleaks", "snyk", "nmap", "zap"})
_FOR_THE_USER = {("guard", "install"), ("guard", "hook"), ("config", "allow")}
_WRITES = ("--log", "--output")
"""Options of ours that name a file to be written."""
_WRITTEN = re.compile(r">+\s*([^\s>|&;]+)")
_COUNT = re.compile(r"-n?(\d{1,9})|--lines=(\d{1,9})")


class Reads(NamedTuple):
    """What a command shows of files, and into how many its searches look."""

    portions: tuple[Portion, ...] = ()
    searches: tuple[int, ...] = ()


class _Refused(Exception):
    def __init__(self, reason: str, role: str = "", rule: str = "own-code") -> None:
        super().__init__(reason)
        self.reason, self.role, self.rule = reason, role, rule


def judge_command(command: str, folder: Path) -> Reads | Verdict:
    """In this folder."""
    try:
        return _read(commands(command), folder)
    except Unclear as unclear:
        reason = f"a lead's shell only looks: {unclear}"
        written = _WRITTEN.search(command)
        path = written[1] if written else ""
        return refused("own-code", reason, role_for(work_on(path), path))
    except _Refused as problem:
        role = problem.role or _role_of(command.split())
        return refused(problem.rule, problem.reason, role)


def _read(parsed: Sequence[Sequence[str]], folder: Path) -> Reads:
    portions: list[Portion] = []
    searches: list[int] = []
    for words in parsed:
        name, *arguments = words
        if name == "teamlead":
            _check_teamlead(arguments)
            continue
        if problem := refusal(shlex.join(words), str(folder)):
            raise _Refused(f"a lead's shell only looks: {problem.partition(';')[0]}")
        if name == "cd":
            folder = folder / arguments[0]
        elif name in _SHOWS:
            portions += _shown(name, arguments, folder)
        elif name in _SEARCHES or (name == "ls" and _recursive(arguments)):
            found = _searched(name, arguments, folder)
            portions += found.portions
            searches += found.searches
        elif name == "git":
            portions += _of_git([word for word in arguments if word != "--no-pager"], folder)
        elif name not in {"ls", "wc"}:
            raise _Refused("a lead does no analysis of security", role_for("security"), "own-security")
    return Reads(tuple(portions), tuple(searches))


def _check_teamlead(arguments: Sequence[str]) -> None:
    if tuple(arguments[:2]) in _FOR_THE_USER:
        raise _Refused("who is held by the guard does not set it up: that is for the user", rule="guarded")
    if written := next((word for word in arguments if word.startswith(_WRITES)), ""):
        raise _Refused(f"a lead's shell writes no files: {written}")


def _shown(name: str, arguments: Sequence[str], folder: Path) -> list[Portion]:
    limit = ENOUGH if name == "cat" else 10
    paths: list[str] = []
    words = iter(arguments)
    for word in words:
        if name != "cat" and word in {"-n", "-c"}:
            limit = _number(next(words, ""))
        elif word.startswith("+"):
            # To some programs it is the line from which on the rest is shown.
            limit = ENOUGH
        elif found := _COUNT.fullmatch(word):
            limit = int(found[1] or found[2])
        elif word.startswith("-") and word != "-":
            limit = limit if set(word) <= set("-qvzbnsAEeTtu") else ENOUGH
        else:
            paths.append(word)
    return [
        Portion(str(path), min(lines_of(path), limit)) for word in paths for path in _expanded(word, folder)
    ]


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else ENOUGH


def _expanded(word: str, folder: Path) -> list[Path]:
    if not any(sign in word for sign in "*?["):
        return [(folder / word).resolve()]
    base = Path("/") if word.startswith("/") else folder
    # To most shells ** is no more than *.
    pattern = re.sub(r"\*+", "*", word.strip("/"))
    return [path.resolve() for path in base.glob(pattern)]


def _searched(name: str, arguments: Sequence[str], folder: Path) -> Reads:
    greps = name in {"grep", "rg"}
    search = _parsed(FILES[name], arguments) if greps else _Search([], _operands(arguments), around=False)
    places = [path for word in search.places if word for path in _expanded(word, folder) if path.exists()]
    if not places and name == "grep" and not _recursive(arguments):
        return Reads()
    if _ANYTHING.intersection(search.patterns) or search.around:
        found = [Portion(str(path), lines_of(path) if path.is_file() else ENOUGH) for path in places]
        return Reads(tuple(found), (len(found) or SEARCHED + 1,))
    return Reads((), (sum(files_below(path, most=SEARCHED) for path in places or [folder]),))


class _Search(NamedTuple):
    patterns: list[str]
    places: list[str]
    around: bool
    """It shows more than the lines that it finds."""


def _parsed(reader: Reader, arguments: Sequence[str]) -> _Search:
    patterns: list[str] = []
    operands: list[str] = []
    around = False
    left = iter(arguments)
    for word in left:
        if word == "--":
            operands += left
        elif word.startswith("--"):
            around = around or word.startswith(_AROUND_LONG)
            patterns += [word.partition("=")[2]] if word.startswith("--regexp=") else []
        elif word.startswith("-") and word != "-":
            takes = next((letter for letter in word if letter in reader.valued + reader.patterns), "")
            flags, _, value = word.partition(takes) if takes else (word, "", "")
            around = around or bool(_AROUND.intersection(flags + takes))
            value = value or next(left, "") if takes else ""
            patterns += [value] if takes in tuple(reader.patterns) else []
        else:
            operands.append(word)
    return _Search(patterns, operands, around) if patterns else _Search(operands[:1], operands[1:], around)


def _operands(arguments: Sequence[str]) -> list[str]:
    return [word for word in arguments if not word.startswith("-")]


def _recursive(arguments: Sequence[str]) -> bool:
    short = [word for word in arguments if word.startswith("-") and not word.startswith("--")]
    return "--recursive" in arguments or any(set(word) & {"r", "R"} for word in short)


def _of_git(arguments: Sequence[str], folder: Path) -> list[Portion]:
    name, *words = arguments
    patch = any(word.startswith(_VERBOSE if name == "status" else _PATCH) for word in words)
    if name in {"rev-parse", "ls-files"} or (name == "status" and not patch) or (name == "log" and not patch):
        return []
    file_of_a_commit = name == "show" and any(":" in word for word in words)
    if _SUMMARY.intersection(words) and not patch and not file_of_a_commit:
        return []
    named = _operands(words) if name == "blame" else []
    paths = words[words.index("--") + 1 :] if "--" in words else named
    if name == "grep" or not paths:
        reason = f"`git {name}` shows more than a lookup: name its files after --, or ask for --stat"
        raise _Refused(reason, role_for("reading"), "bulk-reading")
    found = [path for word in paths for path in _expanded(word, folder)]
    return [Portion(str(path), lines_of(path) if path.is_file() else ENOUGH) for path in found]


def _role_of(words: Sequence[str]) -> str:
    bare = {word.rpartition("/")[2] for word in words}
    if bare & _TESTING:
        return role_for("tests")
    if bare & _SCANNING:
        return role_for("security")
    # What a command writes is mostly named last.
    path = next((word for word in reversed(words[1:]) if "/" in word or "." in word), "")
    return role_for(work_on(path), path)
