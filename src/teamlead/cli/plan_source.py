"""Where the plan of a `start` comes from: a file in the form of a plan, one written freely, or a planning."""

from typing import NamedTuple

from teamlead.cli.hidden_checks import readable_by_agents
from teamlead.cli.output import tell
from teamlead.cli.planning import lead_planning, questions_of, show_waits, shown_path, write_plan
from teamlead.cli.session import put
from teamlead.core.facts import Resolve
from teamlead.core.model import Plan
from teamlead.core.state.staffing import Staff
from teamlead.core.state.team_state import TeamState
from teamlead.errors import NotFound, PlanError, UsageError
from teamlead.plans.load import Loaded, load, usable
from teamlead.sessions.desk import Desk
from teamlead.sessions.finding import find_planning
from teamlead.sessions.made_plans import edited, linked, maker_of, plain_plan, plan_of, status_of
from teamlead.sessions.planner_sessions import Planned, from_document, open_planning, planner_of
from teamlead.sessions.replay import read_state
from teamlead.settings.loading import Settings
from teamlead.system.repository import Repository, claim, require_startable
from teamlead.system.sessions import SessionFolder
from teamlead.views.moments import counted


class Document(NamedTuple):
    path: str
    loaded: Loaded


def read(path: str) -> Document:
    """Raises PlanError where nobody could carry it out: it has the form of a plan, and errors."""
    loaded = load(path)
    if not loaded.free_form:
        for warning in usable(loaded, path).warnings:
            tell(warning)
    return Document(path, loaded)


class Sources(NamedTuple):
    repository: Repository
    settings: Settings
    person: bool
    """Somebody is there to ask."""
    as_json: bool

    def of_document(self, document: Document) -> Plan | None:
        """None: the planner has questions, which are shown."""
        if not document.loaded.free_form:
            plan = document.loaded.plan
            for problem in readable_by_agents(plan, document.path):
                tell(problem.show(document.path))
            if maker_of(plan):
                _tell_commands(plan)
            return linked(self.repository, plan)
        staffed = self._interpreter(document)
        tell(f"{document.path} does not mark its tasks: {staffed.agent} turns it into a plan.")
        repository = claim(self.repository)
        folder = open_planning(repository, self.settings, Planned(from_document(document.loaded.plan)))
        return self._plan(self._led(folder))

    def of_planning(self, name: str, answers: tuple[str, ...]) -> Plan | None:
        """As above."""
        folder = find_planning(self.repository, name)
        state = read_state(folder)
        asked = [record for record in state.open.values() if record.kind == "question"]
        if answers:
            _require_all(answers, state.session.id, len(asked))
            planner_of(self.settings, tell)
            for record, answer in zip(asked, answers, strict=True):
                put(Desk(claim(self.repository), folder, None), Resolve(record.id, answer))
        if asked and (answers or self.person):
            return self._plan(self._led(folder))
        if edited(state) and state.plan_file is not None:
            path = shown_path(state.plan_file.path)
            tell(
                f"{path} was edited since. The edited plan is not used here; to use it: teamlead start {path}"
            )
        return self._plan(state) if asked else self._ready(state)

    def _tell_moved(self, state: TeamState) -> None:
        now, then = require_startable(self.repository).commit, state.session.base_commit
        if now != then:
            tell(
                f"HEAD has moved since the planning, from {then[:10]}: the plan is carried out on {now[:10]}."
            )

    def _interpreter(self, document: Document) -> Staff:
        """Where nobody can interpret it, what is wrong with it as a plan is told."""
        try:
            return planner_of(self.settings, tell)
        except (UsageError, NotFound) as nobody:
            try:
                usable(document.loaded, document.path)
            except PlanError as error:
                remedy = f"no agent can turn it into a plan: {nobody}"
                raise PlanError(error.message, error.problems, remedy=remedy) from None
            raise

    def _led(self, folder: SessionFolder) -> TeamState:
        desk = Desk(claim(self.repository), folder, self.settings)
        state = lead_planning(desk, person=self.person)
        if status_of(state) != "ready" or state.session.plan.source_type != "plan-document":
            return state
        state = write_plan(desk, None, folder.path)
        number = len(plain_plan(state).tasks)
        path = state.plan_file.path if state.plan_file else ""
        tell(f"It has {counted(number, 'task')}. The plan is in {path}")
        return state

    def _ready(self, state: TeamState) -> Plan:
        plan = plan_of(state)
        self._tell_moved(state)
        _tell_commands(plan)
        return plan

    def _plan(self, state: TeamState) -> Plan | None:
        name, asked = state.session.id, questions_of(state)
        if not state.open:
            return self._ready(state)
        ways = [f'Go on with: teamlead plan new --session {name} "TEXT"']
        if asked:
            ways = [f"Answer: teamlead start --session {name} {' '.join(['--answer TEXT'] * len(asked))}"]
        if state.session.plan.source:
            ways.append(f"Or say it in {shown_path(state.session.plan.source)}, and start that again.")
        show_waits(self.repository, state, *ways, as_json=self.as_json)
        return None


def _tell_commands(plan: Plan) -> None:
    """No person thought of them, so one should see them before they run."""
    if commands := dict.fromkeys(command for task in plan.tasks for command in task.own_checks):
        tell(f"Commands of this plan, written by a planner; they run with your rights: {'; '.join(commands)}")


def _require_all(answers: tuple[str, ...], name: str, asked: int) -> None:
    if not asked:
        raise UsageError(f"planner session {name!r} has no open question", remedy="start it without --answer")
    if len(answers) != asked or not all(answer.strip() for answer in answers):
        raise UsageError(
            f"planner session {name!r} has {counted(asked, 'open question')}, "
            f"and got {counted(sum(bool(answer.strip()) for answer in answers), 'answer')}",
            remedy="give one --answer for each question, in their order",
        )
