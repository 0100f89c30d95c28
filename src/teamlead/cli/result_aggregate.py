"""`teamlead result aggregate`: several agents' results as one."""

import json
from math import inf, nan
from pathlib import Path

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import document_json, examples
from teamlead.cli.report_files import read_report
from teamlead.errors import Refused, UsageError
from teamlead.forms.aggregation import Report
from teamlead.forms.aggregation import aggregate as aggregated
from teamlead.forms.opinions import Weights, normalised
from teamlead.forms.results.contract import blocking, read_result
from teamlead.system.atomic_files import write_atomically
from teamlead.system.text import printable
from teamlead.views.aggregate import LeftOut, aggregate_document, aggregate_markdown
from teamlead.views.sarif import sarif

EXAMPLES = examples(
    "teamlead result aggregate security.md qa.md",
    "teamlead result aggregate --json *.md",
    "teamlead result aggregate --sarif --output review.sarif *.md",
    "teamlead result aggregate --weight security-auditor:injection=3 *.md",
)


@click.command(epilog=EXAMPLES)
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@json_option
@click.option("--sarif", "as_sarif", is_flag=True, help="Print SARIF 2.1.0, for code hosts and editors.")
@click.option(
    "--weight",
    "given",
    metavar="ROLE[:CATEGORY]=N",
    multiple=True,
    help="How much a role counts, in general or in one category (default: 1).",
)
@click.option("--expertise", is_flag=True, help="Count each role double in its own categories.")
@click.option("--lenient", is_flag=True, help="Leave out results that break the contract, and list them.")
@click.option(
    "--output",
    metavar="FILE",
    type=click.Path(),
    help="Write to FILE instead of stdout, whole or not at all.",
)
def aggregate(
    files: tuple[str, ...],
    given: tuple[str, ...],
    output: str | None,
    *,
    as_json: bool,
    as_sarif: bool,
    expertise: bool,
    lenient: bool,
) -> None:
    """Sum up the results in FILES: each issue once, the surest first.

    `-` is stdin.

    If several results report the same place and category, their confidence is the mean plus 10; the highest
    is shown beside it. Opinions that contradict each other are not merged: a person has to decide.

    Exit codes: 0 aggregated, 2 wrong usage, 4 no such file, 5 a result breaks the contract.
    """
    if as_json and as_sarif:
        raise UsageError("--json and --sarif exclude each other", remedy="choose one")
    weights = _weights(given, expertise=expertise)
    reports, left_out = _read(files)
    if left_out and not lenient:
        raise Refused(_told(left_out), remedy="correct them, or leave them out with --lenient")
    found = aggregated(reports, weights, missing=len(left_out))
    if as_sarif:
        text = json.dumps(sarif(found, left_out), indent=2) + "\n"
    elif as_json:
        text = document_json(aggregate_document(found, left_out)) + "\n"
    else:
        text = printable(aggregate_markdown(aggregate_document(found, left_out)))
    _put(text, output)


def _weights(given: tuple[str, ...], *, expertise: bool) -> Weights:
    found = {}
    for text in given:
        who, _, number = text.rpartition("=")
        role, _, category = map(normalised, who.partition(":"))
        try:
            weight = float(number)
        except ValueError:
            weight = nan
        if not role or not 0 <= weight < inf:
            raise UsageError(
                f"--weight {text!r} is not ROLE=N or ROLE:CATEGORY=N", remedy="for example qa-engineer=2"
            )
        found[role, category] = weight
    return Weights(found, expertise)


def _read(files: tuple[str, ...]) -> tuple[list[Report], tuple[LeftOut, ...]]:
    """What holds to the contract, and what does not."""
    reports, left_out = [], []
    for file in dict.fromkeys(files):
        reading = read_result(read_report(file))
        wrong = blocking(reading)
        if reading.result is None or wrong:
            left_out.append(LeftOut(file, tuple(problem.show(file) for problem in wrong)))
        else:
            reports.append(Report(file, reading.result))
    return reports, tuple(left_out)


def _told(left_out: tuple[LeftOut, ...]) -> str:
    broken = (
        f"{gone.source!r} breaks the contract:\n" + "\n".join(f"  {problem}" for problem in gone.problems)
        for gone in left_out
    )
    return "\n".join(broken)


def _put(text: str, output: str | None) -> None:
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(Path(output), text.encode())
