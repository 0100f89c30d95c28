"""What commands about plannings share: leading one, with the person at the terminal, if there is one, and
handing its plan over.
"""

import time
from collections.abc import Sequence
from pathlib import Path

import click

from teamlead.cli.output import echo_json, safe, tell
from teamlead.cli.person import ask_person, read_line
from teamlead.core import events as e
from teamlead.core.advisers.drafts import interprets, planner_of
from teamlead.core.advisers.planning import score, shortcomings
from teamlead.core.answers import Quality
from teamlead.core.events import Recorded
from teamlead.core.facts import Command, PlanWritten, Resolve, Revise
from teamlead.core.quoting import exchange
from teamlead.core.state.records import Escalation
from teamlead.core.state.team_state import TeamState
from teamlead.errors import INTERRUPTED
from teamlead.plans.drawing import draw
from teamlead.plans.writing import write
from teamlead.sessions.desk import Desk
from teamlead.sessions.leader import leader_of
from teamlead.sessions.made_plans import children, edited, plain_plan, proposal_of, write_markdown
from teamlead.sessions.replay import read_state
from teamlead.system.person import this_person
from teamlead.system.repository import Repository
from teamlead.system.sessions import SessionFolder, sessions_folder
from teamlead.system.text import printable
from teamlead.views.documents.plans import PlanningDocument, PlanningPart
from teamlead.views.leadership import why_interrupted
from teamlead.views.moments import iso, until
from teamlead.views.plans import planned_task_view
from teamlead.views.rows import question_view, session_view
from teamlead.wiring.leader_process import Led
from teamlead.wiring.leadership import SessionLeadership, lead


def _tell_all(text: str) -> None:
    for line in text.splitlines():
        tell(line)


def lead_planning(desk: Desk, *, person: bool) -> TeamState:
    """Until there is a plan, or nothing can move without a person. Ends the command if it is interrupted."""
    # Before anything runs, so that an interrupted call leaves a handle.
    tell(f"planner session {desk.folder.id}")
    asking = Asking()
    led = lead(desk, "teamlead plan", observe=_observe, person=asking.ask if person else None)
    if led.warning:
        tell(led.warning)
    if led.state.trespasses:
        tell(f"Something was changed in your repository meanwhile: teamlead mend {desk.folder.id}")
    if led.end in {"interrupted", "paused"}:
        _tell_way_on(led)
        raise click.exceptions.Exit(INTERRUPTED)
    return led.state


def _tell_way_on(led: Led) -> None:
    how = "" if led.state.session.auto_approve else " --interactive"
    # Whoever was interrupted at a prompt is still in its line.
    click.echo(err=True)
    tell(f"What was said is kept. Go on with: teamlead plan new --session {led.state.session.id}{how}")


def write_plan(desk: Desk, wanted: Path | None, folder: Path) -> TeamState:
    """Into a file, which the planning knows from then on: `wanted`, or the next free one in the folder."""
    # A file is written by whoever may also record it.
    with SessionLeadership(desk).lead(patient=True) as term, term.journal() as journal:
        written = write_markdown(read_state(desk.folder), wanted, folder)
        journal.record(PlanWritten(str(written.path), written.digest))
    return read_state(desk.folder)


def hand_over(desk: Desk, *, as_json: bool = False) -> None:
    """What `plan new` does at its end, for whoever else has brought a planning to its plan."""
    state = read_state(desk.folder)
    if state.plan_file is None:
        # A document is the user's plan already: what was made of it lies beside the session.
        state = write_plan(desk, None, desk.folder.path if interprets(state) else Path())
    if as_json:
        tell(f"The plan is in {file_of(state)}.")
    else:
        tell_plan(state, drawn=True)


def tell_plan(state: TeamState, *, drawn: bool) -> None:
    """The plan, where it is, and how it is carried out."""
    if drawn:
        click.echo(printable(draw(plain_plan(state))))
    path, proposal = safe(file_of(state)), proposal_of(state)
    scored = f", scored {proposal.score} of 100" if proposal and proposal.score is not None else ""
    click.echo(f"\nThe plan is in {path}{scored}. Edit it as you like, then:")
    click.echo(f"  teamlead start {path}")
    click.echo(f"or, as it is now:  teamlead start --session {state.session.id}")


def file_of(state: TeamState) -> str:
    """As one would type it here; empty: there is none."""
    return shown_path(state.plan_file.path) if state.plan_file else ""


def _observe(recorded: Sequence[Recorded], state: TeamState) -> None:
    """What happens, as whoever waits for a plan wants to know it."""
    for entry in recorded:
        for line in _told(entry, state):
            tell(line)


