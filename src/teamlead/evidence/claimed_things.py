"""What an agent says to have made, run or measured, and what no commit and no log has."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.core.reports import ImplementationFindings, Result
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import Text, is_test
from teamlead.evidence.weakening.single_tests import tests_of
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

CLAIM = "it did what it says it did"
MOST_NAMES = 40
MOST_BYTES = 16 * 1024 * 1024
"""Of a log."""
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n")
_ONE = r"(?:`[^`\n]{2,120}`(?:\([^)\n]{0,40}\))?|(?<![\w./-])[^\W\d]\w*(?:\(\)|_\w+(?![\w./-]*[./-]\w)))"
_MADE = re.compile(
    r"\b(?:add(?:ed|s)?|creat(?:ed|es)|wr(?:ote|itten)|implement(?:ed|s)|introduc(?:ed|es)|defin(?:ed|es)|new)\b"
    r"(?: (?:an?|the|new|unit|and|also|regression|tests?|function|method|helper|class|constant|named))*"
    rf" (?P<names>{_ONE}(?:(?:, and |, | and ){_ONE})*)",
    re.IGNORECASE,
)
_NOT_MADE = re.compile(
    r"\b(?:not|never|without|should|could|would|must|needs?|todo|next|if|instead of)\b|n't\b", re.IGNORECASE
)
_NAME = re.compile(r"(?:[\w./-]+(?:::|\.))*(?P<name>[^\W\d]\w{3,})(?:\[.*\])?(?:\(.*\))?")
_FILE = re.compile(
    r"[\w./-]+\.(?:py|js|ts|tsx|jsx|mjs|go|rs|md|toml|json|ya?ml|cfg|ini|txt|html|css|sh|java|rb|cs)"
)
_TEST = re.compile(r"(?<![\w/.-])(?:::)?(test_\w+)(?![\w/-]*\.\w)")
_COUNTED = re.compile(r"\b(?P<n>\d{1,3}|[a-z]+) (?:new |more |unit |regression )*tests?\b", re.IGNORECASE)
_DID = re.compile(r"\b(?:added|wrote|created|adds)\b", re.IGNORECASE)
_RESULT = re.compile(r"\b(?:pass\w*|ran|run|existing|all|green|succeed\w*|of the)\b", re.IGNORECASE)
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_RAN = re.compile(
    r"\b(?:ran|run|executed|(?:verified|checked|tested) (?:with|by|using))\b[^`\n]{0,40}"
    r"`(?P<command>[^`\n]{3,200})`",
    re.IGNORECASE,
)
_SHELL = re.compile(r"[a-z][\w.+-]*(?: \S+)+")
_RUNS = frozenset({"command", "cmd", "script", "code", "prompt", "argv", "args"})
"""What a tool is given that can run something."""
_COVERAGE = re.compile(r"\bcover(?:age|s|ed)?\b[^.\n]{0,40}\d ?%|\d ?%[^.\n]{0,20}\bcover", re.IGNORECASE)
_SPEED = re.compile(
    r"\b\d+(?:[.,]\d+)?(?:x| times|-fold| ?%) (?:faster|slower|quicker|speed-?up|less time)"
    r"|\b(?:from|took|takes) \d+(?:[.,]\d+)? ?(?:ms|s|µs|ns|seconds|milliseconds)\b"
    r"[^.\n]{0,20} (?:to|instead of|down to) \d",
    re.IGNORECASE,
)


class Log(NamedTuple):
    """What an agent's program told of the tools that it used."""

    told: bool
    """It tells of them at all."""
    inputs: tuple[str, ...]
    """All that they were given."""
    ran: bool
    """One of them may have run something."""

    def holds(self, *words: str) -> bool:
        return any(all(word in given for word in words) for given in self.inputs)


def read_log(claim: Claim) -> Log:
    path = claim.folder / "events.jsonl"
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        return Log(told=False, inputs=(), ran=True)
    calls = [
        event for line in path.read_bytes().splitlines() if (event := _event(line)).get("type") == "tool_call"
    ]
    given = [call.get("input") for call in calls]
    keys = {key for each in given if isinstance(each, dict) for key in each}
    texts = tuple(json.dumps(each, ensure_ascii=False) for each in given)
    return Log(
        bool(calls), texts, ran=bool(keys & _RUNS) or not all(isinstance(each, dict) for each in given)
    )


def _event(line: bytes) -> dict[str, Any]:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}


