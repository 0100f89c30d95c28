from pathlib import Path
from typing import Any

import click

from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.session import find, json_option, session_option
from teamlead.errors import NotFound
from teamlead.system.sessions import SessionFolder, task_id
from teamlead.views.activity import activity, parse


@click.command(
    epilog=examples("teamlead logs 1", "teamlead logs task-2 --attempt 1", "teamlead logs 1 --prompt")
)
@click.argument("task")
@session_option
@click.option("--attempt", type=int, metavar="N", help="Which attempt (default: the last).")
@click.option("--prompt", is_flag=True, help="What the agent was told.")
@json_option
def logs(task: str, session: str | None, attempt: int | None, *, prompt: bool, as_json: bool) -> None:
    """Show what an agent said and did, and what its checks printed."""
    from teamlead.system.text import printable  # noqa: PLC0415 - `--help` must not load it

    _, folder = find(session)
    place = _attempt(folder, task_id(task), attempt)
    if as_json:
        echo_json({"session": folder.id, "attempt": place.name, "folder": str(place), **_content(place)})
        return
    if prompt:
        click.echo(printable(_read(place / "prompt.md")), nl=False)
        return
    content = _content(place)
    click.echo(f"{place.name} ({place})")
    for event in content["events"]:
        line = activity(event)
        if line:
            click.echo(f"  {safe(line)}")
    for name, text in {"stderr": content["stderr"], **content["checks"]}.items():
        if text.strip():
            click.echo(f"\n{name}:\n{printable(text).rstrip()}")


def _attempt(folder: SessionFolder, task: str, number: int | None) -> Path:
    found = {
        int(path.name.rsplit("-", 1)[-1]): path
        for path in folder.attempts.glob(f"{task}-*")
        if path.name.removeprefix(f"{task}-").isdigit()
    }
    if not found or (number is not None and number not in found):
        wanted = f"attempt {number} of {task}" if number is not None and found else task
        raise NotFound(f"session {folder.id} has no log of {wanted}", remedy="see `teamlead status`")
    return found[max(found) if number is None else number]


def _content(place: Path) -> dict[str, Any]:
    return {
        "events": [parse(line) for line in _read(place / "events.jsonl").splitlines()],
        "stderr": _read(place / "stderr.txt"),
        "checks": {path.stem: _read(path) for path in sorted(place.glob("check-*.txt"))},
    }


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
