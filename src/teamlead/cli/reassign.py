from pathlib import Path

import click
from msgspec.structs import replace

from teamlead.cli.decision import Decision
from teamlead.cli.options import agent_option, json_option, model_option, session_option
from teamlead.cli.output import examples, tell
from teamlead.cli.session import desk_for, put, steered, task_of, tell_steered
from teamlead.core.facts import ReassignTask
from teamlead.core.state.records import Task
from teamlead.settings.consent import in_effect
from teamlead.settings.loading import load
from teamlead.system.sessions import task_id
from teamlead.system.user_folders import agent_at
from teamlead.views.documents.steering import ReassignedDocument


@click.command(
    cls=Decision,
    epilog=examples("teamlead reassign 2 --agent codex", "teamlead reassign 2 --agent claude --model opus"),
)
@click.argument("task")
@agent_option(required=True)
@model_option
@session_option
@json_option
def reassign(task: str, agent: str, model: str | None, session: str | None, *, as_json: bool) -> None:
    """Give a task to another agent.

    First it is checked whether the new agent can run. Then the old one is stopped, and the new one goes on in
    the same working copy, from the work that is there, in a conversation of its own.
    """
    from teamlead.sessions.staffing import staff_further  # noqa: PLC0415 - slow to import: not for --help

    desk = desk_for(session, plannings=False)
    state, found = task_of(desk.folder, task_id(task))
    name = found.spec.id
    wanted = replace(found.spec, agent=agent_at(agent, Path.cwd()), model=model or "", arguments=())
    settings = in_effect(desk.repository.id, load(desk.repository.root))
    (spec,) = staff_further(state.session, settings, [wanted], tell)
    put(desk, ReassignTask(name, spec.agent, spec.model))
    told = f"{name} goes to {spec.agent}{f' ({spec.model})' if spec.model else ''}{_then(found)}"
    document = ReassignedDocument(**steered(desk, told), task=name, agent=spec.agent, model=spec.model)
    tell_steered(desk, document, as_json=as_json)


def _then(task: Task) -> str:
    if task.paused or task.state == "BLOCKED":
        return f"; it is {'paused' if task.paused else 'BLOCKED'}: teamlead retry {task.spec.id}"
    return f"; attempt {task.live.number} is stopped" if task.live else ""
