"""Files that a program makes, changed without what it makes them of: the next run takes the change back."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from teamlead.core.evidence.values import MADE_BY_GENERATOR, Evidence, in_brief
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import Text, is_test, read_files
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

MOST_GENERATORS = 20
HEAD = 20
"""Lines in which a file says so."""
_SAYS_SO = re.compile(
    r"code generated\b.*\bdo not edit|@generated\b|\b(?:auto-?)?generated (?:by|from|with|using)\b"
    r"|\bdo not (?:edit|modify)\b.*\bgenerated|\bgenerated\b.*\bdo not (?:edit|modify)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s*(?:#|//|/?\*|--|;|<!--|\"\"\"|''')")
_IMPORT = re.compile(r"\b(?:import|from|require|include|use)\b")
_PATH = re.compile(r"[\w.@-]+(?:/[\w.@-]+)*\.\w+|[\w.@-]+(?:/[\w.@-]+)+")


def examine_generated(git: Git, claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    changed = {text.path for text in texts if not is_test(text.path)}
    found = [
        f"{text.path} ({said})"
        for text in texts
        if text.before is not None and text.after is not None and (said := says_so(text.before))
        # The generator, or what it reads, is among what was changed: then it may well have been run.
        if not _made_of(git, claim, text.path, _PATH.findall(said)) & _names(changed - {text.path})
    ]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=MADE_BY_GENERATOR,
            found=f"a generated file was changed, and nothing that it is made of: {in_brief(found)}",
            details=tuple(found),
            question=f"What shows that this was made by its generator, and not by hand: {in_brief(found)}?",
        )


def _made_of(git: Git, claim: Claim, path: str, said: Sequence[str]) -> set[str]:
    """The names of files: what it says, what writes it, and what that reads."""
    own, named = PurePosixPath(path).name, _names(said)
    told = git.run("grep", "-l", "-I", "-z", "-F", "-e", own, claim.commit, ok=(0, 1)).text
    mentioning = [each.partition(":")[2] for each in told.split("\0") if each]
    files = [
        each
        for each in mentioning
        if language(each) and not is_test(each) and each != path and "\n" not in each
    ]
    for each in files[:MOST_GENERATORS]:
        text = "".join(read_files(git, claim.commit, [each]))
        # Who brings it in from there only uses it.
        if any(own in line and not _IMPORT.search(line) for line in text.split("\n")):
            named |= {PurePosixPath(each).name} | _names(_PATH.findall(text))
    return named


def _names(paths: Iterable[str]) -> set[str]:
    return {PurePosixPath(path).name for path in paths}


def says_so(text: str) -> str:
    head = text.split("\n")[:HEAD]
    lines = [line.strip() for line in head if _COMMENT.match(line)]
    if not any(_SAYS_SO.search(line) for line in lines):
        return ""
    # What it is made of often stands on a line of its own.
    return " ".join(
        line for line in lines if _SAYS_SO.search(line) or re.search(r"\bsource:", line, re.IGNORECASE)
    )
