"""`teamlead plan check`: every problem of a plan, with its line."""

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, paint, safe
from teamlead.errors import UsageError
from teamlead.plans.draft import Problem
from teamlead.plans.load import Loaded, load
from teamlead.system.text import printable
from teamlead.views.documents.plans import PlanCheckDocument, PlanProblemPart
from teamlead.views.moments import counted
from teamlead.views.plans import planned_task_view


@click.command(epilog=examples("teamlead plan check plan.md", "teamlead plan check plan.md --json"))
@click.argument("file", type=click.Path())
@json_option
@click.pass_context
def check(ctx: click.Context, file: str, *, as_json: bool) -> None:
    """List every problem of the plan FILE, each with its line and a remedy.

    Exit codes: 0 no errors (there may be warnings), 2 errors, 4 no such file.
    """
    loaded = load(file)
    if as_json:
        echo_json(_document(file, loaded))
    else:
        for problem in loaded.problems:
            click.echo(_shown(problem, file))
        click.echo(_summary(file, loaded))
    if not loaded.ok:
        ctx.exit(UsageError.exit_code)


def _shown(problem: Problem, file: str) -> str:
    text = printable(problem.show(file))
    colour = "red" if problem.severity == "error" else "yellow"
    severity = f" {problem.severity}: "
    return text.replace(severity, paint(severity, colour), 1)


def _summary(file: str, loaded: Loaded) -> str:
    errors = sum(problem.severity == "error" for problem in loaded.problems)
    warnings = len(loaded.problems) - errors
    tasks = counted(len(loaded.plan.tasks), "task")
    return f"{safe(file)}: {tasks}, {counted(errors, 'error')}, {counted(warnings, 'warning')}"


def _document(file: str, loaded: Loaded) -> PlanCheckDocument:
    from teamlead.cli.plan_graph import outlook  # noqa: PLC0415 - slow to import, and only JSON has it

    return PlanCheckDocument(
        file=file,
        ok=loaded.ok,
        title=loaded.plan.title,
        tasks=tuple(map(planned_task_view, loaded.plan.tasks)),
        problems=[
            PlanProblemPart(
                line=problem.line,
                severity=problem.severity,
                message=problem.message,
                remedy=problem.remedy,
            )
            for problem in loaded.problems
        ],
        preview=outlook(loaded.plan) if loaded.ok else None,
    )
