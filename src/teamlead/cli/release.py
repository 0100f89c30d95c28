import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import session_option
from teamlead.cli.output import examples
from teamlead.cli.session import desk_for, put
from teamlead.core.facts import ReleaseAgent


@click.command(
    cls=Decision, epilog=examples("teamlead release claude", "teamlead release codex --session 20261116-0313")
)
@click.argument("agent")
@session_option
def release(agent: str, session: str | None) -> None:
    """End the hold on an agent now, and try it again.

    Use it when you know that its limit is gone, for example because you have raised it. Otherwise a hold ends
    by itself, at the time that `teamlead status` shows. If something is on hold until you answer a question,
    name it in the same way: this answers the question with `retry`, for all its tasks.
    """
    put(desk_for(session), ReleaseAgent(agent))
    click.echo(f"{agent} is no longer on hold")
