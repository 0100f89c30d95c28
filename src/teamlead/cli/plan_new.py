"""`teamlead plan new`, or `teamlead plan "what you want"`: from an instruction to a plan."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from teamlead.cli.exit_codes import NEEDS_PERSON
from teamlead.cli.output import echo_json, examples, safe
from teamlead.errors import UsageError

if TYPE_CHECKING:
    from teamlead.wiring.planner_sessions import PlannerSession


@click.command(
    epilog=examples(
        'teamlead plan "add a login with a password"',
        'teamlead plan "add a login" --interactive      # discuss it first',
        'teamlead plan new --session ID "without sessions"  # go on with an earlier one',
        "teamlead plan new --session ID --interactive   # discuss an earlier one",
        'teamlead plan "fix the flaky tests" --start    # and carry it out at once',
    )
)
@click.argument("instruction", default="")
@click.option("--agent", metavar="AGENT", help="Who plans: claude, codex, gemini, acp:COMMAND, ...")
@click.option("--model", metavar="MODEL", help="Its model: a name, or small, medium or large.")
@click.option("--session", "name", metavar="ID", help="Go on with this planning: the text is your next word.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where the plan goes (default: plan.md).",
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

    It reads a clean copy of your last commit and changes nothing. What it proposes is checked by code and
    scored by a review, and goes back to it until it is good enough. The plan is a Markdown file that you can
    edit; no file is overwritten.

    Exits with 0 when there is a plan, 1 when there is none after all attempts, 3 when the planner has
    questions for you or you do not accept its plan, 4 when there is no such planner session.
    """
    from teamlead.cli.person import at_terminal  # noqa: PLC0415 - `--help` must not load it
    from teamlead.cli.planning import show, show_questions, shown_path, talk, tell  # noqa: PLC0415 - as above
    from teamlead.cli.start import start  # noqa: PLC0415 - as above
    from teamlead.settings.loading import load  # noqa: PLC0415 - as above
    from teamlead.system.repository import claim, discover  # noqa: PLC0415 - as above
    from teamlead.wiring.planner_plans import write_markdown  # noqa: PLC0415 - as above
    from teamlead.wiring.planner_runs import planner_of  # noqa: PLC0415 - as above
    from teamlead.wiring.planner_sessions import find_planning, new_folder  # noqa: PLC0415 - as above
    from teamlead.wiring.planning import begin, reply  # noqa: PLC0415 - as above

    if interactive and not at_terminal():
        raise UsageError(
            "there is no terminal to discuss the plan in",
            remedy='leave out --interactive; `teamlead plan new --session ID "TEXT"` goes on with a plan',
        )
    if output is not None and output.exists():
        raise UsageError(f"{str(output)!r} is there already", remedy="name another file with --output")
    repository = discover(Path.cwd())
    folder = find_planning(repository, name) if name else None
    before = folder.load() if folder else None
    to_discuss = (
        before if interactive and not instruction and before and before.status == "proposed" else None
    )
    if not to_discuss:
        _require_text(instruction)
    if before and not agent:
        agent, model = before.agent or None, model or before.model or None
    settings = load(repository.root, _staffing(agent, model))
    staffed = planner_of(settings, tell)
    repository = claim(repository)
    folder = folder or new_folder(repository)
    with talk(repository, settings, staffed, folder, person=at_terminal()) as talking:
        session = to_discuss or talking.go_on(
            reply(folder, before, instruction) if before else begin(folder, instruction)
        )
        session = talking.accepted(talking.discuss(session) if interactive else session)
    if session.status == "asking":
        show_questions(session, f'Answer: teamlead plan new --session {session.id} "TEXT"', as_json=as_json)
        ctx.exit(NEEDS_PERSON)
    session = write_markdown(folder, session, output)
    path = shown_path(session.markdown_path)
    if and_start:
        tell(f"The plan is in {path}.")
        ctx.invoke(start, planner_session=session.id, agent=agent, as_json=as_json)
    elif as_json:
        _print_json(session)
    else:
        if not interactive:
            show(session)
        scored = f", scored {session.score} of 100" if session.score is not None else ""
        click.echo(f"\nThe plan is in {safe(path)}{scored}. Edit it as you like, then:")
        click.echo(f"  teamlead start {safe(path)}")
        click.echo(f"or, as it is now:  teamlead start --session {session.id}")


def _require_text(instruction: str) -> None:
    if not instruction.strip():
        raise UsageError("nothing was said", remedy='say what you want: teamlead plan "add a login"')
    if Path(instruction).is_file():
        raise UsageError(
            f"{instruction!r} is a file, not an instruction",
            remedy=f"teamlead start {instruction}, or teamlead plan check {instruction}",
        )


def _staffing(agent: str | None, model: str | None) -> dict[str, object]:
    """Whoever is named here plans, whatever the configuration says of that role."""
    return {"agent": agent, "roles.planner.agent": agent, "roles.planner.model": model}


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
