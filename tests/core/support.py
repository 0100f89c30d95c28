"""The outside of the core, played in memory: what a plan is, and what may come of each effect."""

import dataclasses
import os
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from random import Random
from typing import Any, get_args

import msgspec
from msgspec.structs import replace
from tests.core.oracle import Ledger, broken, check_indexes, check_waits, law
from tests.core.talking import random_talk
from tests.core.told import answered, check_ended, work_found

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core import phases
from teamlead.core.answers import (
    Analysis,
    Answer,
    Completion,
    Criterion,
    Draft,
    Example,
    Examples,
    Judgement,
    Proposal,
    Quality,
    Remark,
)
from teamlead.core.attempts.lifecycle import BEFORE_ITS_END, CARRIED_OUT
from teamlead.core.decide import decide
from teamlead.core.events import AnyEvent
from teamlead.core.evidence.bisection import Culprit, WholeCheck, WholeVerdict
from teamlead.core.evidence.obstacles import Obstacle
from teamlead.core.evidence.values import BaseRun, Evidence, Proofs, SuiteDelta, SuiteRun
from teamlead.core.evolve import evolve
from teamlead.core.model import (
    JUDGED,
    Budget,
    Change,
    Limits,
    Pipeline,
    Plan,
    Question,
    Reopens,
    RoleSettings,
    Said,
    SessionSpec,
    StageSpec,
    TaskSpec,
    TeamMember,
    TeamSpec,
    ToolPolicy,
    Trespass,
    Usage,
)
from teamlead.core.pipeline import pipelines, whole_plan
from teamlead.core.reports import DifficultyFeedback, Issue, Result
from teamlead.core.runs import NOT_SERVED, AgentStatus, Purpose, Run, RunEnd
from teamlead.core.state.records import Attempt, Escalation, Task
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import Turn, step
from teamlead.core.team.members import state_of
from teamlead.core.transitions import FINAL_PHASES, MEMBERS, PHASES, MemberState, Phase, StagePhase
from teamlead.errors import TeamleadError

BASE = "base"
SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
"""Multiplies how many examples the property tests try."""


def task(number: int, *depends_on: int, **fields: Any) -> TaskSpec:
    dependencies = tuple(f"task-{n}" for n in depends_on)
    return TaskSpec(f"task-{number}", f"Title {number}", depends_on=dependencies, **fields)


def session(*tasks: TaskSpec, limits: Limits | None = None, **fields: Any) -> SessionSpec:
    plan = Plan("A plan", "Do it", tasks)
    fields = {"pipeline": pipelines.pipeline_of(tasks), **fields}
    return SessionSpec("s-1", plan, BASE, "main", "scripted", limits or Limits(), **fields)


def planning(limits: Limits | None = None, **fields: Any) -> SessionSpec:
    """A session that makes a plan, of an instruction or of a document."""
    kind, text = fields.pop("source_type", "planner-session"), fields.pop("text", "")
    spec = TaskSpec(
        "task-1", "Make the plan", role="planner", scope=(), delivers="plan", context="a Makefile"
    )
    plan = Plan(
        "Add logins",
        text,
        (spec,),
        instruction="Add logins",
        source_type=kind,
        conversation=(Said("user", "Add logins"),),
    )
    fields["pipeline"] = pipelines.PLANNING
    return SessionSpec("plan-1", plan, BASE, "main", "scripted", limits or Limits(), **fields)


