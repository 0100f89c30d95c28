"""What another task of the session had brought in, and this work takes out again.

It happens where a conflict is solved by dropping the other side. Statements are compared as their parser sees
them: one that was moved, indented or written with other quotes is still there, and one that was changed, too.
"""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.change import asked
from teamlead.evidence.sources.statements import Statement, statements
from teamlead.evidence.weakening.files_of_tests import Text, read_texts, shown
from teamlead.ports.checking import Claim, Merged
from teamlead.system.git import Git

CLAIM = "what other tasks have brought in is still there"
MOST_FILES = 200
MOST_STATEMENTS = 20_000
MOST_TOLD = 20
_DEFINED = re.compile(
    r"\b(?:def|class|function|func|fn|const|let|var|type|struct|interface|enum|trait)\s+(\w+)"
)


class Block(NamedTuple):
    """Statements that follow each other, and what came into their place."""

    gone: list[Statement]
    came: list[Statement]


def examine_taken_back(git: Git, claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    """Looks at what was merged before this work began: of that it alone can take something back."""
    for other in claim.merged:
        touched = other.paths is None or any(text.path in other.paths for text in texts)
        if not touched or not git.contains(claim.base, other.commit):
            continue
        found = list(_taken(git, other, texts))
        if found:
            yield _evidence(claim, other, found)


class _Taken(NamedTuple):
    path: str
    statement: Statement
    number: int
    replaced: bool = False
    """Something else stands in its place: it may have got another name."""

    @property
    def told(self) -> str:
        more = f" and {self.number - 1} more statements" if self.number > 1 else ""
        return f"{self.path}:{self.statement.line}: {shown(self.statement.text)}{more}"


def _taken(git: Git, other: Merged, texts: Sequence[Text]) -> Iterator[_Taken]:
    paths = [text.path for text in texts if text.before is not None][:MOST_FILES]
    earlier = {text.path: text for text in read_texts(git, other.base, other.commit, paths)}
    came = Counter(each.form for text in texts for block in _blocks(text) for each in block.came)
    for text in texts:
        brought = earlier.get(text.path)
        if brought and brought.before != brought.after and brought.after is not None:
            yield from _of_file(text, brought, came)


def _of_file(text: Text, brought: Text, came: Counter[str]) -> Iterator[_Taken]:
    blocks = _blocks(brought)
    new = {each.form for block in blocks for each in block.came}
    old = {each.form for block in blocks for each in block.gone}
    for block in _blocks(text):
        gone = [each for each in block.gone if each.form in new - old and each.telling]
        gone = [each for each in gone if not came[each.form]]
        # What came into its place is another version of it, unless it is the one from before.
        if not all(each.form in old for each in block.came):
            defined = [each for each in gone if _DEFINED.match(each.text)]
            if defined and gone[-1] is not defined[-1] and len(gone) == len(block.gone):
                yield _Taken(text.path, defined[0], len(gone), replaced=True)
            continue
        back = [each for each in block.came if each.form in old - new and each.telling]
        if undone := gone or (back if all(each.form in new for each in block.gone) else []):
            yield _Taken(text.path, undone[0], len(undone))


def _blocks(text: Text) -> list[Block]:
    before = statements(text.path, text.before or "")
    after = statements(text.path, text.after or "")
    if len(before) + len(after) > MOST_STATEMENTS:
        return []
    matcher = SequenceMatcher(
        None, [each.form for each in before], [each.form for each in after], autojunk=False
    )
    return [
        Block(before[first:last], after[start:end])
        for how, first, last, start, end in matcher.get_opcodes()
        if how != "equal"
    ]


def _evidence(claim: Claim, other: Merged, found: Sequence[_Taken]) -> Evidence:
    names = [name for taken in found for name in _DEFINED.findall(taken.statement.text)]
    certain = not other.built_on and not all(taken.replaced for taken in found)
    certain = certain and not asked.lets_go(claim.task, names)
    whose = f"{other.task} ({other.title})"
    told = tuple(taken.told for taken in found)
    remedy = ": bring it back, and keep both" if certain else ""
    paths = dict.fromkeys(taken.path for taken in found)
    return Evidence(
        "change",
        "objected" if certain else "flagged",
        claim=CLAIM,
        found=f"{claim.task.id} takes back what {whose} had brought in: {in_brief(told)}{remedy}",
        command=shlex.join(["git", "diff", claim.base[:12], claim.commit[:12], "--", *paths]),
        details=told[:MOST_TOLD],
        question=f"Which sentence of the plan asks to take out what {whose} brought in: {in_brief(told)}?",
    )
