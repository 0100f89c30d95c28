"""The plan that a planning came to: as a value, as a file, and what was started from it."""

import re
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec.structs import replace

from teamlead.core.advisers.drafts import conversation, draft_of, planning_task, title_of
from teamlead.core.advisers.planning import faults
from teamlead.core.answers import Draft
from teamlead.core.events import SessionOpened
from teamlead.core.model import Plan
from teamlead.core.state.records import Attempt
from teamlead.core.state.team_state import TeamState
from teamlead.errors import Refused, TeamleadError, UsageError
from teamlead.forms.catalogue import PLAN
from teamlead.journal.reader import JournalReader
from teamlead.plans.markdown import parse
from teamlead.plans.validate import examine
from teamlead.plans.writing import write
from teamlead.sessions.finding import all_sessions
from teamlead.sessions.replay import read_state, recorded_events
from teamlead.system.disk import storing
from teamlead.system.file_modes import usual
from teamlead.system.repository import Repository
from teamlead.system.sessions import PLANNING, SessionFolder, session_folders
from teamlead.system.text import clip

NOTE = "Made by planner session {}."
WARNING = " Its commands are run as you: read them before you start it."
LONGEST_TITLE = 100
LONGEST_TURN = 20_000
_MADE_BY = re.compile(rf"^Made by planner session ({PLANNING}[\w-]+)", re.MULTILINE)
_NOTED = re.compile(rf"{_MADE_BY.pattern}.*\n?", re.MULTILINE)
"""For the person who starts it, and nobody else."""

Status = Literal["planning", "asking", "proposed", "ready", "failed"]
"""asking: its questions wait for the user. proposed: the user has not accepted it yet. failed: it has no plan
that can be used, and waits for a word of the user, or is over."""

_LACKING: dict[Status, str] = {
    "planning": "was not finished, and has no plan",
    "asking": "waits for your answers",
    "proposed": "has a plan that was not accepted",
    "failed": "came to no plan",
}


def read_draft(text: str) -> Draft:
    """Raises `Unreadable`, with what is wrong, for the planner to know."""
    said = PLAN.read(text)
    title, words = said.title[:LONGEST_TITLE], clip(text, LONGEST_TURN)
    plan = Plan(title or "Plan", "", said.tasks)
    if said.questions or faults(said.tasks):
        return Draft(said.tasks, title, said.questions, words=words)
    read, problems = examine(parse(write(plan), ""))
    errors = tuple(problem.message for problem in problems if problem.severity == "error")
    return Draft(read.tasks, title, problems=errors, words=words)


def status_of(state: TeamState) -> Status:
    task = planning_task(state)
    if task is not None and task.accepted is not None:
        return "ready"
    if state.final:
        return "failed"
    kinds = {record.kind: record for record in state.open.values()}
    if "question" in kinds:
        return "asking"
    if "proposal" in kinds:
        return "proposed" if kinds["proposal"].asker.attempt else "failed"
    return "planning"


def proposal_of(state: TeamState) -> Attempt | None:
    """What was accepted, or what a person is asked about."""
    task = planning_task(state)
    if task is None or task.accepted is not None:
        return task.accepted if task else None
    asked = (record.asker.attempt for record in state.open.values() if record.kind == "proposal")
    number = next(asked, 0)
    return task.attempts[number - 1] if number else None


def plain_plan(state: TeamState) -> Plan:
    """Its title and its tasks, none as long as nothing is proposed."""
    attempt = proposal_of(state)
    draft = draft_of(attempt) if attempt else None
    return Plan(title_of(state, draft), "", draft.tasks) if draft else Plan(state.session.plan.title, "", ())


def plan_of(state: TeamState) -> Plan:
    """As it is carried out. Raises UsageError where there is nothing to carry out."""
    status, name = status_of(state), state.session.id
    if status != "ready":
        raise UsageError(lacking(state), remedy=_remedy(status, name))
    plan, made_of = plain_plan(state), state.session.plan
    return replace(
        plan,
        text=made_of.text or write(plan, made_of.instruction),
        common=made_of.common,
        source=made_of.source or (state.plan_file.path if state.plan_file else ""),
        instruction=made_of.instruction,
        source_type=made_of.source_type,
        planner_session=name,
        conversation=conversation(state),
    )


