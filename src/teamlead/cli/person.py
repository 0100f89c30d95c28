"""Asks the person at the terminal what only a person can decide, without blocking the leader."""

import asyncio
import sys
from pathlib import Path

import click

from teamlead.cli.escalations import FOR_WHICH, chosen, show_question, some_of
from teamlead.cli.output import safe
from teamlead.core import phases
from teamlead.core.facts import Approve, Command, Reject, Resolve
from teamlead.core.state.team_state import TeamState
from teamlead.errors import TeamleadError, UsageError
from teamlead.sessions.judge_choice import checked_reply
from teamlead.system.person import this_person
from teamlead.views.documents.sessions import QuestionPart
from teamlead.views.rows import question_view


def at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


async def ask_person(state: TeamState) -> Command | None:
    """None: they would rather decide later."""
    # First what an agent waits for while it works.
    for record in sorted(state.open.values(), key=lambda record: not record.asker.attempt):
        click.echo(err=True)
        question = question_view(record)
        show_question(question, err=True, numbered=True)
        answer = await _answer(state, question)
        if not answer:
            return None
        return Resolve(record.id, answer, who=this_person(), tasks=await _for_which(question))
    if phases.awaits_approval(state.phase) and not state.approval_refused and not state.trespasses:
        return await _ask_approval(state)
    return None


async def _answer(state: TeamState, question: QuestionPart) -> str:
    """Empty: they would rather decide later."""
    prompt = "Your answer, or an option's number" if question["options"] else "Your answer"
    while True:
        answer = chosen((await read_line(f"{prompt} (empty: decide later): ")).strip(), question)
        if question["kind"] != "judge":
            return answer
        try:
            return await asyncio.to_thread(checked_reply, answer, state.session, Path.cwd())
        except TeamleadError as error:
            click.echo(safe(str(error)), err=True)


async def _for_which(question: QuestionPart) -> tuple[str, ...]:
    while len(question["tasks"]) > 1:
        try:
            return some_of(await read_line(f"{FOR_WHICH}: "), question)
        except UsageError as error:
            click.echo(str(error), err=True)
    return some_of("", question)


async def _ask_approval(state: TeamState) -> Command | None:
    name, commit = state.session.id, state.integration_tip
    click.echo(f"\nEverything is settled. teamlead diff --session {name} shows the whole change.", err=True)
    while True:
        answer = await read_line(
            f"Bring {commit[:10]} onto {state.session.target_branch}? [y]es, [r]eject, [l]ater: "
        )
        match answer.strip().lower():
            case "y" | "yes":
                return Approve(commit, who=this_person())
            case "r" | "reject":
                return Reject("", who=this_person())
            case "" | "l" | "later":
                return None
            case _:
                click.echo("Please answer y, r or l.", err=True)


async def read_line(prompt: str) -> str:
    """One line of stdin; empty at its end. Cancelling it leaves the terminal as it was."""
    click.echo(prompt, nl=False, err=True)
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[str] = loop.create_future()

    def take() -> None:
        if not ready.done():
            ready.set_result(sys.stdin.readline())

    loop.add_reader(sys.stdin.fileno(), take)
    try:
        return await ready
    finally:
        loop.remove_reader(sys.stdin.fileno())
