"""The same in another place, left as it was: what was mended here may be wrong there, too.

That is code, and values by which one place knows another: versions, addresses, names of files.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.assertions import is_comment
from teamlead.evidence.weakening.files_of_tests import Text, is_test, read_texts, sources
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

CLAIM = "what is the same elsewhere was changed as well"
AROUND = 2
"""Lines before and behind what was changed, which have to be the same there."""
LEAST_LINES = 3
LEAST_LETTERS = 60
MOST_PLACES = 6
"""What stands in more of them is how everything is written there."""
MOST_LINES = 20
"""Of what was changed at once: more is another design."""
MOST_FILES = 200
MOST_VALUES = 10
_VALUE = re.compile(
    r"(?<![\w.])v?(?P<version>\d+\.\d+\.\d+(?:[-+.]?[a-z]\w*)*)(?![\w.])"
    r"|(?P<quote>[\"'])(?P<quoted>(?=[^\s\"']*[\d/._-])[\w./:@?=&%#-]{8,120})(?P=quote)"
)
"""Versions, and texts in quotes that are no plain words."""
_SETTINGS = frozenset({".toml", ".cfg", ".ini", ".json", ".yaml", ".yml", ".env", ".mod", ".gradle", ".xml"})
_ACCOUNT = re.compile(r"change|history|news|release|lock|\.sum$|snap", re.IGNORECASE)
_DEFINES = re.compile(
    r"(?:export |default |async |pub(?:\(\w+\))? )*(?:def|class|function|func|fn|impl|@\w)\b"
)
_MADE = frozenset({"dist", "build", "vendor", "node_modules", "out", "lib-cov", "third_party", "generated"})


class _Place(NamedTuple):
    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


def examine_twins(git: Git, claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    windows = [(text, window) for text in sources(texts) for window in _windows(text)]
    now = _sources_of(git, claim, {language(text.path) for text, _ in windows}, texts) if windows else []
    found = [
        f"{twin}: as {_Place(text.path, line)} was, and left so"
        for text, (line, lines) in windows
        for twin in _twins(lines, now)
    ]
    for value in _replaced_values(texts):
        places = _places_of(git, claim, value)
        found += [f"{place}: it still says {value!r}" for place in places if len(places) <= MOST_PLACES]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"the same stands elsewhere as it was: {in_brief(found)}",
            details=tuple(found),
            question=f"Which sentence of the plan lets this stay as it was? {in_brief(found)}",
        )


def _windows(text: Text) -> Iterator[tuple[int, tuple[str, ...]]]:
    """What was changed, with lines around it: as it was, and where."""
    before, after = ((side or "").split("\n") for side in (text.before, text.after))
    if text.before is None or text.after is None:
        return
    plain = [line.strip() for line in before]
    matcher = SequenceMatcher(None, plain, [line.strip() for line in after], autojunk=False)
    for kind, first, last, new, end in matcher.get_opcodes():
        if kind in {"equal", "delete"} or max(last - first, end - new) > MOST_LINES:
            continue
        if not any(_says_something(line) for line in after[new:end]):
            continue
        start, stop = _wider(plain, first, -1), _wider(plain, last - 1, 1)
        lines = tuple(filter(_says_something, plain[start : stop + 1]))
        if len(lines) >= LEAST_LINES and sum(map(len, lines)) >= LEAST_LETTERS:
            yield first + 1, lines


def _wider(lines: Sequence[str], at: int, step: int) -> int:
    """So many lines further that say something, up to where something else is defined."""
    left = AROUND
    while left and 0 <= at + step < len(lines) and not _DEFINES.match(lines[at + step]):
        at += step
        left -= _says_something(lines[at])
    return at


def _says_something(line: str) -> bool:
    return bool(line.strip(" \t{}()[];,")) and not is_comment(line)


def _sources_of(git: Git, claim: Claim, spoken: set[str], texts: Sequence[Text]) -> list[Text]:
    listed = git.run("ls-tree", "-r", "-z", "--name-only", claim.commit).fields
    paths = [field.decode("utf-8", "replace") for field in listed]
    paths = [path for path in paths if language(path) in spoken and _is_written(path)]
    if len(paths) > MOST_FILES:
        # Twins lie side by side more often than not.
        near = {PurePosixPath(text.path).parent for text in texts}
        paths = [path for path in paths if PurePosixPath(path).parent in near][:MOST_FILES]
    return read_texts(git, claim.base, claim.commit, paths)


def _is_written(path: str) -> bool:
    """By people."""
    file = PurePosixPath(path)
    made = not _MADE.isdisjoint(file.parts[:-1]) or ".min." in file.name
    return not made and not is_test(path) and "\n" not in path


def _twins(lines: tuple[str, ...], now: Sequence[Text]) -> list[_Place]:
    found = [place for text in now for place in _found_in(text, lines)]
    return found if len(found) <= MOST_PLACES else []


def _found_in(text: Text, wanted: tuple[str, ...]) -> Iterator[_Place]:
    """Where it stands now, and stood before."""
    if not _holds(text.before, wanted):
        return
    numbered = [
        (number, line.strip())
        for number, line in enumerate((text.after or "").split("\n"), 1)
        if _says_something(line)
    ]
    plain = [line for _, line in numbered]
    for at in range(len(plain) - len(wanted) + 1):
        if plain[at] == wanted[0] and tuple(plain[at : at + len(wanted)]) == wanted:
            yield _Place(text.path, numbered[at][0])


def _holds(text: str | None, wanted: tuple[str, ...]) -> bool:
    return text is not None and all(line in text for line in wanted)


def _replaced_values(texts: Sequence[Text]) -> list[str]:
    """That a change took out of a file altogether, and put something else in their place."""
    found: dict[str, None] = {}
    for text in texts:
        if text.before and text.after and not is_test(text.path) and _is_set(text.path):
            gone = [value for value in _values(text.before) if value not in text.after]
            came = [value for value in _values(text.after) if value not in text.before]
            found |= dict.fromkeys(gone if came else ())
    return list(found)[:MOST_VALUES]


def _values(text: str) -> list[str]:
    return [found["quoted"] or found["version"] for found in _VALUE.finditer(text)]


def _is_set(path: str) -> bool:
    """It says how something is, and is no account of how it was, nor made by a program."""
    file = PurePosixPath(path)
    return (bool(language(path)) or file.suffix in _SETTINGS) and not _ACCOUNT.search(file.name)


def _places_of(git: Git, claim: Claim, value: str) -> list[_Place]:
    """Where it stands, and stood before."""
    told = git.run("grep", "-n", "-I", "-z", "-F", "-e", value, claim.commit, "--", ok=(0, 1)).text
    found = []
    for line in told.split("\n"):
        path, _, rest = line.removeprefix(f"{claim.commit}:").partition("\0")
        number, _, text = rest.partition("\0")
        whole = re.search(rf"(?<![\w.-]){re.escape(value)}(?![\w-]|\.\w)", text)
        if whole and number.isdigit() and not is_test(path) and _is_written(path) and _is_set(path):
            found.append(_Place(path, int(number)))
    known = {change.path for change in claim.changes if set(change.before) == {"0"}}
    return [place for place in found if place.path not in known]
