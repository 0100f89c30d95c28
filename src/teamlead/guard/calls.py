"""A lead's call of a tool of Claude Code, judged by the rules for a lead."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from teamlead.core.policy.exemptions import Portion
from teamlead.errors import UsageError
from teamlead.guard.delegation import Verdict, refused, role_for, work_on
from teamlead.guard.log import Action
from teamlead.guard.lookup import (
    ENOUGH,
    SEARCHED,
    files_below,
    is_own,
    judge_read,
    judge_search,
    lines_of,
    text_of,
)
from teamlead.guard.sessions import Session

VERIFIED = 40
"""Lines of a place that an agent named. To look it up is no second reading of the file."""
_OWN = Verdict(allowed=True, reason="the lead's own state", exemption="metadata-read", met=("own-state",))


class FileEdit(NamedTuple):
    path: Path
    before: str
    after: str


class Judged(NamedTuple):
    action: Action
    what: str
    verdict: Verdict
    portions: tuple[Portion, ...] = ()
    searches: int = 0
    change: FileEdit | None = None
    """Of an edit that is allowed: to be verified afterwards."""


class Place(NamedTuple):
    folder: Path
    """Where the command runs."""
    project: Path

    def path(self, given: object) -> Path:
        try:
            return (self.folder / str(given)).resolve()
        except (ValueError, OSError) as error:
            raise UsageError(f"{ascii(given)[:200]} cannot be the name of a file") from error

    def name(self, path: Path) -> str:
        return str(path.relative_to(self.project) if path.is_relative_to(self.project) else path)


def judge_call(tool: str, given: dict[str, Any], session: Session, place: Place) -> Judged:
    """One of TOOLS."""
    return TOOLS[tool](given, session, place)


def _read(given: dict[str, Any], session: Session, place: Place) -> Judged:
    path = place.path(given.get("file_path") or given.get("notebook_path"))
    name = place.name(path)
    if is_own(path, place.project) or str(path) in session.outputs:
        return Judged("read", name, _OWN)
    lines = lines_of(path, _number(given.get("offset"), 1), _number(given.get("limit"), ENOUGH))
    portion = Portion(str(path), lines)
    return Judged("read", name, _lookup([portion], session), (portion,))


def _lookup(portions: list[Portion], session: Session) -> Verdict:
    for path, lines in portions:
        if (agent := session.analysed.get(path)) and lines > VERIFIED:
            instead = f"use its report, or read one place of at most {VERIFIED} lines"
            return refused("re-reading", f"{agent} has read {path} already: {instead}", agent)
    verdict = judge_read([*session.read(), *portions], session.context)
    # A hook is not told what for: a lookup of this size is taken for one. That an agent failed it knows.
    return verdict._replace(met=(*verdict.met, "purpose", "agent-failed"))


def _narrow(files: int, earlier: int) -> Verdict:
    verdict = judge_search(files, earlier)
    return verdict._replace(met=(*verdict.met, "purpose"))


def _grep(given: dict[str, Any], session: Session, place: Place) -> Judged:
    where = place.path(given.get("path") or ".")
    files = files_below(where, str(given.get("glob") or ""), most=SEARCHED)
    what = f"{given.get('pattern', '')} in {place.name(where)}"
    return Judged("search", what, _narrow(files, session.searches), searches=1)


def _glob(given: dict[str, Any], session: Session, place: Place) -> Judged:
    where, pattern = place.path(given.get("path") or "."), str(given.get("pattern") or "**")
    verdict = _narrow(files_below(where, pattern, most=SEARCHED), session.searches)
    return Judged("search", pattern, verdict, searches=1)


def _edit(given: dict[str, Any], session: Session, place: Place) -> Judged:
    path = place.path(given.get("file_path"))
    name = place.name(path)
    if is_own(path, place.project):
        return Judged("edit", name, _OWN)
    from teamlead.guard.trivial import judge_edit  # noqa: PLC0415 - a hook for a read must start fast

    old, new = str(given.get("old_string", "")), str(given.get("new_string", ""))
    before = text_of(path)
    if before is None or not old or old not in before:
        # There is nothing to compare, so nothing is certain.
        return Judged("edit", name, _own_hands(name))
    after = before.replace(old, new, -1 if given.get("replace_all") else 1)
    verdict = judge_edit(name, before, after, session.occasion)
    return Judged("edit", name, verdict, change=FileEdit(path, before, after) if verdict.allowed else None)


def _write(given: dict[str, Any], session: Session, place: Place) -> Judged:  # noqa: ARG001 - as all have it
    path = place.path(given.get("file_path") or given.get("notebook_path"))
    own = is_own(path, place.project)
    return Judged("write", place.name(path), _OWN if own else _own_hands(place.name(path)))


def _own_hands(name: str) -> Verdict:
    work = work_on(name)
    rule = {"tests": "own-tests", "design": "spec-edit"}.get(work, "own-code")
    return refused(rule, f"a lead does not write {name} itself", role_for(work, name))


def _bash(given: dict[str, Any], session: Session, place: Place) -> Judged:
    from teamlead.guard.shell import Reads, judge_command  # noqa: PLC0415 - as above

    command = str(given.get("command", ""))
    found = judge_command(command, place.folder)
    if not isinstance(found, Reads):
        return Judged("shell", command, found)
    verdict = Verdict(allowed=True, reason="it only asks for names and states")
    for earlier, files in enumerate(found.searches, session.searches):
        verdict = _narrow(files, earlier)
        if not verdict.allowed:
            return Judged("shell", command, verdict)
    if found.portions:
        verdict = _lookup(list(found.portions), session)
    return Judged("shell", command, verdict, found.portions, len(found.searches))


def _number(value: object, default: int) -> int:
    return int(value) if isinstance(value, (int, float)) and value > 0 else default


TOOLS: dict[str, Callable[[dict[str, Any], Session, Place], Judged]] = {
    "Read": _read,
    "NotebookRead": _read,
    "Grep": _grep,
    "Glob": _glob,
    "Edit": _edit,
    "MultiEdit": _write,
    "Write": _write,
    "NotebookEdit": _write,
    "Bash": _bash,
    "Monitor": _bash,
    "PowerShell": _bash,
}
"""What is judged. Others, such as Agent, TodoWrite and AskUserQuestion, are what a lead is there for."""