def examine_runs(claim: Claim, result: Result | None) -> Iterator[Evidence]:
    """Looks up what it says to have run, and measured. What the lead runs itself needs no log."""
    log = read_log(claim)
    text = f"{claim.text}\n{result.summary}\n{result.findings}" if result else claim.text
    told = [found["command"] for found in _RAN.finditer(text) if _SHELL.fullmatch(found["command"])]
    if result and isinstance(result.details, ImplementationFindings):
        told += [each.command for each in result.details.commands]
    unseen = [command for command in dict.fromkeys(told) if log.told and not _was_run(command, claim, log)]
    if unseen:
        sentence = f"said to have been run, and not in its log: {in_brief(unseen)}"
        # Where nothing was run at all, no script can have run it, either.
        yield _item(
            sentence, "What shows that this was run, and what it told?", tuple(unseen), certain=not log.ran
        )
    yield from _unmeasured(claim, text, log)


def _was_run(command: str, claim: Claim, log: Log) -> bool:
    words = [word.strip("'\"") for word in command.split() if not word.startswith("-")]
    return log.holds(*words) or any(all(word in check for word in words) for check in claim.checks)


def _unmeasured(claim: Claim, text: str, log: Log) -> Iterator[Evidence]:
    checks = " ".join(claim.checks)
    for sentence in _SENTENCE.split(text):
        shown = " ".join(sentence.split())[:200]
        if _COVERAGE.search(sentence) and "cov" not in checks and not log.holds("cov"):
            yield _item(f"a coverage that nothing measured: {shown}", f"What measured this? {shown!r}")
        elif _SPEED.search(sentence) and not _measures(log):
            yield _item(f"a time that nothing measured: {shown}", f"What measured this? {shown!r}")


def _measures(log: Log) -> bool:
    return any(
        re.search(r"\b(?:time\w*|bench\w*|hyperfine|perf\w*|profile\w*)\b|-bench", each)
        for each in log.inputs
    )


def examine_names(git: Git, claim: Claim, result: Result | None, texts: Sequence[Text]) -> Iterator[Evidence]:
    """Looks up what it says to have added, by name and by number."""
    if not claim.commit:
        return
    text = f"{claim.text}\n{result.summary}\n{result.findings}" if result else claim.text
    listed = result.details.tests if result and isinstance(result.details, ImplementationFindings) else ()
    tests = [name for line in listed for name in _TEST.findall(line)]
    names = list(dict.fromkeys((*_named(text), *tests)))[:MOST_NAMES]
    missing = [name for name in names if not _stands(git, claim, name)]
    if missing:
        sentence = f"said to be added, and nowhere in its work: {in_brief(missing)}"
        yield _item(sentence, "", tuple(missing), certain=True)
    yield from _counted(text, texts)


def _named(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(text):
        if _NOT_MADE.search(sentence):
            continue
        for made in _MADE.finditer(sentence):
            for one in re.findall(_ONE, made["names"]):
                quoted = one.split("`")[1] if "`" in one else one
                found = _NAME.fullmatch(quoted)
                if found and not _FILE.fullmatch(quoted):
                    yield found["name"]


def _stands(git: Git, claim: Claim, name: str) -> bool:
    """As a part of a word or of a path, too: names are often put together."""
    if any(name.lower() in change.path.lower() for change in claim.changes):
        return True
    return git.run("grep", "-q", "-F", "-i", "-e", name, claim.commit, ok=(0, 1)).code == 0


def _counted(text: str, texts: Sequence[Text]) -> Iterator[Evidence]:
    told = [each for each in _SENTENCE.split(text) if _DID.search(each) and not _RESULT.search(each)]
    said = max((_number(found["n"]) for each in told for found in _COUNTED.finditer(each)), default=0)
    tests = [each for each in texts if is_test(each.path, each.after or "") and language(each.path)]
    # One function may be many tests.
    if any(
        re.search(r"parametrize|\.each\b|t\.Run\(|subTest|rstest|@given|for .*\bin\b", each.after or "")
        for each in tests
    ):
        return
    added = sum(
        len(
            {test.name for test in tests_of(each.after or "", language(each.path))}
            - {test.name for test in tests_of(each.before or "", language(each.path))}
        )
        for each in tests
    )
    if said > added:
        sentence = f"it says that it added {said} tests, and {added} are new"
        yield _item(sentence, f"Where are the {said} tests that it says to have added?")


def _number(text: str) -> int:
    word = text.lower()
    return int(word) if word.isdigit() else _WORDS.index(word) + 1 if word in _WORDS else 0


def _item(found: str, question: str, details: tuple[str, ...] = (), *, certain: bool = False) -> Evidence:
    if certain:
        remedy = ": do it, or do not say so"
        return Evidence("claims", "objected", CLAIM, f"{found}{remedy}", details=details)
    return Evidence("claims", "flagged", CLAIM, found, details=details, question=question)
