from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from teamlead.cli.options import directory_option, jobs_option, json_option
from teamlead.cli.output import echo_json, examples, safe, table, tell
from teamlead.cli.staffing_options import staffing_options, staffing_settings, unmatched_roles
from teamlead.errors import INTERRUPTED
from teamlead.rehearsal import faults, rehearsal_clone, summary
from teamlead.rehearsal.fault_kinds import KINDS
from teamlead.system.repository import discover
from teamlead.system.text import clip
from teamlead.views.documents.plans import RehearsalDocument, RehearsedAttemptPart

LONGEST = 300


@click.command(
    epilog=examples(
        "teamlead rehearse plan.md --agent claude",
        "teamlead rehearse plan.md --agent codex --fault limit --fault crash:task-2",
        "teamlead rehearse plan.md --agent scripted --script team.toml --checks",
    ),
)
@click.argument("plan", type=click.Path())
@staffing_options
@jobs_option
@click.option(
    "--fault",
    "wanted",
    multiple=True,
    metavar="KIND[:TASK]",
    help=f"A fault that happens once: {', '.join(KINDS)}. Without TASK: at the next task of the plan.",
)
@click.option(
    "--script",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What the models do (default: write a small file for each task).",
)
@click.option("--checks", is_flag=True, help="Also run the checks. Made-up work will hardly pass them.")
@directory_option
@json_option
@click.pass_context
def rehearse(
    ctx: click.Context,
    /,
    plan: str,
    *,
    jobs: int | None,
    wanted: tuple[str, ...],
    script: Path | None,
    directory: Path | None,
    checks: bool,
    as_json: bool,
    **staffing: Any,
) -> None:
    """Try a plan with the real programs, but without a model: at no cost, with faults of your choice.

    The programs run under the real leader, on a clone of your repository. A scripted model on this machine
    answers them, and a stand-in answers questions in your place. Nothing of yours is touched, and no
    credential is used.

    Exit codes: 0 every task was done and every fault was handled as it should be, 1 something was not.
    """
    from teamlead.cli.live import screen  # noqa: PLC0415 - a leader is slow to import: not for --help
    from teamlead.plans.load import require  # noqa: PLC0415 - as above
    from teamlead.wiring.rehearsing import Piece, perform  # noqa: PLC0415 - as above

    repository = discover(Path.cwd())
    flags = {"jobs": jobs, **staffing_settings(**staffing)}
    required = require(plan).plan
    for line in unmatched_roles(staffing["roles"], (task.role for task in required.tasks)):
        tell(line)
    piece = Piece(required, flags, [faults.parse(text) for text in wanted], script, checks)
    with rehearsal_clone.built(repository.root, directory) as place:
        click.echo(f"A rehearsal in {place.place}: no model is asked, nothing is spent.", err=True)
        if not checks:
            click.echo("The checks are not run, because the work is made up (--checks runs them).", err=True)
        done = perform(repository, piece, place, screen, tell)
        document = summary.document(done.led.state, done.faults, done.requests)
        place.stays |= not document["as_it_should"]
    document["folder"] = str(place.place) if place.stays else ""
    if as_json:
        echo_json(document)
    else:
        _show(document)
        if document["folder"]:
            state = f"XDG_STATE_HOME={document['folder']}/state"
            click.echo(f"\nLook around: cd {place.root}; {state} teamlead status")
    ctx.exit(INTERRUPTED if done.led.end == "interrupted" else 0 if document["as_it_should"] else 1)


def _show(document: RehearsalDocument) -> None:
    rows = [
        [task["id"], task["state"], task["agent"].partition(":")[0], _told(task["attempts"]), task["title"]]
        for task in document["tasks"]
    ]
    click.echo(table([["task", "state", "agent", "attempts", "title"], *rows]))
    for task in document["tasks"]:
        for attempt in task["attempts"]:
            for reason in attempt["reasons"]:
                click.echo(clip(safe(f"{task['id']}, attempt {attempt['attempt']}: {reason}"), LONGEST))
    for fault in document["faults"]:
        became = fault["outcome"] or "never met"
        judged = "as it should" if fault["as_it_should"] else "NOT as it should"
        click.echo(f"fault {fault['kind']} at {fault['task']}: attempt {fault['attempt']} {became}, {judged}")
    for question in document["questions"]:
        answer = f"answered {question['answer']!r} by {question['by']}" if question["by"] else "not answered"
        click.echo(f"you would be asked: {clip(safe(question['text']), LONGEST)} ({safe(answer)})")
    ended = "as it should" if document["as_it_should"] else "NOT as it should"
    click.echo(f"{document['phase']}, {ended}. Requests to the scripted model: {document['requests_total']}.")


def _told(attempts: Sequence[RehearsedAttemptPart]) -> str:
    return ", ".join(attempt["outcome"] or attempt["end"] or "open" for attempt in attempts) or "none"
