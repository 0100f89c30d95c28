"""A state that is read from a snapshot is the state: nobody who goes on from there could tell."""

import dataclasses
from collections.abc import Callable
from copy import copy
from random import Random
from typing import Any, Literal

import msgspec
import pytest
from tests.core.oracle import LawBroken, broken
from tests.core.support import SIZE, World, describe, play, session, session_of, settle, task

from teamlead.core import facts as f
from teamlead.core.evolve import evolve
from teamlead.core.model import SessionSpec
from teamlead.core.state.records import Task
from teamlead.core.state.shape import classes_in, is_record
from teamlead.core.state.snapshot import Codec, dump, load
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import Turn, step
from teamlead.errors import StorageFailed

Read = Callable[[bytes], TeamState]
PATIENCE = 25
"""Turns that a copy goes on for, beside the state."""


class Copied(World):
    """Before every turn a copy is read from a snapshot, goes on beside the state; so does an older one."""

    def __init__(self, spec: SessionSpec, read: Read = load, *, looks_inside: bool = True) -> None:
        self.read = read
        self.looks_inside = looks_inside
        self.older: TeamState | None = None
        self.turns = 0
        super().__init__(spec)

    def tell(self, *facts: f.AnyFact) -> Turn:
        copied = self.read(dump(self.state))
        if self.looks_inside and graph(copied) != graph(self.state):
            raise broken("the copy is held together in another way")
        if self.older is None or self.turns % PATIENCE == 0:
            self.older = self.read(dump(self.state))
        self.turns += 1
        turns = [(state, self._turn_of(state, facts)) for state in (copied, self.older)]
        turn = super().tell(*facts)
        for state, other in turns:
            state.touched.clear()
            state.fresh_due.clear()
            if other.events != turn.events or told(other) != told(turn):
                raise broken(f"{facts!r} mean something else to the copy")
            if describe(state) != self._described:
                raise broken(f"{facts!r} make another state of the copy")
        return turn

    def _turn_of(self, state: TeamState, facts: tuple[f.AnyFact, ...]) -> Turn:
        try:
            return step(state, facts, self.now)
        except Exception as error:
            raise broken(f"the copy raised {error!r} at {facts!r}") from error


def told(turn: Turn) -> dict[int, str]:
    return {position: str(refusal) for position, refusal in turn.refusals.items()}


def graph(root: Any) -> list[Any]:
    """All objects that change, in the order in which one meets them, each with what it holds by number."""
    numbers = {id(root): 0}
    met = [root]

    def number(value: Any) -> Any:
        if not (isinstance(value, list | dict) or dataclasses.is_dataclass(value)):
            return tuple(map(number, value)) if isinstance(value, tuple) else value
        if id(value) not in numbers:
            numbers[id(value)] = len(met)
            met.append(value)
        return type(value), numbers[id(value)]

    def held(value: Any) -> list[Any]:
        if isinstance(value, dict):
            return [(key, number(each)) for key, each in value.items()]
        if isinstance(value, list):
            return [number(each) for each in value]
        return [number(getattr(value, field.name)) for field in dataclasses.fields(value)]

    return [held(value) for value in met]


def play_copied(seed: int, turns: int, read: Read = load, *, looks_inside: bool = True) -> World:
    random = Random(seed)
    world = Copied(session_of(seed, random), read, looks_inside=looks_inside)
    play(world, random, turns)
    settle(world)
    return world


def play_many(read: Read, *, looks_inside: bool = True) -> None:
    # From one in which each of the planted faults shows.
    for seed in range(6, 60):
        play_copied(seed, 40, read, looks_inside=looks_inside)


@pytest.mark.parametrize("seed", range(8 * SIZE))
def test_a_copy_goes_on_as_the_state_does(seed: int) -> None:
    world = play_copied(seed, 40)
    assert dump(world.replayed()) == dump(load(dump(world.state))) == dump(world.state)


@pytest.mark.parametrize("seed", range(100, 100 + 8 * SIZE))
def test_a_snapshot_and_the_later_events_are_the_fold_of_all_events(seed: int) -> None:
    random = Random(seed)
    world = World(session_of(seed, random))
    play(world, random, 40)
    state = TeamState()
    copies = [load(dump(state))]
    for at, event in world.log:
        for each in (state, *copies):
            evolve(each, event, at)
        copies.append(load(dump(state)))
        assert graph(copies[-1]) == graph(state)
    assert {dump(each) for each in copies} == {dump(state)}
    assert describe(copies[0]) == describe(state)


# Planted faults


def apart(record: Any) -> Any:
    """Another object that is equal to it."""
    twin = copy(record)
    for field in dataclasses.fields(record):
        held = getattr(record, field.name)
        setattr(twin, field.name, copy(held) if isinstance(held, list | dict) else held)
    return twin


def lane_of_its_own(state: TeamState) -> None:
    for each in state.tasks.values():
        each.lane = apart(each.lane)


def run_of_its_own(state: TeamState) -> None:
    for attempt in state.active.values():
        attempt.run = apart(attempt.run)


def live_is_none_of_the_attempts(state: TeamState) -> None:
    for each in state.tasks.values():
        each.live = each.live and apart(each.live)


def purse_of_its_own(state: TeamState) -> None:
    for each in state.tasks.values():
        each.funds = tuple(map(apart, each.funds))


