"""What an agent that changed nothing says in plain words: that it cannot be done, or was done before.

Neither is believed for being said: the first goes to whoever may decide, the second needs proof.
"""

import re

from teamlead.core.reports import DifficultyFeedback, Feedback, ImplementationFeedback

LONGEST = 2000
"""Characters that are handed on."""
_NOT_DONE = r"(?:can(?:not|'t|\u2019t| not)|could(?: not|n't|n\u2019t)|impossible to|no (?:honest )?way to)"
_DO = r"(?:do|done|met|meet|satisf\w+|fulfil\w*|implement\w*|achiev\w*|hold|both|pass|mend\w*|fix\w*|find)"
_IMPOSSIBLE = re.compile(
    rf"{_NOT_DONE}\b[^.\n]{{0,60}}?\b{_DO}\b|\b(?:is|are|be|seems?) (?:\w+ )?(?:impossible|infeasible)\b"
    r"|contradict|mutually exclusive|conflicting requirements"
    r"|\bthere is no (?:such )?\w+|\b(?:does not|doesn't|doesn\u2019t) exist\b"
    r"|不可能|できません|できない|矛盾|存在しません|불가능|할 수 없|모순|존재하지 않",
    re.IGNORECASE,
)
_DONE_BEFORE = re.compile(
    r"\balready\b"
    r"|\bnothing (?:(?:is|was|had|has|needs|needed|left) )*to (?:be )?(?:do|done|changed?|fix|add)\b"
    r"|\bno (?:code )?changes? (?:is |are |was |were )?(?:needed|necessary|required)\b"
    r"|既に|すでに|変更は(?:不要|必要ありません)|이미|변경(?:이|은)? ?필요(?:가)? ?없",
    re.IGNORECASE,
)


_STATUS = re.compile(
    r"^\W*(?:(?:status|state|result|outcome|状態|ステータス|상태)\W*)?"
    r"(?:(?P<impossible>impossible|cannot be done|can't be done|infeasible|不可能|불가능)"
    r"|(?P<before>already[ _-]?(?:done|implemented|there|exists|satisfied)|nothing to do"
    r"|no changes? (?:needed|required)|実施済み|対応済み|완료됨))\W*$",
    re.IGNORECASE | re.MULTILINE,
)
"""On a line of its own it is the answer, whatever the others speak of."""


def read_plain_words(text: str) -> Feedback | None:
    said = text.strip()[:LONGEST]
    if status := _STATUS.search(said):
        if status["impossible"]:
            return DifficultyFeedback(issue=said, category="impossible")
        return ImplementationFeedback(result="already_done", notes=said)
    if _IMPOSSIBLE.search(said):
        return DifficultyFeedback(issue=said, category="impossible")
    if _DONE_BEFORE.search(said):
        return ImplementationFeedback(result="already_done", notes=said)
    return None
