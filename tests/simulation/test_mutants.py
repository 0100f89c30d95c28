"""The simulation is worth something: it notices planted faults, and says how to see them again."""

import logging
import re
from collections.abc import Iterator

import pytest
from tests.core.oracle import LawBroken
from tests.core.support import SIZE
from tests.simulation.__main__ import main
from tests.simulation.mutants import CORE, ENGINE, MUTANTS, planted
from tests.simulation.simulation import simulate

BUDGET = 400 * SIZE
"""Runs in which a fault must show itself."""
SHARE = 0.95


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """A faulty leader leaves tasks behind that asyncio complains about."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def fails(seed: int) -> bool:
    try:
        simulate(seed)
    except LawBroken:
        return True
    return False


def first_caught(name: str) -> int | None:
    with planted(MUTANTS[name]):
        return next((seed for seed in range(BUDGET) if fails(seed)), None)


@pytest.mark.timeout(600 * SIZE)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_nearly_every_planted_fault_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    caught = {name: first_caught(name) for name in MUTANTS}
    missed = [name for name, seed in caught.items() if seed is None]
    share = 1 - len(missed) / len(caught)
    with capsys.disabled():
        print(f"\nplanted faults noticed: {share:.0%} of {len(caught)} within {BUDGET} runs each")
        for name, seed in caught.items():
            print(f"  {name}: {'not noticed' if seed is None else f'seed {seed}'}")
    assert len(CORE) >= 20
    assert len(ENGINE) >= 20
    assert share >= SHARE, missed


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_failure_names_the_command_that_plays_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with planted(CORE["ignores the scope"]):
        seed = next(seed for seed in range(BUDGET) if fails(seed))
        with pytest.raises(LawBroken) as failure:
            simulate(seed)
        command = re.search(r"python -m tests\.simulation (\d+ -v)", str(failure.value))
        assert command
        monkeypatch.setattr("sys.argv", ["simulation", *command[1].split()])
        with pytest.raises(SystemExit, match="out of its scope") as again:
            main()
    assert str(again.value) == str(failure.value)
    assert "agent starts" in capsys.readouterr().out
