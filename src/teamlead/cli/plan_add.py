"""`teamlead plan add`: further tasks for a session that is under way."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from msgspec.structs import replace

from teamlead.cli.decision import Decision
from teamlead.cli.options import agent_option, json_option, session_option
from teamlead.cli.output import examples, tell
from teamlead.cli.session import desk_for, put, steered, tell_steered
from teamlead.core.facts import AddTasks
from teamlead.core.model import TaskSpec
from teamlead.core.pipeline.reshape import known_task
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SETTLED
from teamlead.core.work.graph import free_ids, renumbered
from teamlead.errors import PlanError, Refused, UsageError, with_aside
from teamlead.plans.added_tasks import sorted_out, task_from
from teamlead.sessions.desk import Desk
from teamlead.sessions.replay import read_state
from teamlead.settings.consent import in_effect
from teamlead.settings.loading import load
from teamlead.system.sessions import task_id
from teamlead.system.user_folders import agent_at
from teamlead.views.documents.steering import AddedDocument, AddedTaskPart

TRIES = 5
"""Others may add tasks at the same moment, and take the numbers."""
THERE = " (is there already)"


@click.command(
    cls=Decision,
    epilog=examples(
        'teamlead plan add "Describe the login" --scope docs/ --depends-on 2 --type documentation',
        'teamlead plan add "Fix the build" --check "make test" --before 3',
        "teamlead plan add more.md",
    ),
)
@click.argument("what", metavar="TITLE|FILE.md")
@click.option(
    "--scope",
    multiple=True,
    metavar="PATH",
    help="A path that it may change. Repeatable, as are the next four.",
)
@click.option("--check", "checks", multiple=True, metavar="COMMAND", help="A command that must pass.")
@click.option("--acceptance", multiple=True, metavar="TEXT", help="A sentence that must be true.")
@click.option("--depends-on", multiple=True, metavar="TASK", help="A task to start after, and to build on.")
@click.option(
    "--before",
    multiple=True,
    metavar="TASK",
    help="A task that shall wait for the new ones; it must not have begun.",
)
@click.option(
    "--type",
    "kind",
    metavar="TYPE",
    help="Its type: implementation, documentation, investigation or integration.",
)
@agent_option()
@session_option
@json_option
def add(what: str, before: Sequence[str], session: str | None, *, as_json: bool, **given: Any) -> None:
    """Put further tasks into a session.

    Adds one task, given by its TITLE and the options, or all tasks of a plan file. They get the next free
    numbers. In a file, a number means the file's task of that number; if there is none, the session's.
    A session that waits for approval goes back to work.

    A task that the session has already, apart from its number, is not added again: you can repeat a call that
    was interrupted.
    """
    if not what.strip():
        raise UsageError(
            "the title is empty", remedy='name the task: teamlead plan add "Tell the shops" --scope shops/'
        )
    desk = desk_for(session, plannings=False)
    names = tuple(task_id(name) for name in before)
    for left in reversed(range(TRIES)):
        state = read_state(desk.folder)
        tasks, warnings = (_from_file if _is_file(what) else _from_options)(what, given, state)
        further = _staffed(desk, state, tasks, names)
        try:
            if further.command.tasks:
                put(desk, further.command)
        except Refused:
            if left and further.command.tasks[0].id in read_state(desk.folder).tasks:
                continue
            raise
        break
    for warning in warnings if further.command.tasks else ():
        tell(warning)
    listed = [_part(task, added=False) for task in further.known]
    listed += [_part(task, added=True) for task in further.command.tasks]
    told = "; ".join(f"{each['id']}: {each['title']}{THERE * (not each['added'])}" for each in listed)
    tell_steered(desk, AddedDocument(**steered(desk, told), tasks=listed), as_json=as_json)


def _part(task: TaskSpec, *, added: bool) -> AddedTaskPart:
    return AddedTaskPart(id=task.id, title=task.title, depends_on=task.depends_on, added=added)


def _is_file(what: str) -> bool:
    return what.endswith(".md") or os.path.isfile(what)  # noqa: PTH113 - a start without pathlib


class Wanted(NamedTuple):
    tasks: list[TaskSpec]
    warnings: Sequence[str]


class Further(NamedTuple):
    known: Sequence[TaskSpec]
    command: AddTasks


def _staffed(desk: Desk, state: TeamState, tasks: Sequence[TaskSpec], before: tuple[str, ...]) -> Further:
    from teamlead.sessions.staffing import staff_further  # noqa: PLC0415 - slow to import: not for --help

    settings = in_effect(desk.repository.id, load(desk.repository.root))
    staffed = staff_further(state.session, settings, tasks, tell)
    known, fresh = sorted_out(staffed, _there(state, before))
    added = tuple(renumbered(fresh, state.tasks))
    return Further(known, AddTasks(added, before=before))


def _there(state: TeamState, before: tuple[str, ...]) -> Iterator[TaskSpec]:
    """What need not be added again. What was given up may be wanted after all."""
    waiting = [{task.spec.id for task in known_task(state, name).depends_on} for name in before]
    for name, task in state.tasks.items():
        if (task.state == "DONE" or task.state not in SETTLED) and all(name in each for each in waiting):
            yield task.spec


def _from_file(path: str, given: Mapping[str, Any], state: TeamState) -> Wanted:
    from teamlead.plans.load import require  # noqa: PLC0415 - slow to import: only for a file

    if any(given.values()):
        raise UsageError(
            f"these options are for a title, not for the file {path!r}", remedy="write them into the file"
        )
    required = require(path, beside=state.tasks)
    tasks = renumbered(_located(required.plan.tasks, Path(path).absolute().parent), state.tasks)
    return Wanted(tasks, required.warnings)


def _from_options(title: str, given: Mapping[str, Any], state: TeamState) -> Wanted:
    kind, agent = given["kind"], given["agent"]
    labels = {**given, "type": (kind,) if kind else (), "agent": (agent,) if agent else ()}
    task, problems = task_from(next(free_ids(state.tasks)), title, labels, beside=state.tasks)
    wrong = [with_aside(each.message, each.remedy) for each in problems if each.severity == "error"]
    if wrong:
        raise PlanError(f"{title!r} cannot be added", wrong)
    return Wanted(_located([task], Path.cwd()), [problem.message for problem in problems])


def _located(tasks: Sequence[TaskSpec], base: Path) -> list[TaskSpec]:
    return [replace(task, agent=agent_at(task.agent, base)) for task in tasks]
