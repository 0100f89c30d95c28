"""The same code in another place, left as it was: what was mended here may be wrong there, too."""

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

CLAIM = "the same code elsewhere was changed as well"
AROUND = 2
"""Lines before and behind what was changed, which have to be the same there."""
LEAST_LINES = 3
LEAST_LETTERS = 60
MOST_PLACES = 2
"""What stands in more of them is how everything is written there."""
MOST_LINES = 20
"""Of what was changed at once: more is another design."""
MOST_FILES = 200
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
    if not windows:
        return
    now = _sources_of(git, claim, {language(text.path) for text, _ in windows}, texts)
    found = [
        f"{twin}: as {_Place(text.path, line)} was, and left so"
        for text, (line, lines) in windows
        for twin in _twins(lines, now)
    ]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"the same code stands elsewhere as it was: {in_brief(found)}",
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
