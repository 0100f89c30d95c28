"""`teamlead result`: what agents hand in, held to its contract."""

import json

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, paint, safe
from teamlead.cli.report_files import read_report
from teamlead.cli.result_aggregate import aggregate
from teamlead.core.model import TASK_FORMS
from teamlead.core.reports import Override
from teamlead.errors import Refused, UsageError
from teamlead.forms.catalogue import FORMS
from teamlead.forms.results.contract import SOFT, Problem, Reading, blocking, read_result
from teamlead.forms.results.proof_rules import band
from teamlead.forms.results.schema import result_schema
from teamlead.views.documents.results import CheckedResultPart, ResultCheckDocument, ResultProblemPart
from teamlead.views.moments import counted

COLOURS = {"L1": "red", "L2": "yellow", "L3": "blue"}

EXAMPLES = examples(
    "teamlead result check report.md",
    "teamlead result check --role security-auditor *.md",
    "teamlead result aggregate security.md qa.md",
    "teamlead result schema > result.schema.json",
)
CHECKING = examples(
    "teamlead result check report.md",
    "teamlead result check --json reports/*.md",
    "teamlead result check --role system-architect --form review - < report.md",
    "teamlead result check --override finding-place='the file was deleted' report.md",
)


@click.group(no_args_is_help=True, epilog=EXAMPLES)
def result() -> None:
    """Check what agents hand in, sum it up, or print its JSON Schema.

    A result is Markdown, with headings in English, Japanese or Korean, or JSON.
    """


result.add_command(aggregate)


@result.command(epilog=CHECKING)
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--role",
    default="",
    metavar="ROLE",
    help="The role of the agent (default: what the heading of the result says).",
)
@click.option(
    "--form",
    type=click.Choice(TASK_FORMS),
    help="The form in which it was asked for (default: that of the role).",
)
@click.option(
    "--override",
    "given",
    metavar="RULE=REASON",
    multiple=True,
    help="Set a soft rule (L2) aside, for this reason.",
)
@json_option
def check(
    files: tuple[str, ...], role: str, form: str | None, given: tuple[str, ...], *, as_json: bool
) -> None:
    """Check that the results in FILES keep their contract.

    `-` is stdin.

    Each problem is shown with its line, its rule and what to do. Hard rules (L1) must be kept; soft
    ones (L2) may be set aside for a reason, here or in the result itself; L3 is advice.

    Exit codes: 0 all are good, 2 wrong usage, 4 no such file, 5 a result breaks the contract.
    """
    overrides = _overrides(given)
    readings = {}
    for file in files:
        reading = read_result(read_report(file), role, form or "")
        readings[file] = reading._replace(overrides=(*reading.overrides, *overrides))
    if as_json:
        results = [_view(file, reading) for file, reading in readings.items()]
        echo_json(ResultCheckDocument(ok=not any(map(blocking, readings.values())), results=results))
    else:
        for file, reading in readings.items():
            _show(file, reading)
    if any(map(blocking, readings.values())):
        raise click.exceptions.Exit(Refused.exit_code)


@result.command(
    epilog=examples(
        "teamlead result schema > result.schema.json",
        "teamlead result schema --form design",
        "teamlead result schema --form judgement",
    )
)
@click.option("--form", type=click.Choice(list(FORMS)), help="Of this form alone (default: of any result).")
def schema(form: str | None) -> None:
    """Print the JSON Schema of a result, for those who hand theirs in as JSON.

    With --form also of what a model answers that the lead consults.
    """
    click.echo(json.dumps(FORMS[form].schema() if form else result_schema(), indent=2))


def _overrides(given: tuple[str, ...]) -> tuple[Override, ...]:
    found = []
    for text in given:
        rule, _, reason = text.partition("=")
        if rule not in SOFT:
            raise UsageError(f"{rule!r} is not a soft rule", remedy=f"the soft rules are {', '.join(SOFT)}")
        if not reason.strip():
            raise UsageError(f"--override {text!r} gives no reason", remedy=f"say {rule}=WHY")
        found.append(Override(rule, reason.strip()))
    return tuple(found)


def _show(file: str, reading: Reading) -> None:
    for problem in reading.problems:
        reason = reading.set_aside.get(problem.rule)
        aside = f" [set aside: {safe(reason)}]" if reason else ""
        click.echo(_shown(problem, file) + aside)
    for flag in reading.flags:
        click.echo(f"{safe(file)}: {paint('look', 'blue')}: {safe(flag)}")
    wrong = len(blocking(reading))
    verdict = counted(wrong, "problem") if wrong else "keeps the contract"
    click.echo(f"{safe(file)}: {verdict}")


def _shown(problem: Problem, file: str) -> str:
    level = f" {problem.level} "
    return safe(problem.show(file)).replace(level, paint(level, COLOURS[problem.level]), 1)


def _view(file: str, reading: Reading) -> CheckedResultPart:
    wrong, aside = blocking(reading), reading.set_aside
    return CheckedResultPart(
        file=file,
        ok=not wrong,
        problems=[
            ResultProblemPart(
                rule=problem.rule,
                level=problem.level,
                message=problem.message,
                line=problem.line or None,
                set_aside=aside.get(problem.rule, ""),
                blocking=problem in wrong,
            )
            for problem in reading.problems
        ],
        flags=reading.flags,
        band=band(reading.result.confidence) if reading.result else None,
        result=reading.result,
    )
