from typing import Any

import click

from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.session import find, json_option, look, session_argument
from teamlead.system.sessions import SessionFolder


@click.command(epilog=examples("teamlead escalations", "teamlead escalations --all --json"))
@session_argument
@click.option("--all", "everything", is_flag=True, help="Answered and withdrawn ones too.")
@json_option
def escalations(session: str | None, *, everything: bool, as_json: bool) -> None:
    """List the questions that wait for you."""
    _, folder = find(session)
    records = _all(folder) if everything else open_escalations(folder)
    if as_json:
        echo_json({"session": folder.id, "escalations": records})
    elif not records:
        click.echo(f"Nothing needs you in {folder.id}.")
    for record in () if as_json else records:
        show_escalation(folder.id, record)


def open_escalations(folder: SessionFolder) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = look(folder)["escalations"]
    return found


def _all(folder: SessionFolder) -> list[dict[str, Any]]:
    from teamlead.views.rows import escalation_view  # noqa: PLC0415 - folding is for --all
    from teamlead.wiring.reading import read_state  # noqa: PLC0415 - as above

    return [escalation_view(record) for record in read_state(folder).escalations.values()]


def show_escalation(session: str, record: dict[str, Any]) -> None:
    show_question(record, f" ({record['kind']}, {_state(record)}, since {record['escalatedAt']})")
    if record["state"] == "open":
        click.echo(f"  answer: teamlead resolve {session} --escalation-id {record['id']} --resolution TEXT")
    elif record["resolution"]:
        click.echo(f"  {record['state']} by {safe(record['by'] or 'teamlead')}: {safe(record['resolution'])}")


def _state(record: dict[str, Any]) -> str:
    aside = ", its task is set aside" if record["state"] == "open" and record["parked"] else ""
    return f"{record['state']}{aside}"


def show_question(record: dict[str, Any], more: str = "", *, err: bool = False) -> None:
    about = f" about {record['relatedTaskId']}" if record["relatedTaskId"] else ""
    click.echo(f"{record['id']}{about}{more}", err=err)
    for line in record["question"].splitlines():
        click.echo(f"  {safe(line)}", err=err)
    if record["options"]:
        click.echo(f"  options: {safe(', '.join(record['options']))}", err=err)
