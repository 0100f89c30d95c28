"""Whether a module of JavaScript touches nothing but what it is given, by its words."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from posixpath import normpath

from teamlead.evidence.sources.brackets import Code, code

SUFFIXES = (".js", ".cjs", ".mjs")
"""What node loads as it is."""

_PURE = frozenset(
    """
    assert assert/strict buffer crypto events path path/posix punycode querystring string_decoder url util
    zlib
    """.split()  # noqa: SIM905 - names read better so than one a line
)
"""Modules of node that touch nothing but what they are given."""
_REACHES_OUT = frozenset(
    """
    Atomics Bun Deno EventSource Function WebSocket Worker XMLHttpRequest document eval fetch global
    globalThis localStorage navigator process setImmediate setInterval setTimeout window
    """.split()  # noqa: SIM905 - as above
)
_BRINGS_IN = frozenset({"import", "module", "require"})
_NAME = re.compile(r"[^\W\d][\w$]*")
_USED = re.compile(r"([^\W\d][\w$]*)\s*[.(\[]")
_TEXT = re.compile(r"[\"'].*[\"']", re.DOTALL)
_KINDS = (*SUFFIXES, ".json")


def needs(path: str, text: str) -> Sequence[Sequence[str]] | None:
    """For each module of the project that it imports, where that may be. None: it reaches beyond."""
    if path.endswith(".json"):
        return ()
    read = code(text, "javascript") if path.endswith(SUFFIXES) else None
    if read is None or not all(_is_harmless(read, at) for at in range(len(read.words))):
        return None
    names = (name.removeprefix("node:") for name in _imported(read))
    return [_places(name, path) for name in names if name not in _PURE]


def _is_harmless(read: Code, at: int) -> bool:
    word, before, behind = read.word(at), read.word(at - 1), read.word(at + 1)
    if read.words[at].string:
        # What is inserted into a text is code, and what looks like a text or a pattern may stand between two.
        inside = (_USED if _TEXT.fullmatch(word) else _NAME).findall(word)
        return (_REACHES_OUT | _BRINGS_IN).isdisjoint(inside)
    if before in {".", "?."}:
        return read.word(at - 2) != "this" or word not in _REACHES_OUT
    if word == "require":
        return before == "function" or (behind == "(" and _is_text(read, at + 2) and read.word(at + 3) == ")")
    if word == "module":
        return before == "typeof" or (behind == "." and read.word(at + 2) == "exports")
    if word == "import":
        return behind != "." and (behind != "(" or (_is_text(read, at + 2) and read.word(at + 3) == ")"))
    return word not in _REACHES_OUT


def _is_text(read: Code, at: int) -> bool:
    return at < len(read.words) and read.words[at].string and bool(_TEXT.fullmatch(read.word(at)))


def _imported(read: Code) -> Iterator[str]:
    for at in range(len(read.words)):
        called = read.word(at - 1) == "(" and read.word(at - 2) in {"require", "import"}
        if _is_text(read, at) and (called or read.word(at - 1) in {"from", "import"}):
            yield read.word(at)[1:-1]


def _places(name: str, path: str) -> list[str]:
    """None for a package: nobody knows what it does."""
    place = normpath(PurePosixPath(path).parent / name)
    if not name.startswith(".") or place.startswith(".."):
        return []
    as_folder = [normpath(f"{place}/index{suffix}") for suffix in SUFFIXES]
    as_file = [place] if place.endswith(_KINDS) else [f"{place}{kind}" for kind in _KINDS]
    return as_folder if place == "." else [*as_file, *as_folder]
