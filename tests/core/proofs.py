"""What must be true of work that counts as accepted, by the events alone."""

from collections.abc import Callable
from dataclasses import dataclass, field

from teamlead.core import events as e
from teamlead.core.answers import Examples, Judgement
from teamlead.core.evidence.values import CheckResult, Evidence

Law = Callable[[object, str], None]


@dataclass
class Proofs:
    law: Law
    found: dict[tuple[str, int], tuple[Evidence, ...]] = field(default_factory=dict)
    checks: dict[tuple[str, int], list[CheckResult]] = field(default_factory=dict)
    returned: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    waived: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    """Tasks whose work a person accepts: what was not shown to them is not."""
    performed: set[str] = field(default_factory=set)
    """By code: nobody judges it."""
    judged: bool = False
    """The session has a judge."""
    all_judged: bool = False
    """It judges also what says in no words what it wants."""
    plans: bool = False
    """It makes a plan, which may go back once after each word of the user."""
    worded: set[str] = field(default_factory=set)
    """Tasks that say in words what they want."""
    judges: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The task and attempt that each judge is asked about."""
    content: set[str] = field(default_factory=set)
    """Judges that said yes."""
    satisfied: set[str] = field(default_factory=set)
    """Judges that said that nothing had to be changed."""
    unchanged: set[tuple[str, int]] = field(default_factory=set)
    bases: dict[tuple[str, int], str] = field(default_factory=dict)
    """What the work of each attempt started from."""
    examined: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The attempt for which each run says what its work must give."""
    tested: dict[tuple[str, int], str] = field(default_factory=dict)
    """The run that writes tests for each attempt, or last did."""
    untried: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    """The runs that said so for an attempt, and whose words have not been tried on it."""
    trying: dict[tuple[str, int], str] = field(default_factory=dict)
    trees: dict[tuple[str, int], str] = field(default_factory=dict)
    """What the work of each attempt holds."""

    def observe(self, event: e.AnyEvent) -> None:
        match event:
            case e.TaskBlocked():
                (self.failed.add if event.reason in {"FAILED", "DECISION"} else self.failed.discard)(
                    event.task
                )
            case e.TaskUnblocked() if event.waived or event.task in self.failed:
                (self.waived.add if event.waived else self.waived.discard)(event.task)
                self.failed.discard(event.task)
            case e.TaskRetried() if event.fresh and event.task in self.shown:
                self.waived.discard(event.task)
            case e.TaskReopened():
                self.returned.discard(event.task)
                self.waived.discard(event.task)
            case e.WorkCollected():
                self.found[event.task, event.attempt] = event.work.evidence
                self.trees[event.task, event.attempt] = event.work.tree
                if not event.work.commit:
                    self.unchanged.add((event.task, event.attempt))
            case e.CheckFinished():
                self.checks.setdefault((event.task, event.attempt), []).append(event.result)
            case e.WorkAccepted():
                self._accepted(event)
            case e.AttemptEnded() if event.outcome == "returned":
                self._goes_back(event)
            case _:
                self._observe_judges(event)
                self._observe_examples(event)

    def _observe_judges(self, event: e.AnyEvent) -> None:
        match event:
            case e.SessionOpened():
                self.judged = "judge" in event.spec.consultants
                self.all_judged = event.spec.judged == "all"
                self.plans = event.spec.plan.tasks[0].plans
                tasks = event.spec.plan.tasks
                self.worded |= {task.id for task in tasks if task.criteria}
                self.shown |= {task.id for task in tasks if task.approved_by_user}
                self.performed |= {task.id for task in tasks if task.function}
            case e.TaskAdded() if event.spec.criteria:
                self.worded.add(event.spec.id)
            case e.JudgeReplaced():
                self.judged = bool(event.agent)
            case e.RunWanted() if event.purpose == "judge":
                self.judges[event.run] = event.task, event.attempt
            case e.RunEnded() if isinstance(event.answer, Judgement):
                if _content(event.answer):
                    self.content.add(event.run)
                if event.answer.already_satisfied:
                    self.satisfied.add(event.run)
            case _:
                pass

    def _observe_examples(self, event: e.AnyEvent) -> None:
        match event:
            case e.CopyPrepared():
                self.bases[event.task, event.attempt] = event.base
            case e.RunWanted() if event.purpose in {"tests", "examples"}:
                self.examined[event.run] = event.task, event.attempt
                if event.purpose == "tests":
                    self._tests_wanted(event)
            case e.RunStarted() if event.run in self.examined:
                blind = event.commit == self.bases[self.examined[event.run]]
                self.law(blind, f"{event.run} says what the work must give, and sees the work")
            case e.RunEnded(answer=Examples() as answer) if answer.examples:
                self.untried.setdefault(self.examined[event.run], set()).add(event.run)
            case e.ProvingBegan() if event.examples:
                given = self.examined.get(event.examples, ("", 0))
                self.law(given[0] == event.task, f"{event.task} is tried with examples of another task")
                self.trying[event.task, event.attempt] = event.examples
            case e.ProvingEnded() if (event.task, event.attempt) in self.trying:
                tried = self.trying.pop((event.task, event.attempt))
                self.untried.get((event.task, event.attempt), set()).discard(tried)
            case e.RunWanted() if event.purpose == "judge":
                key = event.task, event.attempt
                ran = not self.untried.get(key) or key in self.unchanged
                self.law(ran, f"{event.task} is judged, and what somebody expected of it was not tried")
            case e.WorkAccepted() if event.task not in self.waived:
                key = event.task, event.attempt
                ran = not self.untried.get(key) or key in self.unchanged
                self.law(ran, f"{event.task} is accepted, and tests of it were not run")
            case _:
                pass

    def _tests_wanted(self, event: e.RunWanted) -> None:
        """Again where the tester gave nothing of use: the work that waits is tried with the new ones."""
        key = event.task, event.attempt
        if key in self.trying and self.trying[key] == self.tested.get(key):
            self.trying[key] = event.run
        self.tested[key] = event.run

    def _accepted(self, event: e.WorkAccepted) -> None:
        key, name = (event.task, event.attempt), event.task
        verdicts = {item.verdict for item in self.found[key]}
        self.law("refused" not in verdicts, f"{name} is accepted, and something refuses it")
        lost = any(check.delta and check.delta.lost for check in self.checks.get(key, ()))
        doubted = lost or "objected" in verdicts
        self.law(not doubted or name in self.waived, f"{name} is accepted, and nobody waived the objection")
        needed = self.judged and (self.all_judged or name in self.worded) and name not in self.waived
        needed = needed and name not in self.performed
        self.law(not needed or self._content(event), f"{name} is accepted, and its judge is not content")
        for check in self.checks.get(key, ()):
            before = check.base is not None and check.base.exit_code != 0
            new = check.delta is not None and check.delta.new_failures
            holds = not new and (check.exit_code == 0 or before)
            self.law(holds, f"{name} is accepted, and `{check.command}` failed as it did not before")

    def _content(self, event: e.WorkAccepted) -> bool:
        """A judge of this work said yes, or of an earlier attempt that left the same."""
        judged = self.judges.get(event.judged, ("", 0))
        now = event.task, event.attempt
        same = judged == now or (judged[0] == event.task and self.trees[judged] == self.trees[now] != "")
        there_before = now in self.unchanged and event.judged in self.satisfied
        return same and (event.judged in self.content or there_before)

    def _goes_back(self, event: e.AttemptEnded) -> None:
        if self.plans:
            return
        self.law(event.task not in self.returned, f"{event.task} goes back a second time")
        self.returned.add(event.task)


def _content(answer: Judgement) -> bool:
    return answer.success and not answer.objections
