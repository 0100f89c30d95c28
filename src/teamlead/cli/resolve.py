import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from teamlead.cli.decision import Decision
from teamlead.cli.escalations import (
    FOR_WHICH,
    about,
    chosen,
    open_questions,
    show_question,
    some_of,
)
from teamlead.cli.options import json_option, session_argument
from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.session import desk_for, look, put, steered, tell_next
from teamlead.core import phases
from teamlead.core.facts import Resolve
from teamlead.errors import NotFound, UsageError
from teamlead.system.sessions import escalation_id, task_id
from teamlead.views.documents.sessions import QuestionPart
from teamlead.views.documents.steering import ResolvedDocument
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
@click.option("--escalation-id", "name", metavar="ID", help="The question, where several are open.")
@click.option("--resolution", "text", metavar="TEXT", help="Your answer (default: you are asked).")
@click.option(
    "--task",
    "tasks",
    metavar="TASK",
    multiple=True,
    help="Answer for this task only, where the question is about several. Repeatable.",
)
@json_option
def resolve(
    session: str | None, name: str | None, text: str | None, tasks: tuple[str, ...], *, as_json: bool
) -> None:
    """Answer a question. A running leader takes the answer at once.

    At a terminal you can choose a question, and one of its options by number. A question may be about
    several tasks: your answer is for all of them, or for those that you name. It stays open for the others.
    """
    if as_json and text is None:
        raise UsageError("--json asks nothing", remedy="give the answer with --resolution TEXT")
    desk = desk_for(session)
    asked = open_questions(desk.folder)
    question = _named(asked, name) if name else _only(asked, desk.folder.id, ask=text is None)
    # What cannot be answered is left to the leader, whose refusal says why.
    wanted = question["id"] if question else escalation_id(name or "")
    which = tuple(map(task_id, tasks))
    if text is None:
        question = question or _missing(wanted, desk.folder.id)
        text = _ask(question)
        which = which or _ask_for_which(question)
    if not text.strip():
        raise UsageError("the answer is empty", remedy="give it with --resolution TEXT")
    if question and question["kind"] == "judge":
        # Slow to import, and seldom needed.
        from teamlead.sessions.judge_choice import checked_reply  # noqa: PLC0415
        from teamlead.sessions.replay import read_state  # noqa: PLC0415

        text = checked_reply(text, read_state(desk.folder).session, Path.cwd())
    put(desk, Resolve(wanted, text, tasks=which))
    left = [each["id"] for each in open_questions(desk.folder)]
    done = f"is answered for {', '.join(which)}" if wanted in left else "is answered"
    told = f"{wanted} {done}{_beside(question, text) if question else ''}"
    if as_json:
        concerned = [each["id"] for each in question["tasks"]] if question else []
        document = ResolvedDocument(
            **steered(desk, told), question=wanted, tasks=which or concerned, open=left
        )
        echo_json(document)
    else:
        click.echo(told)
        if left:
            click.echo(f"still open: {', '.join(left)}")
    if desk.folder.plans and phases.done(look(desk.folder)["phase"]):
        from teamlead.cli.planning import hand_over  # noqa: PLC0415 - a planner is slow to import: seldom needed

        hand_over(desk, as_json=as_json)
    elif not as_json:
        tell_next(desk.folder)


def _named(asked: Sequence[QuestionPart], name: str) -> QuestionPart | None:
    return next((question for question in asked if question["id"] == escalation_id(name)), None)


def _only(asked: Sequence[QuestionPart], session: str, *, ask: bool) -> QuestionPart:
    if not asked:
        raise NotFound(f"nothing is open in session {session}", remedy="teamlead escalations --all")
    if len(asked) > 1 and ask and sys.stdin.isatty():
        return _pick(asked)
    if len(asked) > 1:
        ids = ", ".join(question["id"] for question in asked)
        raise UsageError(f"{len(asked)} questions are open: {ids}", remedy="choose one with --escalation-id")
    return asked[0]


def _pick(asked: Sequence[QuestionPart]) -> QuestionPart:
    for number, question in enumerate(asked, 1):
        click.echo(f"{number}) {question['id']}{about(question)}: {safe(headline(question['text']))}")
    number = click.prompt("Which one", type=click.IntRange(1, len(asked)))
    return asked[number - 1]


def _beside(question: QuestionPart, text: str) -> str:
    """An answer in one's own words may be meant, or be meant for another question."""
    options = question["options"] or (text,)
    # `allow PATH` and `judge: AGENT` are options, too.
    spoken = text.strip().lower()
    begins = {"scope": "allow ", "judge": "judge:"}.get(question["kind"])
    if spoken in (option.lower() for option in options) or (begins and spoken.startswith(begins)):
        return ""
    return f" in your own words; its options were: {safe(', '.join(options))}"


def _missing(name: str, session: str) -> NoReturn:
    raise NotFound(f"{name} is not open in session {session}", remedy="teamlead escalations --all")


def _ask(question: QuestionPart) -> str:
    if not sys.stdin.isatty():
        raise UsageError("there is no terminal to ask at", remedy="give the answer with --resolution TEXT")
    show_question(question, numbered=True)
    prompt = "Your answer, or an option's number" if question["options"] else "Your answer"
    return chosen(click.prompt(prompt, type=str), question)


def _ask_for_which(question: QuestionPart) -> tuple[str, ...]:
    several = len(question["tasks"]) > 1
    return some_of(
        click.prompt(FOR_WHICH, type=str, default="", show_default=False) if several else "", question
    )
