from pathlib import Path

import click

from teamlead.cli.options import attempt_option, json_option, session_option
from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.session import attempt_of, find
from teamlead.core.runs import Run, run_id
from teamlead.core.state.records import Attempt
from teamlead.errors import NotFound
from teamlead.sessions.replay import read_state
from teamlead.system.sessions import SessionFolder, task_id
from teamlead.system.text import printable
from teamlead.views.activity import activity, parse
from teamlead.views.documents.work import CheckLogPart, LogsDocument
from teamlead.views.opinions import told


@click.command(
    epilog=examples(
        "teamlead logs 1",
        "teamlead logs task-2 --attempt 1",
        "teamlead logs 1 --prompt",
        "teamlead logs 1-judge       # the judge of task-1",
        "teamlead logs planner       # the model that planned for the whole session",
    )
)
@click.argument("task")
@session_option
@attempt_option
@click.option("--prompt", is_flag=True, help="Show what the agent was told.")
@json_option
def logs(task: str, session: str | None, number: int | None, *, prompt: bool, as_json: bool) -> None:
    """Show what an agent said and did, what its set-up and checks printed, and what came of it.

    TASK is a task, or a model that was consulted: 1-judge, 2-planner, 2-validator, planner.
    """
    _, folder = find(session)
    found = _found(folder, task_id(task), number)
    if prompt:
        click.echo(printable(_read(Path(found["folder"]) / "prompt.md")), nl=False)
    elif as_json:
        echo_json(found)
    else:
        _print(found)


def _print(found: LogsDocument) -> None:
    click.echo(f"{found['run']} ({found['folder']})")
    for event in found["events"]:
        line = activity(event)
        if line:
            click.echo(f"  {safe(line)}")
    _show("errors it printed", found["stderr"])
    for name, text in found["setup"].items():
        _show(name, text)
    for check in found["checks"]:
        ended = "did not end in time" if check["exit_code"] is None else f"exit code {check['exit_code']}"
        _show(f"check `{check['command']}`: {ended}", check["output"], always=True)
    came_to = found["outcome"] or found["end"] or "under way"
    click.echo(f"\n{came_to}" + "".join(f"\n  {safe(reason)}" for reason in found["reasons"]))


def _show(title: str, text: str, *, always: bool = False) -> None:
    if text.strip() or always:
        click.echo(f"\n{safe(title)}")
        for line in printable(text).splitlines():
            click.echo(f"  {line}")


def _found(folder: SessionFolder, name: str, number: int | None) -> LogsDocument:
    """What is to be shown of an attempt, or of a model that was asked."""
    state = read_state(folder)
    if name not in state.asked_of:
        _, _, attempt = attempt_of(folder, name, number)
        place = folder.attempt(name, attempt.number)
        return _logs(folder, place, attempt.run, attempt)
    times = state.asked_of[name]
    found = state.runs.get(run_id(name, times if number is None else number))
    if found is None:
        raise NotFound(f"{name} has no answer {number}", remedy=f"it has 1 to {times}")
    return _logs(folder, folder.attempts / found.id, found, None)


def _logs(folder: SessionFolder, place: Path, run: Run, attempt: Attempt | None) -> LogsDocument:
    setup = sorted((folder.path / "copies").glob(f"{place.name}-post_create-*.log")) if attempt else ()
    return LogsDocument(
        session=folder.id,
        run=place.name,
        folder=str(place),
        end=run.status,
        outcome=attempt.outcome if attempt else None,
        reasons=attempt.reasons if attempt else _said(run),
        events=[parse(line) for line in _read(place / "events.jsonl").splitlines()],
        stderr=_read(place / "stderr.txt"),
        setup={path.stem.removeprefix(f"{place.name}-"): _read(path) for path in setup},
        checks=[
            CheckLogPart(command=check.command, exit_code=check.exit_code, output=_read(Path(check.log)))
            for check in (attempt.checks if attempt else ())
        ],
    )


def _said(found: Run) -> list[str]:
    if found.answer is None:
        return [found.problem] if found.problem else []
    return [f"the {found.role} {told(found.answer)}"]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
