"""Which commands an audit-only shell may run: those that read, judged by their parsed arguments.

An allow-list through and through: a program, a sub-command or an option that is not listed in `readers` is
refused, in full and in every abbreviation. Nothing outside of the working copy is read by its path.
"""

import re
from collections.abc import Sequence

from teamlead.core.policy.paths import inside
from teamlead.core.policy.reading_commands import (
    FILES,
    FIND_PLACES,
    FIND_VALUED,
    FIND_WORDS,
    GIT,
    PACKAGES,
    Reader,
)
from teamlead.core.policy.shell import Unclear, commands

INSTEAD = (
    f"this shell only reads: use {', '.join(FILES)}, find, git {', '.join(GIT)}, or npm, yarn or pnpm audit, "
    "with plain arguments"
)
NUMBER = re.compile(r"[-+]?\d+[A-Za-z]?")


def refusal(command: str, root: str = "") -> str:
    """Why the command is not run, in one sentence; "" if it is. `root`: the copy's absolute path."""
    try:
        for words in commands(command):
            _check(words, root)
    except Unclear as unclear:
        return f"{unclear}; {INSTEAD}"
    return ""


def _check(words: Sequence[str], root: str) -> None:
    name, *arguments = words
    if name == "cd":
        _check_cd(arguments, root)
    elif name == "find":
        _check_find(arguments, root)
    elif name in FILES:
        _check_arguments(name, FILES[name], arguments, root)
    elif name == "git":
        _check_git(arguments, root)
    else:
        _check_package(words, root)


def _check_cd(arguments: Sequence[str], root: str) -> None:
    """Into a folder of the copy: whatever is inside, seen from the root, is so from there."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        raise Unclear("`cd` takes one folder of the working copy")
    _check_path("cd", arguments[0], root)


def _check_git(arguments: Sequence[str], root: str) -> None:
    words = arguments[1:] if arguments[:1] == ["--no-pager"] else arguments
    if not words or words[0] not in GIT:
        raise Unclear(f"`git {' '.join(words[:1])}` is not allowed")
    _check_arguments(f"git {words[0]}", GIT[words[0]], words[1:], root)


def _check_package(words: Sequence[str], root: str) -> None:
    prefix = next((prefix for prefix in PACKAGES if tuple(words[: len(prefix)]) == prefix), None)
    if not prefix:
        raise Unclear(f"`{' '.join(words[:2])}` is not allowed")
    _check_arguments(" ".join(prefix), PACKAGES[prefix], words[len(prefix) :], root)


def _check_arguments(name: str, reader: Reader, arguments: Sequence[str], root: str) -> None:
    left = list(arguments)
    operands: list[str] = []
    searching = reader.operands == "pattern first"
    while left:
        word = left.pop(0)
        if word == "--":
            operands += left
            break
        if word.startswith("--"):
            option, _, value = word[2:].partition("=")
            if option not in reader.long or "%G" in value:
                # %G in a format starts the program that verifies signatures.
                raise Unclear(f"`{name}` with {word} is not allowed")
            searching = searching and option != "regexp"
        elif word.startswith("-") and word != "-":
            letter, attached = _short(name, reader, word)
            searching = searching and letter not in tuple(reader.patterns)
            if letter and not attached:
                value = _value(name, word, left)
                if letter in reader.valued:
                    _check_path(name, value, root)
        else:
            operands.append(word)
    if operands and reader.operands == "none":
        raise Unclear(f"`{name} {operands[0]}` is not allowed")
    for operand in operands[1:] if searching else operands:
        _check_path(name, operand, root)


def _short(name: str, reader: Reader, word: str) -> tuple[str, str]:
    """The letter in a cluster of short options that takes a value, and what of it follows in the word."""
    for place, letter in enumerate(word[1:], 2):
        if letter in reader.valued + reader.patterns:
            return letter, word[place:]
        if letter not in reader.flags:
            raise Unclear(f"`{name}` with {word} is not allowed")
    return "", ""


def _check_find(arguments: Sequence[str], root: str) -> None:
    left = list(arguments)
    while left and left[0] in FIND_PLACES:
        left.pop(0)
    while left and not left[0].startswith(("-", "(", "!")):
        _check_path("find", left.pop(0), root)
    while left:
        word = left.pop(0)
        if word in FIND_VALUED:
            value = _value("find", word, left)
            if "newer" in word:
                _check_path("find", value, root)
        elif word not in FIND_WORDS:
            raise Unclear(f"`find` with {word} is not allowed")


def _value(name: str, option: str, left: list[str]) -> str:
    """The option's value, taken from what is left. One that looks like an option might be taken for one."""
    value = left.pop(0) if left else "-"
    if value.startswith("-") and not NUMBER.fullmatch(value):
        raise Unclear(f"`{name}` with {value} as the value of {option} is not allowed")
    return value


def _check_path(name: str, path: str, root: str) -> None:
    if inside(path, root) is None:
        raise Unclear(f"`{name}` outside of the working copy ({path}) is not allowed")
