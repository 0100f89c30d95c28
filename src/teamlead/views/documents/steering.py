"""What a person did with a session, and what follows from it."""

from collections.abc import Mapping, Sequence
from typing import TypedDict


class SteeredDocument(TypedDict):
    """`message`: what was done. `led`: a leader runs. `next`: what moves the session on.

    As it is: `teamlead reject` and `teamlead cancel`.
    """

    session: str
    message: str
    led: bool
    next: str


class SteeredTaskDocument(SteeredDocument):
    """`teamlead retry` and `teamlead tell`."""

    task: str


class PausedDocument(SteeredTaskDocument):
    """`teamlead pause`. `task` is empty where the session is paused. `blocks`: what waits for the task."""

    blocks: Sequence[str]


class SkippedDocument(SteeredTaskDocument):
    """`teamlead skip`. `build_on`: by task that waited for it, what that builds on now; none: the base."""

    build_on: Mapping[str, Sequence[str]]


class ReassignedDocument(SteeredTaskDocument):
    """`teamlead reassign`."""

    agent: str
    model: str


class ReleasedDocument(SteeredDocument):
    """`teamlead release`."""

    agent: str


class ResolvedDocument(SteeredDocument):
    """`teamlead resolve`. `tasks`: those it was answered for. `open`: the questions that are left."""

    question: str
    tasks: Sequence[str]
    open: Sequence[str]


class ApprovedDocument(SteeredDocument):
    """`teamlead approve`. `commit` is what `branch` is now. `flagged`: tasks with something worth a look."""

    branch: str
    commit: str
    undo: str
    flagged: Sequence[str]


class AddedTaskPart(TypedDict):
    """`added` is false for a task that was there already."""

    id: str
    title: str
    depends_on: Sequence[str]
    added: bool


class AddedDocument(SteeredDocument):
    """`teamlead plan add`."""

    tasks: Sequence[AddedTaskPart]
