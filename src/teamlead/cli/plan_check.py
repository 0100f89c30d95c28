"""`teamlead plan check`: every problem of a plan, with its line."""

from pathlib import Path

import click

from teamlead.cli.hidden_checks import readable_by_agents
from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, paint, safe
from teamlead.cli.plan_file import refuse_planning
from teamlead.errors import UsageError
from teamlead.markup.problems import Problem
from teamlead.plans.load import Loaded, load
from teamlead.settings.loading import load as load_settings
from teamlead.system.repository import discover
from teamlead.system.text import printable
from teamlead.views.documents.plans import CheckTrialPart, PlanCheckDocument, PlanProblemPart
from teamlead.views.moments import counted
from teamlead.views.plans import planned_task_view


@click.command(
    epilog=examples(
        "teamlead plan check plan.md",
        "teamlead plan check --run plan.md",
        "teamlead plan check plan.md --json",
    )
)
@click.argument("file", type=click.Path())
@click.option("--run", is_flag=True, help="Try every check on a clean copy of the last commit, too.")
@json_option
@click.pass_context
def check(ctx: click.Context, file: str, *, run: bool, as_json: bool) -> None:
    """List every problem of the plan FILE, each with its line and a remedy.

    With --run its checks, and those of the configuration, are tried as `start` tries them before its first
    agent. That one fails is for the agents to mend; that one cannot be run at all is told with a remedy.

    Exit codes: 0 no errors (there may be warnings), 1 a check cannot be run, 2 errors, 4 no such file.
    """
    refuse_planning(file)
    loaded = load(file)
    loaded.problems.extend(readable_by_agents(loaded.plan, file))
    trials = _tried(loaded) if run and loaded.ok else None
    if as_json:
        echo_json(_document(file, loaded, trials))
    else:
        for problem in loaded.problems:
            click.echo(_shown(problem, file))
        for trial in trials or ():
            click.echo(_shown_trial(trial))
        click.echo(_summary(file, loaded))
    if not loaded.ok:
        ctx.exit(UsageError.exit_code)
    if trials and any(trial["obstacle"] for trial in trials):
        ctx.exit(1)


def _tried(loaded: Loaded) -> list[CheckTrialPart]:
    from teamlead.wiring.trying_checks import try_checks  # noqa: PLC0415 - slow to import, and seldom wanted

    repository = discover(Path.cwd())
    settings = load_settings(repository.root)
    users: dict[str, list[str]] = {}
    for task in loaded.plan.tasks:
        for command in (*task.own_checks, *settings.checks):
            users.setdefault(command, []).append(task.id)
    tried = try_checks(repository, settings, list(users), lambda line: click.echo(safe(line), err=True))
    return [
        CheckTrialPart(
            command=each.command,
            tasks=list(dict.fromkeys(users[each.command])),
            exit_code=each.end.exit_code if each.end else None,
            seconds=round(each.end.seconds, 3) if each.end else 0.0,
            obstacle=each.obstacle.told if each.obstacle else "",
            remedy=each.obstacle.remedy if each.obstacle else "",
            untried=each.untried,
        )
        for each in tried
    ]


def _shown_trial(trial: CheckTrialPart) -> str:
    command = f"`{safe(trial['command'])}`"
    if trial["obstacle"]:
        return (
            f"{paint('cannot be run', 'red')} {command}: {safe(trial['obstacle'])}\n  {safe(trial['remedy'])}"
        )
    if trial["untried"]:
        return f"{paint('not tried', 'yellow')} {command}: {safe(trial['untried'])}"
    if trial["exit_code"]:
        return f"{paint('can be run', 'green')} {command}: it fails now, with exit code {trial['exit_code']}"
    return f"{paint('can be run', 'green')} {command}: it passes now"


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


def _document(file: str, loaded: Loaded, trials: list[CheckTrialPart] | None) -> PlanCheckDocument:
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
        trials=trials,
    )
