"""Places and tests that a judge names, looked up in the commit that it judges, and in its base."""

import re
from collections.abc import Iterator

from teamlead.core.answers import Judgement
from teamlead.evidence.cited_places import look
from teamlead.evidence.file_sources import CommitFiles
from teamlead.forms.citations.blocks import Citation
from teamlead.system.git import Git

SHOWN = 10
LONGEST = 300
"""Characters of a place."""
_LINE = re.compile(r"`*([^`]+?):L?([0-9]{1,9})(?:\s*[-–]\s*L?([0-9]{1,9}))?(?![0-9])")  # noqa: RUF001
_NAME = re.compile(r"[^\W\d]\w{3,}")


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
        path, colons, name = _plain(test)[:LONGEST].partition("::")
        if colons:
            return self._holds(name.rpartition("::")[2].partition("[")[0], path.strip())
        if not self._fault(path):
            return True
        words = sorted(_NAME.findall(path), key=len)
        return bool(words) and self._holds(words[-1], "")

    def _holds(self, name: str, path: str) -> bool:
        """Whether these words stand in a file of the work."""
        words = _NAME.findall(name) or [name]
        commit = self._commits[0]
        if path and not self._there(commit, path):
            return False
        only = (f":(top,literal){path}",) if path else ()
        return all(
            self._git.run("grep", "-q", "-F", "-e", word, commit, "--", *only, ok=(0, 1)).code == 0
            for word in words
        )


def _plain(text: str) -> str:
    return text.strip().strip("`").strip()


def _names(path: str) -> list[str]:
    """As it may be meant: an absolute path leads into a copy of the repository."""
    if not path.startswith("/"):
        return [path]
    parts = [part for part in path.split("/") if part]
    return ["/".join(parts[start:]) for start in range(len(parts))] or [path]
