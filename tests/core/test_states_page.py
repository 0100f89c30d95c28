"""The page that draws the state machines follows the tables."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from teamlead.core.transitions import MACHINES

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(name="generator")
def load_generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_states", DOCS / "generate_states.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_current(generator: ModuleType) -> None:
    page = (DOCS / "concepts" / "states.md").read_text(encoding="utf-8")
    assert generator.render(page) == page, "run `python docs/generate_states.py`"


@pytest.mark.parametrize("machine", MACHINES)
def test_every_move_of_every_machine_is_drawn(generator: ModuleType, machine: str) -> None:
    # A diagram's own names have no blanks; what is shown has them.
    drawn = generator.diagram(MACHINES[machine])
    for state in (state for state in MACHINES[machine] if " " in state):
        drawn = drawn.replace(state.replace(" ", "_"), state)
    moves = [line.strip() for line in drawn.splitlines() if "-->" in line]
    expected = [f"{a} --> {b}" for a, targets in MACHINES[machine].items() for b in targets]
    final = [f"{a} --> [*]" for a, targets in MACHINES[machine].items() if not targets]
    assert sorted(moves[1:]) == sorted(expected + final)
    assert moves[0] == f"[*] --> {next(iter(MACHINES[machine]))}"


def test_a_page_that_lost_a_marker_is_refused(generator: ModuleType) -> None:
    with pytest.raises(ValueError, match="has no place for"):
        generator.render("nothing here")


def test_a_page_that_is_out_of_date_is_drawn_anew(generator: ModuleType) -> None:
    page = (DOCS / "concepts" / "states.md").read_text(encoding="utf-8")
    stale = page.replace("READY --> RUNNING", "READY --> DONE")
    assert stale != page
    assert generator.render(stale) == page
