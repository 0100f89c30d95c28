"""Plannings, each in a folder of its own: what was wanted, what was said, what came of it.

<state>/planning/<id>/
  planner.json    everything, written anew after each turn
  runs/           one folder a run of the planner: prompt, streams, result
  plan.md         the plan, where it is not written beside the user's files
"""

import time
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from teamlead.core.model import Said, TaskSpec, Value
from teamlead.core.planning import Trial
from teamlead.errors import NotFound, StorageFailed, UsageError
from teamlead.prompts.material import Drafting
from teamlead.system.atomic_files import write_atomically
from teamlead.system.disk import storing
from teamlead.system.file_modes import private_files
from teamlead.system.repository import Repository
from teamlead.system.sessions import new_session_id

SCHEMA = "teamlead.planner-session"
VERSION = 1
PREFIX = "plan-"


Status = Literal["planning", "asking", "proposed", "ready", "failed"]
"""asking: its questions wait for the user. proposed: the user has not accepted it yet."""


class Conversation(Value, frozen=True):
    """The program's own, in which the planner's next turn can be asked for."""

    id: str
    agent: str
    commit: str
    """Of which it has seen the files."""
    heard: int
    """How many turns of the history it knows."""


class PlannerSession(Value, frozen=True, rename="camel", omit_defaults=False):
    id: str
    instruction: str
    created_at: float
    updated_at: float
    schema: str = SCHEMA
    version: int = VERSION
    source_type: Literal["planner-session", "plan-document"] = "planner-session"
    status: Status = "planning"
    agent: str = ""
    model: str = ""
    title: str = ""
    document: str = ""
    """The text that is interpreted, as the user wrote it; so with where it was."""
    document_path: str = ""
    generated_tasks: tuple[TaskSpec, ...] = ()
    questions: tuple[str, ...] = ()
    conversation_history: tuple[Said, ...] = ()
    conversation: Conversation | None = None
    attempts: tuple[Trial, ...] = ()
    """Of the last round: since the user last said something."""
    score: int | None = None
    runs: tuple[Drafting, ...] = ()
    """What the planner was asked for, run by run, all rounds together."""
    error_message: str = ""
    markdown_path: str = ""
    markdown_digest: str = ""
    child_session_ids: tuple[str, ...] = ()
    """Sessions that were started from it."""


class _Head(msgspec.Struct):
    schema: str = ""
    version: int = 0


class PlannerFolder(NamedTuple):
    path: Path

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def file(self) -> Path:
        return self.path / "planner.json"

    @property
    def markdown(self) -> Path:
        return self.path / "plan.md"

    def run(self, number: int) -> Path:
        return self.path / "runs" / f"planner-{number}"

    def save(self, session: PlannerSession) -> PlannerSession:
        session = msgspec.structs.replace(session, updated_at=time.time())
        write_atomically(self.file, msgspec.json.format(msgspec.json.encode(session)), mode=0o600)
        return session

    def load(self) -> PlannerSession:
        """Raises StorageFailed for a file that cannot be read, or is another version's."""
        try:
            data = self.file.read_bytes()
            head = msgspec.json.decode(data, type=_Head)
            if head.schema == SCHEMA and head.version != VERSION:
                raise StorageFailed(
                    f"planner session {self.id!r} has version {head.version}, not {VERSION}",
                    remedy="use the teamlead that wrote it, or plan again",
                )
            return msgspec.json.decode(data, type=PlannerSession)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise StorageFailed(
                f"planner session {self.id!r} cannot be read: {error}", remedy=f"look at {self.file}"
            ) from None


def planning_folder(repository: Repository) -> Path:
    return repository.state_dir / "planning"


def new_folder(repository: Repository) -> PlannerFolder:
    while True:
        path = planning_folder(repository) / (PREFIX + new_session_id(time.time()))
        with storing(path), suppress(FileExistsError):
            with private_files():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.mkdir()
            return PlannerFolder(path)


def all_plannings(repository: Repository) -> list[PlannerFolder]:
    """The latest first."""
    folder = planning_folder(repository)
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted((PlannerFolder(path) for path in found if path.is_dir()), reverse=True)


def find_planning(repository: Repository, name: str) -> PlannerFolder:
    """By id, or by a part of one that only one has."""
    folders = [folder for folder in all_plannings(repository) if folder.file.exists()]
    matching = [folder for folder in folders if folder.id == name] or [
        folder for folder in folders if name and name in folder.id
    ]
    if not matching:
        raise NotFound(f"there is no planner session {name!r} here", remedy="see `teamlead plan list`")
    if len(matching) > 1:
        ids = ", ".join(folder.id for folder in matching[:5])
        raise UsageError(
            f"{name!r} could be any of {len(matching)} planner sessions: {ids}", remedy="use more of the id"
        )
    return matching[0]
