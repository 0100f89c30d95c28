"""Marks that a change adds to keep a tool from saying something: linters, type checkers, coverage."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.change import asked
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import Text
from teamlead.ports.checking import Claim

CLAIM = "tools say what they find"
_MARK = re.compile(
    r"#\s*(?:noqa\b|type:\s*ignore|pyright:\s*ignore|mypy:\s*ignore|pylint:\s*disable|flake8:\s*noqa|ruff:\s*noqa"
    r"|pragma:\s*no\s*cover|nosec\b|fmt:\s*(?:off|skip)|isort:\s*skip)"
    r"|(?://|/\*)\s*(?:eslint-disable|@ts-(?:ignore|nocheck|expect-error)|tslint:disable|prettier-ignore|biome-ignore"
    r"|istanbul ignore|[cv]8 ignore|nolint\b|nosec\b|#nosec\b|lint:ignore)"
    r"|#!?\[\s*allow\(|@SuppressWarnings|NOLINT\b|rubocop:disable",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:noqa|type: ?ignore|ts-ignore|eslint-disable|nolint|pragma|suppress\w*|silenc\w*|ignores?|allow)\b",
    re.IGNORECASE,
)
_NOT_ASKED = re.compile(r"\b(?:no|not|never|without|instead of)\b|n't\b", re.IGNORECASE)


def examine_silenced(claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    if _is_asked(asked.words(claim.task)):
        return
    found = [told for text in texts if language(text.path) for told in _added(text)]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"it keeps a tool from saying something: {in_brief(found)}",
            details=tuple(found),
            question=f"Which sentence of the plan lets a tool be silenced? {in_brief(found)}",
        )


def _is_asked(told: str) -> bool:
    sentences = re.split(r"[.;!?](?:\s|$)|\n", told)
    return any(_ASKED.search(each) and not _NOT_ASKED.search(each) for each in sentences)


def _added(text: Text) -> Iterator[str]:
    """Marks that were moved are no new ones."""
    had = Counter(_marks(text.before or ""))
    for number, line in enumerate((text.after or "").split("\n"), 1):
        for mark in _marks(line):
            if had[mark]:
                had[mark] -= 1
            else:
                yield f"{text.path}:{number}: `{mark}`"


def _marks(text: str) -> list[str]:
    return [found[0] for found in _MARK.finditer(text)]
