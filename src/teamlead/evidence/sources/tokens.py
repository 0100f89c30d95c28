"""The words of a source text, without comments and white space: of languages that we have no parser for.

It need not be right about all of a language. What it must not do is to take two texts for the same that are
not: where it is unsure, a difference stays.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from teamlead.evidence.sources.languages import Language

_STRING = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_SLASHED = r"//[^\n]*|/\*.*?\*/"
_NUMBER = r"\d[\w.]*"
_REST = r"[^\W\d][\w$]*|\$[\w$]*|[-+*/%&|^=!<>?.:]{1,3}|\S"
_REGEX = r"(?<=[(,=:\[!&|?{};\n])\s*/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*"


def _words(comment: str, string: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<comment>{comment})|(?P<string>{string})|(?P<word>{_NUMBER}|{_REST})", re.DOTALL)


_JAVASCRIPT = _words(_SLASHED, rf"{_STRING}|`(?:[^`\\]|\\.)*`|{_REGEX}")
_GO = _words(_SLASHED, r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+'|`[^`]*`")
_RUST = _words(
    _SLASHED,
    r"\bb?r(?P<hashes>#*)\".*?\"(?P=hashes)|b?\"(?:[^\"\\]|\\.)*\"|b?'(?:[^'\\\n]|\\[^\n]+?)'(?!\w)",
)
_OTHERS = _words(_SLASHED, _STRING)
_RUBY = _words(r"#[^\n]*", _STRING)
_READERS: Final[dict[Language, re.Pattern[str]]] = {
    "javascript": _JAVASCRIPT,
    "go": _GO,
    "rust": _RUST,
    "ruby": _RUBY,
}
_DIRECTIVE = re.compile(
    r"//(?:go:|export |\s*@ts-|\s*\+build)|/[/*]\s*(?:eslint|istanbul|c8|v8|@ts-|#__PURE__)"
)
"""A comment that a compiler or a tool obeys."""


class Token(NamedTuple):
    text: str
    line: int
    """Counted from 1."""
    string: bool = False
    start: int = 0
    end: int = 0
    """Where it stands in the text."""


def tokens(text: str, spoken: Language) -> list[Token]:
    return list(_found(text, spoken))


def _found(text: str, spoken: Language) -> Iterator[Token]:
    line, at = 1, 0
    for found in _READERS.get(spoken, _OTHERS).finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        if found["comment"] is None or _DIRECTIVE.match(found["comment"]):
            word = found[0].strip()
            string = found["string"] is not None
            plain = _plain(word) if string and spoken == "javascript" else word
            # White space before a regular expression is part of what was found.
            yield Token(plain, line, string, found.end() - len(found[0].lstrip()), found.end())


def _plain(word: str) -> str:
    """With one kind of quotes, where another says the same."""
    inner = word[1:-1]
    return f'"{inner}"' if word[0] == "'" and not {'"', "\\"} & {*inner} else word
