"""What is wrong with a judge's answer by its words alone: what it leaves out, and quotes that are none."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teamlead.core.answers import Examples, Judgement

ENOUGH = 8
"""Letters and digits of a sentence: fewer stand everywhere."""

_OF_CODE = re.compile(r"`[^`\n]+`|\w\(\)|[\w/]\.\w+:[0-9]")
_MARKS = re.compile(r"[`*_\"'“”‘’]")  # noqa: RUF001


class Asked(NamedTuple):
    """What a judge was asked about an attempt's work."""

    required: int
    """How many sentences its acceptance has."""
    questions: int
    changed: bool
    words: Sequence[str]
    """In which somebody may have asked for something."""
    checks: tuple[str, ...] = ()
    report: str = ""
    """What the worker says, as the judge was shown it."""


def faults(answer: Judgement, asked: Asked) -> Iterator[str]:
    if answer.success:
        yield from _left_out(answer, asked)
    for name, numbers, most in (
        ("fulfilled", [each.number for each in answer.fulfilled], asked.required),
        ("answers", [each.number for each in answer.answers], asked.questions),
    ):
        if wrong := [str(number) for number in numbers if not 1 <= number <= most]:
            yield f"`{name}` has the number {', '.join(wrong)}, and there are {most}"
    for each in answer.answers:
        if each.sentence and not stands(each.sentence, asked.words):
            yield f"{each.sentence[:200]!r} stands neither in the plan nor in the task: copy the sentence"


def _left_out(answer: Judgement, asked: Asked) -> Iterator[str]:
    if asked.changed:
        shown = {each.number for each in answer.fulfilled if each.line}
        if left := [str(number) for number in range(1, asked.required + 1) if number not in shown]:
            yield f"`fulfilled` names no line for {', '.join(left)}"
        if not answer.statements and speaks_of_code(asked.report):
            yield "`statements` is empty, and the report says something of code"
    told = {each.number for each in answer.answers}
    if left := [str(number) for number in range(1, asked.questions + 1) if number not in told]:
        yield f"`answers` has none to question {', '.join(left)}"


def speaks_of_code(report: str) -> bool:
    """As far as it writes of it as code: in marks of code, as a call, or by the place of a line."""
    return bool(_OF_CODE.search(report))


def founded(answer: Examples, words: Sequence[str]) -> Examples:
    """Without those whose sentence nobody has written."""
    return Examples(tuple(each for each in answer.examples if stands(each.sentence, words)))


def stands(sentence: str, words: Sequence[str]) -> bool:
    wanted = _plain(sentence).strip(" .。;:,")
    if len(re.findall(r"[^\W_]", wanted)) < ENOUGH:
        return False
    return any(wanted in _plain(text) for text in words)


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub("", text).casefold().split())
