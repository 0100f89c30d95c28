"""The refs that hold kept work, and what each tells about itself.

`refs/teamlead/kept/<session>/<task>/<name>`: a number for what `keeping` or a new start put there,
`attempt-<n>` for commits an agent made itself, which became one commit of the lead's.
"""

from typing import NamedTuple

from teamlead.errors import GitFailed
from teamlead.system.git import Git
from teamlead.workspaces.session_refs import INTEGRATION

PLACE = "refs/teamlead/kept"
FORMAT = (
    "%(refname)%00%(objectname)%00%(committerdate:iso8601-strict)%00%(contents:subject)%00"
    "%(contents:trailers:only,unfold)%00"
)
FIELDS = FORMAT.count("%00")
MENDED = "mended"
"""In the place of a task: the changed sides of refs that `teamlead mend` put back."""
ROLLED_BACK = "rolled-back"
"""In the place of a number: what a branch held that went with its session."""
EMPTY_FOLDERS = b"empty-folders"
"""Among what is kept beside the files: the names of folders that no tree can hold."""


class Kept(NamedTuple):
    ref: str
    commit: str
    session: str
    task: str
    name: str
    moment: str
    reason: str
    subject: str
    attempt: int = 0
    files: int = 0
    size: int = 0
    """In bytes, of what was not in git before."""
    content: str = ""
    """The same for the same content. Empty: not a copy as it lay on disk, but commits."""
    beside: str = ""
    """The commit of what git held beside the files."""

    @property
    def short(self) -> str:
        return f"{self.session}/{self.task}/{self.name}"


def kept_refs(git: Git, place: str = PLACE) -> list[Kept]:
    try:
        return _read(git, f"{place}/")
    except GitFailed:
        # One whose commit is missing hides no other.
        named = git.text("for-each-ref", "--format=%(refname) %(objectname)", f"{place}/").splitlines()
        return [kept for line in named for kept in _read_one(git, *line.split(" "))]


def _read_one(git: Git, ref: str, commit: str) -> list[Kept]:
    try:
        return _read(git, ref)
    except GitFailed:
        return [_kept(ref, commit, "", "", "")._replace(reason="broken: git does not have its commit")]


def _read(git: Git, pattern: str) -> list[Kept]:
    told = git.run("for-each-ref", f"--format={FORMAT}", pattern).output.decode(errors="replace")
    fields = told.split("\0")[:-1]
    return [_kept(*fields[at : at + FIELDS]) for at in range(0, len(fields), FIELDS)]


def _kept(ref: str, commit: str, date: str, subject: str, trailers: str) -> Kept:
    ref = ref.strip()
    session, task, name = [*ref.removeprefix(f"{PLACE}/").split("/", 2), "", ""][:3]
    told = dict(line.split(": ", 1) for line in trailers.splitlines() if ": " in line)
    ours = name.isdigit() and "Teamlead-Content" in told
    if not ours:
        return Kept(
            ref=ref,
            commit=commit,
            session=session,
            task=task,
            name=name,
            moment=date,
            reason=_reason(task, name),
            subject=subject,
        )
    return Kept(
        ref=ref,
        commit=commit,
        session=session,
        task=task,
        name=name,
        moment=told.get("Teamlead-Moment", date),
        reason=told.get("Teamlead-Reason", ""),
        subject=subject,
        attempt=_number(told.get("Teamlead-Attempt", "")),
        files=_number(told.get("Teamlead-Files", "")),
        size=_number(told.get("Teamlead-Bytes", "")),
        content=told["Teamlead-Content"],
        beside=told.get("Teamlead-Beside", ""),
    )


def _reason(task: str, name: str) -> str:
    if task == INTEGRATION:
        return "put on the integration branch by nobody who leads"
    if task == MENDED:
        return "put back by `teamlead mend`"
    if name == ROLLED_BACK:
        return "rolled back with its session"
    return "replaced by a later attempt" if name.isdigit() else "the agent's own commits"


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
