"""Evidence as people and their scripts see it."""

from tests.core.support import World, session, task
from tests.core.told import work_found

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.evidence.values import CheckResult, Cost, Evidence, Proofs
from teamlead.core.model import Limits
from teamlead.views.evidence import evidence_count, evidence_document
from teamlead.views.report import report_document
from teamlead.views.report_text import report_markdown
from teamlead.views.words import told_evidence

FLAGGED = Evidence("claims", "flagged", "files", "b.py is said to be changed, and is not")
OBJECTED = Evidence("report", "objected", "a report", "it has no summary: add one")


def done_with(*evidence: Evidence) -> World:
    world = World(session(task(1)))
    world.advance(1, do.Collect)
    world.tell(work_found("task-1", 1, "c", evidence=evidence))
    world.finish(1)
    return world


def waived() -> World:
    world = World(session(task(1), limits=Limits(attempts=1)))
    for number in (1, 2):
        world.advance(1, do.Collect)
        world.tell(work_found("task-1", number, "c", evidence=(OBJECTED,)))
    world.tell(f.Resolve("esc-1", "accept"))
    world.advance(1, do.Collect)
    world.tell(work_found("task-1", 3, "c", evidence=(OBJECTED,)))
    world.finish(1)
    return world


def test_a_row_counts_verdicts_and_names_what_is_flagged_once_the_attempt_has_ended() -> None:
    world = World(session(task(1)))
    for attempt in (None, world.task(1).attempts[0]):
        row = evidence_count(world.state, world.task(1), attempt)
        assert (told_evidence(row["verdicts"]), row["flags"]) == ("", ())
    world = done_with(FLAGGED)
    row = evidence_count(world.state, world.task(1), world.task(1).attempts[0])
    assert row["flags"] == ("claims: b.py is said to be changed, and is not",)
    assert told_evidence(row["verdicts"]) == "✓3 ⚑1"


def test_the_report_lists_what_is_worth_a_look() -> None:
    document = report_document(done_with(FLAGGED).state)
    assert [item["task"] for item in document["flagged"]] == ["task-1"]
    assert "- task-1, claims: b.py is said to be changed, and is not\n" in report_markdown(document)
    assert "Worth a look" not in report_markdown(report_document(done_with().state))


def test_what_a_person_accepted_is_told_as_such_everywhere() -> None:
    world = waived()
    document = evidence_document(world.state, world.task(1), world.task(1).attempts[-1])
    assert (document["outcome"], document["accepted_by_a_person"]) == ("accepted", True)
    assert "it has no summary: add one (accepted by a person nevertheless)" in report_markdown(
        report_document(world.state)
    )
    first = evidence_document(world.state, world.task(1), world.task(1).attempts[0])
    assert (first["outcome"], first["accepted_by_a_person"]) == ("returned", False)


def test_what_further_runs_cost_stands_beside_what_the_checks_took() -> None:
    world = World(session(task(1, checks=("make test",)), limits=Limits(proof_times=2.0)))
    world.advance(1, do.Check)
    world.tell(f.CheckEnded("task-1", 1, CheckResult(command="make test", exit_code=0, seconds=20.0)))
    costs = (Cost("frozen harness", 1, 20.5), Cost("planted faults", 4, 6.0))
    document = evidence_document(world.state, world.task(1), world.task(1).attempts[0])
    assert document["further_runs"] is None

    world.tell(f.WorkProved("task-1", 1, Proofs(runs=5, seconds=26.5, costs=costs)))
    document = evidence_document(world.state, world.task(1), world.task(1).attempts[0])

    assert document["further_runs"] == {
        "runs": 5,
        "seconds": 26.5,
        "check_seconds": 20.0,
        "costs": (
            {"of": "frozen harness", "runs": 1, "seconds": 20.5},
            {"of": "planted faults", "runs": 4, "seconds": 6.0},
        ),
    }
