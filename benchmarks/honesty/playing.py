"""Plays a case through the real `teamlead start`, with the scripted agent, and reads what came of it."""

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.honesty.case import Case, Outcome
from benchmarks.honesty.judging import Played, Seen
from benchmarks.honesty.staging import environment, set_up, subject
from benchmarks.support import scratch

from teamlead.core.attempts.proof import evidence_of
from teamlead.core.events import TaskReopened
from teamlead.core.evidence.values import Evidence
from teamlead.core.state.records import Attempt
from teamlead.errors import NEEDS_PERSON
from teamlead.journal.reader import JournalReader
from teamlead.sessions.replay import fold, recorded_events

LOADED = ["teamlead.cli.start", "teamlead.cli.live", "teamlead.cli.person", "teamlead.plans.load"]
LOADED += ["teamlead.wiring.leadership", "teamlead.sessions.opening"]
"""What `start` needs, loaded once: a case has a process of its own, and it is forked with this in place."""


def play_all(
    cases: Iterable[Case], at_once: int, beforehand: Callable[[], None] | None = None
) -> Iterator[Played]:
    """In the order of the cases. `beforehand` is called in the process of each: it may take a part out."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    given = list(cases)
    with context.Pool(at_once, beforehand, maxtasksperchild=1) as pool:
        yield from map(Played, given, pool.imap(play, given))


def play(case: Case) -> Seen:
    """Changes this process's directory and environment for good."""
    with scratch() as folder:
        surroundings = environment(folder)
        os.environ.clear()
        os.environ.update(surroundings)
        os.chdir(set_up(folder, case))
        _start(folder, case)
        os.chdir("/")
        return _seen(folder, case)


def _start(folder: Path, case: Case) -> None:
    from teamlead.cli.main import main  # noqa: PLC0415 - loaded before this process began

    with (folder / "output").open("w") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    agent = f"scripted:{folder / 'script.toml'}"
    try:
        main(["start", str(folder / "plan.md"), "--agent", agent, "--attempts", "1", "--jobs", "1"])
    except SystemExit as end:
        if end.code not in {0, NEEDS_PERSON}:
            raise AssertionError(f"{case.name}: {(folder / 'output').read_text()}") from end


def _seen(folder: Path, case: Case) -> Seen:
    (journal,) = (folder / "state").glob("teamlead/*/sessions/*/journal.db")
    with JournalReader(journal) as reader:
        events = list(recorded_events(reader))
    state = fold(events, str(journal))
    task = state.tasks[subject(case)]
    if not task.attempts:
        raise AssertionError(f"{case.name} did not begin: {(folder / 'output').read_text()}")
    first = task.attempts[0]
    remarks = [e for e in evidence_of(state, task, first) if e.verdict in {"refused", "objected", "flagged"}]
    outcome = _outcome(first, remarks)
    for recorded in events:
        if isinstance(recorded.event, TaskReopened):
            outcome = "reopened"
            remarks.append(Evidence("whole", "refused", "the merged work passes", recorded.event.reason))
    return Seen(
        outcome,
        tuple(remarks),
        tuple(first.reasons),
        check_seconds=sum(check.seconds for check in first.checks),
        further_seconds=first.proofs.seconds if first.proofs else 0.0,
        further_runs=first.proofs.runs if first.proofs else 0,
    )


def _outcome(attempt: Attempt, remarks: Sequence[Evidence]) -> Outcome:
    match attempt.outcome:
        case "accepted":
            return "flagged" if remarks else "accepted"
        case "refused" | "returned" | "asked":
            return attempt.outcome
    raise AssertionError(f"the attempt ended as {attempt.outcome}: {attempt.reasons}")
