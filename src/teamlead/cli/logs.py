from pathlib import Path
from typing import Any

import click

from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.session import attempt_of, find, json_option, session_option
from teamlead.core.runs import Run, run_id
from teamlead.core.state.records import Attempt
from teamlead.errors import NotFound
from teamlead.sessions.replay import read_state
from teamlead.system.sessions import SessionFolder, task_id
from teamlead.system.text import printable
from teamlead.views.activity import activity, parse
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
@click.option("--attempt", "number", type=int, metavar="N", help="Which attempt (default: the last).")
@click.option("--prompt", is_flag=True, help="Show what the agent was told.")
@json_option
def logs(task: str, session: str | None, number: int | None, *, prompt: bool, as_json: bool) -> None:
    """Show what an agent said and did, what its set-up and checks printed, and what came of it.

    TASK is a task, or a model that was consulted: 1-judge, 2-planner, 2-validator, planner.
    """
    _, folder = find(session)
    place, content = _found(folder, task_id(task), number)
    if prompt:
        click.echo(printable(_read(place / "prompt.md")), nl=False)
        return
    if as_json:
        echo_json({"session": folder.id, "attempt": place.name, "folder": str(place), **content})
        return
    click.echo(f"{place.name} ({place})")
    for event in content["events"]:
        line = activity(event)
        if line:
            click.echo(f"  {safe(line)}")
    _show("errors it printed", content["stderr"])
    for name, text in content["setup"].items():
        _show(name, text)
    for check in content["checks"]:
        ended = "did not end in time" if check["exit_code"] is None else f"exit code {check['exit_code']}"
        _show(f"check `{check['command']}`: {ended}", check["output"], always=True)
    outcome = content["outcome"] or "under way"
    click.echo(f"\n{outcome}" + "".join(f"\n  {safe(reason)}" for reason in content["reasons"]))


def _show(title: str, text: str, *, always: bool = False) -> None:
    if text.strip() or always:
        click.echo(f"\n{safe(title)}")
        for line in printable(text).splitlines():
            click.echo(f"  {line}")


def _found(folder: SessionFolder, name: str, number: int | None) -> tuple[Path, dict[str, Any]]:
    """The folder of an attempt, or of a model's answer, and what is to be shown of it."""
    state = read_state(folder)
    if name in state.asked_of:
        times = state.asked_of[name]
        found = state.runs.get(run_id(name, times if number is None else number))
        if found is None:
            raise NotFound(f"{name} has no answer {number}", remedy=f"it has 1 to {times}")
        place = folder.attempts / found.id
        return place, {"outcome": found.status, "reasons": _said(found), **_streams(place)}
    _, _, attempt = attempt_of(folder, name, number)
    place = folder.attempt(name, attempt.number)
    ended = {"outcome": attempt.outcome, "reasons": list(attempt.reasons)}
    return place, {**ended, **_streams(place), **_beside(folder, place, attempt)}


def _said(found: Run) -> list[str]:
    if found.answer is None:
        return [found.problem] if found.problem else []
    return [f"the {found.role} {told(found.answer)}"]


def _streams(place: Path) -> dict[str, Any]:
    return {
        "events": [parse(line) for line in _read(place / "events.jsonl").splitlines()],
        "stderr": _read(place / "stderr.txt"),
        "setup": {},
        "checks": [],
    }


def _beside(folder: SessionFolder, place: Path, attempt: Attempt) -> dict[str, Any]:
    """What was run for it, besides the agent."""
    setup = sorted((folder.path / "copies").glob(f"{place.name}-post_create-*.log"))
    return {
        "setup": {path.stem.removeprefix(f"{place.name}-"): _read(path) for path in setup},
        "checks": [
            {"command": check.command, "exit_code": check.exit_code, "output": _read(Path(check.log))}
            for check in attempt.checks
        ],
    }


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
