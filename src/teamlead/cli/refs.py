"""`teamlead refs`: whether what agents cite is there."""

from pathlib import Path
from typing import NamedTuple

import click

from teamlead.cli.options import attempt_option, json_option, session_option
from teamlead.cli.output import echo_json, examples, paint, safe
from teamlead.cli.report_files import read_report
from teamlead.cli.session import attempt_of, find
from teamlead.core.evidence.references import SHOWN, CheckedReference, References, Standing
from teamlead.core.reports import Result
from teamlead.errors import NotFound, Refused, UsageError
from teamlead.evidence.file_sources import CommitFiles, FolderFiles, Source
from teamlead.evidence.references import Comparison, change_between, check_references, roots_of
from teamlead.forms.citations.scanning import marked
from teamlead.forms.results.report_citations import citations_of
from teamlead.system.git import Git
from teamlead.system.repository import discover
from teamlead.system.sessions import task_id
from teamlead.system.text import printable
from teamlead.views.documents.results import CitingReportPart, ReferencePart, ReferencesDocument

LOOKS: dict[Standing, tuple[str, str]] = {
    "verified": ("✓", "green"),
    "unverified": ("?", "white"),
    "moved": ("→", "yellow"),
    "invalid": ("✗", "red"),
}


class Report(NamedTuple):
    name: str
    text: str
    result: Result | None = None


class Ground(NamedTuple):
    """What reports are held against."""

    files: Source
    roots: tuple[str, ...]
    commit: str = ""
    """Empty: the files as they lie there."""
    change: Comparison | None = None


@click.group(
    no_args_is_help=True,
    epilog=examples("teamlead refs verify report.md", "teamlead refs verify --task 2"),
)
def refs() -> None:
    """Check the files and lines that agents cite."""


VERIFYING = examples(
    "teamlead refs verify report.md",
    "teamlead refs verify --commit main~2 reports/*.md",
    "teamlead refs verify --task 2 --json",
    "teamlead refs verify --mark report.md > marked.md",
)


@refs.command(epilog=VERIFYING)
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True))
@click.option("--commit", metavar="REV", help="Check against this commit (default: the files on disk).")
@click.option("--base", metavar="REV", help="The commit before the change that the reports are about.")
@click.option("--task", metavar="TASK", help="Check this task's report against its commit.")
@session_option
@attempt_option
@click.option("--all", "everything", is_flag=True, help="Show every reference, not only what is wrong.")
@click.option(
    "--mark",
    is_flag=True,
    help="Print the text, with [UNVERIFIED] after each reference that is not verified.",
)
@json_option
def verify(
    files: tuple[str, ...],
    *,
    commit: str | None,
    base: str | None,
    task: str | None,
    session: str | None,
    number: int | None,
    everything: bool,
    mark: bool,
    as_json: bool,
) -> None:
    """Check every `file:line` that the reports FILES cite, and the code they quote.

    `-` is stdin.

    A reference is verified if its file can be read, the quoted code stands at its line, and the report says
    how sure it is of it. If the code stands elsewhere in the file, the reference has moved. A report is not
    believed if more than 30 % of its references are invalid.

    Exit codes: 0 all are good, 2 wrong usage, 4 no such file or commit, 5 a report is not believed.
    """
    if bool(files) == bool(task):
        raise UsageError("name either files with reports or a task", remedy="teamlead refs verify FILE")
    if task and (commit or base):
        raise UsageError("--task brings its own commit", remedy="leave --commit and --base out")
    if mark and as_json:
        raise UsageError("--mark prints the text, not JSON", remedy="leave one of the two out")
    if task:
        ground, reports = _of_task(task, session, number)
    else:
        ground, reports = _ground(commit, base), [Report(file, read_report(file)) for file in files]
    checked = {
        report: check_references(
            citations_of(report.text, report.result), ground.files, ground.roots, ground.change
        )
        for report in reports
    }
    if as_json:
        reports_view = [_view(report, found) for report, found in checked.items()]
        echo_json(ReferencesDocument(ok=not _blocked(checked), commit=ground.commit, reports=reports_view))
    else:
        for report, found in checked.items():
            _print_marked(report, found) if mark else _print(report, found, everything=everything)
    if _blocked(checked):
        raise click.exceptions.Exit(Refused.exit_code)


def _blocked(checked: dict[Report, References]) -> bool:
    return any(found.blocks for found in checked.values())


def _ground(commit: str | None, base: str | None) -> Ground:
    repository = discover(Path.cwd())
    git, roots = repository.git(), roots_of(repository.root)
    files = CommitFiles(git, _commit(git, commit)) if commit else FolderFiles(repository.root)
    change = change_between(git, _commit(git, base), _commit(git, commit or "HEAD")) if base else None
    return Ground(files, roots, _commit(git, commit) if commit else "", change)


def _of_task(task: str, session: str | None, number: int | None) -> tuple[Ground, list[Report]]:
    repository, folder = find(session)
    name = task_id(task)
    _, _, attempt = attempt_of(folder, name, number)
    if not (attempt.run.summary or attempt.result):
        raise NotFound(f"{name} has handed in no report yet", remedy="see `teamlead status`")
    git = repository.git()
    tip = _commit(git, attempt.work.commit or attempt.base)
    copy = repository.state_dir / "copies" / folder.id / name
    ground = Ground(
        CommitFiles(git, tip), roots_of(copy, repository.root), tip, change_between(git, attempt.base, tip)
    )
    return ground, [Report(f"{name}, attempt {attempt.number}", attempt.run.summary, attempt.result)]


def _commit(git: Git, name: str) -> str:
    found = git.commit(name)
    if not found:
        raise NotFound(f"there is no commit {name!r}", remedy="see `git log`")
    return found


def _print(report: Report, found: References, *, everything: bool) -> None:
    shown = [each for each in found.checked if everything or each.standing in {"moved", "invalid"}]
    for each in shown if everything else shown[:SHOWN]:
        sign, colour = LOOKS[each.standing]
        click.echo(f"{paint(sign, colour)} {safe(each.told)}")
    if not everything and len(shown) > SHOWN:
        click.echo(f"  and {len(shown) - SHOWN} more; --all shows them")
    click.echo(f"{safe(report.name)}: {safe(found.summary)}{found.counts}")


def _print_marked(report: Report, found: References) -> None:
    labels = {each.place: _label(each) for each in found.checked}
    click.echo(printable(marked(report.text, lambda place: labels.get(place, ""))), nl=False)


def _label(reference: CheckedReference) -> str:
    match reference.standing:
        case "verified":
            return ""
        case "moved" if reference.line:
            return f"[MOVED: line {reference.line}]"
        case "invalid":
            return f"[INVALID: {reference.reason}]"
    return "[UNVERIFIED]"


def _view(report: Report, found: References) -> CitingReportPart:
    return CitingReportPart(
        name=report.name,
        ok=not found.blocks,
        summary=found.summary,
        references_total=len(found.checked),
        references_valid=len(found.checked) - len(found.invalid),
        references=[
            ReferencePart(
                place=each.place,
                standing=each.standing,
                reason=each.reason,
                note=each.note,
                line=each.line or None,
            )
            for each in found.checked
        ],
    )
