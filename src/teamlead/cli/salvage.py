"""`teamlead salvage`: work that agents left and no branch holds."""

import sys
from contextlib import suppress
from pathlib import Path

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, yes_option
from teamlead.cli.output import echo_json, examples, safe, size_of, table
from teamlead.errors import UsageError
from teamlead.system.process_owner import owners, require_person
from teamlead.system.repository import Repository, discover
from teamlead.system.text import printable
from teamlead.views.documents.work import (
    KeptFilePart,
    KeptWorkPart,
    SalvageListDocument,
    SalvageShowDocument,
)
from teamlead.views.moments import from_iso, iso
from teamlead.workspaces import salvage as work
from teamlead.workspaces.kept_work import Kept, kept_refs


@click.group(
    no_args_is_help=True,
    epilog=examples(
        "teamlead salvage list",
        "teamlead salvage show task-2/1 --patch",
        "teamlead salvage restore task-2/1 --to ../rescued",
        "teamlead salvage drop task-2/1",
    ),
)
def salvage() -> None:
    """Look at kept work, get it back, or drop it.

    Before a working copy is removed, work in it that no branch holds is kept under a ref. NAME is that ref,
    TASK/NUMBER, or any part that fits only one.
    """


@salvage.command("list", epilog=examples("teamlead salvage list", "teamlead salvage list --json"))
@json_option
def list_kept(*, as_json: bool) -> None:
    """List all kept work of this repository."""
    found = kept_refs(discover(Path.cwd()).git())
    if as_json:
        echo_json(SalvageListDocument(kept=[_view(kept) for kept in found]))
    elif not found:
        click.echo("Nothing is kept: branches hold all work.")
    else:
        rows = [("SESSION", "NAME", "WHEN", "FILES", "SIZE", "WHY"), *map(_row, found)]
        click.echo(table(rows))
        click.echo("\nLook at one: teamlead salvage show NAME; get it back: teamlead salvage restore NAME")


@salvage.command(
    epilog=examples("teamlead salvage show task-2/1", "teamlead salvage show k3f9/task-2/1 --patch")
)
@click.argument("name")
@click.option("--patch", is_flag=True, help="Show the content of the files, as a patch.")
@json_option
def show(name: str, *, patch: bool, as_json: bool) -> None:
    """Show the files that were kept, and what git held beside them.

    Listed are the files that differ from the commit on which the working copy was based.
    """
    git = discover(Path.cwd()).git()
    kept = work.find(git, name)
    if patch:
        click.echo(printable(work.patch(git, kept).decode(errors="replace")), nl=False)
        return
    changes, beside = work.changes(git, kept), work.beside(git, kept)
    if as_json:
        listed = [KeptFilePart(change=change.letter, path=change.path) for change in changes]
        echo_json(SalvageShowDocument(kept=_view(kept), changes=listed, beside=beside))
        return
    click.echo(f"{kept.ref} ({kept.commit[:10]})")
    click.echo(f"{kept.task} of session {kept.session}, {kept.moment}: {safe(kept.reason)}")
    for change in changes:
        click.echo(f"  {change.letter} {safe(change.path)}")
    if beside:
        click.echo("Beside the files:")
        for path in beside:
            click.echo(f"  {safe(path)}")


@salvage.command(
    epilog=examples(
        "teamlead salvage restore task-2/1",
        "teamlead salvage restore task-2/1 --to ../rescued",
        "teamlead salvage restore task-2/1 --branch rescued",
    )
)
@click.argument("name")
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The new folder (default: one beside the repository).",
)
@click.option("--branch", metavar="NAME", help="Make a branch of it, and write no files.")
def restore(name: str, folder: Path | None, branch: str | None) -> None:
    """Write every byte of kept work to a new folder, or make a branch of it.

    Repositories inside it get their `.git` back. Nothing that exists is overwritten.
    """
    if folder and branch:
        raise UsageError("--to and --branch exclude each other", remedy="choose one")
    repository = discover(Path.cwd())
    git = repository.git()
    kept = work.find(git, name)
    if branch:
        work.make_branch(git, kept, branch)
        click.echo(f"{safe(branch)} is at {kept.commit[:10]}")
        return
    back = work.restore(git, kept, (folder or _beside(repository, kept)).resolve())
    click.echo(f"{back.files} files are in {back.folder}")
    if back.beside:
        click.echo(f"what git held beside them is in {back.beside}")


@salvage.command(
    cls=Decision,
    epilog=examples("teamlead salvage drop task-2/1", "teamlead salvage drop --yes task-2/1 task-3/1"),
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@yes_option
def drop(names: tuple[str, ...], *, yes: bool) -> None:
    """Drop kept work.

    The command that undoes it is printed; it works as long as git has the commit.
    """
    repository = discover(Path.cwd())
    git = repository.git()
    chosen = list(dict.fromkeys(work.find(git, name) for name in names))
    # Refs lie in no state directory: whose they are is told by their sessions.
    for owner in owners():
        if any((owner / repository.id / "sessions" / kept.session).is_dir() for kept in chosen):
            require_person(owner)
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError("there is no terminal to ask at", remedy="--yes drops without asking")
        click.echo(table([_row(kept) for kept in chosen]))
        click.confirm("Drop this work?", abort=True)
    for kept in chosen:
        work.drop(git, kept)
        click.echo(f"dropped {kept.ref}; undo: git update-ref {kept.ref} {kept.commit}")


def _beside(repository: Repository, kept: Kept) -> Path:
    root = repository.main_root
    return root.with_name(f"{root.name}-{kept.task}-{kept.name}")


def _row(kept: Kept) -> tuple[str, ...]:
    known = bool(kept.content)
    files, size = (str(kept.files), size_of(kept.size)) if known else ("", "")
    return kept.session, f"{kept.task}/{kept.name}", kept.moment, files, size, kept.reason


def _view(kept: Kept) -> KeptWorkPart:
    whole = bool(kept.content)
    return KeptWorkPart(
        ref=kept.ref,
        commit=kept.commit,
        session=kept.session,
        task=kept.task,
        attempt=kept.attempt or None,
        kept_at=_moment(kept.moment),
        reason=kept.reason,
        subject=kept.subject,
        files_total=kept.files if whole else None,
        bytes=kept.size if whole else None,
    )


def _moment(text: str) -> str | None:
    """None for a ref whose commit is gone, or that somebody else has made."""
    with suppress(ValueError):
        return iso(from_iso(text))
    return None
