"""Sessions that would go on by themselves, had their leader not ended."""

import time
from typing import Any

import click

from teamlead.cli.output import safe
from teamlead.cli.session import look
from teamlead.core.transitions import PAUSED
from teamlead.errors import TeamleadError
from teamlead.journal.lease import holder
from teamlead.system.repository import Repository
from teamlead.system.sessions import all_sessions

SHOWN = 5
NEW = 10.0
"""Seconds in which somebody may still be about to lead a session that nobody has led yet."""


def why_interrupted(view: dict[str, Any], *, led: bool) -> str:
    """Empty if it is led, has ended, was paused or only just opened, or waits for a person."""
    if led or not view.get("under_way") or view["stopped_because"] == PAUSED:
        return ""
    if view["leader"]:
        return "its leader ended without a word"
    if view["stopped_because"]:
        return "nobody leads it"
    lately = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - NEW))
    return "its start was cut short" if view["created_at"] < lately else ""


def offer_to_resume(repository: Repository, *, ask: bool) -> str:
    """Tells of interrupted sessions, and ends what their leaders left running.

    The id of the one to resume, if there is somebody to ask and they would rather do that.
    """
    found = _interrupted(repository)
    for view in found[:SHOWN]:
        click.echo(
            f"Interrupted: {view['id']} ({safe(view['title'])}): {safe(view['why'])}."
            f" Go on with: teamlead resume {view['id']}",
            err=True,
        )
    if len(found) > SHOWN:
        click.echo(f"… and {len(found) - SHOWN} more: teamlead list", err=True)
    return _choice(found[0]["id"]) if found and ask else ""


def _choice(latest: str) -> str:
    question = f"[r]esume {latest}, [s]tart the new one, [q]uit"
    choices = click.Choice(["r", "s", "q"])
    answer = click.prompt(question, type=choices, default="s", show_choices=False, err=True)
    if answer == "q":
        raise click.Abort
    return latest if answer == "r" else ""


def _interrupted(repository: Repository) -> list[dict[str, Any]]:
    from teamlead.wiring.sweeping import sweep  # noqa: PLC0415 - only where there is something to sweep

    found = []
    for folder in all_sessions(repository):
        try:
            view = look(folder)
            why = why_interrupted(view, led=holder(folder.path) is not None)
            if why:
                sweep(folder)
                found.append({**view, "why": why})
        except TeamleadError:
            # One that cannot be read is `list`'s to tell, and in nobody's way here.
            continue
    return found
