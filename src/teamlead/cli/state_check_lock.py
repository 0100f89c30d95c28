import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.session import look_at
from teamlead.core.transitions import FINAL_PHASES
from teamlead.sessions.finding import all_sessions
from teamlead.system.repository import discover
from teamlead.views.documents.phases import LockDocument, OpenSessionPart
from teamlead.views.leadership import is_stale, waits_for_person

if TYPE_CHECKING:
    from teamlead.views.documents.sessions import SessionPart

ACTIVE = 1


@click.command("check-lock", epilog=examples("teamlead state check-lock", "teamlead state check-lock --json"))
@json_option
@click.pass_context
def check_lock(ctx: click.Context, *, as_json: bool) -> None:
    """Say which sessions of this repository have not ended. Nothing is locked: several may be at work.

    One that nobody has led for four hours, and that waits for nobody, is stale. Stale ones, and those that
    cannot be read, are reported and do not count.

    Exit codes: 0 there is none, 1 there is one.
    """
    found = [look_at(folder) for folder in all_sessions(discover(Path.cwd()))]
    there = [each for each in found if "led" in each and each["phase"] not in FINAL_PHASES]
    now = time.time()
    document = LockDocument(
        active=[_open(each) for each in there if not is_stale(each, now)],
        stale=[_open(each) for each in there if is_stale(each, now)],
        unreadable=[each for each in found if "problem" in each],
    )
    if as_json:
        echo_json(document)
    else:
        for line in _told(document):
            click.echo(safe(line))
    if document["active"]:
        ctx.exit(ACTIVE)


def _open(found: "SessionPart") -> OpenSessionPart:
    return OpenSessionPart(
        id=found["id"],
        title=found["title"],
        phase=found["phase"],
        led=found["led"],
        waits_for_person=waits_for_person(found),
    )


def _told(document: LockDocument) -> Iterator[str]:
    for each in document["active"]:
        who = "a leader runs" if each["led"] else "nobody leads it"
        waits = ", it waits for you" if each["waits_for_person"] else ""
        yield f"active: {each['id']} ({each['phase']}; {who}{waits}): {each['title']}"
    for each in document["stale"]:
        led = f"nobody has led it for hours): teamlead resume {each['id']}"
        yield f"stale: {each['id']} ({each['phase']}; {led}"
    for broken in document["unreadable"]:
        yield f"unreadable: {broken['id']}: {broken['problem']}"
    if not document["active"]:
        yield "No session is active."
