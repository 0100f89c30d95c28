"""`decide` only reads: it answers with events, with nothing, or with a refusal."""

from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace
from tests.core.support import (
    AWAITED_IN,
    SIZE,
    World,
    describe,
    is_stale,
    play,
    random_session,
    session,
    task,
)
from tests.core.talking import FEEDBACK, RESULTS
from tests.core.told import agent_ended, answered, check_ended, quiet, work_found

from teamlead.core import decide as rules
from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.answers import Judgement
from teamlead.core.decide import decide
from teamlead.core.evidence.bisection import WholeCheck
from teamlead.core.evidence.obstacles import Obstacle
from teamlead.core.evidence.values import Proofs
from teamlead.core.model import Change, Excerpt, Limits, Person, Question, SessionSpec, Trespass
from teamlead.core.runs import AgentStatus
from teamlead.core.state.team_state import TeamState
from teamlead.errors import Refused, TeamleadError

SESSION = session(task(1))


def every_fact(name: str, number: int) -> list[f.AnyFact]:
    """One of each kind, and of each turn a kind may take."""
    return [
        f.Open(SESSION),
        f.LeaderArrived(7, "another"),
        f.LeaderDraining("ctrl-c"),
        f.LeaderLeft("it ended"),
        f.CopyReady(name, number, "base"),
        f.CopyConflict(name, number, ("a",)),
        *(agent_ended(name, number, status) for status in get_args(AgentStatus)),
        agent_ended(name, number, "ok", question=Question("Which?")),
        work_found(name, number, ""),
        work_found(name, number, "commit", (Change("a", "100644", "100644"),)),
        check_ended(name, number, "make test", 0),
        check_ended(name, number, "make lint", 1),
        f.WorkProved(name, number, Proofs()),
        f.Merged(name, number, "commit", "tip"),
        f.MergeRefused(name, number, "tip", ("a",)),
        f.EffectFailed(name, number, "it", "why"),
        quiet(name, number),
        f.CopyReleased(name),
        f.ConflictSeen(name, number, "task-2", 1, ("a.py",)),
        f.ConflictSeen(name, number, "", 0, ()),
        f.Notified("esc-1"),
        f.Notified("esc-1", "no such command"),
        answered(f"{name}-judge-{number}", "ok", Judgement(success=True, reason="it does")),
        f.ConflictSeen(name, number, "task-2", 1, ("a",)),
        f.ConflictSeen(name, number, "", 0, ()),
        f.Notified("esc-1"),
        f.TrialBegun("tip", "make lint", "on the merged work"),
        f.WholeEnded("tip", (WholeCheck("make lint", "passed", "it passes"),)),
        f.CheckTried("make test", 0, 0, 1.0),
        f.CheckTried("make lint", 0, 127, 1.0, Obstacle("no program", "make", "it is not there", "")),
        f.RepositoryLooked((Trespass("hooks/pre-push", "it was changed"),)),
        f.RepositoryLooked(),
        f.Mend(put_back=("hooks/pre-push",), accepted=("refs/heads/main",), gone=("shallow",)),
        f.ApprovalMade("commit", "main", "before", "undo"),
        f.ApprovalImpossible("why"),
        f.PlanWritten("plan.md", "abc"),
        *(f.Resolve(f"esc-{n}", word) for n in (1, 2) for word in ("retry", "skip", "more", "stop", "")),
        f.Approve("tip"),
        f.Approve("another"),
        f.Reject("why"),
        f.Reject("why", rollback=True),
        *(f.MovePhase(phase, "why") for phase in ("EXECUTING", "REVIEWING", "AWAITING_APPROVAL", "FAILED")),
        f.ReviseWork("otherwise"),
        f.ReviseWork("otherwise", "Nowhere"),
        f.RolledBack(("refs/kept/a",)),
        f.RolledBack(problem="a branch is locked"),
        f.Cancel("why"),
        f.Cancel("why", at_once=True),
        f.AddTasks((task(50, 1),)),
        f.AddTasks((task(1),)),
        f.SkipTask(name, "why"),
        f.PauseTask(name),
        *(f.RetryTask(name, advice) for advice in ("", "left")),
        *(f.ReassignTask(name, agent) for agent in ("codex", "scripted")),
        f.PauseSession(),
        f.Revise("without a reset"),
        f.Tell(name, "hurry"),
        *(f.ReleaseAgent(kind) for kind in ("scripted", "nobody")),
        f.KindHeld("scripted", 2000.0, "met elsewhere"),
        f.MachineShort("Too many open files"),
        f.CommandUnreadable("it is no JSON"),
        f.Reported(name, number, "half way"),
        *(f.FeedbackGiven(name, number, feedback) for feedback in FEEDBACK),
        *(f.ResultSubmitted(name, number, result) for result in RESULTS),
        f.Asked(name, number, Question("Which?"), "call-1"),
        f.QuestionParked(name, number, "esc-1"),
        f.PermissionAsked(name, number, Question("May it?", ("allow", "deny")), "call-2"),
        f.PermissionLapsed(name, number, "esc-1"),
        *(f.MessagePosted(name, number, to, "hello") for to in ("task-1", "worker", "all", "lead", "x")),
        f.MessagesTaken(name, number, ("msg-1",)),
        *(f.ShutdownAnswered(name, number, "msg-1", yes) for yes in (True, False)),
        f.AnswerOverdue(name, number, "msg-1"),
        *(f.TaskUpdated(name, number, target, "done") for target in (name, "task-99")),
        f.LeadRead(name, number, (Excerpt("a.py", 1, 200),)),
        f.LeadRead(name, number, (Excerpt("a.py", 1, 201),)),
    ]