def lacking(state: TeamState) -> str:
    """Why there is nothing to carry out."""
    return f"planner session {state.session.id!r} {_LACKING[status_of(state)]}"


def ways_on(state: TeamState) -> str:
    """What one can do with a planning that waits for a word, or is over."""
    status, name = status_of(state), state.session.id
    if status not in {"ready", "proposed"}:
        return f"go on with it: teamlead resume {name}" if status == "planning" else _remedy(status, name)
    change = f'say what shall be different with `teamlead plan new --session {name} "TEXT"`'
    see = f"see the plan with `teamlead plan show {name}`"
    if status == "ready":
        return f"{change}, {see}, or carry it out with `teamlead start --session {name}`"
    return f"{change}, {see}, or take it with `teamlead resolve {name} --resolution accept`"


def _remedy(status: Status, name: str) -> str:
    if status == "asking":
        return f'answer with `teamlead plan new --session {name} "TEXT"`'
    return f'go on with `teamlead plan new --session {name} "what to do differently"`, or plan again'


def linked(repository: Repository, plan: Plan) -> Plan:
    """A plan whose file a planning wrote, perhaps edited since, with what was said when it was made."""
    maker = maker_of(plan)
    plan = replace(plan, common=_NOTED.sub("", plan.common).strip())
    for folder in session_folders(repository):
        # One that cannot be read tells nothing about this file.
        with suppress(TeamleadError):
            if folder.id == maker:
                state = read_state(folder)
                return replace(
                    plan,
                    instruction=state.session.plan.instruction,
                    planner_session=maker,
                    conversation=conversation(state),
                )
    return plan


def maker_of(plan: Plan) -> str:
    """The planner session that its file names, also where that is gone by now; empty: a person wrote it."""
    found = _MADE_BY.search(plan.text)
    return found[1] if found else ""


def children(repository: Repository, planning: str) -> tuple[str, ...]:
    """Sessions that carry out the plan of this planning, the first one first."""
    others = (folder for folder in reversed(all_sessions(repository)) if not folder.plans)
    return tuple(folder.id for folder in others if _made_by(folder) == planning)


def _made_by(folder: SessionFolder) -> str:
    with suppress(TeamleadError), JournalReader(folder.journal) as reader:
        first = next(recorded_events(reader)).event
        if isinstance(first, SessionOpened):
            return first.spec.plan.planner_session
    return ""


class Written(NamedTuple):
    path: Path
    digest: str


def markdown_of(state: TeamState) -> str:
    """The plan, what was wanted, and who made it."""
    plan = plain_plan(state)
    note = NOTE.format(state.session.id) + (WARNING if any(task.checks for task in plan.tasks) else "")
    return write(plan, state.session.plan.instruction, note)


def write_markdown(state: TeamState, wanted: Path | None, folder: Path) -> Written:
    """The plan as a file that the user can edit; nothing is ever overwritten.

    Without a name that is wanted, it gets the next free one in the folder.
    """
    content = markdown_of(state).encode()
    for path in (wanted,) if wanted else _names(folder):
        with storing(path), suppress(FileExistsError):
            with path.open("xb") as file:
                file.write(content)
            usual(path)
            return Written(path.absolute(), _digest(content))
    raise Refused(f"{str(wanted)!r} is there already", remedy="name another file with --output")


def edited(state: TeamState) -> bool:
    """The user changed the Markdown that was written for them."""
    with suppress(OSError):
        if state.plan_file is not None:
            return _digest(Path(state.plan_file.path).read_bytes()) != state.plan_file.digest
    return False


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _names(folder: Path) -> Iterator[Path]:
    yield folder / "plan.md"
    yield from (folder / f"plan-{number}.md" for number in count(2))
