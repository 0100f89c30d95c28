"""What a model that leads asks: may it read or edit this itself, and has it edited no more than that?"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import click

from teamlead.cli.options import json_option, log_option
from teamlead.cli.output import echo_json, examples, safe
from teamlead.core.policy.exemptions import Context, Portion
from teamlead.errors import GitFailed, NotFound, Refused, UsageError
from teamlead.guard import edits
from teamlead.guard.delegation import Occasion, Verdict, refused, role_for
from teamlead.guard.edits import patched
from teamlead.guard.log import Action, record
from teamlead.guard.lookup import FALLBACK_WARNING, LARGEST_DOCUMENT, is_own, judge_read, lines_of, text_of
from teamlead.guard.purposes import judge_purpose
from teamlead.guard.trivial import judge_edit
from teamlead.system.git import as_user
from teamlead.views.documents.setup import GuardAnswerDocument, GuardVerifyDocument, VerifiedEditPart
from teamlead.views.moments import counted


class Change(NamedTuple):
    path: Path
    before: str
    after: str
    verdict: Verdict


@click.command(
    epilog=examples(
        'teamlead guard read src/cache.py --purpose "What is CACHE_TTL set to?"',
        'teamlead guard read a.py b.py --purpose "the explorer failed twice" --context fallback',
    )
)
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--purpose", required=True, help="What the lead looks for: one value or section.")
@click.option(
    "--context",
    type=click.Choice(["reference", "fallback", "metadata", "presentation"]),
    default="reference",
    show_default=True,
    help="Why: a quick look, an agent that failed twice, the lead's own files, or to show it to the user.",
)
@log_option
@json_option
def read(files: tuple[str, ...], purpose: str, context: str, log: Path | None, *, as_json: bool) -> None:
    """Ask whether a lead may read FILES itself. Every question is logged.

    Exit codes: 0 allowed, 4 no such file, 5 refused: delegate it to the agent that is named.
    """
    _answer(
        "read", files, _judge_files(files, purpose, context), log, as_json, purpose=purpose, context=context
    )


@click.command(
    epilog=examples(
        'teamlead guard edit docs/spec.md --before "-   one" --after "- one"',
        "teamlead guard edit docs/spec.md --because user-asked-for-speed < typo.patch",
    )
)
@click.argument("file", type=click.Path())
@click.option("--before", help="The text to be replaced; it must occur once.")
@click.option("--after", help="What replaces it.")
@click.option(
    "--because",
    type=click.Choice(["user-asked-for-speed", "agent-failed"]),
    help="Why no agent does it. Not needed if only the form changes.",
)
@log_option
@json_option
def edit(
    file: str, before: str | None, after: str | None, because: str | None, log: Path | None, *, as_json: bool
) -> None:
    """Ask whether a lead may change FILE itself.

    The change is what --before and --after say, or a patch on stdin.

    Only a TRIVIAL edit of a document is allowed: at most two lines, the same meaning, nothing to decide. This
    command changes no file. Once you have made the edit, `teamlead guard verify` checks that it is all you
    changed.

    Exit codes: 0 allowed, 2 the change does not fit the file, 4 no such file, 5 refused: delegate it.
    """
    if (before is None) != (after is None):
        raise UsageError("--before and --after belong together", remedy="or give a patch on stdin")
    change = _judge_change(file, before, after, because)
    _answer("edit", [file], change.verdict, log, as_json, **({"because": because} if because else {}))
    _allow_edit(change)


@click.command(epilog=examples("teamlead guard verify", "teamlead guard verify docs/spec.md"))
@click.argument("files", nargs=-1, type=click.Path())
@log_option
@json_option
def verify(files: tuple[str, ...], log: Path | None, *, as_json: bool) -> None:
    """Check that a lead changed only the lines that were allowed. Without FILES: in all open edits.

    Exit codes: 0 it did, 5 more was changed, or a FILE was changed without permission.
    """
    found = _verified(files, log)
    if as_json:
        echo_json(GuardVerifyDocument(edits=found))
    for each in found if not as_json else ():
        click.echo(f"{safe(each['file'])}: {each['found']}")
        if each["revert"]:
            click.echo(f"  to take it back: {safe(each['revert'])}")
    if any(not each["ok"] for each in found):
        raise Refused(
            "more was changed than a lead may change itself", remedy="take it back, and delegate it"
        )


def _answer(
    action: Action, what: Sequence[str], verdict: Verdict, log: Path | None, as_json: bool, **more: Any
) -> None:
    """Logs it first: what is not logged is not allowed. Raises Refused if it is not."""
    record(action, what, verdict, log=log, folder=str(Path.cwd()), **more)
    if as_json:
        echo_json(
            GuardAnswerDocument(
                allowed=verdict.allowed,
                reason=verdict.reason,
                role=verdict.role,
                rule=verdict.rule,
                exemption=verdict.exemption,
            )
        )
    if not verdict.allowed:
        raise Refused(verdict.reason, remedy=f"delegate it to {verdict.role}")
    if not as_json:
        click.echo(f"allowed: {verdict.reason}")
    if verdict.exemption == "fallback-read":
        click.echo(f"warning: {FALLBACK_WARNING}", err=True)


def _judge_files(files: Sequence[str], purpose: str, context: str) -> Verdict:
    begun = time.monotonic()
    where = cast("Context", context)
    portions = [Portion(file, lines_of(_found(file))) for file in files]
    if where == "metadata":
        strangers = [file for file in files if not is_own(Path(file).resolve(), project())]
        if strangers:
            reason = f"{strangers[0]} is not a file in which a lead keeps its own state"
            return refused("bulk-reading", reason, role_for("reading"))
        return judge_read(portions, where)._replace(met=("own-state",))
    judged = judge_purpose(purpose, shown=where == "presentation") if where != "fallback" else None
    if judged and not judged.allowed:
        return judged
    verdict = judge_read(portions, where, seconds=time.monotonic() - begun)
    return verdict._replace(met=(*verdict.met, *(judged.met if judged else ("agent-failed",))))


def _judge_change(file: str, before: str | None, after: str | None, because: str | None) -> Change:
    path = _found(file)
    text = text_of(path)
    if text is None:
        raise UsageError(f"{file!r} is not text, or too long for a trivial edit")
    if before is None or after is None:
        new = patched(text, _patch())
    elif text.count(before) != 1 or not before:
        raise UsageError(f"--before occurs {text.count(before) if before else 0} times in {file!r}, not once")
    else:
        new = text.replace(before, after)
    name = str(path.relative_to(project())) if path.is_relative_to(project()) else str(path)
    return Change(path, text, new, judge_edit(name, text, new, cast("Occasion | None", because)))


def _patch() -> str:
    if sys.stdin.isatty():
        raise UsageError("no change is given", remedy="give --before and --after, or give a patch on stdin")
    return sys.stdin.buffer.read(LARGEST_DOCUMENT).decode(errors="replace")


def _allow_edit(change: Change) -> None:
    """Earlier permissions for the file end with it, unless more was changed than they allowed."""
    for edit in edits.kept():
        if edit.path == change.path and not edits.unintended(edit):
            edits.forget(edit)
    edits.keep(change.path, change.before, change.after)


def _verified(files: Sequence[str], log: Path | None) -> list[VerifiedEditPart]:
    wanted = {_found(file): file for file in files}
    found: list[VerifiedEditPart] = []
    opened = [edit for edit in edits.kept() if not wanted or edit.path in wanted]
    for edit in opened:
        if lines := edits.unintended(edit):
            which = f"{'is' if len(lines) == 1 else 'are'} changed: {', '.join(map(str, lines[:10]))}"
            told = f"{counted(len(lines), 'line')} more than allowed {which}"
            found.append(VerifiedEditPart(file=str(edit.path), ok=False, found=told, revert=edit.revert))
        elif not edits.is_made(edit):
            found.append(_fine(str(edit.path), "not changed yet, so the permission stays"))
        else:
            found.append(_fine(str(edit.path), "only what was allowed is changed"))
            edits.forget(edit)
    known = {edit.path for edit in opened}
    found += [_without_permission(path, file) for path, file in wanted.items() if path not in known]
    for each in found:
        record("verify", [each["file"]], Verdict(allowed=each["ok"], reason=each["found"]), log=log)
    return found


def _fine(file: str, told: str) -> VerifiedEditPart:
    return VerifiedEditPart(file=file, ok=True, found=told, revert="")


def _without_permission(path: Path, file: str) -> VerifiedEditPart:
    try:
        asked = ("status", "--porcelain", "--untracked-files=all", "--", str(path))
        stands = as_user(path.parent, "--literal-pathspecs", *asked).text[:2]
    except GitFailed:
        return _fine(file, "no edit of it is open")
    if not stands:
        return _fine(file, "it is not changed")
    is_new = stands == "??" or stands[0] == "A"
    told = f"it is new ({counted(_lines(path), 'line')})" if is_new else "it was changed"
    return VerifiedEditPart(
        file=file, ok=False, found=f"{told}, and no permission for that is logged", revert=""
    )


def _lines(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(1 for _ in stream)


def _found(file: str) -> Path:
    path = Path(file).resolve()
    if not path.is_file():
        raise NotFound(f"there is no file {file!r}")
    return path


def project() -> Path:
    """The repository's root, or where we are."""
    here = Path.cwd().resolve()
    return next((place for place in (here, *here.parents) if (place / ".git").exists()), here)