def _told(entry: Recorded, state: TeamState) -> Sequence[str]:
    match entry.event:
        case e.AttemptStarted() as event:
            most = state.session.limits.attempts
            tried = state.tasks[event.task].failures + 1
            return [f"{event.agent} plans, attempt {tried} of at most {most}"]
        case e.RunEnded(run=run, end=end) if end.status == "lost":
            agent = state.runs[run].agent
            return [f"{agent} has forgotten what was said; it is told everything again"]
        case e.RunEnded(answer=Quality() as quality):
            return [f"the plan scores {score(quality)} of 100", *_indented(shortcomings(quality))]
        case e.AttemptEnded(outcome="refused", reasons=reasons, attempt=number):
            scored = state.tasks[entry.event.task].attempts[number - 1].score is not None
            return [] if scored else _indented(reasons)
        case e.AttemptEnded(outcome="failed", reasons=reasons):
            return _indented(reasons)
        case e.AgentHeld(until=moment) as event if moment is not None:
            when = until(moment, entry.at)
            return [f"{event.kind} is on hold {when}: {event.reason}. Planning goes on by itself then."]
        case e.WarningNoted(warning=warning):
            return [f"warning: {warning}"]
        case e.TaskDone(attempt=number) if number < len(state.tasks[entry.event.task].attempts):
            return ["no better plan was found"]
    return []


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]


class Asking:
    """Asks the person at the terminal what a planning waits for."""

    def __init__(self) -> None:
        self._given: list[Command] = []

    async def ask(self, state: TeamState) -> Command | None:
        """None: they would rather decide later."""
        if self._given:
            return self._given.pop(0)
        questions = [record for record in state.open.values() if record.kind == "question"]
        if questions:
            return await self._answers(state, questions)
        proposed = next((record for record in state.open.values() if record.kind == "proposal"), None)
        return await _opinion(state, proposed) if proposed else await ask_person(state)

    async def _answers(self, state: TeamState, questions: Sequence[Escalation]) -> Command | None:
        """What they leave open although they answer another, the planner has to do without."""
        texts = [record.question.text if record.question else "" for record in questions]
        answers = []
        for text in texts:
            tell(text)
            answers.append((await read_line("Your answer (empty: later): ")).strip())
        who = this_person()
        if not any(answers):
            return None
        if not all(answers):
            pairs = zip(texts, answers, strict=True)
            said = "\n\n".join(exchange(question, answer) for question, answer in pairs if answer)
            return Revise(said, discuss=not state.session.auto_approve, who=who)
        self._given = [
            Resolve(record.id, answer, who=who) for record, answer in zip(questions, answers, strict=True)
        ]
        return self._given.pop(0)


async def _opinion(state: TeamState, record: Escalation) -> Command | None:
    stands = bool(record.asker.attempt)
    if stands:
        _show_whole(state)
    if record.question and not record.reason.startswith("a plan is proposed"):
        _tell_all(record.question.text)
    prompt = "accept, quit, or say what to change: " if stands else "quit, or say what to change: "
    while line := await read_line(prompt):
        said = line.strip()
        if said.lower() == "quit":
            break
        if said:
            return Resolve(record.id, said, who=this_person())
    return None


def _show_whole(state: TeamState) -> None:
    """All that somebody is to agree to."""
    plan = plain_plan(state)
    click.echo(f"\n{printable(write(plan))}\n{printable(draw(plan))}\n", err=True)


def questions_of(state: TeamState) -> list[str]:
    """What the planner cannot know."""
    records = (record for record in state.open.values() if record.kind == "question")
    return [record.question.text for record in records if record.question]


def show_waits(repository: Repository, state: TeamState, *ways: str, as_json: bool) -> None:
    """What the planning waits for, and how to go on."""
    name, questions = state.session.id, questions_of(state)
    others = [record for record in state.open.values() if record.kind != "question"]
    for record in others:
        _tell_all(record.question.text if record.question else record.reason)
    if as_json:
        echo_json(PlanningDocument(planning=planning_view(repository, state)))
        return
    if questions:
        click.echo(f"Only you can say (planner session {name}):")
    for number, question in enumerate(questions, 1):
        click.echo(f"  {number}. {safe(question)}")
    for way in ways:
        click.echo(safe(way))


def planning_view(repository: Repository, state: TeamState) -> PlanningPart:
    name, plan, made = state.session.id, plain_plan(state), proposal_of(state)
    folder = SessionFolder(sessions_folder(repository) / name)
    row, led = session_view(state), leader_of(folder) is not None
    return PlanningPart(
        id=name,
        state=row["state"],
        led=led,
        interrupted=why_interrupted(row, led=led, now=time.time()),
        title=plan.title,
        source_type=state.session.plan.source_type,
        instruction=state.session.plan.instruction,
        agent=planner_of(state),
        score=made.score if made else None,
        attempts_total=sum(len(task.attempts) for task in state.tasks.values()),
        questions=tuple(map(question_view, state.open.values())),
        file=state.plan_file.path if state.plan_file else "",
        edited=edited(state),
        sessions=children(repository, name),
        created_at=iso(state.phases[0].entered_at),
        updated_at=iso(state.updated_at),
        tasks=tuple(map(planned_task_view, plan.tasks)),
    )


def shown_path(path: str) -> str:
    """As one would type it here."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path
