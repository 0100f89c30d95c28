"""What `teamlead guard` does, apart from its command line."""

import json
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import click

from teamlead.cli.output import echo_json
from teamlead.core.exemptions import Context, Portion
from teamlead.errors import GitFailed, NotFound, Refused, UsageError
from teamlead.guard import edits, installing
from teamlead.guard.delegation import Occasion, Verdict, refused, role_for
from teamlead.guard.files import LARGEST_DOCUMENT, is_own, lines_of, text_of
from teamlead.guard.log import Action, record
from teamlead.guard.lookup import FALLBACK_WARNING, judge_read
from teamlead.guard.patches import patched
from teamlead.guard.purposes import judge_purpose
from teamlead.guard.trivial import judge_edit
from teamlead.system.git import as_user


class Change(NamedTuple):
    path: Path
    before: str
    after: str
    verdict: Verdict


class Verified(NamedTuple):
    file: str
    ok: bool
    found: str
    revert: str = ""


def answer(
    action: Action, what: Sequence[str], verdict: Verdict, log: Path | None, as_json: bool, **more: Any
) -> None:
    """Logs it first: what is not logged is not allowed. Raises Refused if it is not."""
    record(action, what, verdict, log=log, folder=str(Path.cwd()), **more)
    if as_json:
        told = {"allowed": verdict.allowed, "reason": verdict.reason, "delegate_to": verdict.role}
        echo_json({**told, "rule": verdict.rule, "exemption": verdict.exemption})
    if not verdict.allowed:
        raise Refused(verdict.reason, remedy=f"delegate it to {verdict.role}")
    if not as_json:
        click.echo(f"allowed: {verdict.reason}")
    if verdict.exemption == "fallback-read":
        click.echo(f"warning: {FALLBACK_WARNING}", err=True)


def judge_files(files: Sequence[str], purpose: str, context: str) -> Verdict:
    begun = time.monotonic()
    where = cast("Context", context)
    portions = [Portion(file, lines_of(_found(file))) for file in files]
    if where == "metadata":
        strangers = [file for file in files if not is_own(Path(file).resolve(), _project())]
        if strangers:
            reason = f"{strangers[0]} is no file in which a lead keeps its own state"
            return refused("bulk-reading", reason, role_for("reading"))
        return judge_read(portions, where)._replace(met=("own-state",))
    judged = judge_purpose(purpose, shown=where == "presentation") if where != "fallback" else None
    if judged and not judged.allowed:
        return judged
    verdict = judge_read(portions, where, seconds=time.monotonic() - begun)
    return verdict._replace(met=(*verdict.met, *(judged.met if judged else ("agent-failed",))))


def judge_change(file: str, before: str | None, after: str | None, because: str | None) -> Change:
    path = _found(file)
    text = text_of(path)
    if text is None:
        raise UsageError(f"{file!r} is no text, or too long for an obvious edit")
    if before is None or after is None:
        new = patched(text, _patch())
    elif text.count(before) != 1 or not before:
        raise UsageError(f"--before occurs {text.count(before) if before else 0} times in {file!r}, not once")
    else:
        new = text.replace(before, after)
    name = str(path.relative_to(_project())) if path.is_relative_to(_project()) else str(path)
    return Change(path, text, new, judge_edit(name, text, new, cast("Occasion | None", because)))


def _patch() -> str:
    if sys.stdin.isatty():
        raise UsageError("which change?", remedy="say --before and --after, or give a patch on stdin")
    return sys.stdin.buffer.read(LARGEST_DOCUMENT).decode(errors="replace")


def allow_edit(change: Change) -> None:
    """Earlier permissions for the file end with it, unless more was changed than they allowed."""
    for edit in edits.kept():
        if edit.path == change.path and not edits.unintended(edit):
            edits.forget(edit)
    edits.keep(change.path, change.before, change.after)


def verified(files: Sequence[str], log: Path | None) -> list[Verified]:
    wanted = {_found(file): file for file in files}
    found: list[Verified] = []
    opened = [edit for edit in edits.kept() if not wanted or edit.path in wanted]
    for edit in opened:
        if lines := edits.unintended(edit):
            told = f"{len(lines)} lines more than allowed are changed: {', '.join(map(str, lines[:10]))}"
            found.append(Verified(str(edit.path), ok=False, found=told, revert=edit.revert))
        elif not edits.is_made(edit):
            found.append(Verified(str(edit.path), ok=True, found="not changed yet, so the permission stays"))
        else:
            found.append(Verified(str(edit.path), ok=True, found="only what was allowed is changed"))
            edits.forget(edit)
    known = {edit.path for edit in opened}
    found += [_without_permission(path, file) for path, file in wanted.items() if path not in known]
    for row in found:
        record("verify", [row.file], Verdict(allowed=row.ok, reason=row.found), log=log)
    return found


def _without_permission(path: Path, file: str) -> Verified:
    try:
        changed = as_user(path.parent, "diff", "--quiet", "HEAD", "--", str(path), ok=(0, 1)).code == 1
    except GitFailed:
        return Verified(file, ok=True, found="no edit of it is open")
    if not changed:
        return Verified(file, ok=True, found="it is not changed")
    return Verified(file, ok=False, found="it is changed, and no use of an exemption is logged for it")


def install_hooks(whose: str | None, *, only_print: bool, remove: bool) -> None:
    if only_print:
        click.echo(json.dumps(installing.snippet(), indent=2))
        return
    if whose is None:
        raise UsageError("whose settings?", remedy="say --project, or --user for all of your projects")
    path = installing.settings_file(_project() if whose == "project" else None)
    before = installing.load(path)
    after = installing.without_guard(before) if remove else installing.with_guard(before)
    if after == before:
        click.echo(f"{path}: nothing to change")
        return
    installing.store(path, after)
    click.echo(f"{path}: the guard's hooks are {'removed' if remove else 'in place'}")
    if not remove and not shutil.which("teamlead"):
        click.echo("teamlead is not on PATH: until it is, Claude Code can use no tool here", err=True)


def _found(file: str) -> Path:
    path = Path(file).resolve()
    if not path.is_file():
        raise NotFound(f"there is no file {file!r}")
    return path


def _project() -> Path:
    """The repository's root, or where we are."""
    here = Path.cwd().resolve()
    return next((place for place in (here, *here.parents) if (place / ".git").exists()), here)
