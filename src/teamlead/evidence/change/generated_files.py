"""Files that a program makes, changed without what it makes them of: the next run takes the change back."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.weakening.files_of_tests import Text

CLAIM = "what is generated was made by its generator"
HEAD = 20
"""Lines in which a file says so."""
_SAYS_SO = re.compile(
    r"code generated\b.*\bdo not edit|@generated\b|\b(?:auto-?)?generated (?:by|from|with|using)\b"
    r"|\bdo not (?:edit|modify)\b.*\bgenerated|\bgenerated\b.*\bdo not (?:edit|modify)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s*(?:#|//|/?\*|--|;|<!--|\"\"\"|''')")
_PATH = re.compile(r"[\w.@-]+(?:/[\w.@-]+)*\.\w+|[\w.@-]+(?:/[\w.@-]+)+")


def examine_generated(texts: Sequence[Text]) -> Iterator[Evidence]:
    changed = {text.path for text in texts}
    found = [
        f"{text.path} ({said})"
        for text in texts
        if text.before is not None and text.after is not None and (said := _says_so(text.before))
        # The generator, or what it reads, is among what was changed: then it may well have been run.
        if not any(_is(named, path) for named in _PATH.findall(said) for path in changed - {text.path})
    ]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"a generated file was changed, and nothing that it is made of: {in_brief(found)}",
            details=tuple(found),
            question=f"What shows that this was made by its generator, and not by hand: {in_brief(found)}?",
        )


def _says_so(text: str) -> str:
    head = text.split("\n")[:HEAD]
    lines = [line.strip() for line in head if _COMMENT.match(line)]
    if not any(_SAYS_SO.search(line) for line in lines):
        return ""
    # What it is made of often stands on a line of its own.
    return " ".join(
        line for line in lines if _SAYS_SO.search(line) or re.search(r"\bsource:", line, re.IGNORECASE)
    )


def _is(named: str, path: str) -> bool:
    return (
        path == named or path.endswith(f"/{named}") or PurePosixPath(path).name == PurePosixPath(named).name
    )
