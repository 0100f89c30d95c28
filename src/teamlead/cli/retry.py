import sys

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, session_option
from teamlead.cli.output import examples
from teamlead.cli.session import desk_for, put, steered, task_of, tell_steered
from teamlead.core.facts import BuiltOn, RetryTask
from teamlead.core.pipeline import reopening
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.errors import UsageError
from teamlead.system.sessions import task_id
from teamlead.views.documents.steering import SteeredTaskDocument


@click.command(
    cls=Decision,
    epilog=examples(
        "teamlead retry 2",
        'teamlead retry 2 --advice "the old API has to stay"',
        "teamlead retry 1 --only",
    ),
)
@click.argument("task")
@click.option("--advice", default="", metavar="TEXT", help="Put this into the prompt of the next attempt.")
@click.option("--followers", is_flag=True, help="Run the tasks that were built on a done task again, too.")
@click.option("--only", is_flag=True, help="Leave the tasks that were built on a done task as they are.")
@session_option
@json_option
def retry(task: str, advice: str, session: str | None, *, followers: bool, only: bool, as_json: bool) -> None:
    """Go on with a task now, whatever holds it up.

    A paused task goes on. A failed task is tried again with a fresh count, and the question about it is
    withdrawn. A task that waits for a certain time starts at once. A running task is stopped, and goes on
    from its work. A done or skipped task is done anew, on the merged work; you are asked whether the tasks
    that were built on it look at their own work again, too (--followers), or stay as they are (--only).
    """
    if followers and only:
        raise UsageError(
            "--followers and --only contradict each other",
            remedy="choose one: --followers runs what was built on it again, --only leaves that as it is",
        )
    desk = desk_for(session, plannings=False)
    name = task_id(task)
    state, known = task_of(desk.folder, name)
    others = reopening.followers(state, [known]) if known.state in {"DONE", "SKIPPED"} else []
    chosen: BuiltOn = "again" if followers else "keep" if only else "ask"
    if others and chosen == "ask" and sys.stdin.isatty():
        names = ", ".join(other.spec.id for other in others)
        again = click.confirm(f"Built on {name}: {names}. Look at them again, too?", default=True, err=True)
        chosen = "again" if again else "keep"
    told = _what(state, known, others if chosen == "again" else [])
    put(desk, RetryTask(name, advice, built_on=chosen))
    tell_steered(desk, SteeredTaskDocument(**steered(desk, told), task=name), as_json=as_json)


def _what(state: TeamState, task: Task, others: list[Task]) -> str:
    name = task.spec.id
    if task.state in {"DONE", "SKIPPED"}:
        then = f"; then {', '.join(other.spec.id for other in others)} again" if others else ""
        return f"{name} was {task.state} and is done anew, on the merged work{then}"
    asked = [record.id for record in (*state.open.values(), *state.referred.values()) if name in record.tasks]
    moot = f"; withdrawn: {', '.join(asked)}" if asked else ""
    if task.paused:
        return f"{name} is no longer paused, and goes on{moot}"
    if task.state == "BLOCKED":
        return f"{name} is tried again{moot}"
    if task.live is not None:
        return (
            f"attempt {task.live.number} of {name} is stopped, and the next one goes on from its work{moot}"
        )
    return f"{name} starts as soon as a seat is free{moot}"
