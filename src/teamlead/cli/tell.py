import time

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, session_option
from teamlead.cli.output import examples
from teamlead.cli.session import desk_for, put, steered, tell_steered, viewing
from teamlead.core.facts import Tell
from teamlead.errors import UsageError
from teamlead.system.sessions import SessionFolder, task_id
from teamlead.views.documents.sessions import TaskPart
from teamlead.views.documents.steering import SteeredTaskDocument

PATIENCE = 2.0
"""Seconds in which a running agent that takes messages in mid-turn has it."""
POLL = 0.02


@click.command(cls=Decision, epilog=examples('teamlead tell 2 "The old API stays; only add to it"'))
@click.argument("task")
@click.argument("text")
@session_option
@json_option
def tell(task: str, text: str, session: str | None, *, as_json: bool) -> None:
    """Send a message to the agent of a task.

    A running agent gets it at once if its program allows that, otherwise with its next tool call. If the
    agent ends before that, it gets another turn. If no agent runs, the next one finds it in its prompt.
    """
    if not text.strip():
        raise UsageError("the message is empty", remedy='say something: teamlead tell 2 "TEXT"')
    desk = desk_for(session)
    name = task_id(task)
    before = _unread(_running(desk.folder, name))
    put(desk, Tell(name, text))
    deadline = time.monotonic() + PATIENCE
    while (row := _running(desk.folder, name)) and _unread(row) - before and time.monotonic() < deadline:
        time.sleep(POLL)
    if row is None:
        told = f"No agent works on {name} now: the next one gets it."
    elif _unread(row) - before:
        told = f"The agent of {name} gets it with its next tool call, or its next attempt."
    else:
        told = f"The agent of {name} has it."
    tell_steered(desk, SteeredTaskDocument(**steered(desk, told), task=name), as_json=as_json)


def _running(folder: SessionFolder, name: str) -> TaskPart | None:
    with viewing(folder) as reader:
        running = reader.tasks(states=("RUNNING",))
    return next((task for task in running if task["id"] == name and task["step"] == "working"), None)


def _unread(task: TaskPart | None) -> set[str]:
    return set(task["unread"]) if task else set()
