"""From an instruction, or from a document that says it freely, to tasks that may be carried out.

The planner proposes; what code or the review finds wrong goes back to it, so often and no more.
"""

import time
from pathlib import Path

from msgspec.structs import replace

from teamlead.core.model import Plan, Said, TaskSpec
from teamlead.core.planning import Bounds, Trial, best, excesses, faults, score, settled, shortcomings
from teamlead.errors import Failed, TeamleadError
from teamlead.plans.markdown import parse
from teamlead.plans.validate import examine
from teamlead.plans.writing import write
from teamlead.prompts.planner import interpret_prompt, plan_prompt, quality_prompt
from teamlead.reports.breakdown import Breakdown, read_breakdown
from teamlead.reports.quality import read_quality
from teamlead.reports.spoken import Unreadable
from teamlead.settings.loading import Settings
from teamlead.system.repository import Repository
from teamlead.system.text import clip
from teamlead.wiring.planner_runs import Planner
from teamlead.wiring.planner_sessions import PlannerFolder, PlannerSession, Purpose
from teamlead.wiring.staffing import Tell

LONGEST_TITLE = 100
LONGEST_TURN = 20_000
FULL = 100


def begin(folder: PlannerFolder, instruction: str) -> PlannerSession:
    now = time.time()
    title = next(line.strip() for line in instruction.splitlines() if line.strip())
    said = (Said("user", instruction),)
    session = PlannerSession(folder.id, instruction, now, now, title=title[:LONGEST_TITLE])
    return folder.save(replace(session, conversation_history=said))


def begin_with_document(folder: PlannerFolder, document: Plan) -> PlannerSession:
    """What a structured plan would be, as far as it was read: its title is the instruction."""
    session = begin(folder, document.title)
    return folder.save(
        replace(
            session,
            source_type="plan-document",
            document=document.text,
            document_path=str(Path(document.source).absolute()),
        )
    )


def reply(folder: PlannerFolder, session: PlannerSession, text: str) -> PlannerSession:
    """What the user says next: an answer, or what is to be different. A new round begins."""
    said = (*session.conversation_history, Said("user", text))
    return folder.save(
        replace(session, conversation_history=said, attempts=(), questions=(), status="planning")
    )


def accept(folder: PlannerFolder, session: PlannerSession) -> PlannerSession:
    return folder.save(replace(session, status="ready"))


def bounds_of(settings: Settings) -> Bounds:
    return Bounds(
        settings.max_tasks,
        settings.max_task_hours,
        settings.plan_attempts,
        settings.plan_quality,
        settings.plan_target,
    )


def facts_about(repository: Repository, commit: str, settings: Settings) -> tuple[str, ...]:
    """What a planner need not look for."""
    names = repository.git().text("ls-tree", "--name-only", commit).splitlines()
    checks = [f"Every task has to pass `{command}`." for command in settings.checks]
    return (f"At the root: {', '.join(names)}", *checks)


