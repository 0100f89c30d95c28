"""Whether a change that was to change what a program does changes any code."""

import shlex
from collections.abc import Iterator, Sequence

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.core.model import TaskSpec
from teamlead.evidence.change import asked
from teamlead.evidence.change.asked_form import form_alone
from teamlead.evidence.sources.languages import language
from teamlead.evidence.sources.statements import essence
from teamlead.evidence.weakening.files_of_tests import Text, is_test
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

ABSENT = "000000"
CLAIM = "it changes what the program does"
PLAIN = "it changes nothing but comments, documentation and white space"


def examine_code(git: Git, claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    if asked.nobody_asked(claim.task) or form_alone(claim.task) == "text":
        # A change that no program could tell is what it asks for.
        return
    found = list(_without_code(claim, texts))
    yield from found or _emptiness(git, claim)


def _without_code(claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    task = claim.task
    if not texts or asked.wants_documents_only(task) or not _all_read(claim, texts):
        return
    paths = [text.path for text in texts]
    command = shlex.join(["git", "diff", claim.base[:12], claim.commit[:12], "--", *paths[:20]])
    changed = [text.path for text in texts if changes_behaviour(text)]
    if not changed and asked.asks_for_words_alone(task):
        return
    if not changed:
        certain = asked.asks_for_behaviour(task)
        remedy = ": change the code, or say why nothing had to be changed" if certain else ""
        yield Evidence(
            "change",
            "objected" if certain else "flagged",
            claim=CLAIM,
            found=f"{PLAIN}, in {in_brief(paths)}{remedy}",
            command=command,
            question=f"Which sentence of the plan asks for comments or documentation alone? {_said(task)}",
        )
    elif all(is_test(path) for path in changed) and not asked.speaks_of_tests(task):
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"it changes no code but tests: {in_brief(changed)}",
            command=command,
            question=f"Which sentence of the plan asks for a change of tests alone? {_said(task)}",
        )


def _emptiness(git: Git, claim: Claim) -> Iterator[Evidence]:
    if claim.task.type != "implementation" or any(ABSENT in {c.before, c.after} for c in claim.changes):
        return
    between = (claim.base, claim.commit)
    if any(change.added or change.deleted for change in claim.changes):
        told = git.text("diff", "-w", "--ignore-blank-lines", "--no-renames", "--numstat", *between)
        if any(not line.startswith("0\t0\t") for line in told.splitlines()):
            return
        found = "it changes nothing but white space"
    elif all(change.before != change.after for change in claim.changes):
        found = "it changes nothing but the modes of files"
    else:
        return
    question = f"Which sentence of the plan asks for this? {found}."
    command = f"git diff -w {' '.join(between)}"
    yield Evidence("change", "flagged", "it is a change", found, command, question=question)


def changes_behaviour(text: Text) -> bool:
    """Whether a program could tell: documents say something to people only."""
    if text.path.endswith((".pyc",)) or asked.is_document(text.path):
        return False
    if text.before is None or text.after is None:
        return bool(essence(text.path, text.before or text.after or "")) or not language(text.path)
    return essence(text.path, text.before) != essence(text.path, text.after)


def _all_read(claim: Claim, texts: Sequence[Text]) -> bool:
    """Modes, links and what could not be read are beyond this."""
    return len(texts) == len(claim.changes) and all(
        (text.before is not None or text.after is not None)
        and (asked.is_document(text.path) or _whole(text, claim))
        for text in texts
    )


def _whole(text: Text, claim: Claim) -> bool:
    change = next(change for change in claim.changes if change.path == text.path)
    same = change.before == change.after
    return same or text.before is None or text.after is None


def _said(task: TaskSpec) -> str:
    return f"The task is {task.title!r}."
