"""What must be true of a plan that counts as accepted, by the events alone."""

from collections.abc import Callable
from dataclasses import dataclass, field

from teamlead.core import events as e
from teamlead.core.advisers.planning import excesses, faults, score
from teamlead.core.answers import Draft, Quality
from teamlead.core.model import SessionSpec

Law = Callable[[object, str], None]


@dataclass
class PlannedProofs:
    law: Law
    spec: SessionSpec | None = None
    """None: this session makes no plan."""
    discussed: bool = False
    """A person is to accept it."""
    drafts: dict[int, Draft] = field(default_factory=dict)
    """By attempt."""
    reviews: dict[str, int] = field(default_factory=dict)
    """The attempt that each is about."""
    scores: dict[int, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    """The attempt that each question about a proposal names."""
    agreed: set[int] = field(default_factory=set)
    """What a person has accepted."""

    def observe(self, event: e.AnyEvent) -> None:
        match event:
            case e.SessionOpened() if event.spec.plan.tasks[0].plans:
                self.spec, self.discussed = event.spec, not event.spec.auto_approve
            case e.RunWanted() if event.purpose == "quality":
                self.reviews[event.run] = event.attempt
            case e.RunEnded(answer=Draft() as draft):
                self.drafts[int(event.run.rpartition("-")[2])] = draft
            case e.RunEnded(answer=Quality() as quality) if event.run in self.reviews:
                self.scores[self.reviews[event.run]] = score(quality) or 0
            case e.EscalationRaised() if event.kind == "proposal":
                self.asked[event.id] = event.tasks[0].attempt
            case e.EscalationResolved() if event.id in self.asked and event.resolution == "accept":
                self.agreed.add(self.asked[event.id])
            case e.PlanDiscussed():
                self.discussed = event.wanted
            case e.TaskDone() if self.spec is not None:
                self._accepted(event, self.spec)
            case _:
                pass

    def _accepted(self, event: e.TaskDone, spec: SessionSpec) -> None:
        heard = not self.discussed or event.attempt in self.agreed
        self.law(heard, "a plan counts, and the person who wants to has not accepted it")
        draft = self.drafts.get(event.attempt)
        self.law(draft, "a plan is accepted that nobody proposed")
        if draft is None:
            return
        self.law(not draft.questions, "a plan is accepted, and its planner has questions")
        self.law(not (faults(draft.tasks) or draft.problems), "a plan is accepted that cannot be carried out")
        if spec.plan.source_type == "planner-session":
            self.law(not excesses(draft.tasks, spec.limits), "a plan is accepted that is too large")
            scored = self.scores.get(event.attempt, 0)
            self.law(scored >= spec.limits.plan_quality, f"a plan is accepted that scores {scored}")