def open_questions_of_their_own(state: TeamState) -> None:
    state.open = {name: apart(record) for name, record in state.open.items()}


def dependents_of_their_own(state: TeamState) -> None:
    for each in state.tasks.values():
        each.dependents = list(map(apart, each.dependents))


def no_ticket(state: TeamState) -> None:
    for each in state.tasks.values():
        each.ticket = 0


def no_heap(state: TeamState) -> None:
    for lane in state.lanes.values():
        lane.ready.sort(reverse=True)


def another_order(state: TeamState) -> None:
    state.due = dict(reversed(state.due.items()))


def nothing_reserved(state: TeamState) -> None:
    for purse in state.purses.values():
        purse.reserved.clear()


FAULTS = [
    lane_of_its_own,
    run_of_its_own,
    live_is_none_of_the_attempts,
    purse_of_its_own,
    open_questions_of_their_own,
    dependents_of_their_own,
    no_ticket,
    no_heap,
    another_order,
    nothing_reserved,
]


BEHAVING = [fault for fault in FAULTS if fault is not open_questions_of_their_own]
"""Those by which a copy does something else. Of open questions only the names are asked for so far."""


def faulty(fault: Callable[[TeamState], None]) -> Read:
    def read(data: bytes) -> TeamState:
        state = load(data)
        fault(state)
        return state

    return read


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_copy_that_is_another_would_be_noticed_at_once(fault: Callable[[TeamState], None]) -> None:
    with pytest.raises(LawBroken, match="held together in another way"):
        play_many(faulty(fault))


@pytest.mark.parametrize("fault", BEHAVING, ids=lambda fault: fault.__name__)
def test_a_copy_that_is_another_would_be_noticed_by_what_follows(fault: Callable[[TeamState], None]) -> None:
    with pytest.raises(LawBroken, match="the copy"):
        play_many(faulty(fault), looks_inside=False)


# The shape


RECORDS = [kind for kind in classes_in(TeamState) if is_record(kind)]


@dataclasses.dataclass
class Donor:
    another: int = 0


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_a_state_with_one_more_field_is_of_another_shape(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    data = dump(TeamState())
    monkeypatch.setitem(kind.__dataclass_fields__, "another", dataclasses.fields(Donor)[0])
    monkeypatch.setitem(kind.__annotations__, "another", int)
    with pytest.raises(StorageFailed, match=r"another shape .*fold the session's events"):
        Codec(TeamState).load(data)


def test_the_records_are_those_that_a_state_holds() -> None:
    assert {TeamState, Task} < set(RECORDS)
    assert len(RECORDS) > 10


def value(*fields: Any, name: str = "Value", **config: Any) -> Any:
    return msgspec.defstruct(name, fields, frozen=True, **config)


def holding(kind: Any) -> Any:
    return dataclasses.make_dataclass("Root", [("held", kind)], eq=False, slots=True)


SHAPES = [
    int,
    int | None,
    float,
    list[int],
    dict[str, int],
    tuple[int, ...],
    tuple[int, int],
    Literal["a", "b"],
    Literal["a", "b", "c"],
    value(),
    value(("a", int)),
    value(("b", int)),
    value(("a", float)),
    value(("a", int, 0)),
    value(("a", int, 1)),
    value(("a", int), name="Other"),
    value(("a", int), tag="one"),
    value(("a", int), tag="two"),
    value(("a", int), rename="upper"),
    value(("a", value(("b", int)))),
    value(("a", value(("c", int)))),
    holding(int),
    holding(str),
    list[holding(int)],  # type: ignore[misc]
]


def test_whatever_changes_a_class_changes_the_mark() -> None:
    marks = [Codec(holding(kind)).mark for kind in SHAPES]
    assert len(set(marks)) == len(SHAPES)
    assert marks == [Codec(holding(kind)).mark for kind in SHAPES]


@pytest.mark.parametrize(
    "kind",
    [
        set[str],
        frozenset[str],
        object,
        Any,
        dict[float, str],
        Donor,
        value(("a", holding(int))),
        holding(int) | str,
        holding(int) | holding(str),
    ],
    ids=str,
)
def test_what_could_not_be_read_as_it_was_is_refused_before_anything_is_written(kind: Any) -> None:
    with pytest.raises(TypeError):
        Codec(holding(kind))


def test_what_is_equal_is_written_alike() -> None:
    kind = value(("name", str, "a name"), ("share", float, 0.5))
    root = holding(kind)
    codec = Codec(root)
    assert codec.dump(root(kind(b"a name".decode(), 2))) == codec.dump(root(kind(share=2.0)))


# What cannot be read


def test_damage_is_noticed_wherever_it_is() -> None:
    data = dump(TeamState())
    short = [data[:length] for length in range(len(data))]
    flipped = [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in range(len(data))]
    for each in (*short, *flipped, data + b"\0"):
        with pytest.raises(StorageFailed, match=r"damaged .*fold the session's events"):
            load(each)


def test_a_chain_of_tasks_may_be_long() -> None:
    state = TeamState()
    step(state, [f.Open(session(task(1), *(task(n, n - 1) for n in range(2, 2001))))], 1.0)
    copied = load(dump(state))
    assert dump(copied) == dump(state)
    assert copied.tasks["task-2000"].depends_on == [copied.tasks["task-1999"]]
