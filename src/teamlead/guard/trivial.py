"""Which edits are TRIVIAL: at most two lines, the same meaning before and after, and nothing to decide.

The kinds are a typo, a version or a date of the document itself, and mere form. Whatever else changes, and
whatever is in doubt, is for an agent. Only documents have trivial edits: in code a space can be a decision.
"""

import re
from typing import Literal, NamedTuple

from teamlead.guard.delegation import Occasion, Verdict, refused, role_for, work_on
from teamlead.guard.documents import Line, changed, fenced, formless, head, metadata
from teamlead.guard.spelling import is_misspelling

Kind = Literal["typo", "version", "date", "formatting"]

LINES = 2
LONGEST = 2_000
"""Characters of a line that is looked at; in a longer one nothing is obvious."""

_TOKEN = re.compile(r"`[^`]*`|\S+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_STRENGTH = re.compile(
    r"\b(?:must|shall|should|may|might|can|could|will|would|needs?|required?|optional|recommended|never|always"
    r"|not|no|only|all|any|each|every|least|most)\b|n't\b"
    r"|必須|任意|省略可|推奨|禁止|必ず|べき|なければ|必要|望ましい|てもよい|できる|できない|不可|常に|のみ"
    r"|필수|선택|생략|권장|금지|반드시|해야|하여야|필요|수 있|수 없|않|항상|만 ",
    re.IGNORECASE,
)


class Triviality(NamedTuple):
    kind: Kind | None
    """None: it is not trivial, or it is not certain."""
    reason: str
    lines: tuple[int, ...] = ()
    """Which lines of the text change, counted from 1."""


def judge_edit(path: str, before: str, after: str, occasion: Occasion | None = None) -> Verdict:
    """Whether a lead may make this change of a file itself."""
    work = work_on(path)
    role = role_for(work, path)
    if work != "design":
        rule = "own-tests" if work == "tests" else "own-code"
        return refused(rule, f"a lead changes no {work}, not even a line of it", role)
    found = classify(before, after)
    if found.kind is None:
        return refused("spec-edit", f"this is no TRIVIAL edit: {found.reason}", role)
    if found.kind != "formatting" and occasion is None:
        reason = f"TRIVIAL ({found.reason}), but an agent comes first unless the user asked for speed"
        return refused("agent-first", reason, role)
    met = ("lines", "meaning", "judgement", "occasion")
    return Verdict(allowed=True, reason=f"TRIVIAL: {found.reason}", exemption="trivial-edit", met=met)


def classify(before: str, after: str) -> Triviality:
    """Of a document's text, whole or in part. A part counts as the document's beginning."""
    old, new = before.split("\n"), after.split("\n")
    lines, blank, reason = changed(old, new)
    if reason:
        return Triviality(None, reason)
    touched = len(lines) + blank
    if touched > LINES:
        return Triviality(None, f"{touched} lines change, and a TRIVIAL edit has at most {LINES}")
    code, top = fenced(old), head(old)
    kind: Kind = "formatting"
    for line in lines:
        if line.number in code:
            return Triviality(None, "in a block of code even a space may matter")
        found = _kind(line, in_head=line.number <= top)
        if found is None:
            return Triviality(None, _why(line.before, line.after))
        kind = kind if found == "formatting" else found
    return Triviality(kind, _TRIVIAL[kind], tuple(line.number for line in lines))


_TRIVIAL: dict[Kind, str] = {
    "typo": "a word was misspelt",
    "version": "the document's version",
    "date": "a date of the document",
    "formatting": "only the form changes",
}


def _kind(line: Line, *, in_head: bool) -> Kind | None:
    if max(len(line.before), len(line.after)) > LONGEST:
        return None
    if formless(line.before) == formless(line.after):
        return "formatting"
    if in_head and (found := metadata(line.before, line.after)):
        return found
    was, now = _TOKEN.findall(line.before), _TOKEN.findall(line.after)
    if len(was) == len(now) and all(a == b or is_misspelling(a, b) for a, b in zip(was, now, strict=True)):
        return "typo"
    return None


def _why(before: str, after: str) -> str:
    was, now = _NUMBER.findall(before), _NUMBER.findall(after)
    if len(now) > len(was):
        return "it says something more exactly than before"
    if was != now:
        return "a number changes, and with it perhaps what is to be built"
    if _strength(before) != _strength(after):
        return "it asks for more or for less than before"
    more = len(_TOKEN.findall(after)) - len(_TOKEN.findall(before))
    if more:
        return "content is added" if more > 0 else "content is removed"
    return "other words may have another meaning"


def _strength(line: str) -> list[str]:
    return sorted(word.lower() for word in _STRENGTH.findall(line))
