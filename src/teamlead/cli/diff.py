import click

from teamlead.cli.options import json_option, session_option
from teamlead.cli.output import echo_json, examples
from teamlead.cli.session import find, viewing
from teamlead.cli.shown_work import note_shown
from teamlead.errors import NotFound
from teamlead.system.git import Git
from teamlead.system.sessions import task_id
from teamlead.system.text import printable
from teamlead.views.documents.work import ChangedFilePart, DiffDocument


@click.command(epilog=examples("teamlead diff", "teamlead diff 2 --stat", "teamlead diff --session k3f9"))
@click.argument("task", required=False)
@session_option
@click.option("--stat", is_flag=True, help="Show only which files changed, and by how much.")
@json_option
def diff(task: str | None, session: str | None, *, stat: bool, as_json: bool) -> None:
    """Show what a task changed; without TASK, what the whole session would bring to your branch."""
    repository, folder = find(session, plannings=False)
    with viewing(folder) as reader:
        view = reader.session()
        tasks = {each["id"]: each for each in reader.tasks()} if task else {}
    git = repository.git()
    if task is None:
        before, after, what = view["base_commit"], view["integration_commit"], f"session {folder.id}"
    else:
        name = task_id(task)
        if name not in tasks:
            raise NotFound(
                f"there is no task {name!r} in session {folder.id}", remedy="see `teamlead status`"
            )
        # The lead commits a task's work as one commit on its base. One that runs again has earlier work.
        after = _collected(git, tasks[name]["branch"], name) or tasks[name]["commit"]
        before, what = f"{after}^", name
    if not after:
        raise NotFound(f"{what} has no collected work yet", remedy="see `teamlead status`")
    if as_json:
        name = "" if task is None else task_id(task)
        echo_json(
            DiffDocument(
                session=folder.id,
                task=name,
                before=git.commit(before),
                after=after,
                files=_files(git, before, after),
            )
        )
        return
    shape = ("--stat",) if stat else ()
    click.echo(printable(git.text("diff", "--no-ext-diff", "--no-color", *shape, before, after)))
    if task is None:
        click.echo(f"{what} is at {after[:10]}", err=True)
        note_shown(folder, view["phase"], after)


def _collected(git: Git, branch: str, task: str) -> str:
    """Before anything was collected, the branch is at what the task builds on: another task's work, maybe."""
    tip = git.commit(f"refs/heads/{branch}")
    said = git.text("log", "-1", "--format=%(trailers:key=Teamlead-Task,valueonly)", tip) if tip else ""
    return tip if said.strip() == task else ""


def _files(git: Git, before: str, after: str) -> list[ChangedFilePart]:
    lines = git.text("diff", "--numstat", "-z", "--no-renames", before, after).split("\0")
    found = [line.split("\t", 2) for line in lines if line]
    return [
        ChangedFilePart(path=path, lines_added=_count(plus), lines_deleted=_count(minus))
        for plus, minus, path in found
    ]


def _count(lines: str) -> int | None:
    """None for a binary file: git counts no lines there."""
    return int(lines) if lines.isdigit() else None
