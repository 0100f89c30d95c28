"""What an agent says to have made, run or measured, and what no commit and no log has."""

import re
from collections.abc import Iterator, Sequence

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.core.reports import ImplementationFindings, Result
from teamlead.evidence.agent_logs import Log, read_log
from teamlead.evidence.claimed_measurements import unmeasured
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import Text, is_test, read_texts
from teamlead.evidence.weakening.single_tests import tests_of
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

CLAIM = "it did what it says it did"
MOST_NAMES = 40
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
_NOT_HERE = re.compile(rf"{_NOT_MADE.pattern}|\b(?:elsewhere|upstream|library|later|future)\b", re.IGNORECASE)
_NAME = re.compile(r"(?:[\w./-]+(?:::|\.))*(?P<name>[^\W\d]\w{3,})(?:\[.*\])?(?:\(.*\))?")
_SPOKEN_OF = re.compile(
    r"(?<![\w./:'\"-])(?:([^\W\d]\w*_\w+|[a-z]+[A-Z]\w+)\(\)|(test_\w+|Test[A-Z]\w+)(?![\w./(-]))"
)
"""A function that is called, or a test: `check_range()`, `TestTeens`."""
_FILE = re.compile(
    r"[\w./-]+\.(?:py|js|ts|tsx|jsx|mjs|go|rs|md|toml|json|ya?ml|cfg|ini|txt|html|css|sh|java|rb|cs)"
)
_CODE = re.compile(r"(?<![\w./-])(?:[^\W\d]\w*(?=\()|[^\W\d]\w*_\w+|[A-Za-z]+[a-z][A-Z]\w*)(?![\w./-]*\.\w)")
"""A name as programs have them, and no file."""
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
_IDLE_OPTIONS = frozenset(
    {
        "-v",
        "-vv",
        "-q",
        "-s",
        "--",
        "-m",
        "--verbose",
        "--quiet",
        "--silent",
        "--no-color",
        "--color",
        "-x",
        "--tb=short",
    }
)
"""Those that only change what is shown."""
_SHELL = re.compile(r"[a-z][\w.+-]*(?: \S+)+")


def examine_runs(claim: Claim, result: Result | None) -> Iterator[Evidence]:
    """Looks up what it says to have run, and measured. What the lead runs itself needs no log."""
    log = read_log(claim)
    text = f"{claim.text}\n{result.summary}\n{result.findings}" if result else claim.text
    told = [found["command"] for found in _RAN.finditer(text) if _SHELL.fullmatch(found["command"])]
    if result and isinstance(result.details, ImplementationFindings):
        told += [each.command for each in result.details.commands]
    unseen = [command for command in dict.fromkeys(told) if log.told and not _was_run(command, claim, log)]
    if unseen:
        # A program may run more than its log tells, and words may tell of what anybody can run.
        sentence = f"said to have been run, and not in its log: {in_brief(unseen)}"
        yield _item(sentence, "What shows that this was run, and what it told?", tuple(unseen))
    rest = _RAN.sub("", text)
    yield from (_item(found, question) for found, question in unmeasured(claim, rest, log))


def _was_run(command: str, claim: Claim, log: Log) -> bool:
    """With the options that it had: one of them may be what it speaks of, a detector or a number of times."""
    words = [word for word in command.split() if word not in _IDLE_OPTIONS]
    return _was_called(command, claim, log) and _is_in(words, claim, log)


def _was_called(command: str, claim: Claim, log: Log) -> bool:
    return _is_in([word for word in command.split() if not word.startswith("-")], claim, log)


def _is_in(words: Sequence[str], claim: Claim, log: Log) -> bool:
    plain = [word.strip("'\"") for word in words]
    return log.holds(*plain) or any(all(word in check for word in plain) for check in claim.checks)


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
    spoken_of = [name for name in _spoken_of(text) if name not in names]
    if unknown := [name for name in spoken_of[:MOST_NAMES] if not _stood(git, claim, name)]:
        yield _item(
            f"it speaks of what stands nowhere: {in_brief(unknown)}",
            f"Where is this? {in_brief(unknown)}",
            tuple(unknown),
        )
    yield from _counted(text, texts)


def examine_places(git: Git, claim: Claim) -> Iterator[Evidence]:
    """Where something had to be changed and was not: a name in the file that it says shows a look."""
    if claim.commit or not claim.task.needs_change:
        return
    names = list(dict.fromkeys(_CODE.findall(claim.text)))[:MOST_NAMES]
    paths = list(dict.fromkeys(_FILE.findall(claim.text)))[:MOST_NAMES]
    for text in read_texts(git, claim.base, claim.base, paths) if names and paths else ():
        there = set(re.findall(r"\w+", text.after or ""))
        if found := next((name for name in names if name in there and name not in text.path), None):
            yield Evidence("references", "proven", "what it names is there", f"{found} in {text.path}")
            return


def _spoken_of(text: str) -> list[str]:
    """Names as programs have them, of what is said to be there."""
    told = (each for each in _SENTENCE.split(text) if not _NOT_HERE.search(each))
    return list(dict.fromkeys(found[1] or found[2] for each in told for found in _SPOKEN_OF.finditer(each)))


def _stood(git: Git, claim: Claim, name: str) -> bool:
    """In the work, or in what it began with."""
    if _stands(git, claim, name):
        return True
    return git.run("grep", "-q", "-F", "-i", "-e", name, claim.base, ok=(0, 1)).code == 0


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
