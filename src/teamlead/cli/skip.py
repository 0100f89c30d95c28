import click

from teamlead.cli.decision import Decision
from teamlead.cli.output import examples
from teamlead.cli.session import desk_for, json_option, put, session_option, task_of, tell_steered
from teamlead.core.facts import SkipTask
from teamlead.core.state.records import Task
from teamlead.core.transitions import SETTLED
from teamlead.core.work.graph import foundations
from teamlead.system.sessions import task_id


@click.command(cls=Decision, epilog=examples("teamlead skip 2", 'teamlead skip 2 --reason "done by hand"'))
@click.argument("task")
@click.option(
    "--reason", default="skipped by user", metavar="TEXT", help="Kept in the journal and the report."
)
@session_option
@json_option
def skip(task: str, reason: str, session: str | None, *, as_json: bool) -> None:
    """Leave a task out; the plan goes on without it.

    Its agent is stopped, and what it has done is kept (see `teamlead salvage`). Tasks that depend on it
    build on what it would have built on. `teamlead retry` brings it back.
    """
    desk = desk_for(session, plannings=False)
    name = task_id(task)
    put(desk, SkipTask(name, reason))
    heirs = _heirs(task_of(desk.folder, name)[1])
    told = [f"{name} is skipped", *(f"{heir} builds on {' and '.join(on)} now" for heir, on in heirs.items())]
    tell_steered(desk, "; ".join(told), as_json=as_json, task=name, build_on=heirs)


def _heirs(task: Task) -> dict[str, list[str]]:
    waiting = [dependent for dependent in task.dependents if dependent.state not in SETTLED]
    return {each.spec.id: list(foundations(each)) or ["the session's base"] for each in waiting}