def test_every_kind_of_fact_has_a_rule_and_an_example_here() -> None:
    kinds = set(get_args(f.AnyFact))
    assert set(rules._RULES) == kinds
    assert {type(fact) for fact in every_fact("task-1", 1)} == kinds


@pytest.mark.parametrize("seed", range(6 * SIZE))
def test_no_fact_changes_a_state_by_being_decided_on_and_stale_ones_cause_nothing(seed: int) -> None:
    random = Random(seed)
    world = World(random_session(random))
    for _ in range(5):
        play(world, random, 7)
        before = describe(world.state)
        for name in ("task-1", "task-2", "task-99"):
            for number in (0, 1, 2, 3):
                for fact in every_fact(name, number):
                    try:
                        events = decide(world.state, fact, world.now)
                    except TeamleadError:
                        continue
                    assert not events or not is_stale(world.state, fact), fact
        assert describe(world.state) == before


UNTIL: dict[str, type[do.AnyEffect]] = {
    "preparing": do.PrepareCopy,
    "working": do.RunAgent,
    "collecting": do.Collect,
    "checking": do.Check,
    "proving": do.Prove,
    "integrating": do.Integrate,
    "stopping": do.RunAgent,
}


def in_phase(phase: str) -> World:
    """Task 1 with its second attempt in a phase."""
    world = World(session(task(1, checks=("make test",)), limits=Limits(retry_delay=0.0, proof_times=2.0)))
    world.advance(1, do.RunAgent)
    world.answer(world.due(do.RunAgent), 1)
    world.advance(1, UNTIL[phase])
    if phase == "stopping":
        world.tell(f.SkipTask("task-1", "why"))
    return world


AWAITED = [fact for fact in every_fact("task-1", 2) if type(fact) in AWAITED_IN]
ABOUT_ATTEMPTS = [fact for fact in AWAITED if not isinstance(fact, f.AttemptTalk)]
PHASES = ["preparing", "working", "collecting", "checking", "proving", "integrating", "stopping"]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("fact", ABOUT_ATTEMPTS, ids=lambda fact: type(fact).__name__)
def test_a_fact_counts_only_in_the_phase_it_speaks_of(phase: str, fact: f.AnyFact) -> None:
    world = in_phase(phase)
    wrong_check = isinstance(fact, f.CheckEnded) and fact.result.command != "make test"
    expected = phase in AWAITED_IN[type(fact)] and not wrong_check
    assert bool(decide(world.state, fact, world.now)) is expected


