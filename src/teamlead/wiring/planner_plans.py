"""The plan that a planning came to: as a value, as a file, and what was started from it."""

import re
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from teamlead.core.model import Plan
from teamlead.core.planning import faults
from teamlead.errors import PlanError, Refused, StorageFailed, UsageError
from teamlead.plans.markdown import parse
from teamlead.plans.validate import examine
from teamlead.plans.writing import write
from teamlead.system.disk import storing
from teamlead.system.file_modes import usual
from teamlead.system.repository import Repository
from teamlead.wiring.planner_sessions import (
    PREFIX,
    PlannerFolder,
    PlannerSession,
    Status,
    all_plannings,
    find_planning,
)

NOTE = "Made by planner session {}."
WARNING = " Its commands are run as you: read them before you start it."
_MADE_BY = re.compile(rf"^Made by planner session ({PREFIX}[\w-]+)", re.MULTILINE)

_LACKING: dict[Status, str] = {
    "planning": "was not finished, and has no plan",
    "asking": "waits for your answers",
    "proposed": "has a plan that was not accepted",
    "ready": "has no tasks",
    "failed": "came to no plan",
}


class Examined(NamedTuple):
    plan: Plan
    """As it reads once it is written."""
    problems: tuple[str, ...]
    """Why it cannot be carried out."""


def plan_of(session: PlannerSession) -> Plan:
    """Its tasks as they are. Raises UsageError where there is nothing to carry out."""
    if session.status != "ready" or not session.generated_tasks:
        raise UsageError(
            f"planner session {session.id!r} {_LACKING[session.status]}", remedy=_remedy(session)
        )
    plan = Plan(session.title, "", session.generated_tasks)
    if problems := examined(plan).problems:
        # It was checked when it was made: somebody edited the file.
        raise PlanError(
            f"the tasks of planner session {session.id!r} cannot be carried out",
            problems,
            remedy="mend its planner.json, or plan again",
        )
    return replace(
        plan,
        text=session.document or write(plan, session.instruction),
        source=session.document_path or session.markdown_path,
        instruction=session.instruction,
        source_type=session.source_type,
        planner_session=session.id,
        conversation=session.conversation_history,
    )


def examined(plan: Plan) -> Examined:
    if found := faults(plan.tasks):
        return Examined(plan, found)
    read, problems = examine(parse(write(plan), ""))
    errors = tuple(problem.message for problem in problems if problem.severity == "error")
    return Examined(replace(plan, tasks=read.tasks), errors)


def _remedy(session: PlannerSession) -> str:
    if session.status == "asking":
        return f'answer with `teamlead plan new --session {session.id} "TEXT"`'
    return f'go on with `teamlead plan new --session {session.id} "what to do differently"`, or plan again'


def linked(repository: Repository, plan: Plan) -> Plan:
    """A plan whose file a planning wrote, perhaps edited since, with what was said when it was made."""
    maker = maker_of(plan)
    for folder in all_plannings(repository):
        # One that cannot be read tells nothing about this file.
        with suppress(StorageFailed):
            if folder.id == maker and folder.file.exists():
                session = folder.load()
                return replace(
                    plan,
                    instruction=session.instruction,
                    planner_session=session.id,
                    conversation=session.conversation_history,
                )
    return plan


def maker_of(plan: Plan) -> str:
    """The planner session that its file names, also where that is gone by now; empty: a person wrote it."""
    found = _MADE_BY.search(plan.text)
    return found[1] if found else ""


def add_child(repository: Repository, plan: Plan, child: str) -> None:
    if plan.planner_session:
        folder = find_planning(repository, plan.planner_session)
        session = folder.load()
        children = (*session.child_session_ids, child)
        folder.save(replace(session, child_session_ids=children))


def write_markdown(folder: PlannerFolder, session: PlannerSession, wanted: Path | None) -> PlannerSession:
    """The plan as a file that the user can edit; nothing is ever overwritten."""
    plan = Plan(session.title, "", session.generated_tasks)
    note = NOTE.format(session.id) + (WARNING if any(task.checks for task in plan.tasks) else "")
    content = write(plan, session.instruction, note).encode()
    for path in (wanted,) if wanted else _names():
        with storing(path), suppress(FileExistsError):
            with path.open("xb") as file:
                file.write(content)
            usual(path)
            changes = {"markdown_path": str(path.absolute()), "markdown_digest": _digest(content)}
            return folder.save(replace(session, **changes))
    raise Refused(f"{str(wanted)!r} is there already", remedy="name another file with --output")


def edited(session: PlannerSession) -> bool:
    """The user changed the Markdown that was written for them."""
    with suppress(OSError):
        return _digest(Path(session.markdown_path).read_bytes()) != session.markdown_digest
    return False


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _names() -> Iterator[Path]:
    yield Path("plan.md")
    yield from (Path(f"plan-{number}.md") for number in count(2))
