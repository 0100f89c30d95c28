"""Secrets that a change would bring into the repository: known ones, and keys of well-known services.

What stood in the base before is no news. A key that can only be a placeholder, and a known value
that is too plain to be told from other text, are no secrets. No secret is ever told: only where it stands,
and what it is.

Lines are looked at whatever git and its attributes take a file for: binary ones have lines, too. They come
without NULs: text of two or four bytes a character reads as if it had one, as far as it is ASCII.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, zip_longest
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from teamlead.core.evidence.values import Evidence
from teamlead.core.quoting import in_a_line
from teamlead.ports.checking import Claim
from teamlead.system.git import Git
from teamlead.system.secrets import HIDDEN, Known, one_of

LARGEST: Final = 1024 * 1024
"""Bytes. Files beyond are not looked into."""
TOGETHER: Final = 32 * 1024 * 1024
"""Bytes of files that are held at a time."""
_FILES: Final = frozenset({b"100644", b"100755", b"120000"})
CLAIM: Final = "it brings no secret into the repository"
FOUND: Final = "a secret is in the change: take it out, and read it from the environment or an ignored file"
SAMPLE: Final = "what looks like a key is in a sample: see that it opens nothing"
_KEYS: Final[Mapping[str, re.Pattern[bytes]]] = {
    "an access key of AWS": re.compile(rb"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "a token of GitHub": re.compile(rb"\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{60,}\b"),
    "a token of GitLab": re.compile(rb"\bglpat-[\w-]{20,}"),
    "a key of Anthropic": re.compile(rb"\bsk-ant-[\w-]{24,}"),
    "a key of OpenAI": re.compile(rb"\bsk-(?!ant-)(?:proj-|svcacct-)?[A-Za-z0-9_-]{40,}"),
    "a token of Slack": re.compile(rb"\bxox[abeoprs]-[0-9A-Za-z-]{20,}"),
    "a webhook of Slack": re.compile(rb"\bhooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{20,}"),
    "a key of Google": re.compile(rb"\bAIza[0-9A-Za-z_-]{35}(?![\w-])"),
    "a key of Stripe": re.compile(rb"\b[sr]k_live_[0-9A-Za-z]{20,}"),
    "a token of npm": re.compile(rb"\bnpm_[A-Za-z0-9]{36}\b"),
    "a token of PyPI": re.compile(rb"\bpypi-AgEI[\w-]{50,}"),
}
_PRIVATE: Final = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")
_BODY: Final = re.compile(rb"[^A-Za-z0-9+/]*[A-Za-z0-9+/=]{40,}")
"""Without it, the line above is only spoken of."""
_PLACEHOLDER: Final = re.compile(
    r"example|sample|change.?me|placeholder|dummy|fake|mock|test|your[-_]|redacted|insert|x{4}|\*{3}|\.{3}"
    r"|0{5}|12345|abcde|<\w|\{\{|\$\{",
    re.IGNORECASE,
)
"""In what only looks like a key. A known value is a secret, whatever words are in it."""
_REFERENCE: Final = re.compile(r"\$\{\w+\}|\{\{.*\}\}")
"""The value stands elsewhere."""
_SAMPLES: Final = frozenset(
    {"test", "tests", "__tests__", "spec", "specs", "testing", "testdata", "fixtures", "fixture", "examples"}
)


class AddedLine(NamedTuple):
    path: str
    number: int
    """0 for the name of a new file."""
    text: bytes


class _Hit(NamedTuple):
    line: AddedLine
    what: str
    value: bytes
    sample: bool = False
    """It may well be made up: a key of nobody's, among tests."""


def examine_secrets(git: Git, claim: Claim, known: Known) -> Iterator[Evidence]:
    search = _Search(known)
    base = _Base(git, claim.base)
    hits = search.hits(list(added_lines(git, claim.base, claim.commit)))
    new = [hit for hit in hits if not base.holds(hit)]
    command = f"git diff --text {claim.base} {claim.commit}"
    if certain := search.told(hit for hit in new if not hit.sample):
        yield Evidence("secrets", "objected", claim=CLAIM, found=FOUND, command=command, details=certain)
    if samples := search.told(hit for hit in new if hit.sample):
        yield Evidence("secrets", "flagged", claim=CLAIM, found=SAMPLE, command=command, details=samples)