OTHERS = [("task-1", 1), ("task-1", 3), ("task-1", 0), ("task-2", 2)]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("name", "number"), OTHERS)
def test_a_fact_about_another_attempt_or_task_causes_nothing(phase: str, name: str, number: int) -> None:
    world = in_phase(phase)
    for fact in every_fact(name, number):
        if type(fact) in AWAITED_IN and not isinstance(fact, f.AttemptTalk):
            assert decide(world.state, fact, world.now) == [], fact


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("name", "number"), [("task-1", 2), *OTHERS])
def test_only_the_agent_at_work_may_speak_and_others_are_told_so(phase: str, name: str, number: int) -> None:
    world = in_phase(phase)
    if (phase, name, number) == ("working", "task-1", 2):
        assert decide(world.state, f.Reported(name, number, "half way"), world.now)
        return
    for fact in every_fact(name, number):
        if isinstance(fact, f.AttemptTalk):
            with pytest.raises(Refused, match=f"attempt {number} of {name} is not at work any more"):
                decide(world.state, fact, world.now)


def test_a_word_about_an_approval_that_nobody_gave_causes_nothing() -> None:
    world = World(session(task(1)))
    world.finish(1)
    assert decide(world.state, f.ApprovalMade("c", "main", "b", "u"), 0.0) == []
    assert decide(world.state, f.ApprovalImpossible("why"), 0.0) == []


def test_a_copy_that_is_not_known_cannot_be_released() -> None:
    world = World(session(task(1), task(2, 1)))
    assert decide(world.state, f.CopyReleased("task-2"), 0.0) == []
    assert decide(world.state, f.CopyReleased("task-9"), 0.0) == []


def test_a_leader_that_drains_or_left_already_does_so_once() -> None:
    world = World(session(task(1)))
    world.tell(f.LeaderDraining("ctrl-c"))
    assert decide(world.state, f.LeaderDraining("ctrl-c"), 0.0) == []
    world.tell(f.LeaderLeft("it ended"))
    assert decide(world.state, f.LeaderLeft("it ended"), 0.0) == []


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (session(task(1, 2), task(2, 1)), "task-1 → task-2 → task-1"),
        (session(task(1, 9)), "task-1 depends on task-9, which does not exist"),
        (session(task(1), task(1)), "task-1 is there already"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused_whole(spec: SessionSpec, says: str) -> None:
    state = TeamState()
    with pytest.raises(Refused, match=says):
        decide(state, f.Open(spec), 0.0)
    assert describe(state) == describe(TeamState())


@pytest.mark.parametrize(
    "wish",
    [
        f.Approve(""),
        f.Reject("no"),
        f.Cancel("no"),
        f.RetryTask("task-1", "once more"),
        f.AddTasks((task(2),)),
    ],
    ids=lambda wish: type(wish).__name__,
)
def test_all_that_a_wish_causes_names_the_person(wish: f.Wish) -> None:
    ada = Person("ada", 4711, "/dev/pts/3")
    world = World(session(task(1)))
    world.advance(1, do.Release)
    wish = world.approval() if isinstance(wish, f.Approve) else wish
    caused = decide(world.state, replace(wish, who=ada), world.now)  # type: ignore[arg-type]
    assert [event.who for event in caused] == [ada] * len(caused) != []
    assert [replace(event, who=None) for event in caused] == decide(world.state, wish, world.now)  # type: ignore[arg-type]


def test_nothing_that_agents_say_is_a_persons_wish() -> None:
    wishes = {kind for kind in get_args(f.AnyFact) if issubclass(kind, f.Wish)}
    assert wishes == {f.Open, *get_args(f.Command)}
    assert not wishes & {*get_args(f.Talk)}
    assert {*get_args(f.Talk)} == {kind for kind in get_args(f.AnyFact) if issubclass(kind, f.AttemptTalk)}
