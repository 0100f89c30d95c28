"""Tests of Go in reverse: go runs those of a file in the order in which they stand there."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from teamlead.evidence.sources.brackets import code
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

_IS_TEST = re.compile(r"Test(?![a-z])\w*")
_COUNT = re.compile(r"\s--?count(?:=|\s+)\d+")
_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)


class Reversed(NamedTuple):
    text: str
    tests: Sequence[str]


def in_reverse(text: str) -> Reversed:
    """The text, with its tests in reverse. What it is made of stays: nothing depends on its place."""
    read = code(text, "go")
    spans, names = list[slice](), list[str]()
    for at, word in enumerate(read.words if read else ()):
        if read and word.text == "func" and _IS_TEST.fullmatch(read.word(at + 1)):
            body = read.after(at + 2)
            if read.word(at + 2) == "(" and read.word(body) == "{" and read.word(body - 2) != "M":
                spans.append(slice(word.start, read.words[read.closed[body]].end))
                names.append(read.word(at + 1))
    pieces, end = list[str](), 0
    for span, other in zip(spans, reversed(spans), strict=True):
        pieces += [text[end : span.start], text[other]]
        end = span.stop
    return Reversed("".join(pieces) + text[end:], names)


def asking(command: str, tests: Sequence[str]) -> str:
    """These tests, and each twice. What the command itself says would count more than its environment."""
    flags = f"-count=2 -run=^({'|'.join(tests)})$"
    return f"export GOFLAGS=\"$(go env GOFLAGS)\"' {flags}'\n{_COUNT.sub('', command)}"


def package(git: Git, commit: str, path: str) -> str:
    """Returns what go calls the folder of a file; empty: it is in no module."""
    folders = PurePosixPath(path).parents
    texts = read_texts(git, commit, commit, [str(folder / "go.mod") for folder in folders])
    for folder, (_, _, text) in zip(folders, texts, strict=False):
        if text and (found := _MODULE.search(text)):
            return str(PurePosixPath(found[1]) / PurePosixPath(path).parent.relative_to(folder))
    return ""


def whole(name: str) -> str:
    """Returns the test that one of this name is a part of."""
    of, _, test = name.partition("::")
    return f"{of}::{test.partition('/')[0]}"
