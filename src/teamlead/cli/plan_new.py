"""`teamlead plan new`, or `teamlead plan "what you want"`: from an instruction to a plan."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from teamlead.cli.decision import Decision
from teamlead.cli.exit_codes import NEEDS_PERSON
from teamlead.cli.output import echo_json, examples, safe, tell

if TYPE_CHECKING:
    from teamlead.core.state.team_state import TeamState


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
@click.option("--agent", metavar="AGENT", help="Who plans: claude, codex, gemini, acp:COMMAND, ...")
@click.option("--model", metavar="MODEL", help="Its model: a name, or small, medium or large.")
@click.option(
    "--session", "name", metavar="ID", help="Go on with this planning; INSTRUCTION is what you say next."
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the plan to FILE (default: plan.md).",
)
@click.option("--interactive", is_flag=True, help="Discuss the plan in the terminal before it is accepted.")
@click.option("--start", "and_start", is_flag=True, help="Carry it out at once.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
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

    A planning is a session: `status`, `watch`, `escalations`, `resolve` and `resume` work with it, too.

    Exit codes: 0 there is a plan, 1 you stopped the planning, 3 the planner has questions for you or no plan
    that can be used, or you do not accept its plan, 4 no such planner session.
    """
    from teamlead.cli.plan_making import Wish, make  # noqa: PLC0415 - a planner is slow to import: not for --help
    from teamlead.cli.planning import shown_path  # noqa: PLC0415 - as above
    from teamlead.cli.start import start  # noqa: PLC0415 - as above
    from teamlead.core.advisers.drafts import planner_of  # noqa: PLC0415 - as above

    state = make(
        Wish(instruction, agent=agent, model=model, planning=name, output=output, interactive=interactive)
    )
    if state.plan_file is None:
        ctx.exit(_without_plan(state, as_json=as_json))
    if and_start:
        tell(f"The plan is in {shown_path(state.plan_file.path)}.")
        worker = agent or (planner_of(state) if name else None)
        ctx.invoke(start, planner_session=state.session.id, agent=worker, as_json=as_json)
    elif as_json:
        _print_json(state)
    else:
        _print(state, state.plan_file.path, drawn=not interactive)


def _without_plan(state: "TeamState", *, as_json: bool) -> int:
    from teamlead.cli.planning import questions_of, show_waits  # noqa: PLC0415 - loaded by now
    from teamlead.sessions.made_plans import status_of  # noqa: PLC0415 - as above

    name = state.session.id
    if state.final:
        tell(f"{state.phase}: {state.phases[-1].reason}")
        return 1
    how = "--interactive" if status_of(state) == "proposed" else '"TEXT"'
    way = f"teamlead plan new --session {name} {how}"
    show_waits(state, f"Answer: {way}" if questions_of(state) else f"Go on with: {way}", as_json=as_json)
    return NEEDS_PERSON


def _print(state: "TeamState", file: str, *, drawn: bool) -> None:
    from teamlead.cli.planning import show, shown_path  # noqa: PLC0415 - loaded by now
    from teamlead.sessions.made_plans import proposal_of  # noqa: PLC0415 - as above

    if drawn:
        show(state)
    path = safe(shown_path(file))
    made = proposal_of(state)
    scored = f", scored {made.score} of 100" if made and made.score is not None else ""
    click.echo(f"\nThe plan is in {path}{scored}. Edit it as you like, then:")
    click.echo(f"  teamlead start {path}")
    click.echo(f"or, as it is now:  teamlead start --session {state.session.id}")


def _print_json(state: "TeamState") -> None:
    import msgspec  # noqa: PLC0415 - loaded by now

    from teamlead.sessions.made_plans import plain_plan, proposal_of, status_of  # noqa: PLC0415 - as above

    plan, made = plain_plan(state), proposal_of(state)
    echo_json(
        {
            "planner_session": state.session.id,
            "status": status_of(state),
            "title": plan.title,
            "plan": state.plan_file.path if state.plan_file else None,
            "score": made.score if made else None,
            "attempts": sum(len(task.attempts) for task in state.tasks.values()),
            "tasks": msgspec.to_builtins(plan.tasks),
        }
    )
