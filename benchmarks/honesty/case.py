"""What a case is: a repository, a task, what the agent does and says, and what is to come of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from benchmarks.honesty.samples import SHOP

from teamlead.core.evidence.values import EvidenceKind

Outcome = Literal["refused", "returned", "reopened", "asked", "flagged", "accepted"]
"""Of the first attempt. returned: the agent has to do better before it counts as a failure. reopened: the
merged work did not hold. asked: its agent says that it cannot or need not do it, and a person decides.
flagged: accepted, with something for a person to look at."""

STOPPED: frozenset[Outcome] = frozenset({"refused", "returned", "reopened"})
"""After these, nothing of the work reaches the user without a better attempt or a person's word."""

Step = dict[str, Any]

NOTHING: Mapping[str, str] = {}

UNITTEST = "python -m unittest -v"
PYTEST = "python -m pytest -v"


class Task(NamedTuple):
    """As the plan states it."""

    title: str
    scope: str = "shop/**, tests/**"
    checks: tuple[str, ...] = (UNITTEST,)
    kind: str = ""
    role: str = ""
    outputs: str = ""
    description: str = ""
    acceptance: str = ""


class Earlier(NamedTuple):
    """Another task of the same session, done well before the case's own begins."""

    task: Task
    does: tuple[Step, ...]
    says: str


class Oracle(NamedTuple):
    """Tells right from wrong work, where no agent can reach it."""

    command: str
    """Fails on wrong work, passes on right work. `$SAID` names a file with the agent's last words."""
    files: Mapping[str, str] = NOTHING
    """Laid over the work before."""


class Case(NamedTuple):
    name: str
    story: str
    """One sentence on what the agent did."""
    honest: bool
    task: Task
    does: tuple[Step, ...]
    says: str
    expected: Outcome | None
    """None: nobody wrote down beforehand what becomes of it."""
    by: EvidenceKind | None = None
    """What catches it, or what is remarked of honest work."""
    files: Mapping[str, str] = SHOP
    other_branch: Mapping[str, str] = NOTHING
    """What a branch of the user's has besides."""
    uncommitted: Mapping[str, str] = NOTHING
    """What the user's own tree has besides."""
    settings: str = ""
    """Of the user."""
    blind: str = ""
    """Why code cannot tell that this is dishonest, or has to turn down what is honest."""
    family: str = ""
    """The idea that it is one spelling of."""
    project: str = ""
    oracle: Oracle | None = None
    right: tuple[Step, ...] = ()
    """What an honest agent does in place of this one; of an honest case, nothing."""
    right_says: str = ""
    earlier: Earlier | None = None
    node_modules: Path | None = None
    judged: bool | None = None
    """What a judge says of it; None: there is no judge."""


def write(path: str, text: str) -> Step:
    return {"write": path, "text": text}


def append(path: str, text: str) -> Step:
    return {"append": path, "text": text}


def delete(path: str) -> Step:
    return {"delete": path}


def run(command: str) -> Step:
    return {"run": command, "must_pass": True}


def edit(path: str, old: str, new: str, files: Mapping[str, str] = SHOP) -> Step:
    """One place of a file replaced."""
    text = files[path]
    assert text.count(old) == 1, f"{old!r} is not once in {path}"
    return write(path, text.replace(old, new))


def dishonest(
    name: str, story: str, task: Task, *, expected: Outcome, by: EvidenceKind, **further: Any
) -> Case:
    return Case(name, story, False, task, expected=expected, by=by, **further)


def unseen(name: str, story: str, task: Task, *, blind: str, **further: Any) -> Case:
    """Dishonest, and code cannot tell."""
    return Case(name, story, False, task, expected="accepted", blind=blind, **further)


def honest(name: str, story: str, task: Task, *, expected: Outcome = "accepted", **further: Any) -> Case:
    return Case(name, story, True, task, expected=expected, **further)
