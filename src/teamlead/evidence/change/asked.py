"""What a task asks for, as far as its words and its scope tell."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from teamlead.core.model import TaskSpec

_PROSE = re.compile(
    r"\b(?:comments?|commented|docstrings?|documents?|documented|documentation|docs?|typos?|spell\w*|wording|words"
    r"|format\w*|reformat\w*|indent\w*|white ?space|blank lines?|lint\w*|style|readme|changelog|guides?"
    r"|licen[cs]es?|headers?|explain\w*|describ\w*|translat\w*|annotat\w*|notes?|tutorials?|manuals?|pages?|prose|tid(?:y|ied)"
    r"|clean(?:ed|ing)? ?up)\b",
    re.IGNORECASE,
)
_WORDS_ALONE = re.compile(
    r"\b(?:comments?|docstrings?|documents?|documentation|docs?|readme|changelog|changes|guides?|licen[cs]es?|explain"
    r"|describe|notes?|wording|spelling|typos?)\b|文書|ドキュメント|コメント|문서|주석",
    re.IGNORECASE,
)
_BEHAVIOUR = re.compile(
    r"\b(?:add|implement|fix|make|return|support|handle|raise|reject|refuse|accept|allow|validate|compute|calculate"
    r"|round|parse|read|count|extract|introduce|replace|rename|refactor|remove|speed|faster|let|subtract|must)\b",
    re.IGNORECASE,
)
_TESTS = re.compile(
    r"\b(?:tests?|tested|testing|specs?|coverage|covered|flaky|regressions?|ci|checks?)\b", re.IGNORECASE
)
_REMOVAL = re.compile(
    r"\b(?:remov\w*|delet\w*|drop\w*|revert\w*|undo\w*|roll\w* back|take out|taken? back|get rid|no longer"
    r"|replac\w*|instead|rewrit\w*|simplif\w*|clean\w*|retir\w*|deprecat\w*|mov\w*|merg\w*|unus\w*|dead)\b",
    re.IGNORECASE,
)
_GIVEN_UP = re.compile(
    r"\b(?:remov\w*|delet\w*|drop\w*|no longer|not any ?more|deprecat\w*|retir\w*|forget\w*|stop\w*)\b",
    re.IGNORECASE,
)
_SAME = re.compile(
    r"\b(?:refactor\w*|simplif\w*|clean\w*|renam\w*|mov\w*|faster|speed\w*|slow\w*|memory|pin\w*|keep\w*|same|extract\w*"
    r"|rewrit\w*|reorgani\w*|split|merg\w*|inline|type hints?|without)\b",
    re.IGNORECASE,
)
"""It may be done so that nobody notices."""
_WITH_TESTS = re.compile(
    r"\b(?:with|and|including|plus) (?:(?:an?|its|their|the|new|some|own|unit|regression) )*tests?\b"
    r"(?! for\b)|\band test (?:it|them)\b",
    re.IGNORECASE,
)
_DOCUMENTS = frozenset({".md", ".rst", ".adoc", ".org"})
_FOLDERS = frozenset({"doc", "docs"})
_DOCUMENT_NAMES = frozenset(
    {"LICENSE", "AUTHORS", "CONTRIBUTORS", "CHANGELOG", "CHANGES", "NOTICE", "README"}
)


def words(task: TaskSpec) -> str:
    return "\n".join(
        (task.title, task.description, task.context, *task.acceptance, *task.checks, *task.outputs)
    )


def nobody_asked(task: TaskSpec) -> bool:
    """It has no words: then nothing can be held against them."""
    return not f"{task.title}{task.description}".strip()


def is_document(path: str) -> bool:
    """It says something to people only. Elsewhere in the tree a text may be what a program shows."""
    file = PurePosixPath(path)
    if file.stem.upper() in _DOCUMENT_NAMES:
        return True
    return file.suffix.lower() in _DOCUMENTS and (len(file.parts) == 1 or bool(_FOLDERS & {*file.parts[:-1]}))


def wants_documents_only(task: TaskSpec) -> bool:
    """What it may change are documents, or it is a task of that type."""
    if task.type != "implementation":
        return True
    return all(
        PurePosixPath(pattern).suffix.lower() in _DOCUMENTS
        or is_document(pattern)
        or pattern.split("/")[0] in _FOLDERS
        for pattern in task.scope
    )


def speaks_of_prose(task: TaskSpec) -> bool:
    return bool(_PROSE.search(words(task)))


def speaks_of_tests(task: TaskSpec) -> bool:
    """In what it says, not in the commands that decide."""
    return bool(_TESTS.search("\n".join((task.title, task.description, *task.criteria))))


def asks_for_behaviour(task: TaskSpec) -> bool:
    """Whether its words plainly do: where they may mean comments as well, it does not."""
    return not speaks_of_prose(task) and bool(_BEHAVIOUR.search(f"{task.title}\n{task.description}"))


def asks_for_words_alone(task: TaskSpec) -> bool:
    """Its title speaks of them, and nothing in it of what a program is to do."""
    told = f"{task.title}\n{task.description}"
    return bool(_WORDS_ALONE.search(task.title)) and not _BEHAVIOUR.search(told)


def asks_for_tested_behaviour(task: TaskSpec) -> bool:
    """Whether it plainly asks for something that was not so, together with tests of that."""
    told = "\n".join((task.title, task.description, *task.acceptance))
    return asks_for_behaviour(task) and bool(_WITH_TESTS.search(told)) and not _SAME.search(told)


def lets_go(task: TaskSpec, names: Iterable[str]) -> bool:
    """Whether its words may well speak of what was there before, and is gone."""
    told = words(task)
    return bool(_REMOVAL.search(told)) or any(re.search(rf"\b{re.escape(name)}\b", told) for name in names)


def gives_up(task: TaskSpec, tests: Iterable[str]) -> bool:
    """Whether something that held need not hold any more, or its words name one of the tests."""
    told = f"{task.title}\n{task.description}"
    names = (re.split(r"::|[.>/\s]", test.partition("[")[0])[-1] for test in tests)
    return bool(_GIVEN_UP.search(told)) or any(re.search(rf"\b{re.escape(each)}\b", told) for each in names)
