"""Random sessions in a world where everything goes wrong: every promise holds after every step.

TEAMLEAD_TEST_SIZE multiplies the number of runs. `python -m tests.simulation SEED -v` plays one again.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.core.support import SIZE
from tests.recorded_seeds import found, recorded_first
from tests.simulation.core import simulate_core
from tests.simulation.simulation import Ended, simulate

ROOT = Path(__file__).parents[2]
BATCHES = 8
RUNS = 60 * SIZE
CORE_RUNS = 200 * SIZE


def batch_name(batch: int) -> str:
    return f"further {batch}" if batch else "first"


@pytest.mark.timeout(300 * SIZE)
@pytest.mark.parametrize("batch", range(BATCHES), ids=batch_name)
def test_whatever_goes_wrong_the_leader_keeps_its_promises(batch: int) -> None:
    for seed in range(batch * RUNS, (batch + 1) * RUNS):
        simulate(seed)


@pytest.mark.timeout(300 * SIZE)
@pytest.mark.parametrize("batch", range(4), ids=batch_name)
def test_whatever_is_told_to_it_the_core_keeps_its_laws(batch: int) -> None:
    for seed in range(batch * CORE_RUNS, (batch + 1) * CORE_RUNS):
        simulate_core(seed)


def told(seed: int) -> tuple[Ended, list[str]]:
    trace: list[str] = []
    return simulate(seed, trace=trace.append), trace


def test_the_runs_reach_every_end_and_every_fault() -> None:
    """A simulator that never gets anywhere proves nothing."""
    missing = {*MUST_COME, *ENDS}
    enough = []
    for seed in recorded_first(EVERY_FAULT, range(MOST_SEEDS)):
        ended, trace = told(seed)
        met = "\n".join([f"{ended.end} {ended.phase}", *trace])
        if new := {words for words in missing if words in met}:
            missing -= new
            enough.append(seed)
        if not missing:
            found(EVERY_FAULT, enough)
            return
    raise AssertionError(missing)


EVERY_FAULT = "simulation: every end and every fault"
MOST_SEEDS = 400
ENDS = {"finished DONE", "finished FAILED", "finished CANCELLED", "waiting EXECUTING"}

MUST_COME = (
    "is killed",
    "is power cut",
    "is taken over",
    "is journal full",
    "is disk full",
    "is short of room",
    "DiskUnusable",
    "is stopped",
    "is hurried",
    "the clock jumps",
    "lost",
    "outcome='conflict'",
    "status='timeout'",
    "ApprovalApplied",
    "ApprovalRefused",
    "TaskReopened",
    "TaskPaused",
    "TaskResumed",
    "TaskReassigned",
    "ends: paused",
    "applies commands",
    "AgentHeld",
    "AgentReleased",
    "kind='environment'",
    "kind='judge'",
    "EscalationJoined",
    "EscalationAnswered",
    "EscalationLeft",
    "BudgetRaised",
    "QuestionParked",
    "MessagesRead",
    "status='budget'",
    "StaleLeader",
    "verdict='passed'",
    "verdict='broken'",
    "WholeAccepted",
    "success=False",
    "already_satisfied=True",
    "purpose='replan'",
    "purpose='review'",
    "purpose='complete'",
    "purpose='validate'",
    "purpose='advise'",
    "target='externalAdvisor'",
    "TaskReplaced",
    "ScopeEnlarged",
    "tries=2",
)


def digest(seeds: range) -> str:
    return hashlib.sha256("\n".join(line for seed in seeds for line in told(seed)[1]).encode()).hexdigest()


def test_the_same_seed_gives_the_same_trace_whatever_the_hash_seed() -> None:
    program = "from tests.simulation.test_simulation import digest; print(digest(range(100, 115)))"
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert digests == {digest(range(100, 115)) + "\n"}
