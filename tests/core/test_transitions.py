"""The tables say what may follow what, and nothing else may."""

from itertools import product
from typing import Any

import pytest

from teamlead.core.transitions import FINAL_PHASES, MACHINES, SATISFYING, SETTLED, check_move
from teamlead.errors import IllegalMove, Refused

MOVES = [
    (machine, before, after)
    for machine, table in MACHINES.items()
    for before, after in product(table, repeat=2)
]
ALLOWED = [move for move in MOVES if move[2] in MACHINES[move[0]][move[1]]]
FORBIDDEN = [move for move in MOVES if move not in ALLOWED]

PHASES_AS_AGREED = {
    "IDLE": "ANALYZING PLANNING FAILED CANCELLED",
    "ANALYZING": "PLANNING REVIEWING FAILED CANCELLED",
    "PLANNING": "EXECUTING AWAITING_APPROVAL FAILED CANCELLED",
    "EXECUTING": "REVIEWING FAILED CANCELLED",
    "REVIEWING": "AWAITING_APPROVAL ANALYZING PLANNING EXECUTING FAILED CANCELLED",
    "AWAITING_APPROVAL": "APPROVED REJECTED REVISION FAILED CANCELLED",
    "APPROVED": "DONE FAILED CANCELLED",
    "REJECTED": "DONE ROLLED_BACK FAILED CANCELLED",
    "REVISION": "ANALYZING PLANNING EXECUTING FAILED CANCELLED",
    "DONE": "",
    "ROLLED_BACK": "",
    "FAILED": "",
    "CANCELLED": "",
}


@pytest.mark.parametrize(("machine", "before", "after"), ALLOWED)
def test_a_move_in_its_table_passes(machine: str, before: str, after: str) -> None:
    check_move(machine, before, after)


@pytest.mark.parametrize(("machine", "before", "after"), FORBIDDEN)
def test_a_move_that_is_not_in_its_table_is_refused_and_names_both_states(
    machine: str, before: str, after: str
) -> None:
    with pytest.raises(IllegalMove) as refusal:
        check_move(machine, before, after)
    assert f"Invalid transition: {before} → {after}" in str(refusal.value)
    assert machine in str(refusal.value)
    assert (refusal.value.machine, refusal.value.before, refusal.value.after) == (machine, before, after)


def test_an_illegal_move_ends_a_command_as_a_refusal_does() -> None:
    assert issubclass(IllegalMove, Refused)
    assert IllegalMove.exit_code == 5


def test_the_phases_are_those_agreed_on() -> None:
    table = MACHINES["session phase"]
    assert {phase: set(moves) for phase, moves in table.items()} == {
        phase: set(moves.split()) for phase, moves in PHASES_AS_AGREED.items()
    }


@pytest.mark.parametrize("machine", MACHINES)
def test_no_state_moves_to_itself_or_twice_to_another(machine: str) -> None:
    for before, moves in MACHINES[machine].items():
        assert before not in moves
        assert len(set(moves)) == len(moves)


FIRST: dict[str, tuple[str, ...]] = {
    "session phase": ("IDLE",),
    "task": ("READY",),
    "attempt": ("preparing",),
    "stage": ("waiting",),
    "escalation": ("held", "open"),
    "member": ("joined",),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_every_state_is_reachable_from_the_first(machine: str) -> None:
    table: Any = MACHINES[machine]
    reached: dict[str, None] = dict.fromkeys(FIRST[machine])
    for state in (pending := list(reached)):
        pending += [after for after in table[state] if after not in reached]
        reached.update(dict.fromkeys(table[state]))
    assert set(reached) == set(table)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_state_leads_to_a_final_one(machine: str) -> None:
    table: Any = MACHINES[machine]
    # A task that is done or skipped and a stage that is closed are at rest, although they may be reopened;
    # so is whoever worked in them.
    at_rest: dict[str, Any] = {"task": SETTLED, "stage": {"closed"}, "member": {"left"}}
    ending = {state for state, moves in table.items() if not moves} | at_rest.get(machine, set())
    while more := {state for state, moves in table.items() if ending & set(moves)} - ending:
        ending |= more
    assert ending == set(table)


def test_final_states_have_no_moves() -> None:
    final = {machine: {s for s, moves in table.items() if not moves} for machine, table in MACHINES.items()}
    assert final == {
        "session phase": {"DONE", "ROLLED_BACK", "FAILED", "CANCELLED"},
        "task": {"CANCELLED", "REPLACED_BY_REPLAN"},
        "attempt": {"ended"},
        "stage": set(),
        "member": set(),
        "escalation": {"resolved", "withdrawn"},
    }
    assert final["session phase"] == FINAL_PHASES


def test_only_done_and_skipped_satisfy_a_dependency() -> None:
    assert {"DONE", "SKIPPED"} == SATISFYING
    assert {"DONE", "SKIPPED", "CANCELLED", "REPLACED_BY_REPLAN"} == SETTLED


def test_what_is_being_merged_cannot_be_stopped() -> None:
    with pytest.raises(IllegalMove):
        check_move("attempt", "integrating", "stopping")
