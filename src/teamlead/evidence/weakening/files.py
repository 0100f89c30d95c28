"""Which files hold tests, by their path and name; and their texts before and after a change."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from teamlead.core.model import Change
from teamlead.system.git import Git

Language = Literal["python", "javascript", "go", "rust", "java", "ruby", "csharp", ""]

LARGEST = 1024 * 1024

_LANGUAGES: dict[str, Language] = {
    **dict.fromkeys((".py", ".pyi"), "python"),
    **dict.fromkeys((".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts"), "javascript"),
    ".go": "go",
    ".rs": "rust",
    **dict.fromkeys((".java", ".kt"), "java"),
    ".rb": "ruby",
    ".cs": "csharp",
}
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


def language(path: str) -> Language:
    return _LANGUAGES.get(PurePosixPath(path).suffix, "")


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


def read_texts(git: Git, base: str, commit: str, changes: Sequence[Change]) -> list[Text]:
    paths = [change.path for change in changes if "\n" not in change.path]
    asked = [f"{tree}:{path}" for tree in (base, commit) for path in paths]
    found = read_blobs(git, asked)
    return [
        Text(path, before, after)
        for path, before, after in zip(paths, found[: len(paths)], found[len(paths) :], strict=True)
        if before is not None or after is not None
    ]


def read_blobs(git: Git, names: Sequence[str]) -> list[str | None]:
    """Texts of at most `LARGEST` bytes; what is larger, absent or no text is None."""
    if not names:
        return []
    asked = "".join(f"{name}\n" for name in names).encode()
    sizes = git.run("cat-file", "--batch-check=%(objecttype) %(objectsize)", stdin=asked).text.splitlines()
    wanted = [_fits(line) for line in sizes]
    chosen = "".join(f"{name}\n" for name, fits in zip(names, wanted, strict=True) if fits).encode()
    rest = git.run("cat-file", "--batch=%(objectsize)", stdin=chosen).output if chosen else b""
    found: list[str | None] = []
    for fits in wanted:
        if not fits:
            found.append(None)
            continue
        size, _, rest = rest.partition(b"\n")
        found.append(_text(rest[: int(size)]))
        rest = rest[int(size) + 1 :]
    return found


def _fits(line: str) -> bool:
    kind, _, size = line.rpartition(" ")
    return kind == "blob" and int(size) <= LARGEST


def _text(content: bytes) -> str | None:
    return None if b"\0" in content[:8000] else content.decode("utf-8", "replace").replace("\r\n", "\n")
