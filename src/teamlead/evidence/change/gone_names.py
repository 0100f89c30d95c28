"""Names that others could use, and that are gone: what they do with them breaks."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.core.model import TaskSpec
from teamlead.evidence.change import asked
from teamlead.evidence.sources.languages import language
from teamlead.evidence.sources.public_names import bound_names, public_names
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.weakening.files_of_tests import Text, sources
from teamlead.ports.checking import Claim

CLAIM = "what others use is still there"
_LETS_GO = re.compile(
    r"\b(?:remov\w*|delet\w*|drop\w*|revert\w*|undo\w*|get rid|retir\w*|unus\w*|dead"
    r"|renam\w*|replac\w*|rewrit\w*|refactor\w*|restructur\w*|reorgani[sz]\w*|simplif\w*|merg\w*)\b",
    re.IGNORECASE,
)
_KEEPS = re.compile(
    r"\bold names?\b[^.]*\b(?:keeps?|stays?|still|remains?|works?)\b"
    r"|\bkeep\w* (?:the|its|their) old\b|\bkeeps? working\b|\balias(?:es)?\b"
    r"|\bboth names\b|\bbackwards?.compatib\w+|\bstill be (?:imported|called|used)\b",
    re.IGNORECASE,
)
_SETTINGS = re.compile(
    r"(?:^|/)(?:\.[^/]*|[^/]*\.config|[^/]*\.?rc|setup|conf)\.[cm]?[jt]s$|(?:^|/)(?:setup|conf)\.py$"
)
_STAR = re.compile(r"^from\s+\S+\s+import\s+\*|^\s*export\s+\*", re.MULTILINE)


def examine_gone_names(claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    found = list(_gone(claim.task, [text for text in sources(texts) if not _SETTINGS.search(text.path)]))
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"others could use it, and it is gone: {in_brief(found)}",
            details=tuple(found),
            question=f"Which sentence of the plan lets these names go: {in_brief(found)}?",
        )


def _gone(task: TaskSpec, texts: Sequence[Text]) -> Iterator[str]:
    texts = [text for text in texts if not _is_broken(text)]
    there = {name for text in texts for name in bound_names(text.after or "", language(text.path))}
    # What is brought in whole has names that are not to be seen.
    if any(_STAR.search(text.after or "") and not _STAR.search(text.before or "") for text in texts):
        return
    gone = [
        (text, name)
        for text in texts
        for name in sorted(public_names(text.before or "", language(text.path)) - there)
        if text.after is not None or not _is_named(PurePosixPath(text.path).stem, task)
    ]
    named = {name for _, name in gone if _is_named(name, task)}
    if _LETS_GO.search(task.title) and not named:
        # It says what is to go in words of its own.
        return
    kept = bool(_KEEPS.search(asked.words(task)))
    for text, name in gone:
        if name not in named or kept:
            yield f"{text.path}: {name!r}"


def _is_broken(text: Text) -> bool:
    """Whether its names cannot be read; that it is broken is for others to tell."""
    return language(text.path) == "python" and text.after is not None and parsed(text.after) is None


def _is_named(name: str, task: TaskSpec) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", asked.words(task)))
