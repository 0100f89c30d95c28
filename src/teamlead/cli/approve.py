import sys
import time

import click

from teamlead.cli.decision import Decision
from teamlead.cli.mend import settle
from teamlead.cli.options import json_option, session_argument
from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.session import desk_for, look, put, steered, viewing
from teamlead.cli.shown_work import last_shown, note_shown
from teamlead.core import phases
from teamlead.core.facts import Approve
from teamlead.errors import Failed, GitFailed, NotFound, Refused
from teamlead.sessions.desk import Desk
from teamlead.system.sessions import SessionFolder
from teamlead.system.text import printable
from teamlead.views.documents.sessions import SessionRow
from teamlead.views.documents.steering import ApprovedDocument

POLL = 0.02
PATIENCE = 300.0


@click.command(
    cls=Decision,
    epilog=examples(
        "teamlead approve", "teamlead approve k3f9 --squash", "teamlead approve --commit 3f2a9c1d40"
    ),
)
@session_argument
@click.option(
    "--commit", metavar="COMMIT", help="What you have looked at (default: what you were shown last)."
)
@click.option("--squash", is_flag=True, help="Bring the whole session in as one commit.")
@click.option("--sign", is_flag=True, help="Sign the commit that brings the work in, with your own key.")
@json_option
def approve(session: str | None, *, commit: str | None, squash: bool, sign: bool, as_json: bool) -> None:
    """Bring a session's work onto your branch, as you were shown it.

    If something was merged since `status`, `report`, `diff` or the end of `start` showed it to you, you are
    told what, and nothing is approved: look at it, and approve again. Scripts name the commit with --commit.

    Your branch is fast-forwarded, or merged if it has moved meanwhile. It moves only if nothing is lost. The
    command that undoes it is printed.

    Exit codes: 0 done, 1 not possible for now, 5 it is not what you were shown, or not to be approved yet.
    """
    desk = desk_for(session, plannings=False)
    if look(desk.folder)["trespasses"]:
        settle(desk, ask=sys.stdin.isatty() and not as_json)
    shown = _meant(desk, commit)
    if sys.stderr.isatty():
        _show(desk, shown)
    try:
        put(desk, Approve(shown, squash=squash, sign=sign))
    except Refused:
        _show_again(desk, shown, err=as_json)
        raise
    view = _outcome(desk.folder)
    if view["trespasses"]:
        raise Refused(view["approval_refused"], remedy=f"look and decide: teamlead mend {desk.folder.id}")
    if view["approval"] is None or view["approval_refused"]:
        raise Failed(view["approval_refused"])
    approval, flagged = view["approval"], _flagged(desk.folder)
    told = f"{approval['branch']} is now {approval['commit'][:10]}"
    if as_json:
        echo_json(
            ApprovedDocument(
                **steered(desk, told),
                branch=approval["branch"],
                commit=approval["commit"],
                undo=approval["undo"],
                flagged=flagged,
            )
        )
        return
    click.echo(told)
    if approval["undo"]:
        click.echo(f"undo: {safe(approval['undo'])}")
    if flagged:
        click.echo(f"worth a look: {', '.join(flagged)} (teamlead report {desk.folder.id})")


def _meant(desk: Desk, commit: str | None) -> str:
    if commit is not None:
        found = desk.repository.git().commit(commit)
        if not found:
            raise NotFound(f"there is no commit {commit!r} in this repository")
        return found
    # Where nobody has looked yet, it is what it is now.
    return last_shown(desk.folder) or look(desk.folder)["integration_commit"]


def _show(desk: Desk, commit: str) -> None:
    base = look(desk.folder)["base_commit"]
    if changed := _difference(desk, base, commit, "--shortstat"):
        click.echo(f"{commit[:10]}: {changed}", err=True)


def _show_again(desk: Desk, shown: str, *, err: bool) -> None:
    """What came in since it was shown, if that is why it was refused."""
    view = look(desk.folder)
    now = view["integration_commit"]
    if not now or now == shown or not phases.awaits_approval(view["phase"]):
        return
    click.echo(f"Since {shown[:10]}:\n{_difference(desk, shown, now, '--stat')}", err=err)
    click.echo(f"To approve it: teamlead approve {desk.folder.id} --commit {now[:10]}", err=err)
    note_shown(desk.folder, view["phase"], now)


def _difference(desk: Desk, before: str, after: str, shape: str) -> str:
    """Empty where it cannot be told."""
    try:
        found = desk.repository.git().text("diff", "--no-ext-diff", "--no-color", shape, before, after)
    except GitFailed:
        return ""
    return printable(found).strip()


def _flagged(folder: SessionFolder) -> list[str]:
    """Tasks that were accepted although somebody should look at something."""
    with viewing(folder) as reader:
        return [task["id"] for task in reader.tasks(states=("DONE",)) if task["evidence"]["flags"]]


def _outcome(folder: SessionFolder) -> SessionRow:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        view = look(folder)
        if (view["approval"] and view["approval"]["commit"]) or view["approval_refused"]:
            return view
        time.sleep(POLL)
    raise Failed("the leader did not carry the approval out in time", remedy="see `teamlead status`")
