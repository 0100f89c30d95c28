"""What is true of a session now: a fold of its events.

Only `core.evolve` changes these objects. Indexes (what is ready, due, live, open) are kept by it too, so that
nothing scans all tasks for one event.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from teamlead.core import phases
from teamlead.core.answers import Proposal
from teamlead.core.causes import ENVIRONMENT, check_on_hold
from teamlead.core.effects import AnyEffect
from teamlead.core.events import EscalationKind, EscalationTarget
from teamlead.core.evidence.bisection import Merge
from teamlead.core.model import SessionSpec, TaskSpec, TeamSpec, Trespass, Usage
from teamlead.core.runs import Run
from teamlead.core.state.budget import SESSION, Purse, scope_of_role, shortage
from teamlead.core.state.lanes import Lane
from teamlead.core.state.records import (
    MACHINE,
    Approval,
    Attempt,
    Escalation,
    Foreseen,
    Fulfilment,
    Hold,
    Leaving,
    Member,
    Message,
    PhaseEntry,
    PlanFile,
    Task,
    TriedCheck,
    Whole,
)
from teamlead.core.state.staffing import Staff, kind_of, staff
from teamlead.core.state.stages import Stage
from teamlead.core.transitions import FINAL_PHASES, PAUSED, Phase, SessionState, TaskState

REACTING = 2
"""The level of autonomy from which on the lead acts while agents work."""
CAUTIOUS = 2
"""Strikes after which one run of an agent kind goes before all others."""


@dataclass(slots=True, eq=False)
class TeamState:
    spec: SessionSpec | None = None
    seq: int = 0
    updated_at: float = 0.0
    phase: Phase = "IDLE"
    phases: list[PhaseEntry] = field(default_factory=list)
    leader: str = ""
    """Who leads now; empty while nobody does."""
    draining: bool = False
    stopped_because: str = ""
    tasks: dict[str, Task] = field(default_factory=dict)
    unsettled: int = 0
    counts: dict[TaskState, int] = field(default_factory=dict)
    """How many tasks are in each state."""
    escalations: dict[str, Escalation] = field(default_factory=dict)
    open: dict[str, Escalation] = field(default_factory=dict)
    held: dict[str, Escalation] = field(default_factory=dict)
    referred: dict[str, Escalation] = field(default_factory=dict)
    """What is open with a model, not with the user."""
    halts: dict[str, Escalation] = field(default_factory=dict)
    """What is open with anybody and has to be decided before anything new starts."""
    referrals: dict[EscalationTarget, int] = field(default_factory=dict)
    """How often each was turned to."""
    counted_questions: int = 0
    questions_allowed: int = 0
    active: dict[str, Attempt] = field(default_factory=dict)
    """Live attempts by task: each has a copy."""
    free_slots: list[int] = field(default_factory=list)
    """Heap of the numbers that copies have had and none has now."""
    runs: dict[str, Run] = field(default_factory=dict)
    seated: dict[str, Run] = field(default_factory=dict)
    """Runs that take a seat: an agent or a model is alive, or about to start."""
    asked_of: dict[str, int] = field(default_factory=dict)
    """How often each model was wanted, by name."""
    wanted: dict[str, Run] = field(default_factory=dict)
    """Models that are to be asked."""
    advising: dict[str, Run] = field(default_factory=dict)
    """Models that are asked now."""
    tickets: int = 0
    team: TeamSpec | None = None
    """Who carries it out; None: whoever its plan names, or the settings."""
    stages: dict[str, Stage] = field(default_factory=dict)
    """In their order."""
    stage: Stage | None = None
    """The one that is open: only its tasks may start."""
    earlier: int = 0
    """How many tasks of the stages before the open one are not settled."""
    lanes: dict[tuple[str, str, str], Lane] = field(default_factory=dict)
    """By stage, agent kind and role."""
    holds: dict[str, Hold] = field(default_factory=dict)
    """By agent kind, or what else is held; also those whose time is over."""
    troubles: dict[str, dict[str, dict[str, None]]] = field(default_factory=dict)
    """By what fails, and by the cause: the tasks that failed for good over it. Gone as soon as it works."""
    purses: dict[str, Purse] = field(default_factory=dict)
    """By scope: the session's, and those that have a limit."""
    asked: dict[tuple[EscalationKind, str], str] = field(default_factory=dict)
    """What the user is or will be asked, by its kind and cause: an equal question is the same one."""
    permissions: dict[str, Escalation] = field(default_factory=dict)
    """What agents at work wait for a person to allow, by escalation."""
    calls: dict[str, str] = field(default_factory=dict)
    """The escalation that an agent's own id for its question stands for."""
    messages: dict[str, Message] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)
    leaving: Leaving | None = None
    """Of the team, once the session has ended."""
    begun: dict[str, None] = field(default_factory=dict)
    """Members that have begun and have not left."""
    copies: dict[str, None] = field(default_factory=dict)
    """Tasks that have a working copy."""
    paused: dict[str, None] = field(default_factory=dict)
    """Tasks that a person wants nobody to work on for now."""
    kept: dict[str, str] = field(default_factory=dict)
    """Refs and places that hold work no branch has, each with its task."""
    undecided: dict[str, None] = field(default_factory=dict)
    """Tasks whose work a person accepts, before they were asked."""
    second_looks: dict[str, None] = field(default_factory=dict)
    """Done tasks whose result somebody else should look at."""
    warnings: list[str] = field(default_factory=list)
    """What the work lacks, because an agent failed."""
    integration_tip: str = ""
    merges: list[Merge] = field(default_factory=list)
    """In their order."""
    own_checks: dict[str, None] = field(default_factory=dict)
    """Tasks that have checks of their own."""
    hidden_checks: dict[str, None] = field(default_factory=dict)
    """Commands that no agent is told of."""
    blind_checks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Commands that do not see what was changed, with files in which they did not notice garbage."""
    whole: Whole | None = None
    trying: str = ""
    """The check of the whole plan that runs, and on what."""
    preflights: dict[str, TriedCheck] = field(default_factory=dict)
    """Of all checks that are tried on the base before agents work, by command."""
    untried: dict[str, None] = field(default_factory=dict)
    """Those that are to be begun."""
    preflighting: dict[str, float] = field(default_factory=dict)
    """Those that are under way, by key, each with the moment up to which agents wait for it."""
    fulfilment: Fulfilment | None = None
    failing: list[str] = field(default_factory=list)
    """Tasks that failed for good, one after the other, with none done between them."""
    reviewed: tuple[str, ...] = ()
    """Those of them that the planner was asked about."""
    proposed: Proposal | None = None
    """What it would do about these, while a person decides on it."""
    plan_file: PlanFile | None = None
    """Where the plan stands that was made here."""
    rounds: int = 0
    """Attempts since a task was settled."""
    foreseen: dict[tuple[str, str], Foreseen] = field(default_factory=dict)
    """By the two tasks; the second is empty for what was merged."""
    notices: dict[str, str] = field(default_factory=dict)
    """What the user was told of, and what went wrong with it."""
    usage: Usage | None = None
    """Of all runs that have ended. None: none has."""
    trespasses: dict[str, Trespass] = field(default_factory=dict)
    """What was changed in the user's repository and is not put right, by item."""
    revisions: int = 0
    """How often a person wanted the finished work to be different."""
    approval: Approval | None = None
    approval_refused: str = ""
    due: dict[str, AnyEffect] = field(default_factory=dict)
    """What should be under way, by key."""
    fresh_due: list[str] = field(default_factory=list)
    """Keys that became due since the driver last looked; the driver clears it."""
    touched: dict[str, None] = field(default_factory=dict)
    """Tasks whose view changed since the driver last looked; the driver clears it."""

    @property
    def session(self) -> SessionSpec:
        assert self.spec is not None, "the first event opens the session"
        return self.spec

    @property
    def reacts(self) -> bool:
        """The lead acts on what agents say while they work, not only when they have ended."""
        return self.session.autonomy >= REACTING

    @property
    def final(self) -> bool:
        return self.phase in FINAL_PHASES

    @property
    def begun_stages(self) -> bool:
        """Work has begun: the first stage was opened."""
        return self.stage is not None or any(stage.commit for stage in self.stages.values())

    @property
    def reviews(self) -> bool:
        """Every task so far is settled, and the merged work is looked at as a whole."""
        return phases.at_review(self.phase) and self.stage is None

    @property
    def checking_whole(self) -> bool:
        return self.reviews and any(key.startswith("CheckWhole:") for key in self.due)

    @property
    def completing(self) -> bool:
        """The planner is asked whether the merged work is all that was wanted."""
        return any(run.purpose == "complete" for run in (*self.wanted.values(), *self.advising.values()))

    @property
    def under_way(self) -> bool:
        """A leader would have something to do, without anybody's word."""
        if self.due or self.final:
            return bool(self.due)
        return not self.begun_stages or self.startable or self.askable

    @property
    def startable(self) -> bool:
        """Something waits to start, and needs nobody's word for it."""
        lanes = self.open_lanes
        return not self.held_up and any(not lane.empty and not self._waits_for_a_word(lane) for lane in lanes)

    @property
    def open_lanes(self) -> Sequence[Lane]:
        """Where tasks wait that may start by their stage."""
        return self.stage.lanes if self.stage is not None else ()

    @property
    def askable(self) -> bool:
        """A model is to be asked, and nobody's word is needed for it."""
        return any(self._opens(run) is not None for run in self.wanted.values())

    def _opens(self, run: Run) -> float | None:
        """When it may start; None: a person has to say something first."""
        hold = self.holds.get(kind_of(run.agent))
        if (hold is not None and hold.until is None) or run.role in self.holds:
            return None
        if self.asked and any(self._in_question(purse) for purse in self.funds_of(run.role)):
            return None
        return hold.until if hold is not None and hold.until is not None else 0.0

    def funds_of(self, role: str) -> tuple[Purse, ...]:
        scopes = (SESSION, scope_of_role(role))
        return tuple(purse for scope in scopes if (purse := self.purses.get(scope)) is not None)

    def machine_rests(self, now: float) -> bool:
        """Nothing can be started for now."""
        hold = self.holds.get(MACHINE)
        return hold is not None and hold.forbids(now)

    @property
    def asked_runs(self) -> list[Run]:
        """Of models, all that there were."""
        return [run for run in self.runs.values() if run.purpose != "work"]

    @property
    def seats(self) -> int:
        """How many more agents may start."""
        return self.session.limits.jobs - len(self.seated)

    @property
    def full(self) -> bool:
        """No further attempt may start: the end of a run or of an attempt is what helps."""
        return self.seats <= 0 or len(self.active) >= self.session.limits.live_attempts

    def next_adviser(self, now: float) -> Run | None:
        """The first model that may be asked now."""
        if not self.leader or self.draining or self.machine_rests(now):
            return None
        for run in self.wanted.values():
            opens = self._opens(run)
            if opens is not None and opens <= now and not self._awaits_a_run(run):
                return run
        return None

    def shares_seat(self, run: Run) -> bool:
        """Whoever it is about is at work, and waits for it. A tester works beside them."""
        if run.purpose == "tests":
            return False
        task = self.tasks.get(run.task)
        live = task.live if task is not None else None
        return live is not None and live.number == run.attempt and live.run.id in self.seated

    def _awaits_a_run(self, run: Run) -> bool:
        """No seat is free, the same one is asked something else, or others have reserved all that is left."""
        if self.seats <= 0 and not self.shares_seat(run):
            return True
        if any(run.name == other.name for other in self.advising.values()):
            return True
        return any(purse.reserved and purse.used_up for purse in self.funds_of(run.role))

    @property
    def kinds(self) -> dict[str, None]:
        """Of all agents that the session uses."""
        asked = (self.consultant(role) for role in self.session.consultants)
        kinds = (*(lane.kind for lane in self.lanes.values()), *(kind_of(staff.agent) for staff in asked))
        return dict.fromkeys(kinds)

    def staff_of(self, spec: TaskSpec) -> Staff:
        return staff(self.session, spec)

    def consultant(self, role: str) -> Staff:
        return self.staff_of(TaskSpec("", "", role=role))

    @property
    def held_up(self) -> bool:
        """Nothing new is to start while a question is open."""
        halted = bool(self.halts) or (bool(self.open) and self.session.stop_on_escalation)
        return halted or (bool(self.holds) and self._stuck)

    @property
    def _stuck(self) -> bool:
        """What every task needs is on hold."""
        needed = (ENVIRONMENT, *map(check_on_hold, self.session.checks))
        return any(thing in self.holds for thing in needed)

    def _waits_for_a_word(self, lane: Lane) -> bool:
        """A person is to say something about its agent or its budget."""
        hold = self.holds.get(lane.kind)
        if hold is not None and hold.until is None:
            return True
        return bool(self.asked) and any(self._in_question(purse) for purse in lane.funds)

    def _in_question(self, purse: Purse) -> bool:
        """A person is asked whether more of it may be spent."""
        return ("budget", purse.scope) in self.asked

    @property
    def preflight_until(self) -> float:
        """Up to when nothing starts, because checks are tried that it may depend on."""
        return max(self.preflighting.values(), default=0.0)

    def heads(self, now: float) -> list[Task]:
        """Of the lanes whose agents may work, in the order in which they should start."""
        if not self.leader or self.draining or self.full:
            return []
        waiting = [lane for lane in self.open_lanes if not lane.empty]
        if not waiting or self.held_up or self.machine_rests(now) or now < self.preflight_until:
            return []
        heads = [
            head
            for lane in waiting
            if (head := lane.head(now)) and not self._waits_for_a_word(lane) and not self._rests(lane, now)
        ]
        return [self.tasks[head.task] for head in sorted(heads)] if heads else []

    def _rests(self, lane: Lane, now: float) -> bool:
        hold = self.holds.get(lane.kind)
        return hold is not None and (hold.forbids(now) or self._tries(lane.kind, hold))

    def _tries(self, kind: str, hold: Hold) -> bool:
        """After a hold that came again, one run tries whether it is over."""
        return hold.strikes >= CAUTIOUS and any(
            kind_of(run.agent) == kind for run in self.seated.values() if run.purpose == "work"
        )

    def shortage(self, task: Task) -> Purse | None:
        """What cannot bear one more run of this task."""
        return shortage(task.funds, task.lane.kind, self.seats)

    def next_start(self, now: float) -> Task | None:
        """The task that should start next, if one may."""
        return next((task for task in self.heads(now) if self.shortage(task) is None), None)

    def next_timer(self) -> float | None:
        """When time alone will make something startable."""
        moments = []
        machine = self.holds.get(MACHINE)
        rested = (machine.until or 0.0) if machine is not None else 0.0
        for run in self.wanted.values():
            opens = self._opens(run)
            if opens is not None and not self._awaits_a_run(run):
                moments.append(max(opens, rested))
        waiting = [lane for lane in self.open_lanes if not lane.empty]
        closed = max(rested, self.preflight_until)
        for lane in () if not waiting or self.full or self.held_up else waiting:
            hold = self.holds.get(lane.kind)
            until = hold.until if hold is not None else None
            moment = lane.opens(max(until or 0.0, closed) if closed else until)
            if moment is None or self._waits_for_a_word(lane) or self._waits_for_a_run(lane, hold):
                continue
            moments.append(moment)
        return min(moments, default=None)

    def _waits_for_a_run(self, lane: Lane, hold: Hold | None) -> bool:
        """Time alone does not help: one of its kind is to end first, or gives back what it reserved."""
        if hold is not None and self._tries(lane.kind, hold):
            return True
        short = self.shortage(self.tasks[lane.first])
        return short is not None and bool(short.reserved)


def rejection(state: TeamState) -> str | None:
    """Why the user turned the work down, if they did."""
    return next((entry.reason for entry in state.phases if phases.rejected(entry.phase)), None)


def session_state(state: TeamState) -> SessionState:
    """The first that holds."""
    if phases.broken_off(state.phase):
        return "FAILED" if phases.failed(state.phase) else "CANCELLED"
    if rejection(state) is not None:
        return "REJECTED"
    if state.open:
        return "ESCALATING"
    if state.checking_whole or state.completing:
        return "REVIEWING"
    if state.tasks and state.unsettled == 0 and not state.active:
        return "COMPLETED"
    if state.active or state.advising or (state.leader and (state.startable or state.askable)):
        return "EXECUTING"
    if phases.at_plan(state.phase):
        return "PLANNING"
    if state.paused or state.stopped_because == PAUSED:
        return "PAUSED"
    return "REVIEWING"
