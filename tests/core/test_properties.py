"""Laws that hold whatever happens to a session, in whatever order.

`World` checks them after every turn: see `oracle`. TEAMLEAD_TEST_SIZE multiplies how much is tried.
"""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from tests.core.support import (
    SIZE,
    TRESPASSES,
    World,
    describe,
    outcome,
    play,
    play_script,
    random_command,
    random_planning,
    random_session,
    random_team,
    session_of,
    settle,
)
from tests.recorded_seeds import found, recorded_first

from teamlead.core import events as e
from teamlead.core import facts as f

ROOT = Path(__file__).parents[2]
RANDOMS = st.randoms(use_true_random=False)
ANY = st.integers(0, 7)


@pytest.mark.parametrize("seed", range(40 * SIZE))
def test_whatever_happens_every_law_holds_and_the_session_can_end(seed: int) -> None:
    random = Random(seed)
    world = World(session_of(seed, random))
    play(world, random, random.choice([20, 60, 120]))
    settle(world)
    world.check_replay()


@pytest.mark.parametrize("seed", range(60 * SIZE))
def test_whatever_happens_to_a_team_every_law_holds_and_its_session_can_end(seed: int) -> None:
    random = Random(seed)
    spec, team = random_team(random)
    world = World(spec, team=team)
    play(world, random, random.choice([60, 120, 200]))
    settle(world)
    world.check_replay()


@pytest.mark.timeout(600)  # a search takes twenty seconds of processor time, and the machine may be busy
def test_the_scenarios_reach_every_kind_of_event() -> None:
    """A simulator that never gets anywhere proves nothing."""
    missing = {kind.__name__ for kind in get_args(e.AnyEvent)} | ENDS
    enough = []
    for seed in recorded_first(EVERY_EVENT, range(MOST_SEEDS)):
        random = Random(seed)
        teamed = random_team(random) if seed % TEAMS == 4 else None
        world = World(teamed[0], team=teamed[1]) if teamed else World(session_of(seed, random))
        play(world, random, 150 if teamed else 60)
        if not seed:
            world.tell(f.CommandUnreadable("nobody can read it"))
        settle(world)
        if new := missing & {world.state.phase, *(type(event).__name__ for _, event in world.log)}:
            missing -= new
            enough.append(seed)
        if not missing:
            found(EVERY_EVENT, enough)
            return
    raise AssertionError(missing)


EVERY_EVENT = "core: every kind of event"
MOST_SEEDS = 2000
TEAMS = 5
"""One session of so many is a team's."""
ENDS = {"DONE", "FAILED", "CANCELLED"}


@pytest.mark.parametrize("script", [f"script {number}" for number in range(8 * SIZE)])
def test_the_order_of_independent_facts_does_not_change_the_outcome(script: str) -> None:
    outcomes = [outcome(play_script(script, Random(n), jobs=1 + n % 4)) for n in range(4)]
    assert all(one == outcomes[0] for one in outcomes[1:])


@pytest.mark.parametrize("seed", range(6 * SIZE))
def test_the_same_facts_in_other_turns_give_the_same_events(seed: int) -> None:
    random = Random(seed)
    world = World(random_session(random))
    play(world, random, 60)
    facts = [fact for fact in world.delivered if not isinstance(fact, f.Open)]
    alone, grouped = World(world.state.session, led=False), World(world.state.session, led=False)
    while facts:
        turn = facts[: random.randint(1, 5)]
        del facts[: len(turn)]
        for fact in turn:
            alone.tell(fact)
        grouped.tell(*turn)
    assert grouped.events() == alone.events()
    assert describe(grouped.state) == describe(alone.state)


def traced(hash_seed: int, prelude: str = "") -> bytes:
    code = f"from tests.core.support import trace\n{prelude}\nprint(*[trace(s).decode() for s in range(8)])"
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, cwd=ROOT, env=environment
    ).stdout


def test_the_same_session_gives_the_same_events_under_every_hash_seed() -> None:
    first = traced(1)
    assert first.count(b'"event"') > 500
    assert first == traced(2)


ORDERED_BY_A_SET = """
from teamlead.core.state.team_state import TeamState
in_order = TeamState.heads
def heads(self, now):
    heads = in_order(self, now)
    lanes = [task.lane for task in heads]
    ready = {name for lane in lanes for _, ticket, name in lane.ready if self.tasks[name].ticket == ticket}
    return [self.tasks[name] for name in ready] if heads and ready else heads
TeamState.heads = heads
"""


def test_an_order_that_comes_from_a_set_would_be_noticed() -> None:
    assert len({traced(hash_seed, ORDERED_BY_A_SET) for hash_seed in (1, 2)}) > 1


class Session(RuleBasedStateMachine):
    """The same world, driven by hypothesis, which finds the shortest way to a broken law."""

    world: World

    @initialize(random=RANDOMS)
    def open(self, random: Random) -> None:
        drawn = random_planning if random.random() < 0.1 else random_session
        self.world = World(drawn(random))

    @precondition(lambda self: self.world.state.due)
    @rule(which=ANY, choice=ANY)
    def answer(self, which: int, choice: int) -> None:
        due = list(self.world.state.due.values())
        self.world.answer(due[which % len(due)], choice)

    @precondition(lambda self: self.world.state.due)
    @rule(which=ANY)
    def succeed(self, which: int) -> None:
        due = list(self.world.state.due.values())
        self.world.answer(due[which % len(due)])

    @rule(random=RANDOMS)
    def ask(self, random: Random) -> None:
        self.world.tell(random_command(random, self.world))

    @rule(which=st.integers(0, 40))
    def hear_again(self, which: int) -> None:
        self.world.tell(self.world.delivered[which % len(self.world.delivered)])

    @rule(seconds=st.sampled_from([0.5, 2.0, 60.0]))
    def wait(self, seconds: float) -> None:
        self.world.now += seconds
        self.world.tell()

    @rule(
        fact=st.sampled_from([f.LeaderDraining("^C"), f.LeaderLeft("it ended"), f.LeaderArrived(2, "next")])
    )
    def change_leader(self, fact: f.AnyFact) -> None:
        self.world.tell(fact)

    @rule(count=st.integers(0, len(TRESPASSES)))
    def look_at_the_repository(self, count: int) -> None:
        self.world.tell(f.RepositoryLooked(TRESPASSES[:count]))

    def teardown(self) -> None:
        if hasattr(self, "world"):
            settle(self.world)
            self.world.check_replay()


TestSession = Session.TestCase
TestSession.settings = settings(
    max_examples=20 * SIZE,
    stateful_step_count=40,
    deadline=None,
    derandomize=SIZE == 1,
    database=None,
    suppress_health_check=list(HealthCheck),
)
