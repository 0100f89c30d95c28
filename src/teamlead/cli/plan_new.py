"""`teamlead plan new`, or `teamlead plan "what you want"`: from an instruction to a plan."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from teamlead.cli.decision import Decision
from teamlead.cli.exit_codes import NEEDS_PERSON
from teamlead.cli.output import echo_json, examples, safe, tell

if TYPE_CHECKING:
    from teamlead.wiring.planner_sessions import PlannerSession


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

    Exit codes: 0 there is a plan, 1 there is none after all attempts, 3 the planner has questions for you or
    you do not accept its plan, 4 no such planner session.
    """
    from teamlead.cli.plan_making import Wish, make  # noqa: PLC0415 - a planner is slow to import: not for --help
    from teamlead.cli.planning import show_questions, shown_path  # noqa: PLC0415 - as above
    from teamlead.cli.start import start  # noqa: PLC0415 - as above

    session = make(
        Wish(instruction, agent=agent, model=model, planning=name, output=output, interactive=interactive)
    )
    if session.status == "asking":
        show_questions(session, f'Answer: teamlead plan new --session {session.id} "TEXT"', as_json=as_json)
        ctx.exit(NEEDS_PERSON)
    if and_start:
        tell(f"The plan is in {shown_path(session.markdown_path)}.")
        worker = agent or (session.agent if name else None)
        ctx.invoke(start, planner_session=session.id, agent=worker, as_json=as_json)
    elif as_json:
        _print_json(session)
    else:
        _print(session, drawn=not interactive)


def _print(session: "PlannerSession", *, drawn: bool) -> None:
    from teamlead.cli.planning import show, shown_path  # noqa: PLC0415 - loaded by now

    if drawn:
        show(session)
    path = safe(shown_path(session.markdown_path))
    scored = f", scored {session.score} of 100" if session.score is not None else ""
    click.echo(f"\nThe plan is in {path}{scored}. Edit it as you like, then:")
    click.echo(f"  teamlead start {path}")
    click.echo(f"or, as it is now:  teamlead start --session {session.id}")


def _print_json(session: "PlannerSession") -> None:
    import msgspec  # noqa: PLC0415 - loaded by now

    echo_json(
        {
            "planner_session": session.id,
            "status": session.status,
            "title": session.title,
            "plan": session.markdown_path,
            "score": session.score,
            "attempts": len(session.attempts),
            "tasks": msgspec.to_builtins(session.generated_tasks),
        }
    )
