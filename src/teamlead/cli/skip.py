from collections.abc import Sequence

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, reason_option, session_option
from teamlead.cli.output import examples
from teamlead.cli.session import desk_for, put, steered, task_of, tell_steered
from teamlead.core.facts import SkipTask
from teamlead.core.state.records import Task
from teamlead.core.transitions import SETTLED
from teamlead.core.work.graph import foundations
from teamlead.system.sessions import task_id
from teamlead.views.documents.steering import SkippedDocument


@click.command(cls=Decision, epilog=examples("teamlead skip 2", 'teamlead skip 2 --reason "done by hand"'))
@click.argument("task")
@reason_option
@session_option
@json_option
def skip(task: str, reason: str, session: str | None, *, as_json: bool) -> None:
    """Leave a task out; the plan goes on without it.

    Its agent is stopped, and what it has done is kept (see `teamlead salvage`). Tasks that depend on it
    build on what it would have built on. `teamlead retry` brings it back.
    """
    desk = desk_for(session, plannings=False)
    name = task_id(task)
    put(desk, SkipTask(name, reason or "skipped by user"))
    heirs = _heirs(task_of(desk.folder, name)[1])
    told = [f"{name} is skipped"]
    told += [f"{heir} builds on {' and '.join(on) or 'the base'} now" for heir, on in heirs.items()]
    document = SkippedDocument(**steered(desk, "; ".join(told)), task=name, build_on=heirs)
    tell_steered(desk, document, as_json=as_json)


def _heirs(task: Task) -> dict[str, Sequence[str]]:
    """What the tasks that waited for it build on now; none: on the session's base."""
    waiting = [dependent for dependent in task.dependents if dependent.state not in SETTLED]
    return {each.spec.id: list(foundations(each)) for each in waiting}
