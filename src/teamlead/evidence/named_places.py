"""Places and tests that a judge names, looked up in the commit that it judges, and in its base."""

import re
from collections.abc import Iterator

from teamlead.core.answers import Judgement
from teamlead.evidence.cited_places import look
from teamlead.evidence.file_sources import CommitFiles
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.sources.tokens import tokens
from teamlead.evidence.weakening.files_of_tests import is_test
from teamlead.evidence.weakening.single_tests import Test, all_tests_of
from teamlead.forms.citations.blocks import Citation
from teamlead.system.git import Git

SHOWN = 10
LONGEST = 300
"""Characters of a place."""
MOST_FILES = 200
_LINE = re.compile(r"`*([^`]+?):L?([0-9]{1,9})(?:\s*[-–]\s*L?([0-9]{1,9}))?(?![0-9])")  # noqa: RUF001
_NAME = re.compile(r"[^\W\d]\w{3,}")
_TESTS = re.compile(r"test|spec|check|feature|example", re.IGNORECASE)
"""In the path of a file that may hold tests, whatever it is written in."""
_FILLED_IN = re.compile(r"%[a-z]|\$")


class NamedPlaces:
    def __init__(self, git: Git, base: str, commit: str) -> None:
        self._git = git
        self._commits = tuple(dict.fromkeys((commit, base)))

    def faults(self, answer: Judgement, checks: tuple[str, ...]) -> list[str]:
        """The first of them, a sentence each. `checks`: commands that may be named as tests."""
        lines = [each.line for each in answer.fulfilled]
        lines += [each.line for each in (*answer.objections, *answer.statements)]
        tests = [each.test for each in answer.fulfilled if _plain(each.test) not in checks]
        found = [*self._wrong_lines(dict.fromkeys(filter(None, lines)))]
        found += [
            f"there is no test {test[:LONGEST]!r} in the work: name it as `path::name`"
            for test in dict.fromkeys(filter(None, tests))
            if not self._is_test(test)
        ]
        return found[:SHOWN]

    def _wrong_lines(self, lines: dict[str, None]) -> Iterator[str]:
        for line in lines:
            if reason := self._fault(line):
                yield f"there is no {line[:LONGEST]!r}, neither in the work nor in its base: {reason}"

    def _fault(self, place: str) -> str:
        """Of a place as it is named; empty if it is there. A line that was taken away is, in the base."""
        found = _LINE.match(place.strip()[:LONGEST])
        path, first, last = (found[1], int(found[2]), int(found[3] or found[2])) if found else (place, 1, 0)
        reasons = []
        for commit in self._commits:
            for name in _names(_plain(path)):
                if not found:
                    reasons.append("" if self._there(commit, name) else "name it as `path:line`")
                    continue
                cited = Citation(name, first, last)
                seen = look([cited], CommitFiles(self._git, commit), ())[cited.place]
                # What is binary has no lines to name.
                reasons.append(
                    "" if seen.reason in {None, "file_read_error"} else seen.note or seen.reason or ""
                )
        return "" if "" in reasons else reasons[0].replace("_", " ")

    def _there(self, commit: str, path: str) -> bool:
        return path in CommitFiles(self._git, commit).look([path])

    def _is_test(self, test: str) -> bool:
        """One that stands in a file of tests, or the line of one, or the file itself."""
        path, colons, name = _plain(test)[:LONGEST].partition("::")
        place = _LINE.match(path)
        for file in _names(_plain(place[1] if place else path)):
            if (text := self._text(file)) is not None:
                last = name.rpartition("::")[2]
                return _holds(file, text, last, int(place[2]) if place else 0) or bool(
                    # It may be inherited.
                    last and is_test(file, text) and self._stands_somewhere(last)
                )
        return not colons and not place and self._stands_somewhere(path)

    def _stands_somewhere(self, said: str) -> bool:
        """The longest of these words is the name of a test."""
        words = sorted(_NAME.findall(said.partition("[")[0]), key=len)
        if not words:
            return False
        how = ("-z", "-l", "-I", "-F", "-w")
        found = self._git.run("grep", *how, "-e", words[-1], self._commits[0], ok=(0, 1)).fields
        paths = (each.decode("utf-8", "replace").partition(":")[2] for each in found[:MOST_FILES])
        texts = ((path, self._text(path)) for path in paths if language(path))
        return any(text is not None and _holds(path, text, words[-1], 0) for path, text in texts)

    def _text(self, path: str) -> str | None:
        """None: it is not there."""
        if not path or not self._there(self._commits[0], path):
            return None
        found = self._git.run("cat-file", "blob", f"{self._commits[0]}:{path}", ok=(0, 128))
        return found.output.decode("utf-8", "replace")


def _holds(path: str, text: str, name: str, line: int) -> bool:
    """A test of this name, or on this line; without either, any."""
    spoken = language(path)
    if not spoken:
        # Of a script nobody can tell what is a test in it.
        return bool(_TESTS.search(path)) and all(word in text for word in _NAME.findall(name))
    found = all_tests_of(text, spoken)
    if name:
        return any(_means(name, test) for test in found) or _is_title(name, path, text, spoken)
    within = (test.first <= line < test.first + len(test.lines) for test in found)
    return any(within) if line and found else bool(found) or is_test(path, text)


def _means(said: str, test: Test) -> bool:
    """A runner puts groups before the name, and fills in what belongs to a case or names it behind."""
    named = [_words(each) for each in (said, said.partition("[")[0]) if each]
    own = _words(_FILLED_IN.split(test.name)[0])
    groups = [_words(group) for group in test.groups]
    return any(
        words in groups or (own and (words[-len(own) :] == own or words[: len(own)] == own))
        for words in named
    )


def _is_title(name: str, path: str, text: str, spoken: Language) -> bool:
    """Of a case in a table, or of a test within one."""
    if spoken == "python" or not is_test(path, text):
        return False
    wanted = _words(name.rpartition("/")[2].replace("_", " "))
    strings = (_words(each.text.replace("_", " ")) for each in tokens(text, spoken) if each.string)
    return bool(wanted) and any(each == wanted for each in strings)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _plain(text: str) -> str:
    return text.strip().strip("`").strip()


def _names(path: str) -> list[str]:
    """As it may be meant: an absolute path leads into a copy of the repository."""
    if not path.startswith("/"):
        return [path]
    parts = [part for part in path.split("/") if part]
    return ["/".join(parts[start:]) for start in range(len(parts))] or [path]
