import time

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, session_option
from teamlead.cli.output import echo_json, examples
from teamlead.cli.session import desk_for, put, steered, task_of
from teamlead.core.facts import PauseSession, PauseTask
from teamlead.core.state.records import Task
from teamlead.core.transitions import SETTLED
from teamlead.sessions.desk import Desk
from teamlead.sessions.leader import leader_of
from teamlead.sessions.replay import read_state
from teamlead.system.sessions import SessionFolder, task_id
from teamlead.views.documents.steering import PausedDocument

POLL = 0.02
PATIENCE = 30.0
"""Seconds beyond the grace of agents, in which a leader has ended."""


@click.command(
    cls=Decision,
    epilog=examples(
        "teamlead pause 2       # nobody works on task-2 for now",
        "teamlead pause         # the leader ends; teamlead resume goes on",
    ),
)
@click.argument("task", required=False)
@session_option
@json_option
def pause(task: str | None, session: str | None, *, as_json: bool) -> None:
    """Pause one task, or the whole session.

    The agent of a paused task is stopped. Its work stays in its working copy, and `teamlead retry TASK`
    continues its conversation. Tasks that depend on it wait; the others go on.

    Without TASK, the leader ends as on Ctrl-C, even in the background: nothing new starts, and agents have
    their grace period to finish. A second `teamlead pause` ends them at once. The leader exits with 3.
    """
    # A planning is paused as a whole: `retry` is for tasks of work.
    desk = desk_for(session, plannings=task is None)
    if task is None:
        _pause_session(desk, as_json=as_json)
    else:
        _pause_task(desk, task_id(task), as_json=as_json)


def _pause_task(desk: "Desk", name: str, *, as_json: bool) -> None:
    put(desk, PauseTask(name))
    waiting = _waiting(task_of(desk.folder, name)[1])
    held_up = f"; {', '.join(waiting)} cannot start before it is done" if waiting else ""
    told = f"{name} is paused{held_up}. Go on with: teamlead retry {name}"
    _tell(PausedDocument(**steered(desk, told), task=name, blocks=waiting), as_json=as_json)


def _waiting(task: Task) -> list[str]:
    return [dependent.spec.id for dependent in task.dependents if dependent.state not in SETTLED]


def _pause_session(desk: "Desk", *, as_json: bool) -> None:
    put(desk, PauseSession())
    name = desk.folder.id
    ended = _leader_ends(desk.folder, within=read_state(desk.folder).session.limits.grace + PATIENCE)
    told = f"session {name} is being paused: its leader is still ending what runs"
    if ended:
        told = f"session {name} is paused. Go on with: teamlead resume {name}"
    _tell(PausedDocument(**steered(desk, told), task="", blocks=()), as_json=as_json)


def _tell(document: PausedDocument, *, as_json: bool) -> None:
    """Nobody is to go on with what was paused: that nobody leads it goes without saying."""
    if as_json:
        echo_json(document)
    else:
        click.echo(document["message"])


def _leader_ends(folder: SessionFolder, within: float) -> bool:
    leader = leader_of(folder)
    deadline = time.monotonic() + within
    while leader is not None and leader_of(folder) == leader:
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL)
    return True
