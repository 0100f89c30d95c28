import sys
from typing import Any

import click

from teamlead.cli.escalations import open_escalations, show_escalation
from teamlead.cli.output import examples, safe
from teamlead.cli.session import ENDED, desk_for, look, put, session_argument
from teamlead.errors import NotFound, UsageError
from teamlead.journal.lease import holder
from teamlead.system.sessions import escalation_id


@click.command(
    epilog=examples(
        "teamlead resolve                                  # asks you",
        'teamlead resolve k3f9 --escalation-id 2 --resolution "use PostgreSQL"',
        "teamlead resolve --resolution skip",
    ),
)
@session_argument
@click.option("--escalation-id", "name", metavar="ID", help="Which one, where several are open.")
@click.option("--resolution", "text", metavar="TEXT", help="Your answer; without it you are asked.")
def resolve(session: str | None, name: str | None, text: str | None) -> None:
    """Answer a question. A running leader takes the answer at once."""
    desk = desk_for(session)
    record = _choose(open_escalations(desk.folder), name, desk.folder.id)
    if text is None:
        text = _ask(desk.folder.id, record)
    if not text.strip():
        raise UsageError("an empty answer does not resolve anything")

    from teamlead.core.facts import Resolve  # noqa: PLC0415 - `--help` must not load it

    put(desk, Resolve(record["id"], text))
    click.echo(f"{record['id']} is resolved{_beside(record, text)}")
    view = look(desk.folder)
    if view["phase"] in ENDED:
        click.echo(f"session {desk.folder.id} has ended ({view['phase']}: {safe(view['phase_reason'])})")
    elif holder(desk.folder.path) is None:
        click.echo(f"Nobody leads this session: teamlead resume {desk.folder.id}")


def _choose(records: list[dict[str, Any]], name: str | None, session: str) -> dict[str, Any]:
    if name is not None:
        # An unknown or answered id is left to the leader, whose refusal says which it is.
        return next((r for r in records if r["id"] == escalation_id(name)), {"id": escalation_id(name)})
    if not records:
        raise NotFound(f"nothing is open in session {session}", remedy="teamlead escalations --all")
    if len(records) > 1:
        ids = ", ".join(record["id"] for record in records)
        raise UsageError(
            f"{len(records)} questions are open: {ids}", remedy="choose one with --escalation-id"
        )
    return records[0]


def _beside(record: dict[str, Any], text: str) -> str:
    """An answer in one's own words may be meant, or be meant for another question."""
    options = record.get("options") or [text]
    if text.strip().lower() in (option.lower() for option in options):
        return ""
    return f" in your own words; its options were: {safe(', '.join(options))}"


def _ask(session: str, record: dict[str, Any]) -> str:
    if not sys.stdin.isatty():
        raise UsageError("there is no terminal to ask at", remedy="give the answer with --resolution TEXT")
    if "question" in record:
        show_escalation(session, record)
    answer: str = click.prompt("Your answer", type=str)
    return answer
