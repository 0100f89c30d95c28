"""What `plan new` and `start` share: planning with the person at the terminal, if there is one."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from teamlead.cli.output import echo_json, safe

if TYPE_CHECKING:
    from teamlead.settings.loading import Settings
    from teamlead.system.repository import Repository
    from teamlead.wiring.planner_runs import Planner
    from teamlead.wiring.planner_sessions import PlannerSession


def tell(line: str) -> None:
    click.echo(safe(line), err=True)


def tell_planning(name: str) -> None:
    """Before anything runs, so that an interrupted call leaves a handle."""
    tell(f"planner session {name}")


class Talk:
    """One planning, turn by turn."""

    def __init__(self, planner: "Planner", settings: "Settings", repository: "Repository") -> None:
        from teamlead.wiring.planning import bounds_of, facts_about  # noqa: PLC0415 - `--help` must not load it

        self._planner = planner
        self._bounds = bounds_of(settings)
        self._facts = facts_about(repository, planner.commit, settings)

    def go_on(self, session: "PlannerSession", *, ask: bool) -> "PlannerSession":
        """Up to a proposal; where a person is there to ask, their answers on the way."""
        from teamlead.wiring.planning import Round, reply  # noqa: PLC0415 - as above

        session = Round(self._planner, session, self._bounds, self._facts, tell).play()
        while ask and session.status == "asking" and (answers := ask_all(session.questions)):
            session = reply(self._planner.folder, session, answered(session.questions, answers))
            session = Round(self._planner, session, self._bounds, self._facts, tell).play()
        return session


def ask_all(questions: tuple[str, ...]) -> list[str]:
    """Empty: they would rather decide later."""
    answers = []
    for question in questions:
        tell(question)
        answer = click.prompt("Your answer (empty: later)", default="", show_default=False, err=True).strip()
        if not answer:
            return []
        answers.append(answer)
    return answers


def answered(questions: tuple[str, ...], answers: list[str]) -> str:
    pairs = zip(questions, answers, strict=False)
    return "\n\n".join(f"Question: {question}\nAnswer: {answer}" for question, answer in pairs)


def show_questions(session: "PlannerSession", ways: list[str], *, as_json: bool) -> None:
    """What the planner cannot know, and how to answer."""
    if as_json:
        echo_json({"planner_session": session.id, "status": session.status, "questions": session.questions})
        return
    click.echo(f"The planner has to know, and only you can say (planner session {session.id}):")
    for number, question in enumerate(session.questions, 1):
        click.echo(f"  {number}. {safe(question)}")
    for way in ways:
        click.echo(safe(way))


def shown_path(path: str) -> str:
    """As one would type it here."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path
