"""Secrets that a change would bring into the repository: known ones, and keys of well-known services.

What stood in the base before is nobody's news. A key that can only be a placeholder, and a known value
that is too plain to be told from other text, are no secrets. No secret is ever told: only where it stands,
and what it is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from teamlead.core.evidence import Evidence
from teamlead.core.quoting import in_a_line
from teamlead.ports import Claim
from teamlead.system.git import Git
from teamlead.system.secrets import Known

CLAIM: Final = "it brings no secret into the repository"
FOUND: Final = "a secret is in the change: take it out, and read it from the environment or an ignored file"
SAMPLE: Final = "what looks like a key is in a sample: see that it opens nothing"
LARGEST: Final = "1m"
"""Files beyond are not looked into."""
LONGEST_LINE: Final = 20_000

_KEYS: Final[Mapping[str, re.Pattern[str]]] = {
    "an access key of AWS": re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "a token of GitHub": re.compile(r"\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{60,}\b"),
    "a token of GitLab": re.compile(r"\bglpat-[\w-]{20,}"),
    "a key of Anthropic": re.compile(r"\bsk-ant-[\w-]{24,}"),
    "a key of OpenAI": re.compile(r"\bsk-(?!ant-)(?:proj-|svcacct-)?[A-Za-z0-9_-]{40,}"),
    "a token of Slack": re.compile(r"\bxox[abeoprs]-[0-9A-Za-z-]{20,}"),
    "a webhook of Slack": re.compile(r"\bhooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{20,}"),
    "a key of Google": re.compile(r"\bAIza[0-9A-Za-z_-]{35}(?![\w-])"),
    "a key of Stripe": re.compile(r"\b[sr]k_live_[0-9A-Za-z]{20,}"),
    "a token of npm": re.compile(r"\bnpm_[A-Za-z0-9]{36}\b"),
    "a token of PyPI": re.compile(r"\bpypi-AgEI[\w-]{50,}"),
}
_PRIVATE: Final = re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")
_BODY: Final = re.compile(r"[^A-Za-z0-9+/]*[A-Za-z0-9+/=]{40,}")
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
_HUNK: Final = re.compile(r"@@ -\S+ \+([0-9]{1,9})")


class _Line(NamedTuple):
    path: str
    number: int
    text: str


class _Hit(NamedTuple):
    line: _Line
    what: str
    value: str
    sample: bool = False
    """It may well be made up: a key of nobody's, among tests."""

    def __str__(self) -> str:
        return f"{in_a_line(self.line.path)}:{self.line.number}: {self.what}"


def examine_secrets(git: Git, claim: Claim, known: Known) -> Iterator[Evidence]:
    hits = list(_hits(list(_added(git, claim.base, claim.commit)), known))
    new = [hit for hit in hits if not _in_base(git, claim.base, hit.value)]
    command = f"git diff {claim.base} {claim.commit}"
    if certain := _told(hit for hit in new if not hit.sample):
        yield Evidence("secrets", "objected", CLAIM, FOUND, command, certain)
    if samples := _told(hit for hit in new if hit.sample):
        yield Evidence("secrets", "flagged", CLAIM, SAMPLE, command, samples)


def _told(hits: Iterable[_Hit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(str, hits)))


def _hits(lines: list[_Line], known: Known) -> Iterator[_Hit]:
    telling = {value: name for value, name in known.items() if _telling(value)}
    for line, after in zip_longest(lines, lines[1:]):
        for value, name in telling.items():
            if value in line.text:
                yield _Hit(line, f"the value of {name}", value)
        for what, pattern in _KEYS.items():
            for found in pattern.findall(line.text):
                if _random(found) and found not in known:
                    yield _Hit(line, what, found, _is_sample(line.path))
        if after and _PRIVATE.search(line.text) and after.path == line.path and _BODY.match(after.text):
            yield _Hit(line, "a private key", after.text.strip(), _is_sample(line.path))


def _telling(value: str) -> bool:
    """It stands in a text only where somebody wrote it there: no plain word, number or path."""
    if _REFERENCE.search(value) or value.isdigit() or "\n" in value:
        return False
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return (len(value) >= 10 and mixed and len({*value}) >= 6) or (len(value) >= 20 and len({*value}) >= 10)


def _random(key: str) -> bool:
    """As nobody writes by hand."""
    return not _PLACEHOLDER.search(key) and any(map(str.isdigit, key)) and len({*key}) >= 12


def _is_sample(path: str) -> bool:
    return any(part.lower() in _SAMPLES for part in PurePosixPath(path).parts[:-1])


def _in_base(git: Git, base: str, value: str) -> bool:
    # Over its input: whoever lists the machine's processes sees the arguments of each.
    asked = f"{value}\n".encode(errors="surrogateescape")
    return git.run("grep", "-q", "-a", "-F", "-f", "-", base, stdin=asked, ok=(0, 1)).code == 0


def _added(git: Git, base: str, commit: str) -> Iterator[_Line]:
    options = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--unified=0")
    configuration = ("-c", "core.quotePath=false", "-c", f"core.bigFileThreshold={LARGEST}")
    path, number, in_head = "", 0, True
    for line in git.run(*configuration, "diff", *options, base, commit).output.split(b"\n"):
        if line.startswith(b"diff --git "):
            path, in_head = "", True
        elif in_head and line.startswith(b"+++ "):
            path = line[4:].decode("utf-8", "replace").rstrip("\t").removeprefix("b/")
        elif hunk := _HUNK.match(line[:60].decode("ascii", "replace")):
            number, in_head = int(hunk[1]), False
        elif not in_head and line.startswith(b"+"):
            yield _Line(path, number, line[1 : LONGEST_LINE + 1].decode("utf-8", "replace"))
            number += 1
