"""A planning as its journal has it."""

from pathlib import Path
from typing import NamedTuple

from tests.flows.support import Ended, Project

from teamlead.core.advisers.drafts import conversation, draft_of, planning_task
from teamlead.core.answers import Draft
from teamlead.core.model import TaskSpec
from teamlead.core.state.records import Attempt
from teamlead.core.state.team_state import TeamState
from teamlead.sessions.made_plans import Status, plain_plan, proposal_of, status_of
from teamlead.sessions.replay import read_state
from teamlead.system.sessions import SessionFolder


class Planning(NamedTuple):
    folder: SessionFolder
    state: TeamState

    @property
    def id(self) -> str:
        return self.folder.id

    @property
    def status(self) -> Status:
        return status_of(self.state)

    @property
    def instruction(self) -> str:
        return self.state.session.plan.instruction

    @property
    def score(self) -> int | None:
        made = proposal_of(self.state)
        return made.score if made else None

    @property
    def tasks(self) -> tuple[TaskSpec, ...]:
        return plain_plan(self.state).tasks

    @property
    def attempts(self) -> list[Attempt]:
        task = planning_task(self.state)
        assert task is not None
        return task.attempts

    @property
    def drafts(self) -> list[Draft | None]:
        return [draft_of(attempt) for attempt in self.attempts]

    @property
    def runs(self) -> list[str]:
        """What for, in the order in which they were wanted."""
        return [run.purpose for run in self.state.runs.values()]

    @property
    def speakers(self) -> list[str]:
        return [said.who for said in conversation(self.state)]

    @property
    def user(self) -> list[str]:
        """What the user said."""
        return [said.text for said in conversation(self.state) if said.who == "user"]

    @property
    def file(self) -> Path:
        assert self.state.plan_file is not None
        return Path(self.state.plan_file.path)

    def prompt(self, number: int) -> str:
        return (self.folder.attempt("task-1", number) / "prompt.md").read_text()


def planning(project: Project) -> Planning:
    """The only one."""
    (path,) = project.plannings
    folder = SessionFolder(path)
    return Planning(folder, read_state(folder))


def started_from(project: Project) -> list[str]:
    """The sessions that carry out the plan of the only planning."""
    (listed,) = project.teamlead("plan", "list", "--json").json["plannings"]
    return list(listed["sessions"])


def texts(ended: Ended) -> list[str]:
    """Of the questions that a planning waits for, as its command has printed them."""
    return [question["text"] for question in ended.json["planning"]["questions"]]