def describe(value: Any) -> Any:
    """The whole state as plain data, in its own order: equal descriptions are equal states."""
    if isinstance(value, dict):
        return [(key, item if _frozen(item) else describe(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [item if _frozen(item) else describe(item) for item in value]
    kind: Any = type(value)
    names, values_of, nested = _shape(kind)
    described = dict(zip(names, values_of(value), strict=True))
    for name in nested:
        if described[name] is not None:
            described[name] = describe(described[name])
    # What points to objects that are described in another place.
    if "funds" in names:
        described["funds"] = [purse.scope for purse in value.funds]
    if kind is TeamState:
        active = [(name, attempt.number) for name, attempt in value.active.items()]
        shared = {name: list(getattr(value, name)) for name in SHARED}
        described.update(shared, active=active, stage=value.stage and value.stage.spec.name)
    elif kind is Attempt:
        described["run"] = value.run.id
    elif kind is Task:
        described.update(
            depends_on=[d.spec.id for d in value.depends_on],
            dependents=[d.spec.id for d in value.dependents],
            live=value.live and value.live.number,
            accepted=value.accepted and value.accepted.number,
            stage=value.stage.spec.name,
            member=(value.member.name, value.member.unread),
            lane=(value.lane.kind, value.lane.role),
        )
    elif kind is Stage:
        described["lanes"] = [(lane.kind, lane.role) for lane in value.lanes]
    return described


SHARED = ("open", "held", "referred", "halts", "permissions", "wanted", "advising", "seated", "members")
REFERENCES = {
    *(
        *SHARED,
        "active",
        "depends_on",
        "dependents",
        "live",
        "accepted",
        "run",
        "lane",
        "funds",
        "stage",
        "member",
    )
}
FROZEN = {str, int, float, bool, type(None), tuple}


def _frozen(value: Any) -> bool:
    return type(value) in FROZEN or isinstance(value, msgspec.Struct)


@cache
def _shape(kind: Any) -> tuple[tuple[str, ...], Any, tuple[str, ...]]:
    """The names of its fields, what gets their values, and the names of those that change inside."""
    fields = dataclasses.fields(kind)
    names = tuple(field.name for field in fields)
    alone = {"approval", "whole", "fulfilment", "leaving"}
    inside = {f.name for f in fields if f.default_factory is not dataclasses.MISSING} | alone
    return (
        names,
        attrgetter(*names),
        tuple(name for name in names if name in inside - REFERENCES),
    )


OBJECTED = Evidence("report", "objected", "a report", "it has no summary")
FLAGGED = Evidence("claims", "flagged", "files", "one was not changed")
PROVEN = Evidence("proof", "proven", "the tests of the base", "they hold")
REFUSED = Evidence("outputs", "refused", "dist/", "nothing is there")
CRITICAL = Result("SUCCESS", "looked at", "one", (), 60, "seen", issues=(Issue("it leaks", "critical"),))
PARTIAL = Result("PARTIAL", "half of it", "one", (), 60, "seen")
DIFFICULTIES = (
    DifficultyFeedback("which one?", requested_action="clarification"),
    DifficultyFeedback("it hangs", requested_action="escalate"),
    DifficultyFeedback("it is missing", category="dependency", requested_action="escalate"),
    DifficultyFeedback("docs, too", category="scope", requested_action="escalate", paths=("docs/",)),
)
SUITE = SuiteRun("pytest", 3, 1, 0)
OBSTACLES = (
    Obstacle("no program", "make", "`make` is not there", "Install it."),
    Obstacle("no end", "", "it did not end", "Raise `check_timeout`."),
)
COMPARED = (
    (0, BaseRun(0), SuiteDelta(added=("t_new",))),
    (0, BaseRun(0), SuiteDelta(vanished=("t_old",))),
    (0, BaseRun(0), SuiteDelta(flaky=("t_old",))),
    (1, BaseRun(1), SuiteDelta(old_failures=("t_old",))),
    (1, BaseRun(1), SuiteDelta(old_failures=("t_old",), fixed=("t_other",))),
    (1, None, SuiteDelta(new_failures=("t_old",))),
)


PROOFS = (
    Proofs(),
    Proofs((PROVEN,), acquits=True, runs=1, seconds=2.0),
    Proofs((FLAGGED, replace(OBJECTED, kind="proof"))),
)


def answers(effect: do.AnyEffect, world: "World") -> list[f.AnyFact]:  # noqa: C901 - a table, in cases
    """Everything that may come of an effect; the first is what one hopes for."""
    match effect:
        case do.Release():
            return [f.CopyReleased(effect.task), f.CopyReleased(effect.task, "refs/kept")]
        case do.Preflight(command, turn):
            return [
                f.CheckTried(command, turn, 0, 1.0),
                f.CheckTried(command, turn, 1, 1.0),
                *(f.CheckTried(command, turn, 127, 1.0, found) for found in OBSTACLES),
                f.CheckTried(command, turn, untried="no copy could be made"),
            ]
        case do.CheckWhole():
            ended = [f.WholeEnded(effect.tip, checks) for checks in _of_the_whole(world.state)]
            return [*ended, f.TrialBegun(effect.tip, "make lint", "on the merged work")]
        case do.RunAgent():
            run = world.state.runs[effect.run]
            if world.state.tasks[run.task].spec.plans if run.task else False:
                return [*_drafted(run), *_worked(run, world.now)] if run.purpose == "work" else consulted(run)
            return _worked(run, world.now) if run.purpose == "work" else consulted(run)
        case do.Notify():
            return [f.Notified(effect.about), f.Notified(effect.about, "no such command")]
        case do.ApplyWork():
            return [
                f.ApprovalMade(effect.commit, effect.branch, "before", "git undo"),
                f.ApprovalImpossible("the branch has moved"),
            ]
        case do.RollBack():
            return [
                f.RolledBack(("refs/kept/task-1/rolled-back",)),
                f.RolledBack(problem="a branch is locked"),
            ]
        case do.AwaitAnswer():
            return [f.AnswerOverdue(effect.task, effect.attempt, effect.request)]
        case do.StopAgent():
            return [
                f.RunQuiet(effect.run),
                f.RunOver(effect.run, RunEnd("interrupted")),
                f.RunOver(effect.run, RunEnd("ok")),
            ]
        case _:
            failed = f.EffectFailed(effect.task, effect.attempt, "the machine", "no space left")
            return [*_attempt_answers(effect, world), failed]


STEP, OTHER = TaskSpec("task-1", "A smaller step"), TaskSpec("task-3", "Another step")
REST = TaskSpec("task-2", "The rest", depends_on=("task-1",))
MET, UNMET = Criterion("all of it", met=True), Criterion("all of it", met=False, why="the page")
SOUND = TaskSpec("task-1", "Do it", "All of it.", scope=("src/",), acceptance=("a.txt holds 1",))
DRAFTS = (
    Draft((SOUND,), "A title", words="one task"),
    Draft((SOUND, msgspec.structs.replace(SOUND, id="task-2")), words="two tasks"),
    Draft((STEP, REST), words="nobody could test it"),
    Draft((SOUND,), problems=("its form",), words="its form"),
    Draft(questions=("Which one?", "Where?"), words="two questions"),
)
EXPECTED = Examples((Example(command="python3 try.py", output="1", sentence="a.txt holds 1"),))
OPINIONS: dict[Purpose, tuple[Answer, ...]] = {
    "tests": (EXPECTED, Examples(())),
    "examples": (EXPECTED, Examples(())),
    "judge": (
        Judgement(success=True, reason="it does"),
        Judgement(success=False, reason="not all", missing=("the page",), should_continue=True),
        Judgement(success=False, reason="too large", should_replan=True),
        Judgement(success=False, reason="it was there", already_satisfied=True),
        Judgement(success=False, reason="both cannot be", contradictions=("a and not a",)),
        Judgement(success=False, reason="who knows"),
        Judgement(success=True, reason="it does", objections=(Remark("nothing reads it", "a.py:1"),)),
    ),
    "replan": (Proposal((STEP, REST)), Proposal((REST, STEP)), Proposal((STEP, OTHER)), Proposal(())),
    "review": (Proposal((STEP,)), Proposal((REST, STEP)), Proposal(())),
    "complete": (
        Completion(fulfilled=True, reason="all is there"),
        Completion(fulfilled=False, reason="no docs", missing=("docs",), tasks=(STEP,)),
        Completion(fulfilled=False, reason="no docs", missing=("docs",)),
    ),
    "validate": (
        Analysis("a race", "lock it", "high"),
        Analysis("unclear", "try", "low"),
        Analysis("both", "choose", "high", requires_user_decision=True),
        Analysis("both", "choose", "high", contradiction="a and not a"),
    ),
    "advise": (Analysis("a race", "lock it", "high"), Analysis("unclear", "try", "low")),
    "quality": (Quality((MET,)), Quality((MET, MET, UNMET)), Quality((UNMET,))),
}


def _drafted(run: Run) -> list[f.AnyFact]:
    read = [answered(run.id, "ok", draft, conversation="c-1") for draft in DRAFTS]
    return [*read, answered(run.id, "ok", problem="no JSON"), answered(run.id, "ok", DRAFTS[0])]


def _worked(run: Run, now: float) -> list[f.AnyFact]:
    used = Usage(100, 20, 0.5)
    ends = [
        RunEnd("ok", summary="done"),
        RunEnd("error", detail="it crashed"),
        RunEnd("timeout"),
        RunEnd("interrupted"),
        RunEnd("lost"),
        RunEnd("ok", question=Question("Which one?", ("left", "right"))),
        RunEnd("ok", usage=used, turns=2, conversation="c-1"),
        RunEnd("limit", detail="429", reset_at=now + 300.0),
        RunEnd("limit", detail="429", usage=used),
        RunEnd("unavailable", detail="529"),
        RunEnd("denied", detail="401"),
        RunEnd("budget", usage=Usage(300, 60, 2.0), turns=5),
    ]
    failed = f.EffectFailed(run.task, run.attempt, "the machine", "no space left")
    return [*(f.RunOver(run.id, end) for end in ends), failed]


def _doing(state: TeamState) -> dict[str, MemberState]:
    return {name: state_of(member) for name, member in state.members.items()}


def _check_moves(before: dict[str, MemberState], after: dict[str, MemberState], event: AnyEvent) -> None:
    for name, known in before.items():
        legal = after[name] == known or after[name] in MEMBERS[known]
        law(legal, f"{name} was {known}, and is {after[name]} after {event!r}")


def task_of(state: TeamState, effect: do.AnyEffect) -> str:
    """That it is part of the work on."""
    if isinstance(effect, do.RunAgent | do.StopAgent):
        run = state.runs[effect.run]
        return run.task if run.purpose == "work" else ""
    return getattr(effect, "task", "")


def consulted(consultation: Run) -> list[f.AnyFact]:
    name = consultation.id
    statuses: tuple[AgentStatus, ...] = ("ok", "error", "limit", "lost", "denied", "budget")
    return [
        *(answered(name, "ok", answer) for answer in OPINIONS[consultation.purpose]),
        *(answered(name, status, problem="no answer") for status in statuses),
    ]


def _of_the_whole(state: TeamState) -> list[tuple[WholeCheck, ...]]:
    texts = [command.text for command in whole_plan.commands(state)]
    broken = [
        tuple(WholeCheck(text, "broken", "it fails", (Culprit(merge.task, merge.tip),)) for text in texts)
        for merge in (state.merges[0], state.merges[-1])
    ]
    verdicts: tuple[WholeVerdict, ...] = ("passed", "flaky", "failed before", "unexplained", "unknown")
    alike = [tuple(WholeCheck(text, verdict, verdict) for text in texts) for verdict in verdicts]
    return [*alike, *broken]


def _attempt_answers(effect: do.AttemptEffect, world: "World") -> list[f.AnyFact]:
    name, number = effect.task, effect.attempt
    match effect:
        case do.PrepareCopy():
            ready = f.CopyReady(name, number, "+".join(effect.bases))
            return [ready, f.CopyConflict(name, number, ("a.py",))] if len(effect.bases) > 1 else [ready]
        case do.Deliver():
            return [f.MessagesTaken(name, number, (effect.message,))]
        case do.Collect():
            inside = Change(f"src/{name}.py", "100644", "100644", added=3, deleted=1)
            beyond = Change("elsewhere.py", "000000", "100644", added=1)
            commit = f"{name}@{number}"
            # What a person is to accept is there again as it was, when they have.
            tree = "as shown" if world.state.tasks[name].spec.approved_by_user else ""
            # Who looks at the work of others finds something, the first time.
            reopens = number == 1 and world.state.tasks[name].stage.spec.reopens
            return [
                work_found(name, number, commit, (inside,), tree=tree, result=CRITICAL if reopens else None),
                work_found(name, number, ""),
                work_found(name, number, commit, (inside, beyond)),
                work_found(name, number, commit, (inside,), ("src/both.py",)),
                work_found(name, number, commit, (inside,), evidence=(OBJECTED,)),
                work_found(name, number, commit, (inside,), evidence=(OBJECTED, FLAGGED)),
                work_found(name, number, commit, (inside,), evidence=(REFUSED, OBJECTED)),
                work_found(name, number, commit, (inside,), result=PARTIAL),
                work_found(name, number, commit, (inside,), result=CRITICAL),
                work_found(name, number, "", result=CRITICAL),
                *(work_found(name, number, "", feedback=difficulty) for difficulty in DIFFICULTIES),
                work_found(name, number, "", tree="as before"),
                work_found(name, number, commit, (inside,), tree="one way"),
                work_found(name, number, commit, (inside, beyond), tree="another way"),
            ]
        case do.Check():
            plain = [check_ended(name, number, effect.command, code) for code in (0, 1, None)]
            told = [
                check_ended(name, number, effect.command, code, suite=SUITE, base=base, delta=delta)
                for code, base, delta in COMPARED
            ]
            blind = check_ended(name, number, effect.command, 0, unseen=("src/a.py",))
            return [*plain, *told, blind]
        case do.Prove():
            return [f.WorkProved(name, number, proofs, effect.examples) for proofs in PROOFS]
        case do.Integrate():
            tip = f"tip-{len(world.log)}"
            return [
                f.Merged(name, number, effect.commit, tip),
                f.MergeRefused(name, number, tip, ("src/a.py",), "both sides"),
            ]
        case _:
            raise AssertionError(effect)


class World:
    """A session with its outside. After every turn all laws are checked."""

    def __init__(self, spec: SessionSpec, *, led: bool = True, team: TeamSpec | None = None) -> None:
        self.state = TeamState()
        self.now = 1000.0
        self.log: list[tuple[float, AnyEvent]] = []
        self.delivered: list[f.AnyFact] = []
        self.ledger = Ledger()
        self.out_of_service = False
        """What goes wrong with an agent is always its service."""
        self.chatty = False
        """Agents say much while they work."""
        self.troubled = False
        """Agents fail often, or report what is in their way."""
        self.broken = ""
        """What fails in the same way, whichever task needs it."""
        self._described = describe(self.state)
        self.tell(f.Open(spec, team))
        if led:
            self.tell(f.LeaderArrived(1, "leader"))

    def approval(self, **fields: Any) -> f.Approve:
        """Of the work as it is."""
        return f.Approve(self.state.integration_tip, **fields)

    def tell(self, *facts: f.AnyFact) -> Turn:
        before = self._described
        if facts:
            self._decides_without_touching(facts[0])
        stale = all(is_stale(self.state, fact) for fact in facts) and self.now == self.state.updated_at
        try:
            turn = step(self.state, facts, self.now)
        except Exception as error:
            raise broken(f"the core raised {error!r} at {facts!r}") from error
        if stale and turn.events:
            raise broken(f"{facts!r} is stale and caused {turn.events!r}")
        self.delivered += facts
        for event in turn.events:
            self.log.append((self.now, event))
            self.ledger.observe(event, self.now)
        touched, fresh = set(self.state.touched), set(self.state.fresh_due)
        self.state.touched.clear()
        self.state.fresh_due.clear()
        self._described = describe(self.state)
        if not turn.events and self._described != before:
            raise broken(f"the state changed without an event at {facts!r}")
        _check_told(before, self._described, touched, fresh)
        check_indexes(self.state)
        self.ledger.compare(self.state)
        check_waits(self.state, self.now)
        return turn

    def _decides_without_touching(self, fact: f.AnyFact) -> None:
        try:
            decide(self.state, fact, self.now)
        except TeamleadError:
            pass
        except Exception as error:
            raise broken(f"decide raised {error!r} at {fact!r}") from error
        if describe(self.state) != self._described:
            raise broken(f"decide changed the state at {fact!r}")

    def replayed(self) -> TeamState:
        state = TeamState()
        for at, event in self.log:
            before = _doing(state)
            evolve(state, event, at)
            _check_moves(before, _doing(state), event)
        state.touched.clear()
        state.fresh_due.clear()
        return state

    def check_replay(self) -> None:
        try:
            replayed = self.replayed()
        except Exception as error:
            raise broken(f"a replay gives another state: it raised {error!r}") from error
        if describe(replayed) != describe(self.state):
            raise broken("a replay gives another state")

    def events(self) -> list[bytes]:
        return [msgspec.json.encode(event) for _, event in self.log]

    def task(self, number: int) -> Task:
        return self.state.tasks[f"task-{number}"]

    def due(self, kind: type[do.AnyEffect], number: int | None = None) -> Any:
        """The one effect of this kind that is due."""
        found = [
            effect
            for effect in self.state.due.values()
            if isinstance(effect, kind)
            and (number is None or task_of(self.state, effect) == f"task-{number}")
        ]
        assert len(found) == 1, found
        return found[0]

    def answer(self, effect: do.AnyEffect, choice: int = 0) -> Turn:
        possible = answers(effect, self)
        return self.tell(possible[choice % len(possible)])

    def advance(self, number: int, *until: type[do.AnyEffect]) -> None:
        """Everything goes well for one task, until one of these is due for it."""
        for _ in range(20):
            due = [e for e in self.state.due.values() if task_of(self.state, e) == f"task-{number}"]
            if not due or isinstance(due[0], until):
                return
            self.answer(due[0])
        raise AssertionError(f"task-{number} gets nowhere")

    def finish(self, *numbers: int) -> None:
        for number in numbers:
            self.advance(number)
            assert self.task(number).state == "DONE"


def _check_told(before: Any, after: Any, touched: set[str], fresh: set[str]) -> None:
    """A driver shows and starts only what it is told of."""
    earlier = dict(before["tasks"])
    changed = {name for name, view in after["tasks"] if _shown(view) != _shown(earlier.get(name, {}))}
    if changed - touched:
        raise broken(f"{sorted(changed - touched)} changed, and the driver is not told")
    new = {key for key, _ in after["due"]} - {key for key, _ in before["due"]}
    if new - fresh:
        raise broken(f"{sorted(new - fresh)} became due, and the driver is not told")


def _shown(view: dict[str, Any]) -> dict[str, Any]:
    """No view shows who depends on a task, how many it still waits for, nor its place in a queue."""
    return {name: item for name, item in view.items() if name not in {"dependents", "unmet", "ticket"}}


# Chance


PLANNINGS = 12
"""One session of so many makes a plan."""
PREFLIGHTS = 7
"""In one of so many, checks are tried before agents start."""
TESTERS = 6
"""In one of so many, somebody writes tests who sees only the task."""
INPUTS = 4
"""In one of so many, judges think of inputs before they see the work."""


def session_of(seed: int, random: Random) -> SessionSpec:
    """By the seed, so that others are as they were without plannings."""
    spec = random_planning(random) if seed % PLANNINGS == 5 else random_session(random)
    testers = ("tester",) if seed % TESTERS == 3 else ()
    return replace(
        spec,
        preflight=seed % PREFLIGHTS == 2,
        judge_inputs=seed % INPUTS == 1,
        consultants=(*spec.consultants, *testers),
    )


def random_team(random: Random) -> tuple[SessionSpec, TeamSpec]:
    """A session of a team: its stages hand in findings and send back, and a person accepts some work."""
    spec = random_session(random)
    order: list[StagePhase] = random.choice(
        [
            ["ANALYZING", "PLANNING", "EXECUTING", "REVIEWING"],
            ["PLANNING", "EXECUTING", "REVIEWING"],
            ["ANALYZING", "REVIEWING"],
        ]
    )
    names = [f"stage {number}" for number in range(1, len(order) + 1)]
    stages = tuple(
        StageSpec(
            name,
            phase,
            findings=random.choice(["analysis", "analysis", ""]),
            reopens=Reopens((names[max(place - 1, 0)],), random.randint(1, 2))
            if phase == "REVIEWING"
            else None,
        )
        for place, (name, phase) in enumerate(zip(names, order, strict=True))
    )
    places = sorted(random.randrange(len(names)) for _ in spec.plan.tasks)
    tasks = tuple(
        replace(
            each,
            stage=names[place],
            member=f"member {place}",
            approved_by_user=random.random() < 0.3,
            function="findings" if random.random() < 0.1 else "",
            type="implementation" if order[place] == "EXECUTING" else "investigation",
        )
        for each, place in zip(spec.plan.tasks, places, strict=True)
    )
    team = TeamSpec("s-1", "menders", "Mend it", (TeamMember("leader", "leader", "engine"),))
    return replace(spec, plan=replace(spec.plan, tasks=tasks), pipeline=Pipeline(stages)), team


def random_planning(random: Random) -> SessionSpec:
    limits = Limits(attempts=random.randint(1, 4), questions=random.randint(0, 3))
    return planning(
        limits,
        auto_approve=random.random() < 0.5,
        source_type=random.choice(["planner-session", "planner-session", "plan-document"]),
        budget=random_budget(random),
    )


def random_session(random: Random) -> SessionSpec:
    count = random.randint(1, 7)
    limits = Limits(
        jobs=random.randint(1, 3),
        attempts=random.randint(1, 3),
        conflict_reruns=random.randint(0, 1),
        retry_delay=random.choice([0.0, 2.0]),
        questions=random.randint(0, 3),
        replans=random.randint(0, 3),
        validations=random.randint(0, 2),
        advices=random.randint(0, 2),
        rounds=random.choice([4, 1000]),
        proof_times=random.choice([0.0, 2.0]),
    )
    consultants = [role for role in ("judge", "planner", "validator", "advisor") if random.random() < 0.75]
    return session(
        *in_stages(random, [random_task(random, number, range(1, number)) for number in range(1, count + 1)]),
        limits=limits,
        checks=random.choice([(), ("make lint",)]),
        auto_approve=random.random() < 0.3,
        stop_on_escalation=random.random() < 0.2,
        autonomy=random.choice([1, 2]),
        roles=(
            RoleSettings("reviewer", random.choice(["", "codex"]), budget=random_budget(random)),
            RoleSettings("planner", random.choice(["", "codex"]), budget=random_budget(random)),
            # Its tasks are of any type, so it has to change something.
            RoleSettings("code-explorer", policy=ToolPolicy()),
        ),
        budget=random_budget(random),
        notify=random.choice([(), ("desktop",)]),
        consultants=random.choice([(), tuple(consultants), tuple(consultants)]),
        judged=random.choice(JUDGED),
    )


def in_stages(random: Random, specs: list[TaskSpec]) -> list[TaskSpec]:
    """Some plans have stages. A task depends on earlier ones only, and so does a stage."""
    if random.random() < 0.7:
        return specs
    places = sorted(random.randint(1, 3) for _ in specs)
    return [replace(spec, stage=f"stage {place}") for spec, place in zip(specs, places, strict=True)]


def random_budget(random: Random) -> Budget:
    return random.choice(
        [
            Budget(),
            Budget(),
            Budget(),
            Budget(cost_usd=1.0),
            Budget(tokens=250, turns=4),
            Budget(seconds=20.0),
        ]
    )


def random_task(random: Random, number: int, earlier: Sequence[int]) -> TaskSpec:
    dependencies = random.sample(earlier, min(len(earlier), random.choice([0, 0, 1, 1, 2, 3])))
    return task(
        number,
        *dependencies,
        scope=("src/",),
        acceptance=random.choice([(), ("it does",)]),
        checks=random.choice([(), (), ("make test",), ("make test", "make lint")]),
        type=random.choice(["implementation", "implementation", "integration", "investigation"]),
        role=random.choice(["worker", "worker", "reviewer", "code-explorer"]),
        agent=random.choice(["", "", "claude", "claude:sonnet"]),
        budget=random.choice([Budget(), Budget(), random_budget(random)]),
        critical=random.random() < 0.8,
    )


def random_command(random: Random, world: World) -> f.AnyFact:
    """Something a person may ask, often at a moment when it is refused."""
    state = world.state
    names = list(state.tasks)
    name = random.choice(names)
    living = [
        int(n[5:]) for n, t in state.tasks.items() if t.state not in {"CANCELLED", "REPLACED_BY_REPLAN"}
    ]
    number = len(names) + 1
    special = _at_the_gate(random, state) if state.team else _of_planning(random, state)
    if special is not None:
        return special
    if random.random() < 0.1:
        return random_move(random, state)
    if random.random() < 0.3:
        return _steer(random, state, name)
    match random.randrange(12):
        case 0 | 1 | 2 | 3 | 8:
            # Those that are rare are answered while it matters.
            rare = [n for n, r in state.open.items() if r.parked or r.kind == "whole" or len(r.tasks) > 1]
            record = random.choice(rare or [*state.open, *state.held, "esc-99"])
            words = ["retry", "retry", "skip", "accept", "more", "more", "more", "take the left one", " "]
            words += ["allow", "allow docs/ tests/", "allow ../up", "deny", "replan", "without"]
            words += ["approve", "approve", "go on", "revise it all"] * bool(state.team)
            return f.Resolve(record, random.choice(words), tasks=_for_some(random, state, record))
        case 4:
            return f.Resolve(random.choice([*state.open, "esc-1"]), random.choice(["stop", "retry"]))
        case 5:
            return f.SkipTask(name, "not needed")
        case 6 | 7:
            done = [n for n, t in state.tasks.items() if t.state in {"DONE", "SKIPPED"}]
            built_on: f.BuiltOn = random.choice(("ask", "again", "again", "keep"))
            again = random.choice(done or [name])
            return f.RetryTask(again, "a failure was traced to it", built_on=built_on)
        case 9:
            first, second = random_task(random, number, living), random_task(random, number + 1, living)
            unbegun = [n for n, t in state.tasks.items() if not t.attempts]
            before = random.choice([(), (), tuple(random.sample(unbegun, min(len(unbegun), 1)))])
            return f.AddTasks(random.choice([(first,), (first, second)]), before=before)
        case 10:
            return f.Approve(state.integration_tip) if random.random() < 0.7 else f.Reject("no")
        case _:
            return (
                f.Cancel("enough", at_once=random.random() < 0.2)
                if random.random() < 0.2
                else f.Approve(random.choice([state.integration_tip, "another"]))
            )


def _for_some(random: Random, state: TeamState, question: str) -> tuple[str, ...]:
    """Of its tasks, where it is about several; none: for all."""
    known = state.escalations.get(question)
    tasks = list(known.tasks) if known else []
    return tuple(random.sample(tasks, random.randint(0, len(tasks)))) if random.random() < 0.5 else ()


def _of_planning(random: Random, state: TeamState) -> f.AnyFact | None:
    if state.session.pipeline.ends != "plan" or random.random() >= 0.3:
        return None
    if random.random() < 0.3:
        return f.PlanWritten("plan.md", "abc")
    return f.Revise(random.choice(["two of them", ""]), discuss=random.random() < 0.5)


def _at_the_gate(random: Random, state: TeamState) -> f.AnyFact | None:
    if not phases.awaits_approval(state.phase) or random.random() < 0.3:
        return None
    if random.random() < 0.4:
        return f.Reject("no", rollback=random.random() < 0.7)
    if random.random() < 0.3:
        return random_move(random, state)
    return f.ReviseWork(random.choice(["another way", " "]), random.choice(["", *state.stages, "none"]))


def random_move(random: Random, state: TeamState) -> f.AnyFact:
    """Often one that the table allows; seldom one that ends the session, or everything would end early."""
    moves = [p for p in PHASES[state.phase] if p not in FINAL_PHASES or random.random() < 0.1]
    after = random.choice([*moves, random.choice(get_args(Phase))])
    ends = after in FINAL_PHASES and random.random() < 0.8
    return f.MovePhase("EXECUTING" if ends else after, random.choice(["a person wants it", " "]))


def _steer(random: Random, state: TeamState, name: str) -> f.AnyFact:
    match random.randrange(6):
        case 0 | 1:
            asking = [n for n, attempt in state.active.items() if attempt.questions]
            return f.PauseTask(random.choice(asking or [name]))
        case 2 | 3:
            again = random.choice([*state.paused, name])
            return f.RetryTask(again, random.choice(["", "take the other way"]))
        case 4:
            agent = random.choice(["codex", "claude:opus", "scripted"])
            return f.ReassignTask(name, agent, random.choice(["", "small"]))
        case _:
            return f.PauseSession()


def play(world: World, random: Random, turns: int) -> None:
    """What may happen to a session, in any order, some of it twice or too late."""
    luck = random.choice([0.5, 0.7, 0.95])
    world.out_of_service = random.random() < 0.2
    world.chatty = random.random() < 0.4
    world.troubled = random.random() < 0.3
    world.broken = random.choice(BREAKABLE) if random.random() < 0.4 else ""
    if world.state.team and random.random() < 0.5:
        to_the_gate(world)
    for _ in range(turns):
        asked = _at_the_gate(random, world.state) if world.state.team else None
        if asked is not None:
            world.tell(asked)
        else:
            _play_turn(world, random, luck)
    if turns >= LONG and not world.state.final and random.random() < 0.3:
        _leave(world, random, luck)
    world.check_replay()


LONG = 20
"""Turns after which a person may have had enough."""


def _leave(world: World, random: Random, luck: float) -> None:
    """While somebody is at work, if anybody is to come. What happens then, happens to those who leave."""
    for _ in range(5):
        if any(attempt.phase == "working" for attempt in world.state.active.values()):
            break
        _play_turn(world, random, luck)
    world.tell(f.Cancel("enough", at_once=random.random() < 0.1))
    for _ in range(20):
        _play_turn(world, random, luck)


def _play_turn(world: World, random: Random, luck: float) -> None:
    state = world.state
    due = list(state.due.values())
    dice = random.random()
    if state.phase == "AWAITING_APPROVAL" and state.approval is None and dice < 0.4:
        world.tell(world.approval())
    elif dice < 0.4 and world.chatty:
        world.tell(random_talk(random, world))
    elif dice < 0.66 and due:
        chosen = random.sample(due, min(len(due), random.choice([1, 1, 1, 2, 3])))
        world.tell(*(_pick(random, effect, world, luck) for effect in chosen))
    elif dice < 0.5:
        _go_on(world, random)
    elif dice < 0.70:
        world.tell(random.choice(world.delivered))
    elif dice < 0.80:
        world.tell(random_talk(random, world))
    elif dice < 0.88:
        world.tell(*(random_command(random, world) for _ in range(random.choice([1, 1, 1, 2]))))
    elif dice < 0.93:
        _wait(world, random)
    elif dice < 0.965:
        world.tell(f.LeaderDraining("ctrl-c") if random.random() < 0.5 else f.LeaderLeft("it ended"))
    else:
        world.tell(f.LeaderArrived(2, "another"))


def _go_on(world: World, random: Random) -> None:
    """Nothing is due: somebody answers, or time passes."""
    if world.state.open and random.random() < 0.6:
        record = random.choice(list(world.state.open.values()))
        word = ANSWERS.get(record.kind) or random.choice(["retry", "skip", "take the left one"])
        words = {
            "whole": ["accept", "retry", "retry", "try the other way"],
            "scope": ["allow", "allow docs/", "deny", "skip", "leave it"],
            "plan": ["replan", "retry", "think again"],
            "completion": ["accept", "retry", "the docs are elsewhere"],
            "proposal": ["accept", "retry", "two of them"],
            "preflight": ["go on", "retry", "check: make test", "check: make lint => make fast"],
            "judge": ["retry", "without", "judge: codex"],
        }
        word = random.choice(words.get(record.kind, [word]))
        world.tell(f.Resolve(record.id, word, tasks=_for_some(random, world.state, record.id)))
    else:
        _wait(world, random)


def _wait(world: World, random: Random) -> None:
    timer = world.state.next_timer()
    world.now = timer if timer and timer > world.now else world.now + random.choice([0.5, 5.0])
    world.tell()


BREAKABLE = ("agent", "environment", "check", "judge", "planner")


def _breaks(effect: do.AnyEffect, world: World) -> f.AnyFact | None:
    """What comes of it where the thing that it needs is broken."""
    match effect, world.broken:
        case do.RunAgent(), "agent" if world.state.runs[effect.run].purpose == "work":
            return f.RunOver(effect.run, RunEnd("error", detail="it is not installed"))
        case do.PrepareCopy(), "environment":
            return f.EffectFailed(effect.task, effect.attempt, "preparing the copy", "no such tool")
        case do.Check(), "check":
            return check_ended(effect.task, effect.attempt, effect.command, 127)
        case do.RunAgent(), role if world.state.runs[effect.run].role == role:
            return answered(effect.run, "ok", problem="no JSON")
        case _:
            return None


def _pick(random: Random, effect: do.AnyEffect, world: World, luck: float) -> f.AnyFact:
    if random.random() < 0.8 and (broken := _breaks(effect, world)) is not None:
        return broken
    possible = answers(effect, world)
    asked = world.state.runs[effect.run] if isinstance(effect, do.RunAgent) else None
    asked = asked if asked is not None and asked.purpose != "work" else None
    uncertain = asked is not None or isinstance(effect, do.ApplyWork | do.CheckWhole)
    lucky = not uncertain and random.random() < luck
    if asked is not None and random.random() < 0.7:
        return answered(asked.id, "ok", random.choice(OPINIONS[asked.purpose]))
    if world.troubled and isinstance(effect, do.RunAgent) and random.random() < 0.5:
        return f.RunOver(effect.run, RunEnd("error", detail="it crashed"))
    if world.troubled and isinstance(effect, do.Collect) and random.random() < 0.4:
        return work_found(effect.task, effect.attempt, "", feedback=random.choice(DIFFICULTIES))
    if lucky and isinstance(effect, do.RunAgent) and random.random() < 0.5:
        return f.RunOver(effect.run, RunEnd("ok", usage=Usage(100, 20, 0.5), turns=2))
    if not lucky and isinstance(effect, do.RunAgent) and world.out_of_service:
        return f.RunOver(effect.run, RunEnd("unavailable", detail="529"))
    if not lucky and isinstance(effect, do.RunAgent) and world.chatty and random.random() < 0.5:
        return f.RunOver(effect.run, RunEnd("error", detail="it talked too much"))
    return possible[0] if lucky else random.choice(possible)


AWAITED_IN: dict[type[Any], tuple[str, ...]] = {
    f.CopyReady: ("preparing",),
    f.CopyConflict: ("preparing",),
    f.WorkFound: ("collecting",),
    f.CheckEnded: ("checking",),
    f.WorkProved: ("proving", "trying"),
    f.Merged: BEFORE_ITS_END,
    f.MergeRefused: ("integrating",),
    f.EffectFailed: CARRIED_OUT,
    f.Reported: ("working",),
    f.FeedbackGiven: ("working",),
    f.ResultSubmitted: ("working",),
    f.Asked: ("working",),
    f.QuestionParked: ("working",),
    f.MessagePosted: ("working",),
    f.MessagesTaken: ("working",),
    f.ShutdownAnswered: ("working",),
    f.TaskUpdated: ("working",),
}
"""The phases of an attempt in which somebody waits for this fact about it."""


ASKED_FOR: dict[type[Any], Callable[[Any], str]] = {
    f.AnswerOverdue: lambda fact: f"AwaitAnswer:{fact.task}:{fact.attempt}:{fact.request}",
    f.RunQuiet: lambda fact: f"StopAgent:{fact.run}",
    f.WholeEnded: lambda fact: f"CheckWhole:{fact.tip}",
    f.TrialBegun: lambda fact: f"CheckWhole:{fact.tip}",
    f.CheckTried: lambda fact: do.Preflight(fact.command, fact.turn).key,
}
"""How the keys begin of the effects that these come of."""


def is_stale(state: TeamState, fact: Any) -> bool:
    if isinstance(fact, f.CopyReleased):
        return fact.task not in state.copies and fact.stayed not in state.kept
    if isinstance(fact, f.ApprovalMade | f.ApprovalImpossible):
        return state.approval is None or state.phase != "AWAITING_APPROVAL"
    if isinstance(fact, f.RunOver):
        run = state.runs.get(fact.run)
        return run is None or run.started_at is None or run.ended_at is not None
    if isinstance(fact, tuple(ASKED_FOR)):
        start = ASKED_FOR[type(fact)](fact)
        return not any(key == start or key.startswith(f"{start}:") for key in state.due)
    if type(fact) not in AWAITED_IN:
        return False
    known = state.tasks.get(fact.task)
    attempt = known.live if known else None
    if attempt is None or attempt.number != fact.attempt or attempt.phase not in AWAITED_IN[type(fact)]:
        return True
    if isinstance(fact, f.WorkProved) and fact.examples != attempt.trying:
        return True
    return isinstance(fact, f.CheckEnded) and fact.result.command in {
        check.command for check in attempt.checks
    }


ANSWERS = {
    "limit": "more",
    "budget": "more",
    "agent": "retry",
    "whole": "accept",
    "plan": "retry",
    "completion": "accept",
    "rounds": "more",
    "proposal": "accept",
    "preflight": "go on",
    "judge": "retry",
    "stage": "go on",
    "decision": "approve",
}
"""That let the session go on; any other question takes any text."""


MISSED = 2
"""Of what a planner may say of the merged work: that something is missing, and no task would mend it."""


def _last_look(world: World, effect: do.AnyEffect) -> bool:
    asked = world.state.runs
    return isinstance(effect, do.RunAgent) and asked[effect.run].purpose == "complete"


TRESPASSES = tuple(Trespass(item, f"{item} was changed") for item in ("hooks/pre-push", "refs/heads/main"))


def _offered(record: Escalation, word: str) -> bool:
    """Where there is no plan that can be used, none can be accepted."""
    return record.kind != "proposal" or (record.question is not None and word in record.question.options)


def settle(world: World) -> None:
    """From here on everything goes well and every question is answered: the session must end."""
    world.tell(f.RepositoryLooked(TRESPASSES))
    for _ in range(100 + 40 * len(world.state.tasks)):
        if world.state.final and not world.state.due:
            return
        _go_well(world)
    raise broken("the session does not end, although everything goes well")


def to_the_gate(world: World) -> None:
    """Everything goes well until a person is asked to approve, if they are."""
    for _ in range(100 + 40 * len(world.state.tasks)):
        if world.state.final or world.state.phase == "AWAITING_APPROVAL":
            return
        _go_well(world)


def _go_well(world: World) -> None:
    state = world.state
    if not state.leader or state.draining:
        world.tell(f.LeaderArrived(3, "the last"))
    elif state.due:
        effect = next(iter(state.due.values()))
        world.answer(effect, MISSED if world.troubled and _last_look(world, effect) else 0)
    elif state.open:
        record = next(iter(state.open.values()))
        word = ANSWERS.get(record.kind, "go on")
        world.tell(f.Resolve(record.id, word if _offered(record, word) else "go on"))
    elif state.paused:
        world.tell(f.RetryTask(next(iter(state.paused))))
    elif state.phase == "AWAITING_APPROVAL" and state.trespasses:
        world.tell(f.Mend(put_back=tuple(state.trespasses)))
    elif state.phase == "AWAITING_APPROVAL":
        world.tell(world.approval())
    elif (timer := state.next_timer()) is not None:
        world.now = max(world.now, timer)
        world.tell()
    else:
        raise broken(f"nothing can be done in phase {state.phase}")


# The same outside, whatever the order


def play_script(script: str, order: Random, *, jobs: int) -> World:
    """What comes of each effect depends on the script alone; when it comes, on the order."""
    chance = Random(script)
    limits = Limits(jobs=jobs, attempts=2, retry_delay=1.0, questions=1000)
    drawn = [random_task(chance, number, range(1, number)) for number in range(1, 7)]
    # Time, and with it what is spent, depends on the order.
    tasks = [msgspec.structs.replace(task, budget=Budget()) for task in drawn]
    world = World(session(*tasks, limits=limits, checks=("make lint",)))
    asked: Counter[str] = Counter()
    for _ in range(2000):
        state = world.state
        if state.final and not state.due:
            return world
        due = list(state.due.values())
        if state.open and (not due or order.random() < 0.2):
            record = state.open[order.choice(list(state.open))]
            world.tell(_word_for_one(script, record, asked, order))
        elif due:
            chosen = order.sample(due, min(len(due), order.choice([1, 1, 2, 3])))
            world.tell(*(_scripted(script, effect, world) for effect in chosen))
        elif state.phase == "AWAITING_APPROVAL":
            world.tell(world.approval())
        else:
            world.now = state.next_timer() or world.now
            world.tell()
    raise broken(f"the script {script!r} does not end")


def _word_for_one(script: str, record: Escalation, asked: Counter[str], order: Random) -> f.AnyFact:
    """Which tasks share a question depends on the order, so each gets an answer of its own."""
    if record.kind in ANSWERS or not record.tasks:
        return f.Resolve(record.id, ANSWERS.get(record.kind, "retry"))
    name = order.choice(list(record.tasks))
    asked[name] += 1
    word = Random(f"{script} {name} {asked[name]}").choice(["retry", "skip", "do it so"])
    return f.Resolve(record.id, word, tasks=(name,))


def _scripted(script: str, effect: do.AnyEffect, world: World) -> f.AnyFact:
    if isinstance(effect, do.RunAgent):
        over = _pick(Random(f"{script} {effect.key}"), effect, world, luck=0.6)
        if isinstance(over, f.RunOver) and over.end.status in NOT_SERVED:
            # Whom a hold meets before its agent starts depends on the order.
            return f.RunOver(effect.run, RunEnd("interrupted"))
        return over
    if isinstance(effect, do.AttemptEffect):
        # Not by its key: that of a check names the tip it began from, which depends on the order.
        what = f"{type(effect).__name__} {effect.task} {effect.attempt} {getattr(effect, 'command', '')}"
        return _pick(Random(f"{script} {what}"), effect, world, luck=0.6)
    return answers(effect, world)[0]


def outcome(world: World) -> dict[str, Any]:
    """How each task ended. What names the tip of the integration branch depends on the order, of course."""
    return {
        name: (
            ended.state,
            ended.made if not any(a.fresh for a in ended.attempts) else len(ended.made),
            [(a.outcome, a.reasons, a.work.commit, None if a.fresh else a.bases) for a in ended.attempts],
            ended.guidance,
        )
        for name, ended in world.state.tasks.items()
    }


def trace(seed: int) -> bytes:
    """Every event of a random session, as it would be written."""
    random = Random(seed)
    world = World(session_of(seed, random))
    play(world, random, 120)
    settle(world)
    return b"\n".join(world.events())
