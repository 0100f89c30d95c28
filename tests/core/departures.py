"""What must be true of how a team leaves, by the events alone."""

from collections.abc import Callable
from dataclasses import dataclass, field

from teamlead.core import events as e

Law = Callable[[object, str], None]

FINAL = {"DONE", "ROLLED_BACK", "FAILED", "CANCELLED"}
AFTER_A_TEAM = (e.CopyRemoved, e.LeaderStarted, e.LeaderStopping, e.LeaderStopped, e.PersonNotified)
"""What may still happen then, besides warnings and what is found in the repository."""
ELSEWHERE = (e.WarningNoted, e.AgentHeld, e.TrespassFound, e.TrespassSettled, e.PlanFiled)

SAID = (e.ProgressReported, e.FeedbackReported, e.ResultReported, e.TaskNoted, e.EscalationRaised)


@dataclass
class Departures:
    law: Law
    over: bool = False
    plans: bool = False
    """It makes a plan, and waits for no copy."""
    at_once: bool = False
    leaves: bool = False
    deleted: bool = False
    live: dict[str, int] = field(default_factory=dict)
    """Attempts."""
    working: set[str] = field(default_factory=set)
    models: set[str] = field(default_factory=set)
    """Those that are asked something, and have not ended."""
    asked: dict[str, list[str]] = field(default_factory=dict)
    """Requests by member."""
    agreed: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    """Members that were stopped while they were at work."""
    gone: set[str] = field(default_factory=set)

    def observe(self, event: e.AnyEvent) -> None:
        if self.deleted:
            self.law(isinstance(event, AFTER_A_TEAM + ELSEWHERE), f"{event!r}, and the team is deleted")
        self._observe_work(event)
        if self.over:
            self.law(not isinstance(event, SAID), f"{type(event).__name__} of one who is to leave")
        match event:
            case e.PhaseChanged():
                self.over = event.phase in FINAL
            case e.TeamLeaving():
                self.law(self.over, "a team leaves, and its session goes on")
                self.leaves = True
                self.at_once = self.at_once or event.at_once
            case e.LeaderStarted() | e.LeaderStopped():
                self.at_once = self.at_once or self.leaves
            case e.MessageSent():
                self._observe_message(event)
            case e.MemberLeft():
                self._leave(event)
            case e.TeamDeleted():
                self._delete(event)
            case _:
                pass

    def _observe_work(self, event: e.AnyEvent) -> None:
        match event:
            case e.SessionOpened():
                self.plans = event.spec.plan.tasks[0].plans
            case e.AttemptStarted():
                self.law(not self.over, f"{event.task} starts after the end")
                self.live[event.task] = event.attempt
                if self.plans:
                    self.working.add(event.task)
            case e.CopyPrepared():
                self.working.add(event.task)
            case e.RunStarted():
                self.models.add(event.run)
            case e.RunEnded():
                self.models.discard(event.run)
                if event.run == f"{event.task}-{self.live.get(event.task)}":
                    self.working.discard(event.task)
            case e.AttemptStopping() if self.over and event.task in self.working:
                may = self.at_once or event.task in self.agreed or len(self.asked.get(event.task, ())) == 2
                self.law(may, f"{event.task} is ended before it had its time to answer")
                self.ended.add(event.task)
            case e.AttemptEnded():
                self.live.pop(event.task, None)
                self.working.discard(event.task)
            case _:
                pass

    def _observe_message(self, event: e.MessageSent) -> None:
        if event.type == "shutdown_request":
            name = event.recipient
            self.law(event.sender == "lead", f"{event.sender} asks {name} to leave")
            self.law(self.leaves and not self.at_once, f"{name} is asked to leave, and nobody is to be asked")
            self.law(self.live.get(name) == event.attempt, f"{name} is asked, and that attempt is not live")
            self.asked.setdefault(name, []).append(event.id)
            self.law(len(self.asked[name]) <= 2, f"{name} is asked a third time")
            self.law(name not in self.agreed, f"{name} is asked once more, and has agreed")
        elif event.type != "message":
            known = event.request in self.asked.get(event.sender, ())
            self.law(known, f"{event.sender} answers {event.request!r}, by which nobody asked it")
            if event.approve:
                self.agreed.add(event.sender)

    def _leave(self, event: e.MemberLeft) -> None:
        name = event.member
        self.law(name not in self.live, f"{name} has left, and something of it is alive")
        self.law(name not in self.gone, f"{name} leaves twice")
        requests = len(self.asked.get(name, ()))
        reasons = {
            "approved": name in self.agreed,
            "idle": requests > 0 and name not in self.ended,
            "ended": requests == 2 and name in self.ended,
            "stopped": self.at_once and name in self.ended,
        }
        self.law(reasons[event.how], f"{name} is said to have left {event.how}")
        self.gone.add(name)

    def _delete(self, event: e.TeamDeleted) -> None:
        self.law(self.leaves, "a team is deleted that was not asked to leave")
        self.law(not self.live, f"the team is deleted, and {list(self.live)} is alive")
        self.law(not self.models, f"the team is deleted, and the lead still asks {self.models}")
        silent = (set(self.asked) | self.ended) - self.gone
        self.law(not silent, f"the team is deleted, and {silent} has not left")
        self.law(all(rule.held for rule in event.rules), "the team is deleted against a rule")
        self.law(len(event.rules) == 3, "a rule was not looked at")
        self.deleted = True
