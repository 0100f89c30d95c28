"""`teamlead prove`: a change that no session made, examined as an agent's work is."""

import json
from pathlib import Path

import click

from teamlead.cli.evidence import print_evidence
from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, safe, tell
from teamlead.cli.report_files import read_report
from teamlead.core.model import TaskSpec
from teamlead.errors import Failed, UsageError
from teamlead.settings.loading import Settings, load
from teamlead.system.git import read_settings
from teamlead.system.repository import Repository, discover
from teamlead.system.text import printable
from teamlead.views.documents.reports import ProofDocument
from teamlead.views.evidence import proof_document
from teamlead.views.words import MARKS
from teamlead.workspaces.proposed_changes import ProposedChange, committed, uncommitted

EXAMPLES = examples(
    "teamlead prove --check 'pytest -q'                  # what is not committed yet",
    "teamlead prove main..feature --task 'Round prices'  # a branch, and what was asked for",
    "teamlead prove --staged --json                      # before a commit",
    "teamlead prove HEAD --sarif > proof.sarif           # the last commit, for a code host",
)


@click.command(epilog=EXAMPLES)
@click.argument("range_", metavar="[RANGE]", required=False)
@click.option("--staged", is_flag=True, help="Only what is staged.")
@click.option(
    "--check",
    "checks",
    multiple=True,
    metavar="COMMAND",
    help="A command that has to pass (default: the `checks` of the configuration).",
)
@click.option(
    "--task",
    "wanted",
    metavar="TEXT",
    default="",
    help="What the change was to do, in the words of a plan (default: no words are held against it).",
)
@click.option("--scope", multiple=True, metavar="PATTERN", help="What it may change (default: everything).")
@click.option(
    "--said", metavar="FILE", type=click.Path(), help="What is said of it, to be looked up; `-` is stdin."
)
@json_option
@click.option("--markdown", is_flag=True, help="Print Markdown, for a pull request.")
@click.option("--sarif", is_flag=True, help="Print SARIF 2.1.0, for code hosts and editors.")
def prove(
    range_: str | None,
    checks: tuple[str, ...],
    wanted: str,
    scope: tuple[str, ...],
    said: str | None,
    *,
    staged: bool,
    as_json: bool,
    markdown: bool,
    sarif: bool,
) -> None:
    """Examine a change as an agent's work is examined: by its diff, its checks, and further runs of them.

    RANGE is a commit, a branch, or A..B; without it, all that is not committed. No agent and no model runs,
    and your checkout stays as it is.

    Exit codes: 0 nothing speaks against it, 1 something does, 4 there is no such change, 5 the repository
    asks for what you have not allowed.
    """
    if as_json + markdown + sarif > 1:
        raise UsageError("--json, --markdown and --sarif exclude each other", remedy="choose one")
    if range_ and staged:
        raise UsageError("--staged is not about a RANGE", remedy="leave one of them out")
    repository = discover(Path.cwd())
    settings = load(repository.root)
    change = _change(repository, range_, staged=staged)
    commands = checks or settings.checks
    if not commands:
        tell("No check: nothing is run. Name a command with --check, or `checks` in .teamlead/config.toml.")
    title, _, rest = wanted.strip().partition("\n")
    task = TaskSpec("task-1", title, rest.strip(), scope=scope or ("**",), checks=commands)
    document = _document(repository, settings, change, task, said)
    if as_json:
        echo_json(document)
    elif sarif:
        from teamlead.views.sarif import sarif_of_evidence  # noqa: PLC0415 - only where it is wanted

        click.echo(json.dumps(sarif_of_evidence(document["evidence"]), indent=2))
    elif markdown:
        click.echo(printable(_markdown(document)), nl=False)
    else:
        click.echo(f"{safe(document['change'])}: {_summary(document)}")
        print_evidence(document["evidence"])
    if not document["holds"]:
        raise click.exceptions.Exit(Failed.exit_code)


def _change(repository: Repository, named: str | None, *, staged: bool) -> ProposedChange:
    if named:
        return committed(repository, named)
    return uncommitted(repository, read_settings(repository.root), staged=staged)


def _document(
    repository: Repository, settings: Settings, change: ProposedChange, task: TaskSpec, said: str | None
) -> ProofDocument:
    from teamlead.wiring.examining import Asked, examine  # noqa: PLC0415 - slow to import: not for --help

    asked = Asked(task, read_report(said) if said else "")
    found = examine(repository, settings, change, asked, tell)
    return proof_document(change.told, (change.base, change.commit), found.evidence, holds=found.holds)


def _summary(document: ProofDocument) -> str:
    against = sum(item["verdict"] in {"refused", "objected"} for item in document["evidence"])
    flags = sum(item["verdict"] == "flagged" for item in document["evidence"])
    told = "nothing speaks against it" if document["holds"] else f"{against} against it"
    return f"{told}, {flags} worth a look" if flags else told


def _markdown(document: ProofDocument) -> str:
    lines = [f"## {document['change']}: {_summary(document)}", ""]
    for item in document["evidence"]:
        lines.append(f"- {MARKS[item['verdict']]} **{item['kind']}**, {item['claim']}: {item['found']}")
        lines += [f"  - {detail}" for detail in item["details"]]
        if item["command"]:
            lines.append(f"  - again: `{item['command']}`")
    return "\n".join(lines) + "\n"
