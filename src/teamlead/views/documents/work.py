"""What was changed, said and kept, and what lies on the disk because of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from teamlead.core.events import AttemptOutcome
from teamlead.views.documents.base import Moment


class ChangedFilePart(TypedDict):
    """Lines are null for a file that is no text."""

    path: str
    lines_added: int | None
    lines_deleted: int | None


class DiffDocument(TypedDict):
    """`teamlead diff`. `task` is empty for the whole session."""

    session: str
    task: str
    before: str
    after: str
    files: Sequence[ChangedFilePart]


class CheckLogPart(TypedDict):
    """`exit_code` is null where it did not end in time."""

    command: str
    exit_code: int | None
    output: str


class LogsDocument(TypedDict):
    """`teamlead logs`: of one run. `outcome` is null for a model that was asked.

    `setup`: what each command printed that set its copy up.
    """

    session: str
    run: str
    folder: str
    end: str | None
    outcome: AttemptOutcome | None
    reasons: Sequence[str]
    events: Sequence[Mapping[str, Any]]
    stderr: str
    setup: Mapping[str, str]
    checks: Sequence[CheckLogPart]


class KeptWorkPart(TypedDict):
    """Work that no branch holds. `bytes` and `files_total` are null where commits were kept, not files."""

    ref: str
    commit: str
    session: str
    task: str
    attempt: int | None
    kept_at: Moment | None
    reason: str
    subject: str
    files_total: int | None
    bytes: int | None


class SalvageListDocument(TypedDict):
    """`teamlead salvage list`."""

    kept: Sequence[KeptWorkPart]


class KeptFilePart(TypedDict):
    """`change` is git's letter: A added, M changed, D deleted, T another kind of file."""

    change: str
    path: str


class SalvageShowDocument(TypedDict):
    """`teamlead salvage show`. `beside`: paths of what git held beside the files."""

    kept: KeptWorkPart
    changes: Sequence[KeptFilePart]
    beside: Sequence[str]


MendedHow = Literal["put back", "accepted"]


class RepositoryChangePart(TypedDict):
    """Something in the user's repository that is not as it was when the session started.

    `before` and `after` are lines of both sides, `differs`: it still does, `kept`: where what it was changed
    to is kept.
    """

    item: str
    level: Literal["open", "noticed"]
    what: str
    suspects: Sequence[str]
    before: Sequence[str]
    after: Sequence[str]
    differs: bool
    done: MendedHow | None
    kept: str
    problem: str


class MendDocument(TypedDict):
    """`teamlead mend`."""

    session: str
    changes: Sequence[RepositoryChangePart]


class CleanedPart(TypedDict):
    """`reason`: why it stays. `kept`: where what only it held is kept."""

    kind: Literal["copy", "transcripts", "session", "pool"]
    session: str
    path: str
    bytes: int
    goes: bool
    kept: str
    reason: str


class CleanDocument(TypedDict):
    """`teamlead clean`."""

    dry_run: bool
    items: Sequence[CleanedPart]
