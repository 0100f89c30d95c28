"""`teamlead plan new`, or `teamlead plan "what you want"`: from an instruction to a plan."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from teamlead.cli.exit_codes import NEEDS_PERSON
from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.planning import Talk, show_questions, shown_path, tell, tell_planning
from teamlead.cli.session import json_option
from teamlead.errors import Failed, UsageError
from teamlead.system.text import printable

if TYPE_CHECKING:
    from teamlead.wiring.planner_runs import Planner
    from teamlead.wiring.planner_sessions import PlannerSession


@click.command(
    epilog=examples(
        'teamlead plan "add a login with a password"',
        'teamlead plan "add a login" --interactive      # discuss it first',
        'teamlead plan --session ID "without sessions"  # go on with an earlier one',
        'teamlead plan "fix the flaky tests" --start    # and carry it out at once',
    )
)
@click.argument("instruction", required=False)
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
@json_option
@click.pass_context
def new(
    ctx: click.Context,
    instruction: str | None,
    agent: str | None,
    model: str | None,
    name: str | None,
    output: Path | None,
    *,
    interactive: bool,
    and_start: bool,
    as_json: bool,
) -> None:
    """Make a plan from an INSTRUCTION, with an agent that plans.

    It reads a clean copy of your last commit and changes nothing. What it proposes is checked by code and
    scored by a review, and goes back to it until it is good enough. The plan is a Markdown file that you can
    edit; no file is overwritten.

    Exits with 0 when there is a plan, 1 when there is none after all attempts, 3 when the planner has
    questions for you, 4 when there is no such planner session.
    """
    from teamlead.settings.loading import load  # noqa: PLC0415 - `--help` must not load it
    from teamlead.system.repository import claim, discover  # noqa: PLC0415 - as above
    from teamlead.wiring.planner_runs import planner, planner_of  # noqa: PLC0415 - as above
    from teamlead.wiring.planner_sessions import find_planning, new_folder  # noqa: PLC0415 - as above
    from teamlead.wiring.planning import begin, reply  # noqa: PLC0415 - as above

    text = _wanted(instruction)
    if output is not None and output.exists():
        raise UsageError(f"{str(output)!r} is there already", remedy="name another file with --output")
    repository = discover(Path.cwd())
    settings = load(repository.root, _staffing(agent, model))
    folder = find_planning(repository, name) if name else None
    session = folder.load() if folder else None
    staffed = planner_of(settings, tell)
    repository = claim(repository)
    folder = folder or new_folder(repository)
    tell_planning(folder.id)
    with planner(repository, settings, staffed, folder) as who:
        session = reply(folder, session, text) if session else begin(folder, text)
        session = _talk(Talk(who, settings, repository), who, session, interactive=interactive)
    if session.status == "asking":
        show_questions(session, [f'Answer: teamlead plan --session {session.id} "TEXT"'], as_json=as_json)
        ctx.exit(NEEDS_PERSON)
    _finish(ctx, who, session, output, agent, and_start=and_start, as_json=as_json)


def _wanted(instruction: str | None) -> str:
    text = (instruction or "").strip()
    if not text:
        raise UsageError("nothing was said", remedy='say what you want: teamlead plan "add a login"')
    if Path(text).is_file():
        raise UsageError(
            f"{text!r} is a file, not an instruction",
            remedy=f"teamlead start {text} carries it out, teamlead plan check {text} looks at it",
        )
    return text


def _staffing(agent: str | None, model: str | None) -> dict[str, object]:
    """Whoever is named here plans, whatever the configuration says of that role."""
    return {"agent": agent, "roles.planner.agent": agent, "roles.planner.model": model}


def _talk(talk: Talk, who: "Planner", session: "PlannerSession", *, interactive: bool) -> "PlannerSession":
    from teamlead.cli.person import at_terminal  # noqa: PLC0415 - `--help` must not load it
    from teamlead.wiring.planning import accept, reply  # noqa: PLC0415 - as above

    session = talk.go_on(session, ask=interactive or at_terminal())
    while interactive and session.status == "proposed":
        _show(session, err=True)
        said = click.prompt("accept, quit, or what shall be different", err=True).strip()
        match said.lower():
            case "accept":
                break
            case "quit":
                raise click.Abort
        kept = session
        try:
            session = talk.go_on(reply(who.folder, session, said), ask=True)
        except Failed as error:
            tell(str(error))
            tell("The plan stays as it was.")
            session = who.folder.load()
            session = who.folder.save(_as_before(session, kept))
    return accept(who.folder, session) if session.status == "proposed" else session


def _as_before(session: "PlannerSession", kept: "PlannerSession") -> "PlannerSession":
    import msgspec  # noqa: PLC0415 - loaded by now

    return msgspec.structs.replace(session, status=kept.status, attempts=kept.attempts, score=kept.score)


def _finish(
    ctx: click.Context,
    who: "Planner",
    session: "PlannerSession",
    output: Path | None,
    agent: str | None,
    *,
    and_start: bool,
    as_json: bool,
) -> None:
    from teamlead.cli.start import start  # noqa: PLC0415 - only here
    from teamlead.wiring.planner_sessions import write_markdown  # noqa: PLC0415 - loaded by now

    session = write_markdown(who.folder, session, output)
    path = shown_path(session.markdown_path)
    if and_start:
        tell(f"The plan is in {path}.")
        ctx.invoke(start, planner_session=session.id, agent=agent, as_json=as_json)
        return
    if as_json:
        _print_json(session)
        return
    _show(session)
    click.echo(f"\nThe plan is in {safe(path)}, scored {session.score} of 100. Edit it as you like, then:")
    click.echo(f"  teamlead start {safe(path)}")
    click.echo(f"or, as it is now:  teamlead start --session {session.id}")


def _show(session: "PlannerSession", *, err: bool = False) -> None:
    from teamlead.core.model import Plan  # noqa: PLC0415 - loaded by now
    from teamlead.plans.drawing import draw  # noqa: PLC0415 - as above

    click.echo(printable(draw(Plan(session.title, "", session.generated_tasks))), err=err)


def _print_json(session: "PlannerSession") -> None:
    import msgspec  # noqa: PLC0415 - loaded by now

    tasks: list[dict[str, Any]] = [msgspec.to_builtins(task) for task in session.generated_tasks]
    echo_json(
        {
            "planner_session": session.id,
            "status": session.status,
            "title": session.title,
            "plan": session.markdown_path,
            "score": session.score,
            "attempts": len(session.attempts),
            "tasks": tasks,
        }
    )
