from collections.abc import Sequence

import click

from teamlead.cli.options import attempt_option, json_option, session_option
from teamlead.cli.output import echo_json, examples, paint, safe
from teamlead.cli.session import attempt_of, find
from teamlead.system.sessions import task_id
from teamlead.views.documents.reports import EvidenceDocument, FurtherRunsPart
from teamlead.views.documents.sessions import EvidencePart
from teamlead.views.evidence import evidence_document
from teamlead.views.moments import counted
from teamlead.views.words import MARKS, further

COLOURS = {"proven": "green", "refused": "red", "objected": "yellow", "flagged": "yellow", "unknown": "white"}


@click.command(
    epilog=examples(
        "teamlead evidence 1", "teamlead evidence task-2 --attempt 1", "teamlead evidence 1 --json"
    )
)
@click.argument("task")
@session_option
@attempt_option
@json_option
def evidence(task: str, session: str | None, number: int | None, *, as_json: bool) -> None:
    """Show what speaks for and against a task's work, each item with the command that repeats it."""
    _, folder = find(session, plannings=False)
    document = evidence_document(*attempt_of(folder, task_id(task), number))
    if as_json:
        echo_json(document)
    else:
        _print(document)


def _print(document: EvidenceDocument) -> None:
    outcome = document["outcome"] or "under way"
    waived = ", as a person allowed" if document["accepted_by_a_person"] else ""
    title = f"{document['task']} ({safe(document['title'])})"
    click.echo(f"{title}, attempt {document['attempt']}: {outcome}{waived}")
    counts = document["accepted_attempt"]
    if counts not in {None, document["attempt"]}:
        see = f"teamlead evidence {document['task']} --attempt {counts}"
        click.echo(f"the work that counts is that of attempt {counts}: {see}")
    if not document["evidence"]:
        click.echo("nothing to show yet: its agent has not ended")
    print_evidence(document["evidence"])
    if document["further_runs"]:
        click.echo(f"\n{safe(_cost(document['further_runs']))}")


def _cost(further: FurtherRunsPart) -> str:
    kinds = (f"{cost['of']} {cost['runs']} in {cost['seconds']:.1f} s" for cost in further["costs"])
    told = f"{counted(further['runs'], 'further run')} in {further['seconds']:.1f} s"
    own = f"its checks took {further['check_seconds']:.1f} s themselves"
    return f"{told} ({', '.join(kinds)}); {own}" if further["costs"] else f"{told}; {own}"


def print_evidence(items: Sequence[EvidencePart]) -> None:
    for item in items:
        verdict = paint(f"{MARKS[item['verdict']]} {item['verdict']:<8}", COLOURS[item["verdict"]])
        click.echo(f"\n{verdict}  {item['kind']}: {safe(item['claim'])}\n    {safe(item['found'])}")
        for line in (
            *further(item["found"], item["details"]),
            *(f"log: {log}" for log in [item["log"]] if log),
        ):
            click.echo(f"    - {safe(line)}")
        if item["command"]:
            click.echo(f"    $ {safe(item['command'])}")
