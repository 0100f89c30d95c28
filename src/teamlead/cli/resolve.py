import sys
from typing import Any

import click

from teamlead.cli.decision import Decision
from teamlead.cli.escalations import (
    FOR_WHICH,
    about,
    chosen,
    open_escalations,
    show_question,
    some_of,
)
from teamlead.cli.output import examples, safe
from teamlead.cli.session import ENDED, desk_for, look, put, session_argument
from teamlead.core.facts import Resolve
from teamlead.errors import NotFound, UsageError
from teamlead.journal.lease import holder
from teamlead.system.sessions import escalation_id, task_id
from teamlead.views.words import headline


@click.command(
    cls=Decision,
    epilog=examples(
        "teamlead resolve                                  # asks you",
        'teamlead resolve k3f9 --escalation-id 2 --resolution "use PostgreSQL"',
        "teamlead resolve --resolution skip",
        "teamlead resolve --escalation-id 2 --resolution retry --task 2 --task 3",
    ),
)
@session_argument
@click.option("--escalation-id", "name", metavar="ID", help="Which one, where several are open.")
@click.option("--resolution", "text", metavar="TEXT", help="Your answer; without it you are asked.")
@click.option(
    "--task",
    "tasks",
    metavar="TASK",
    multiple=True,
    help="Answer for this task alone, where the question is about several; may be given again.",
)
def resolve(session: str | None, name: str | None, text: str | None, tasks: tuple[str, ...]) -> None:
    """Answer a question. A running leader takes the answer at once.

    At a terminal you can choose a question, and one of its options by number. A question may be about
    several tasks: your answer is for all of them, or for those that you name. It stays open for the others.
    """
    desk = desk_for(session)
    record = _choose(open_escalations(desk.folder), name, desk.folder.id, ask=text is None)
    wanted = tuple(map(task_id, tasks))
    if text is None:
        text = _ask(record)
        wanted = wanted or _ask_for_which(record)
    if not text.strip():
        raise UsageError("the answer is empty", remedy="give it with --resolution TEXT")

    put(desk, Resolve(record["id"], text, tasks=wanted))
    view = look(desk.folder)
    left = [each["id"] for each in view["escalations"]]
    done = f"is answered for {', '.join(wanted)}" if record["id"] in left else "is resolved"
    click.echo(f"{record['id']} {done}{_beside(record, text)}")
    if left:
        click.echo(f"still open: {', '.join(left)}")
    if view["phase"] in ENDED:
        click.echo(f"session {desk.folder.id} has ended ({view['phase']}: {safe(view['phase_reason'])})")
    elif holder(desk.folder.path) is None:
        click.echo(f"Nobody leads this session: teamlead resume {desk.folder.id}")


def _choose(records: list[dict[str, Any]], name: str | None, session: str, *, ask: bool) -> dict[str, Any]:
    if name is not None:
        found = next((record for record in records if record["id"] == escalation_id(name)), None)
        if found is None and ask:
            raise NotFound(
                f"{escalation_id(name)} is not open in session {session}", remedy="teamlead escalations --all"
            )
        # What cannot be answered is left to the leader, whose refusal says why.
        return found or {"id": escalation_id(name)}
    if not records:
        raise NotFound(f"nothing is open in session {session}", remedy="teamlead escalations --all")
    if len(records) > 1 and ask and sys.stdin.isatty():
        return _pick(records)
    if len(records) > 1:
        ids = ", ".join(record["id"] for record in records)
        raise UsageError(
            f"{len(records)} questions are open: {ids}", remedy="choose one with --escalation-id"
        )
    return records[0]


def _pick(records: list[dict[str, Any]]) -> dict[str, Any]:
    for number, record in enumerate(records, 1):
        click.echo(f"{number}) {record['id']}{about(record)}: {safe(headline(record['question']))}")
    number = click.prompt("Which one", type=click.IntRange(1, len(records)))
    return records[number - 1]


def _beside(record: dict[str, Any], text: str) -> str:
    """An answer in one's own words may be meant, or be meant for another question."""
    options = record.get("options") or [text]
    # `allow PATH` is an option, too.
    spoken = text.strip().lower()
    if spoken in (option.lower() for option in options) or (
        record.get("kind") == "scope" and spoken.startswith("allow ")
    ):
        return ""
    return f" in your own words; its options were: {safe(', '.join(options))}"


def _ask(record: dict[str, Any]) -> str:
    if not sys.stdin.isatty():
        raise UsageError("there is no terminal to ask at", remedy="give the answer with --resolution TEXT")
    show_question(record, numbered=True)
    prompt = "Your answer, or an option's number" if record["options"] else "Your answer"
    return chosen(click.prompt(prompt, type=str), record)


def _ask_for_which(record: dict[str, Any]) -> tuple[str, ...]:
    several = len(record["tasks"]) > 1
    return some_of(
        click.prompt(FOR_WHICH, type=str, default="", show_default=False) if several else "", record
    )
