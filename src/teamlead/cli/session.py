"""What commands that speak of a session have in common."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from teamlead.cli.output import echo_json, safe
from teamlead.errors import NotFound, TeamleadError
from teamlead.sessions.desk import Desk
from teamlead.sessions.finding import find_session
from teamlead.sessions.leader import leader_of
from teamlead.sessions.view_reader import ViewReader
from teamlead.system.repository import Repository, claim, discover
from teamlead.system.sessions import SessionFolder
from teamlead.views.leadership import BY_ITSELF, NextStep, next_step, shown
from teamlead.views.words import headline

if TYPE_CHECKING:
    from teamlead.core.facts import Command
    from teamlead.core.state.records import Attempt, Task
    from teamlead.core.state.team_state import TeamState
    from teamlead.views.documents.sessions import SessionPart, SessionRow, UnreadablePart, WaitPart
    from teamlead.views.documents.steering import SteeredDocument


def find(name: str | None, *, plannings: bool = True) -> tuple[Repository, SessionFolder]:
    """Without `plannings`, for commands about work: those have none."""
    repository = discover(Path.cwd())
    return repository, find_session(repository, name, plannings=plannings)


def desk_for(name: str | None, *, plannings: bool = True) -> Desk:
    """For commands that decide and run no agent."""
    repository, folder = find(name, plannings=plannings)
    return Desk(claim(repository), folder, None)


def put(desk: Desk, command: "Command") -> None:
    """Returns once the command is carried into the journal; raises its refusal."""
    from teamlead.wiring.leadership import SessionLeadership  # noqa: PLC0415 - reading commands do not need it

    SessionLeadership(desk, lambda text: click.echo(safe(text), err=True)).submit(command)


def steered(desk: "Desk", message: str) -> "SteeredDocument":
    """What was done, for those who steer a session. Whether it is led is asked now."""
    led = leader_of(desk.folder) is not None
    step = _next_step(desk.folder, led=led)
    return {"session": desk.folder.id, "message": message, "led": led, "next": step.next}


def tell_steered(desk: "Desk", document: "SteeredDocument", *, as_json: bool) -> None:
    """What was done, and what has to happen next."""
    if as_json:
        echo_json(document)
        return
    click.echo(safe(document["message"]))
    tell_next(desk.folder)


def tell_next(folder: SessionFolder) -> None:
    """What moves the session on, unless that happens by itself."""
    step = _next_step(folder, led=leader_of(folder) is not None)
    if step.next != BY_ITSELF:
        click.echo(safe(": ".join(filter(None, step))))


def _next_step(folder: SessionFolder, *, led: bool) -> NextStep:
    with viewing(folder) as reader, reader.snapshot():
        paused = [task["id"] for task in reader.tasks(waiting_only=True) if task["paused"]]
        return next_step(reader.session(), paused, led=led)


def viewing(folder: SessionFolder) -> ViewReader:
    """What is damaged is told to the user."""
    return ViewReader(folder.journal, lambda problem: click.echo(f"teamlead: {safe(problem)}", err=True))


def look(folder: SessionFolder) -> "SessionRow":
    """The session as its last commit left it."""
    with viewing(folder) as reader:
        return reader.session()


def shown_session(reader: ViewReader, *, led: bool) -> "SessionPart":
    """`led` is asked before reading: a leader that ends in between has written its last word by then."""
    return shown(reader.session(), reader.tasks(waiting_only=True), led=led, now=time.time())


def look_at(folder: SessionFolder) -> "SessionPart | UnreadablePart":
    """One that cannot be read is told with the reason, and hides no other."""
    led = leader_of(folder) is not None
    try:
        with viewing(folder) as reader, reader.snapshot():
            return shown_session(reader, led=led)
    except TeamleadError as error:
        return {"id": folder.id, "problem": str(error)}


def task_of(folder: SessionFolder, name: str) -> "tuple[TeamState, Task]":
    from teamlead.sessions.replay import read_state  # noqa: PLC0415 - reading commands do not need it

    state = read_state(folder)
    task = state.tasks.get(name)
    if task is None:
        raise NotFound(f"there is no task {name!r} in session {folder.id}", remedy="see `teamlead status`")
    return state, task


def attempt_of(folder: SessionFolder, name: str, number: int | None) -> "tuple[TeamState, Task, Attempt]":
    """The attempt of this number of a task; without one, the last."""
    state, task = task_of(folder, name)
    if not task.attempts:
        raise NotFound(f"{name} was not started yet", remedy="see `teamlead status`")
    wanted = len(task.attempts) if number is None else number
    if not 1 <= wanted <= len(task.attempts):
        raise NotFound(f"{name} has no attempt {wanted}", remedy=f"it has 1 to {len(task.attempts)}")
    return state, task, task.attempts[wanted - 1]


def show_waits(items: "Sequence[WaitPart]", *, err: bool = False) -> None:
    for item in items:
        click.echo(f"  {safe(item['what'])}: {safe(headline(item['reason']))}", err=err)
        when = f"since {item['since']}, deadline {item['deadline'] or 'none'}"
        click.echo(f"    {when}; next: {safe(item['next'])}", err=err)
