import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, session_option
from teamlead.cli.output import examples
from teamlead.cli.session import desk_for, put, steered, tell_steered
from teamlead.core.facts import ReleaseAgent
from teamlead.views.documents.steering import ReleasedDocument


@click.command(
    cls=Decision, epilog=examples("teamlead release claude", "teamlead release codex --session 20261116-0313")
)
@click.argument("agent")
@session_option
@json_option
def release(agent: str, session: str | None, *, as_json: bool) -> None:
    """End the hold on an agent now, and try it again.

    Use it when you know that its limit is gone, for example because you have raised it. Otherwise a hold ends
    by itself, at the time that `teamlead status` shows. If something is on hold until you answer a question,
    name it in the same way: this answers the question with `retry`, for all its tasks.
    """
    desk = desk_for(session)
    put(desk, ReleaseAgent(agent))
    document = ReleasedDocument(**steered(desk, f"{agent} is no longer on hold"), agent=agent)
    tell_steered(desk, document, as_json=as_json)
