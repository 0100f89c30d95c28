"""Where the plan of a `start` comes from: a file in the form of a plan, one written freely, or a planning."""

from typing import NamedTuple

from teamlead.cli.output import tell
from teamlead.cli.planning import ask_all, show_questions, shown_path, talk, with_questions
from teamlead.core.model import Plan
from teamlead.core.staffing import Staff
from teamlead.errors import NotFound, PlanError, UsageError
from teamlead.plans.load import Loaded, load, usable
from teamlead.settings.loading import Settings
from teamlead.system.repository import Repository, claim
from teamlead.views.moments import counted
from teamlead.wiring.planner_plans import edited, linked, maker_of, plan_of, write_markdown
from teamlead.wiring.planner_runs import planner_of
from teamlead.wiring.planner_sessions import PlannerFolder, PlannerSession, find_planning, new_folder
from teamlead.wiring.planning import begin_with_document, reply


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
            if maker_of(plan):
                _tell_commands(plan)
            return linked(self.repository, plan)
        staffed = self._interpreter(document)
        folder = new_folder(claim(self.repository))
        session = begin_with_document(folder, document.loaded.plan)
        tell(f"{document.path} does not mark its tasks: {staffed.agent} turns it into a plan.")
        return self._plan(self._settled(folder, session, staffed))

    def of_planning(self, name: str, answers: tuple[str, ...]) -> Plan | None:
        """As above."""
        folder = find_planning(self.repository, name)
        session = folder.load()
        if answers:
            _require_all(answers, session)
        if session.status == "asking":
            given = answers or (ask_all(session.questions) if self.person else ())
            if given:
                session = reply(folder, session, with_questions(session.questions, given))
                session = self._settled(folder, session, planner_of(self.settings, tell))
        elif edited(session):
            path = shown_path(session.markdown_path)
            tell(
                f"{path} was edited since. The edited plan is not used here; to use it: teamlead start {path}"
            )
        return self._plan(session)

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

    def _settled(self, folder: PlannerFolder, session: PlannerSession, staffed: Staff) -> PlannerSession:
        repository = claim(self.repository)
        with talk(repository, self.settings, staffed, folder, person=self.person) as talking:
            session = talking.accepted(talking.go_on(session))
        if session.status != "ready":
            return session
        number = len(session.generated_tasks)
        session = write_markdown(folder, session, folder.markdown)
        tell(f"It has {counted(number, 'task')}. The plan is in {session.markdown_path}")
        return session

    def _plan(self, session: PlannerSession) -> Plan | None:
        if session.status != "asking":
            plan = plan_of(session)
            _tell_commands(plan)
            return plan
        answers = " ".join(["--answer TEXT"] * len(session.questions))
        ways = [f"Answer: teamlead start --session {session.id} {answers}"]
        if session.document_path:
            ways.append(f"Or say it in {shown_path(session.document_path)}, and start that again.")
        show_questions(session, *ways, as_json=self.as_json)
        return None


def _tell_commands(plan: Plan) -> None:
    """No person thought of them, so one should see them before they run."""
    if commands := dict.fromkeys(command for task in plan.tasks for command in task.checks):
        tell(f"Commands of this plan, written by a planner; they run with your rights: {'; '.join(commands)}")


def _require_all(answers: tuple[str, ...], session: PlannerSession) -> None:
    asked = len(session.questions)
    if not asked:
        raise UsageError(
            f"planner session {session.id!r} has no open question", remedy="start it without --answer"
        )
    if len(answers) != asked or not all(answer.strip() for answer in answers):
        raise UsageError(
            f"planner session {session.id!r} has {counted(asked, 'open question')}, "
            f"and got {counted(sum(bool(answer.strip()) for answer in answers), 'answer')}",
            remedy="give one --answer for each question, in their order",
        )
