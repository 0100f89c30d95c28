"""What `plan new` and `start` share: planning with the person at the terminal, if there is one."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import click
from msgspec.structs import replace

from teamlead.cli.exit_codes import NEEDS_PERSON
from teamlead.cli.output import echo_json, safe, tell
from teamlead.cli.person import read_line
from teamlead.core.model import Plan
from teamlead.core.quoting import exchange
from teamlead.core.staffing import Staff
from teamlead.errors import Failed, StorageFailed
from teamlead.plans.drawing import draw
from teamlead.plans.writing import write
from teamlead.settings.loading import Settings
from teamlead.system.repository import Repository
from teamlead.system.text import printable
from teamlead.wiring.planner_prompts import Terms, terms_of
from teamlead.wiring.planner_runs import Planner, interruptible, planner
from teamlead.wiring.planner_sessions import PlannerFolder, PlannerSession
from teamlead.wiring.planning import Round, accept, reply


class Talk(NamedTuple):
    """One planning, turn by turn."""

    planner: Planner
    terms: Terms
    person: bool
    """Somebody is there to ask."""

    def go_on(self, session: PlannerSession) -> PlannerSession:
        """Proposed, or asking where nobody answers."""
        session = self._round(session)
        while self.person and session.status == "asking" and (answers := ask_all(session.questions)):
            said = with_questions(session.questions, answers)
            session = self._round(reply(self.planner.folder, session, said))
        return session

    def discuss(self, session: PlannerSession) -> PlannerSession:
        """Until the person accepts the plan. Ends the command if they do not."""
        while session.status == "proposed":
            show_whole(session)
            said = _ask("accept, quit, or say what to change: ")
            if not said:
                continue
            if said.lower() == "quit":
                tell(
                    f"It is not accepted. Go on with: teamlead plan new --session {session.id} --interactive"
                )
                raise click.exceptions.Exit(NEEDS_PERSON)
            if said.lower() == "accept":
                break
            session = self._changed(session, said)
        return session

    def accepted(self, session: PlannerSession) -> PlannerSession:
        return accept(self.planner.folder, session) if session.status == "proposed" else session

    def _changed(self, before: PlannerSession, said: str) -> PlannerSession:
        try:
            return self.go_on(reply(self.planner.folder, before, said))
        except Failed as error:
            tell(f"{error}\nThe plan stays as it was.")
            return self._as_it_was(before)
        except (KeyboardInterrupt, click.Abort):
            self._as_it_was(before)
            raise

    def _as_it_was(self, before: PlannerSession) -> PlannerSession:
        """But for what was said since."""
        folder = self.planner.folder
        kept = replace(folder.load(), status=before.status, title=before.title, error_message="")
        return folder.save(kept)

    def _round(self, session: PlannerSession) -> PlannerSession:
        return Round(self.planner, session, self.terms, tell).play()


@contextmanager
def talk(
    repository: Repository, settings: Settings, staffed: Staff, folder: PlannerFolder, *, person: bool
) -> Iterator[Talk]:
    """Nobody else goes on with this planning meanwhile."""
    # Before anything runs, so that an interrupted call leaves a handle.
    tell(f"planner session {folder.id}")
    with planner(repository, settings, staffed, folder, tell) as who:
        try:
            yield Talk(who, terms_of(repository, who.commit, settings, who.templates), person)
        except (KeyboardInterrupt, click.Abort):
            _tell_way_on(folder)
            raise


def _tell_way_on(folder: PlannerFolder) -> None:
    with suppress(StorageFailed):
        proposed = folder.load().status == "proposed"
        how = "--interactive" if proposed else '"TEXT"'
        # Whoever was interrupted at a prompt is still in its line.
        click.echo(err=True)
        tell(f"What was said is kept. Go on with: teamlead plan new --session {folder.id} {how}")


def ask_all(questions: Sequence[str]) -> list[str]:
    """An empty answer for each that they would rather decide later; none at all, if that is true of all."""
    answers: list[str] = []
    for question in questions:
        tell(question)
        answers.append(_ask("Your answer (empty: later): "))
    return answers if any(answers) else []


def _ask(prompt: str) -> str:
    """Unlike click's, it loses no Ctrl-C that comes while it is only about to read."""
    line = interruptible(read_line(prompt))
    if not line:
        raise click.Abort
    return line.strip()


def with_questions(questions: Sequence[str], answers: Sequence[str]) -> str:
    pairs = zip(questions, answers, strict=True)
    return "\n\n".join(exchange(question, answer) for question, answer in pairs if answer)


def show(session: PlannerSession) -> None:
    click.echo(printable(draw(_plan(session))))


def show_whole(session: PlannerSession) -> None:
    """All that somebody is to agree to."""
    plan = _plan(session)
    click.echo(f"\n{printable(write(plan))}\n{printable(draw(plan))}\n", err=True)


def _plan(session: PlannerSession) -> Plan:
    return Plan(session.title, "", session.generated_tasks)


def show_questions(session: PlannerSession, *ways: str, as_json: bool) -> None:
    """What the planner cannot know, and how to answer."""
    if as_json:
        echo_json({"planner_session": session.id, "status": session.status, "questions": session.questions})
        return
    click.echo(f"Only you can say (planner session {session.id}):")
    for number, question in enumerate(session.questions, 1):
        click.echo(f"  {number}. {safe(question)}")
    for way in ways:
        click.echo(safe(way))


def shown_path(path: str) -> str:
    """As one would type it here."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path
