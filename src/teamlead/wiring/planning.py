"""From an instruction, or from a document that says it freely, to tasks that may be carried out.

The planner proposes; what code or the review finds wrong goes back to it, so often and no more.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from teamlead.core.model import Plan, Said, TaskSpec
from teamlead.core.planning import Trial, best, excesses, score, settled, shortcomings
from teamlead.errors import Failed, Unreadable
from teamlead.forms.catalogue import PLAN, QUALITY
from teamlead.prompts.material import Drafting
from teamlead.system.text import clip
from teamlead.wiring import planner_prompts as prompts
from teamlead.wiring.planner_holds import Unserved
from teamlead.wiring.planner_plans import examined
from teamlead.wiring.planner_prompts import Terms, purpose_of
from teamlead.wiring.planner_runs import ConversationLost, Planner, Word
from teamlead.wiring.planner_sessions import Conversation, PlannerFolder, PlannerSession
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
    fresh = replace(session, attempts=(), questions=(), status="planning", error_message="")
    return folder.save(replace(fresh, conversation_history=said))


def accept(folder: PlannerFolder, session: PlannerSession) -> PlannerSession:
    return folder.save(replace(session, status="ready"))


class Round:
    """What follows on one word of the user: up to a proposal, to questions, or to the end of patience."""

    def __init__(self, planner: Planner, session: PlannerSession, terms: Terms, tell: Tell) -> None:
        self._planner = planner
        self._session = session
        self._bounds = terms.bounds
        self._terms = terms
        self._tell = tell

    def play(self) -> PlannerSession:
        """Proposed, or asking. Raises Failed, with all that is still wrong; everything said is kept."""
        self._keep(agent=self._planner.staff.agent, model=self._planner.staff.model)
        try:
            while not settled(self._session.attempts, self._bounds):
                questions = self._proposal()
                if questions:
                    return self._keep(status="asking", questions=questions)
        except Failed as error:
            self._give_up(error)
        return self._chosen()

    def _give_up(self, error: Failed) -> None:
        """Unless there is something that can be used already."""
        if best(self._session.attempts, self._bounds) is None:
            self._keep(status="failed", error_message=str(error))
            raise error
        self._tell(f"no better plan was found: {error}")

    def _proposal(self) -> tuple[str, ...]:
        """What the planner has to ask first, if anything."""
        number = len(self._session.attempts) + 1
        self._tell(f"{self._planner.staff.agent} plans, attempt {number} of at most {self._bounds.attempts}")
        text = self._asked_for_tasks()
        try:
            breakdown = PLAN.read(text)
        except Unreadable as error:
            self._tried(Trial(problems=(f"the answer cannot be used: {error}",)))
            return ()
        if breakdown.title and not self._interprets:
            self._keep(title=breakdown.title[:LONGEST_TITLE])
        if not breakdown.questions:
            self._tried(self._trial(breakdown.tasks))
        return breakdown.questions

    def _asked_for_tasks(self) -> str:
        purpose = purpose_of(self._session)
        everything = partial(prompts.whole, self._session, terms=self._terms)
        word = self._continued(purpose) or self._ask(purpose, everything)
        said = Said("planner", clip(word.text, LONGEST_TURN))
        history = (*self._session.conversation_history, said)
        known = Conversation(
            word.conversation, self._planner.staff.agent, self._planner.commit, heard=len(history)
        )
        self._keep(conversation_history=history, conversation=known if word.conversation else None)
        return word.text

    def _continued(self, purpose: Drafting) -> Word | None:
        """Where its program still knows what was said. It knows other files after another commit."""
        known = self._session.conversation
        if known is None or (known.agent, known.commit) != (self._planner.staff.agent, self._planner.commit):
            return None
        news = partial(prompts.news, self._session, known, terms=self._terms)
        try:
            return self._ask(purpose, news, known.id)
        except ConversationLost as lost:
            self._tell(f"{lost.message}; it is told everything again")
            return None
        except Failed:
            # Perhaps over what was said before, such as too much of it: the next one begins anew.
            self._keep(conversation=None)
            raise

    def _trial(self, tasks: tuple[TaskSpec, ...]) -> Trial:
        plan = Plan(self._session.title, "", tasks)
        plan, found = examined(plan)
        excess = excesses(tasks, self._bounds)
        if self._interprets:
            # The person who wrote it may want it so large, and gets no marks.
            for line in excess:
                self._tell(f"warning: {line}")
            return Trial(plan.tasks, found, None if found else FULL)
        return Trial(plan.tasks, found + excess) if found + excess else self._reviewed(plan)

    def _reviewed(self, plan: Plan) -> Trial:
        answer = self._ask("quality", partial(prompts.review, self._session, plan, terms=self._terms))
        try:
            quality = QUALITY.read(answer.text)
        except Unreadable as error:
            return Trial(plan.tasks, (f"the review of the plan cannot be read: {error}",))
        return Trial(plan.tasks, shortcomings(quality), score(quality))

    def _tried(self, trial: Trial) -> None:
        self._keep(attempts=(*self._session.attempts, trial))
        if trial.score is not None and not self._interprets:
            self._tell(f"the plan scores {trial.score} of 100")
        for problem in trial.problems:
            self._tell(f"  {problem}")

    def _chosen(self) -> PlannerSession:
        trials = self._session.attempts
        chosen = best(trials, self._bounds)
        if chosen is None:
            wrong = "\n".join(f"- {problem}" for problem in trials[-1].problems)
            scored = f", scored {trials[-1].score}" if trials[-1].score is not None else ""
            problem = Failed(
                f"no usable plan after {len(trials)} attempts. Still wrong with the last{scored}:\n{wrong}",
                remedy=f"all of it is kept in {self._planner.folder.path}; "
                f'go on with `teamlead plan new --session {self._session.id} "TEXT"`',
            )
            self._keep(status="failed", error_message=str(problem))
            raise problem
        mark = None if self._interprets else trials[chosen].score
        return self._keep(status="proposed", generated_tasks=trials[chosen].tasks, score=mark)

    @property
    def _interprets(self) -> bool:
        return purpose_of(self._session) == "interpret"

    def _ask(self, purpose: Drafting, prompt: Callable[[int], str], conversation: str = "") -> Word:
        """`prompt`: by how often this was asked for. Who was not served is asked again."""
        while True:
            self._keep(runs=(*self._session.runs, purpose))
            runs = self._session.runs
            with suppress(Unserved):
                return self._planner.ask(prompt(runs.count(purpose)), len(runs), conversation)

    def _keep(self, **changes: object) -> PlannerSession:
        self._session = self._planner.folder.save(replace(self._session, **changes))
        return self._session
