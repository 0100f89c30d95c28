"""What an agent says to have measured, or to have had a tool say, and what its log has of it.

What the lead runs itself needs no log.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from teamlead.evidence.agent_logs import Log
from teamlead.evidence.change import asked
from teamlead.ports.checking import Claim

_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n")
_QUANTITY = re.compile(
    r"\b(?P<number>\d+(?:[.,]\d+)*) ?(?:x|×|%|times|-?fold|ms|µs|us|ns|s|sec|seconds?|milliseconds?|[kKMG]i?B"
    r"|ops|req)(?!\w)"
)
_COVERED = re.compile(r"\bcover(?:age|s|ed)?\b", re.IGNORECASE)
_MEASURED = re.compile(
    r"\b(?:faster|slower|quicker|speed-?up|the speed|less time|benchmark\w*|measured|profil(?:ed|ing)"
    r"|throughput|latency)\b"
    r"|\bmemory (?:fell|dropped|went|use|used|usage)\b|\bpeak memory\b"
    r"|\b(?:from|took|takes) \d+(?:[.,]\d+)? ?(?:ms|s|µs|ns|seconds|milliseconds)\b"
    r"[^\n]{0,20} (?:to|instead of) \d",
    re.IGNORECASE,
)
_MEASURES = re.compile(
    r"\b(?:time\w*|bench\w*|hyperfine|perf\w*|profile\w*|tracemalloc|memray|massif|rss)\b|-bench",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"(?<![\w./-])(?P<tool>ruff|mypy|pyright|flake8|pylint|black|isort|bandit|tox|nox|eslint|tsc|prettier|biome"
    r"|clippy|miri|rustfmt|go vet|staticcheck|golangci-lint|gofmt|valgrind|mutmut|stryker|-race|fuzz)"
    r"(?:ed|ing)?(?![\w/-])"
)
_SAYS = re.compile(
    r"\b(?:clean|pass(?:es|ed)?|green|reports?|ok|ran|happy|minutes?|hours?"
    r"|no (?:errors?|warnings?|issues?|findings?|complaints?))\b",
    re.IGNORECASE,
)
_TRIED_ON = re.compile(
    r"\b(?:tested|tried|ran|runs?|verified) (?:on|with|under|against|in)\b[^\n]*?\b(?P<version>\d+\.\d+)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never|without|should|could|would|must|please|if)\b|n't\b", re.IGNORECASE)


class Unmeasured(NamedTuple):
    found: str
    question: str


def unmeasured(claim: Claim, text: str, log: Log) -> Iterator[Unmeasured]:
    checks, told = " ".join(claim.checks), asked.words(claim.task)
    for sentence in _SENTENCE.split(text):
        shown = " ".join(sentence.split())[:200]
        if what := _what(sentence, checks, told, log):
            yield Unmeasured(f"{what}: {shown}", f"What measured this? {shown!r}")


def _what(sentence: str, checks: str, told: str, log: Log) -> str:
    news = any(found["number"] not in told for found in _QUANTITY.finditer(sentence))
    covered = news and _COVERED.search(sentence) and "%" in sentence
    measured = news and _MEASURED.search(sentence)
    if covered or measured:
        no_coverage = covered and not ("cov" in checks or log.holds("cov"))
        no_figure = measured and not any(map(_MEASURES.search, log.inputs))
        missing = ["a coverage"] * bool(no_coverage) + ["a figure"] * bool(no_figure)
        return f"{' and '.join(missing)} that nothing measured" if missing else ""
    if not log.told or _NOT.search(sentence):
        return ""
    tools = {found["tool"] for found in _TOOL.finditer(sentence)} if _SAYS.search(sentence) else set()
    if unseen := sorted(tool for tool in tools if tool not in checks and not log.holds(tool)):
        return f"what {', '.join(unseen)} said, which its log does not have"
    tried = _TRIED_ON.search(sentence)
    if tried and not log.holds(tried["version"]) and tried["version"] not in told:
        return "a trial that its log does not have"
    return ""
