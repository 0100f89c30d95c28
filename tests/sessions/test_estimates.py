"""What a plan may cost, by what earlier sessions of the repository tell."""

import json
from typing import Any

import pytest
from tests.sessions.support import PLAN

from teamlead.core.model import Plan, SessionSpec, TaskSpec
from teamlead.journal.writer import SqliteJournal
from teamlead.plans.preview import Cost
from teamlead.ports.journal import Commit, Rows, TaskRow
from teamlead.sessions.estimates import estimate, foresee
from teamlead.system.repository import Repository, claim
from teamlead.system.sessions import SessionFolder, sessions_folder


def earlier(repository: Repository, name: str, *tasks: dict[str, Any]) -> None:
    """A session with these done tasks."""
    folder = SessionFolder(sessions_folder(repository) / name)
    folder.path.mkdir(parents=True)
    bodies = [json.dumps(task).encode() for task in tasks]
    rows = [
        TaskRow(n, f"task-{n}", state="DONE", waiting=False, body=body) for n, body in enumerate(bodies, 1)
    ]
    session = json.dumps({"seq": 0, "task_counts": {"DONE": len(rows)}}).encode()
    SqliteJournal.create(folder.journal, Commit((), Rows(session, rows), (), durable=True))


def row(usd: float | None, agent: str = "claude", model: str = "", unpriced: int = 0) -> dict[str, Any]:
    return {"agent": agent, "model": model, "spent": {"cost_usd": usd, "unpriced": unpriced}}


def spec(*tasks: TaskSpec) -> SessionSpec:
    return SessionSpec("", Plan("P", "", tasks), "", "", "claude")


ONE = TaskSpec("task-1", "One")
TWO = TaskSpec("task-2", "Two")


def test_a_task_costs_what_others_of_its_agent_and_model_have_cost_on_average(repository: Repository) -> None:
    earlier(repository, "20260101-000000-aaaa", row(0.10), row(0.30))
    earlier(repository, "20260102-000000-aaaa", row(0.20), row(9.0, "codex"), row(7.0, model="opus"))
    assert estimate(repository, spec(ONE, TWO)) == pytest.approx(Cost(0.40, 2, 0, 3))


def test_what_nobody_tells_is_unknown_and_not_nothing(repository: Repository) -> None:
    nothing = Cost(None, 0, 1, 0)
    assert estimate(repository, spec(ONE)) == nothing
    earlier(repository, "20260101-000000-aaaa", row(None), row(0.10, unpriced=1))
    assert estimate(repository, spec(ONE)) == nothing


def test_tasks_of_another_agent_are_told_as_unknown(repository: Repository) -> None:
    earlier(repository, "20260101-000000-aaaa", row(0.10))
    other = TaskSpec("task-2", "Two", agent="codex")
    assert estimate(repository, spec(ONE, other)) == pytest.approx(Cost(0.10, 1, 1, 1))


def test_a_journal_that_cannot_be_read_stops_nobody(repository: Repository) -> None:
    earlier(repository, "20260101-000000-aaaa", row(0.10))
    broken = sessions_folder(repository) / "20260102-000000-aaaa"
    broken.mkdir()
    (broken / "journal.db").write_bytes(b"no database")
    assert estimate(repository, spec(ONE)).usd == pytest.approx(0.10)


def test_a_plan_that_nobody_started_is_estimated_by_the_configuration(repository: Repository) -> None:
    repository = claim(repository)
    earlier(repository, "20260101-000000-aaaa", row(0.10, model="sonnet"))
    config = repository.root / ".teamlead" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text('agent = "claude"\nmodel = "medium"\n')
    assert foresee(repository.root, PLAN).usd == pytest.approx(0.10)
    config.write_text("no configuration")
    assert foresee(repository.root, PLAN).usd is None
    assert foresee(repository.root.parent, PLAN) == Cost(None, 0, 1, 0)
