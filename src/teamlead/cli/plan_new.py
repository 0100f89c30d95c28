"""`teamlead plan new`, or `teamlead plan "what you want"`: from an instruction to a plan."""

from pathlib import Path

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import agent_option, json_option, model_option
from teamlead.cli.output import examples, tell


@click.command(
    cls=Decision,
    epilog=examples(
        'teamlead plan "add a login with a password"',
        'teamlead plan "add a login" --interactive      # discuss it first',
        'teamlead plan new --session ID "without sessions"  # go on with an earlier one',
        "teamlead plan new --session ID --interactive   # discuss an earlier one",
        'teamlead plan "fix the flaky tests" --start    # and carry it out at once',
    ),
)
@click.argument("instruction", default="")
@agent_option()
@model_option
@click.option(
    "--session",
    "name",
    metavar="ID",
    help="Go on with this planner session; INSTRUCTION is what you say next.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the plan to FILE (default: plan.md).",
)
@click.option("--interactive", is_flag=True, help="Discuss the plan in the terminal before it is accepted.")
@click.option("--start", "and_start", is_flag=True, help="Carry it out at once.")
@json_option
@click.pass_context
def new(
    ctx: click.Context,
    /,
    instruction: str,
    *,
    agent: str | None,
    model: str | None,
    name: str | None,
    output: Path | None,
    interactive: bool,
    and_start: bool,
    as_json: bool,
) -> None:
    """Make a plan from an INSTRUCTION, with an agent that plans.

    The agent reads a clean copy of your last commit and changes nothing. Code checks its proposal, and a
    review scores it; the agent improves it until it is good enough. The plan is a Markdown file that you can
    edit. No file is overwritten.

    It is a session of its own: `status`, `watch`, `escalations`, `resolve` and `resume` work with it, too.

    Exit codes: 0 there is a plan, 1 you stopped the planning, 3 a person is needed: the planner has questions
    or no plan that can be used, or you have not accepted its plan, 4 no such planner session.
    """
    from teamlead.cli.plan_making import Wish, make, tell_made, tell_unmade  # noqa: PLC0415 - a planner is slow to import: not for --help
    from teamlead.cli.start import start  # noqa: PLC0415 - as above

    wish = Wish(instruction, agent=agent, model=model, planning=name, output=output, interactive=interactive)
    made = make(wish)
    if made.state.plan_file is None:
        ctx.exit(tell_unmade(made, as_json=as_json))
    if not and_start:
        tell_made(made, drawn=not interactive, as_json=as_json)
        return
    tell(f"The plan is in {made.file}.")
    worker = agent or (made.planner if name else None)
    ctx.invoke(start, planner_session=made.state.session.id, agent=worker, as_json=as_json)
