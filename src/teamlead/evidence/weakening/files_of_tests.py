"""Which files hold tests, by their path and name; their texts before and after; what is found there."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.values import GoneTest
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.sources.unit_tests import without_unit_tests
from teamlead.system.git import Git

LARGEST = 1024 * 1024
TOGETHER = 32 * 1024 * 1024
"""Bytes of files that are compared at a time."""
SHOWN = 120
"""Characters of a line that are shown."""

_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs", "testing", "e2e"})
_NAMES: dict[Language, re.Pattern[str]] = {
    "python": re.compile(r"test_.*|.*_test|tests?|conftest"),
    "javascript": re.compile(r".*[.-](test|spec|e2e|cy)|test"),
    "go": re.compile(r".*_test"),
    "rust": re.compile(r"tests?|.*_tests?"),
    "java": re.compile(r"Test\w*|\w*(Test|Tests|TestCase|IT|Spec)"),
    "ruby": re.compile(r".*_(test|spec)|test_.*"),
    "csharp": re.compile(r"\w*(Test|Tests|Spec|Specs)"),
}


class Text(NamedTuple):
    """One changed file. None: there is no such file, or none that is text."""

    path: str
    before: str | None
    after: str | None


def is_test(path: str, text: str = "") -> bool:
    """Rust's unit tests stand in the file that they test."""
    file = PurePosixPath(path)
    spoken = language(path)
    if not spoken:
        return False
    named = bool(_NAMES[spoken].fullmatch(file.stem))
    # In Go only the name decides; elsewhere a folder of tests also holds what helps them.
    housed = spoken != "go" and any(part.lower() in _FOLDERS for part in file.parts[:-1])
    return named or housed or (spoken == "rust" and "#[cfg(test)]" in text)


def sources(texts: Sequence[Text]) -> list[Text]:
    """The code that is no test, without the tests that stand in it."""
    return [
        Text(path, _code(path, before), _code(path, after))
        for path, before, after in texts
        if language(path) and not is_test(path)
    ]


def _code(path: str, text: str | None) -> str | None:
    return None if text is None else without_unit_tests(path, text)


def read_texts(git: Git, base: str, commit: str, paths: Sequence[str]) -> list[Text]:
    """Reads the texts of the first paths, as many as may be read together."""
    blobs = _blobs(git, [f"{tree}:{path}" for tree in (base, commit) for path in paths])
    pairs = list(zip(blobs[: len(paths)], blobs[len(paths) :], strict=True))
    sizes = accumulate(sum(blob.size for blob in pair if blob) for pair in pairs)
    pairs = pairs[: sum(size <= TOGETHER for size in sizes)]
    texts = iter(_contents(git, [blob for pair in pairs for blob in pair]))
    return [Text(path, next(texts), next(texts)) for path, _ in zip(paths, pairs, strict=False)]


def read_files(git: Git, commit: str, paths: Sequence[str]) -> list[str]:
    """Reads those that are text, as many as may be read together."""
    blobs = _blobs(git, [f"{commit}:{path}" for path in paths])
    fitting = sum(size <= TOGETHER for size in accumulate(blob.size if blob else 0 for blob in blobs))
    return [text for text in _contents(git, blobs[:fitting]) if text]


class _Blob(NamedTuple):
    name: str
    size: int


def _blobs(git: Git, names: Sequence[str]) -> list[_Blob | None]:
    """Returns None for a blob that is not there, or too large."""
    asked = "".join(f"{name}\n" for name in names).encode()
    told = git.run("cat-file", "--batch-check=%(objecttype) %(objectname) %(objectsize)", stdin=asked)
    found: list[_Blob | None] = []
    for line in told.text.splitlines():
        words = line.split(" ")
        fits = len(words) == 3 and words[0] == "blob" and int(words[2]) <= LARGEST
        found.append(_Blob(words[1], int(words[2])) if fits else None)
    return found


def _contents(git: Git, blobs: Sequence[_Blob | None]) -> Iterator[str | None]:
    contents = iter(git.contents([blob.name for blob in blobs if blob]))
    return (_text(next(contents)) if blob else None for blob in blobs)


def _text(content: bytes) -> str | None:
    return None if b"\0" in content[:8000] else content.decode("utf-8", "replace").replace("\r\n", "\n")


class Finding(NamedTuple):
    """What was found about the tests of a change."""

    path: str
    line: int
    """In the file as it is now; where it is gone, as it was. 0: of the file as a whole."""
    sentence: str
    objected: bool = True
    gone: GoneTest | None = None
    """The test that is not there any more, or may be left out."""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.sentence}"


def shown(text: str) -> str:
    return f"`{text if len(text) <= SHOWN else text[: SHOWN - 1] + '…'}`"
