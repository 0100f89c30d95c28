from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from teamlead.cli.options import json_option, session_argument
from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.session import find, look, viewing
from teamlead.core.transitions import SETTLED
from teamlead.errors import UsageError
from teamlead.system.sessions import SessionFolder, task_id
from teamlead.views.words import TARGETS, headline, told_person

if TYPE_CHECKING:
    from teamlead.views.documents.sessions import (
        BlockingQuestionPart,
        EscalationsDocument,
        QuestionPart,
        SessionRow,
        TaskPart,
    )

SHOWN = 5


@click.command(epilog=examples("teamlead escalations", "teamlead escalations --all --json"))
@session_argument
@click.option("--all", "everything", is_flag=True, help="Also list answered and withdrawn questions.")
@json_option
def escalations(session: str | None, *, everything: bool, as_json: bool) -> None:
    """List the questions that wait for you, and those that a model is asked.

    The open questions come first, each with its options and the tasks that cannot go on without an answer.
    """
    _, folder = find(session)
    questions = _all(folder) if everything else _open(folder)
    if as_json:
        document: EscalationsDocument = {"session": folder.id, "questions": questions}
        echo_json(document)
        return
    if not any(question["to"] == "user" and question["state"] == "open" for question in questions):
        click.echo(f"Nothing needs you in {folder.id}.")
    for question in questions:
        _show(folder.id, question)


def for_user(session: "SessionRow") -> "list[QuestionPart]":
    """Its open questions that no model is asked."""
    return [question for question in session["questions"] if question["to"] == "user"]


def open_questions(folder: SessionFolder) -> "list[QuestionPart]":
    return for_user(look(folder))


def _open(folder: SessionFolder) -> "list[BlockingQuestionPart]":
    with viewing(folder) as reader, reader.snapshot():
        found = reader.session()["questions"]
        return _with_blocked(found, reader.tasks() if found else [])


def _all(folder: SessionFolder) -> "list[BlockingQuestionPart]":
    from teamlead.sessions.replay import read_state  # noqa: PLC0415 - as above
    from teamlead.views.rows import question_view, task_view  # noqa: PLC0415 - folding is for --all

    state = read_state(folder)
    found = map(question_view, state.escalations.values())
    open_first = sorted(found, key=lambda question: (question["state"] != "open", question["to"] != "user"))
    return _with_blocked(open_first, [task_view(state, task) for task in state.tasks.values()])


def _with_blocked(
    questions: "Iterable[QuestionPart]", tasks: "Sequence[TaskPart]"
) -> "list[BlockingQuestionPart]":
    return [{**question, "blocks": _behind(question, tasks)} for question in questions]


def _behind(question: "QuestionPart", tasks: "Sequence[TaskPart]") -> Sequence[str]:
    """The tasks that wait for those which it is about."""
    if question["state"] != "open":
        return ()
    return _blocked_by(tasks, [each["id"] for each in question["tasks"]])


def _blocked_by(tasks: "Sequence[TaskPart]", names: Sequence[str]) -> list[str]:
    """The others that cannot begin before these are settled, in the plan's order."""
    unsettled = [task for task in tasks if task["state"] not in SETTLED]
    dependents: dict[str, list[str]] = {}
    for task in unsettled:
        for dependency in task["depends_on"]:
            dependents.setdefault(dependency, []).append(task["id"])
    stack, found = list(names), set[str]()
    while stack:
        for dependent in dependents.get(stack.pop(), ()):
            if dependent not in found and dependent not in names:
                found.add(dependent)
                stack.append(dependent)
    return [task["id"] for task in unsettled if task["id"] in found]


def _show(session: str, question: "BlockingQuestionPart") -> None:
    target = "" if question["to"] == "user" else f"for {TARGETS[question['to']]}, "
    aside = ", its task is set aside" if question["state"] == "open" and question["parked"] else ""
    show_question(
        question, f" ({target}{question['kind']}, {question['state']}{aside}, since {question['asked_at']})"
    )
    if question["blocks"]:
        more = f" and {len(question['blocks']) - SHOWN} more" if len(question["blocks"]) > SHOWN else ""
        click.echo(f"  waiting for it: {', '.join(question['blocks'][:SHOWN])}{more}")
    for part in question["answered_for_some"]:
        by = f"{part['by']}{told_person(part['person'])}"
        click.echo(f"  for {', '.join(part['tasks'])} answered by {safe(by)}: {safe(part['answer'])}")
    if question["state"] == "open" and question["to"] == "user":
        click.echo(f"  answer: teamlead resolve {session} --escalation-id {question['id']} --resolution TEXT")
        if len(question["tasks"]) > 1:
            click.echo("  for some of them only: --task 1 --task 2 …")
    elif question["answer"]:
        by = f"{question['by'] or 'teamlead'}{told_person(question['person'])}"
        click.echo(f"  {question['state']} by {safe(by)}: {safe(question['answer'])}")


def about(question: "QuestionPart") -> str:
    """Which tasks it is about, after its name."""
    names = ", ".join(each["id"] for each in question["tasks"])
    return f" about {names}" if names else ""


def show_question(
    question: "QuestionPart", more: str = "", *, err: bool = False, numbered: bool = False
) -> None:
    click.echo(f"{question['id']}{about(question)}{more}", err=err)
    for line in question["text"].splitlines():
        click.echo(f"  {safe(line)}", err=err)
    for each in question["tasks"][1:]:
        named = "" if each["reason"].startswith(each["id"]) else f"{each['id']}: "
        click.echo(f"  the same: {named}{safe(headline(each['reason']))}", err=err)
    if not numbered and question["options"]:
        click.echo(f"  options: {safe(', '.join(question['options']))}", err=err)
    for number, option in enumerate(question["options"] if numbered else (), 1):
        click.echo(f"  {number}) {safe(option)}", err=err)


FOR_WHICH = "For which of its tasks, such as 1 3 (empty: for all)"


def some_of(text: str, question: "QuestionPart") -> tuple[str, ...]:
    """The tasks that a person at a terminal names. None: all that were shown, and none that came since."""
    shown = [each["id"] for each in question["tasks"]]
    named = [task_id(word) for word in text.replace(",", " ").split()] or shown
    if unknown := [name for name in named if name not in shown]:
        raise UsageError(
            f"{question['id']} is not about {', '.join(unknown)}", remedy=f"it is about {', '.join(shown)}"
        )
    return tuple(named)


def chosen(text: str, question: "QuestionPart") -> str:
    """What a person at a terminal means: the number of an option, or an answer in their own words."""
    options, word = question["options"], text.strip()
    if word in options or not word.isdecimal() or not 1 <= int(word) <= len(options):
        return word
    return options[int(word) - 1]
