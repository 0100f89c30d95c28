import json
from typing import Any

import click

from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.session import find, json_option, look, session_argument, viewing
from teamlead.errors import UsageError
from teamlead.system.sessions import SessionFolder, task_id
from teamlead.views.blocking import blocked_by
from teamlead.views.words import TARGETS, headline, told_person

SHOWN = 5


@click.command(epilog=examples("teamlead escalations", "teamlead escalations --all --json"))
@session_argument
@click.option("--all", "everything", is_flag=True, help="Answered and withdrawn ones too.")
@json_option
def escalations(session: str | None, *, everything: bool, as_json: bool) -> None:
    """List what waits for you, and what a model is asked about.

    The open questions come first, each with its options and the tasks that cannot go on without an answer.
    """
    _, folder = find(session)
    records = _all(folder) if everything else _open(folder)
    if as_json:
        echo_json({"session": folder.id, "escalations": records})
        return
    if not any(record["target"] == "user" and record["state"] == "open" for record in records):
        click.echo(f"Nothing needs you in {folder.id}.")
    for record in records:
        show_escalation(folder.id, record)


def open_escalations(folder: SessionFolder) -> list[dict[str, Any]]:
    """Those for the user."""
    found: list[dict[str, Any]] = look(folder)["escalations"]
    return found


def _open(folder: SessionFolder) -> list[dict[str, Any]]:
    with viewing(folder) as reader, reader.snapshot():
        view = reader.session()
        records = [*view["escalations"], *view.get("referred", ())]
        return _with_blocked(records, [json.loads(row.body) for row in reader.tasks()] if records else [])


def _all(folder: SessionFolder) -> list[dict[str, Any]]:
    from teamlead.views.rows import escalation_view  # noqa: PLC0415 - folding is for --all
    from teamlead.wiring.reading import read_state  # noqa: PLC0415 - as above

    state = read_state(folder)
    found = [escalation_view(record) for record in state.escalations.values()]
    tasks = [
        {"id": name, "state": task.state, "depends_on": [each.spec.id for each in task.depends_on]}
        for name, task in state.tasks.items()
    ]
    open_first = sorted(found, key=lambda record: (record["state"] != "open", record["target"] != "user"))
    return _with_blocked(open_first, tasks)


def _with_blocked(records: list[dict[str, Any]], tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    waits = {each["id"] for record in records if record["state"] == "open" for each in record["tasks"]}
    blocked = blocked_by(tasks, sorted(waits))
    return [{**record, "blocks": _behind(record, blocked)} for record in records]


def _behind(record: dict[str, Any], blocked: dict[str, list[str]]) -> list[str]:
    """The tasks that wait for those which it is about."""
    if record["state"] != "open":
        return []
    return list(dict.fromkeys(name for each in record["tasks"] for name in blocked[each["id"]]))


def show_escalation(session: str, record: dict[str, Any]) -> None:
    target = "" if record["target"] == "user" else f"for {TARGETS[record['target']]}, "
    show_question(record, f" ({target}{record['kind']}, {_state(record)}, since {record['escalatedAt']})")
    if record.get("blocks"):
        more = f" and {len(record['blocks']) - SHOWN} more" if len(record["blocks"]) > SHOWN else ""
        click.echo(f"  waiting for it: {', '.join(record['blocks'][:SHOWN])}{more}")
    for part in record["answered_for_some"]:
        by = f"{part['by']}{told_person(part['who'])}"
        click.echo(f"  for {', '.join(part['tasks'])} answered by {safe(by)}: {safe(part['resolution'])}")
    if record["state"] == "open" and record["target"] == "user":
        click.echo(f"  answer: teamlead resolve {session} --escalation-id {record['id']} --resolution TEXT")
        if len(record["tasks"]) > 1:
            click.echo("  for some of them only: --task 1 --task 2 …")
    elif record["resolution"]:
        by = f"{record['by'] or 'teamlead'}{told_person(record['who'])}"
        click.echo(f"  {record['state']} by {safe(by)}: {safe(record['resolution'])}")


def _state(record: dict[str, Any]) -> str:
    aside = ", its task is set aside" if record["state"] == "open" and record["parked"] else ""
    return f"{record['state']}{aside}"


def show_question(
    record: dict[str, Any], more: str = "", *, err: bool = False, numbered: bool = False
) -> None:
    click.echo(f"{record['id']}{about(record)}{more}", err=err)
    for line in record["question"].splitlines():
        click.echo(f"  {safe(line)}", err=err)
    for each in record["tasks"][1:]:
        why = headline(each["reason"].removeprefix(f"{each['id']} "))
        click.echo(f"  the same for {each['id']}: {safe(why)}", err=err)
    if not numbered and record["options"]:
        click.echo(f"  options: {safe(', '.join(record['options']))}", err=err)
    for number, option in enumerate(record["options"] if numbered else (), 1):
        click.echo(f"  {number}) {safe(option)}", err=err)


def about(record: dict[str, Any]) -> str:
    """Which tasks a question is about, after its name."""
    names = ", ".join(each["id"] for each in record["tasks"])
    return f" about {names}" if names else ""


FOR_WHICH = "For which of its tasks, such as 1 3 (empty: for all)"


def some_of(text: str, record: dict[str, Any]) -> tuple[str, ...]:
    """The tasks that a person at a terminal names. None: all that were shown, and none that came since."""
    shown = [each["id"] for each in record["tasks"]]
    named = [task_id(word) for word in text.replace(",", " ").split()] or shown
    if unknown := [name for name in named if name not in shown]:
        raise UsageError(f"{record['id']} is not about {', '.join(unknown)}", remedy=", ".join(shown))
    return tuple(named)


def chosen(text: str, record: dict[str, Any]) -> str:
    """What a person at a terminal means: the number of an option, or an answer in their own words."""
    options, word = record["options"], text.strip()
    if word in options or not word.isdecimal() or not 1 <= int(word) <= len(options):
        return word
    option: str = options[int(word) - 1]
    return option