class Round:
    """What follows on one word of the user: up to a proposal, to questions, or to the end of patience."""

    def __init__(
        self, planner: Planner, session: PlannerSession, bounds: Bounds, facts: tuple[str, ...], tell: Tell
    ) -> None:
        self._planner = planner
        self._session = session
        self._bounds = bounds
        self._facts = facts
        self._tell = tell

    def play(self) -> PlannerSession:
        """Proposed, or asking. Raises Failed, with all that is still wrong; everything said is kept."""
        self._keep(agent=self._planner.staff.agent, model=self._planner.staff.model)
        try:
            while not settled(self._session.attempts, self._bounds):
                breakdown = self._proposal()
                if breakdown is not None and breakdown.questions:
                    return self._keep(status="asking", questions=breakdown.questions)
            return self._chosen()
        except TeamleadError as error:
            self._keep(status="failed", error_message=str(error))
            raise

    def _proposal(self) -> Breakdown | None:
        """None: it could not be read."""
        number = len(self._session.attempts) + 1
        self._tell(f"{self._planner.staff.agent} plans, attempt {number} of at most {self._bounds.attempts}")
        text = self._asked_for_tasks()
        try:
            breakdown = read_breakdown(text)
        except Unreadable as error:
            self._tried(Trial(problems=(f"the answer cannot be used: {error}",)))
            return None
        if not breakdown.questions:
            self._tried(self._trial(breakdown.tasks))
        return breakdown

    def _asked_for_tasks(self) -> str:
        session = self._session
        problems = session.attempts[-1].problems if session.attempts else ()
        purpose: Purpose = "plan" if session.source_type == "planner-session" else "interpret"
        number = session.runs.count(purpose) + 1
        said = session.conversation_history
        if purpose == "plan":
            prompt = plan_prompt(
                session.instruction,
                number=number,
                facts=self._facts,
                bounds=self._bounds,
                said=said[1:],
                problems=problems,
            )
        else:
            prompt = interpret_prompt(
                session.document, number=number, facts=self._facts, said=said[1:], problems=problems
            )
        text = self._ask(purpose, prompt)
        self._keep(conversation_history=(*said, Said("planner", clip(text, LONGEST_TURN))))
        return text

    def _trial(self, tasks: tuple[TaskSpec, ...]) -> Trial:
        plan = Plan(self._session.title, "", tasks)
        found = faults(tasks)
        if not found:
            plan, found = _read_back(plan)
        if self._session.source_type == "plan-document":
            # The person who wrote it may want it so large, and is not marked.
            return Trial(plan.tasks, found, None if found else FULL)
        found += excesses(tasks, self._bounds)
        return Trial(plan.tasks, found) if found else self._reviewed(plan)

    def _reviewed(self, plan: Plan) -> Trial:
        text = write(plan, self._session.instruction)
        number = self._session.runs.count("quality") + 1
        answer = self._ask("quality", quality_prompt(self._session.instruction, text, number=number))
        try:
            quality = read_quality(answer)
        except Unreadable as error:
            return Trial(plan.tasks, (f"the review of the plan cannot be read: {error}",))
        return Trial(plan.tasks, shortcomings(quality), score(quality))

    def _tried(self, trial: Trial) -> None:
        self._keep(attempts=(*self._session.attempts, trial))
        if trial.score is not None and self._session.source_type == "planner-session":
            self._tell(f"the plan scores {trial.score} of 100")
        for problem in trial.problems:
            self._tell(f"  {problem}")

    def _chosen(self) -> PlannerSession:
        trials = self._session.attempts
        chosen = best(trials, self._bounds)
        if chosen is None:
            wrong = "\n".join(f"- {problem}" for problem in trials[-1].problems)
            scored = f", scored {trials[-1].score}" if trials[-1].score is not None else ""
            raise Failed(
                f"no usable plan after {len(trials)} attempts. Still wrong with the last{scored}:\n{wrong}",
                remedy=f"all of it is kept in {self._planner.folder.path}; "
                f'go on with `teamlead plan --session {self._session.id} "TEXT"`',
            )
        mark = trials[chosen].score if self._session.source_type == "planner-session" else None
        return self._keep(status="proposed", generated_tasks=trials[chosen].tasks, score=mark)

    def _ask(self, purpose: Purpose, prompt: str) -> str:
        self._keep(runs=(*self._session.runs, purpose))
        return self._planner.ask(prompt, len(self._session.runs))

    def _keep(self, **changes: object) -> PlannerSession:
        self._session = self._planner.folder.save(replace(self._session, **changes))
        return self._session


def _read_back(plan: Plan) -> tuple[Plan, tuple[str, ...]]:
    """As it reads once it is written, and why it could not be carried out."""
    read, problems = examine(parse(write(plan), ""))
    errors = (problem.message for problem in problems if problem.severity == "error")
    return replace(plan, tasks=read.tasks), tuple(errors)