class _Search:
    def __init__(self, known: Known) -> None:
        self._known = {value.encode(errors="surrogateescape"): name for value, name in known.items()}
        telling = [value.encode(errors="surrogateescape") for value in known if _telling(value)]
        self._telling = re.compile(one_of(telling)) if telling else None

    def hits(self, lines: Sequence[AddedLine]) -> Iterator[_Hit]:
        for line, after in zip_longest(lines, lines[1:]):
            for what, value in self._values(line.text):
                yield _Hit(line, what, value, value not in self._known and _is_sample(line.path))
            if after and _PRIVATE.search(line.text) and after.path == line.path and _BODY.match(after.text):
                yield _Hit(line, "a private key", after.text.strip(), _is_sample(line.path))

    def told(self, hits: Iterable[_Hit]) -> tuple[str, ...]:
        found: dict[tuple[str, str], dict[int, None]] = {}
        for hit in hits:
            found.setdefault((hit.line.path, hit.what), {})[hit.line.number] = None
        return tuple(
            f"{self._shown(path)}{place}: {what}"
            for (path, what), numbers in found.items()
            for place in _places([*numbers])
        )

    def _values(self, text: bytes) -> Iterator[tuple[str, bytes]]:
        for found in self._telling.findall(text) if self._telling else ():
            yield f"the value of {self._known[found]}", found
        for what, pattern in _KEYS.items():
            for found in pattern.findall(text):
                if _random(found.decode()) and found not in self._known:
                    yield what, found

    def _shown(self, path: str) -> str:
        name = path.encode(errors="replace")
        for _, value in self._values(name):
            name = name.replace(value, HIDDEN)
        return in_a_line(name.decode(errors="replace"))


class _Base:
    """What was there before the change, in whatever file."""

    def __init__(self, git: Git, commit: str) -> None:
        self._git = git
        self._commit = commit
        self._contents = cache(self._in_contents)
        self._names = cache(self._all_names)

    def holds(self, hit: _Hit) -> bool:
        return self._contents(hit.value) if hit.line.number else hit.value in self._names()

    def _in_contents(self, value: bytes) -> bool:
        # Over its input: whoever lists the machine's processes sees the arguments of each.
        asked = ("grep", "-q", "-a", "-F", "-f", "-", self._commit)
        return self._git.run(*asked, stdin=value + b"\n", ok=(0, 1)).code == 0

    def _all_names(self) -> bytes:
        return self._git.run("ls-tree", "-r", "-z", "--name-only", self._commit).output


def _places(numbers: Sequence[int]) -> Iterator[str]:
    """Names the first and the last of lines that follow each other, as those of one value do."""
    if 0 in numbers:
        yield ", its name"
    lines = enumerate(number for number in numbers if number)
    for _, run in groupby(lines, lambda numbered: numbered[1] - numbered[0]):
        (_, first), *others = run
        yield f":{first}-{others[-1][1]}" if others else f":{first}"


def _telling(value: str) -> bool:
    """Whether it can only stand in a text because somebody wrote it there: no plain word, number or path."""
    if _REFERENCE.search(value) or value.isdigit():
        return False
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return (len(value) >= 10 and mixed and len({*value}) >= 6) or (len(value) >= 20 and len({*value}) >= 10)


def _random(key: str) -> bool:
    """Whether nobody would write it by hand."""
    return not _PLACEHOLDER.search(key) and any(map(str.isdigit, key)) and len({*key}) >= 12


def _is_sample(path: str) -> bool:
    return any(part.lower() in _SAMPLES for part in PurePosixPath(path).parts[:-1])


class _Change(NamedTuple):
    path: bytes
    before: str
    """The blob; empty where there was none."""
    after: str

    def line(self, number: int, text: bytes) -> AddedLine:
        return AddedLine(self.path.decode("utf-8", "replace"), number, text)


def added_lines(git: Git, base: str, commit: str) -> Iterator[AddedLine]:
    """The lines that a change adds. What stands in the file before, at whatever place, is not added."""
    changes = list(_changes(git, base, commit))
    yield from (change.line(0, change.path) for change in changes if not change.before)
    sizes = _sizes(git, [blob for change in changes for blob in change[1:] if blob])
    for batch in _batches([change for change in changes if change.after in sizes], sizes):
        blobs = list(dict.fromkeys(blob for change in batch for blob in change[1:] if blob in sizes))
        contents = dict(zip(blobs, git.contents(blobs), strict=True))
        for change in batch:
            before = set(_lines(contents.get(change.before, b"")))
            for number, text in enumerate(_lines(contents[change.after]), 1):
                if text not in before:
                    yield change.line(number, text)


def _lines(content: bytes) -> list[bytes]:
    return content.replace(b"\0", b"").split(b"\n")


def _changes(git: Git, base: str, commit: str) -> Iterator[_Change]:
    fields = git.run("diff-tree", "-r", "-z", "--no-renames", base, commit).fields
    for head, path in zip(fields[::2], fields[1::2], strict=True):
        mode_before, mode, before, after, _ = head.lstrip(b":").split(b" ")
        if mode in _FILES:
            yield _Change(path, before.decode() if mode_before in _FILES else "", after.decode())


def _sizes(git: Git, blobs: Sequence[str]) -> Mapping[str, int]:
    """Returns the sizes of the blobs that are looked into."""
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    told = git.text("cat-file", "--batch-check=%(objectsize)", stdin=asked).splitlines() if blobs else []
    found = zip(blobs, told, strict=True)
    return {blob: int(size) for blob, size in found if size.isdigit() and int(size) <= LARGEST}


def _batches(changes: Sequence[_Change], sizes: Mapping[str, int]) -> Iterator[list[_Change]]:
    batch: list[_Change] = []
    size = 0
    for change in changes:
        batch.append(change)
        size += sizes[change.after] + sizes.get(change.before, 0)
        if size >= TOGETHER:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
