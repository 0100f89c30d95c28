"""What is kept of a planning is read back whole, or refused with the reason."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from teamlead.core.model import Said, TaskSpec
from teamlead.core.planning import Trial
from teamlead.errors import NotFound, Refused, StorageFailed, UsageError
from teamlead.plans.load import load
from teamlead.system.repository import Repository
from teamlead.wiring.planner_plans import add_child, edited, linked, plan_of, write_markdown
from teamlead.wiring.planner_sessions import (
    PlannerFolder,
    PlannerSession,
    all_plannings,
    find_planning,
    new_folder,
    planning_folder,
)

TASK = TaskSpec("task-1", "Write a", "Write the file a.", scope=("a.txt",), acceptance=("a.txt is there",))


def kept(folder: PlannerFolder, **changes: object) -> PlannerSession:
    session = PlannerSession(
        folder.id, "write a", 1.0, 1.0, title="Write a", status="ready", generated_tasks=(TASK,)
    )
    return folder.save(replace(session, **changes))


@pytest.fixture
def folder(repository: Repository) -> PlannerFolder:
    return new_folder(repository)


def test_everything_of_a_planning_reads_back(folder: PlannerFolder) -> None:
    session = kept(
        folder,
        conversation_history=(Said("user", "write a"), Said("planner", "[…]")),
        attempts=(Trial((TASK,), ("too large",)), Trial((TASK,), (), 90)),
        score=90,
        runs=("plan", "plan", "quality"),
        questions=("Which?",),
    )
    assert folder.load() == session
    document = json.loads(folder.file.read_text())
    assert (document["schema"], document["version"]) == ("teamlead.planner-session", 1)
    assert document["generatedTasks"][0]["id"] == "task-1"
    assert document["conversationHistory"][0] == {"who": "user", "text": "write a"}


def test_its_tasks_are_used_as_they_are_with_what_was_said(folder: PlannerFolder) -> None:
    session = kept(folder, conversation_history=(Said("user", "write a"),))
    plan = plan_of(session)
    assert plan.tasks == (TASK,)
    assert (plan.instruction, plan.planner_session, plan.source_type) == (
        "write a",
        folder.id,
        "planner-session",
    )
    assert plan.conversation == (Said("user", "write a"),)
    assert "### 1. Write a" in plan.text


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"generated_tasks": ()}, "has no tasks"),
        ({"status": "planning"}, "was not finished"),
        ({"status": "asking"}, "waits for your answers"),
        ({"status": "proposed"}, "was not accepted"),
        ({"status": "failed"}, "came to no plan"),
    ],
)
def test_one_without_a_plan_says_why(folder: PlannerFolder, changes: dict[str, object], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        plan_of(kept(folder, **changes))


def test_an_unknown_planning_is_not_found(repository: Repository, folder: PlannerFolder) -> None:
    with pytest.raises(NotFound, match="there is no planner session 'plan-1'"):
        find_planning(repository, "plan-1")
    # One that was cut off before anything was said is none.
    with pytest.raises(NotFound):
        find_planning(repository, folder.id)


def test_a_planning_is_found_by_a_part_of_its_id_that_only_one_has(repository: Repository) -> None:
    names = ("plan-20260127-091500-aaaa", "plan-20260127-091501-aaab")
    first, second = (PlannerFolder(planning_folder(repository) / name) for name in names)
    for folder in (first, second):
        folder.path.mkdir(parents=True)
        kept(folder)
    assert find_planning(repository, first.id[-5:]) == first
    with pytest.raises(UsageError, match="could be any of 2 planner sessions"):
        find_planning(repository, "plan-")
    assert all_plannings(repository) == [second, first]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"schema": "teamlead.planner-session", "version": 2, "new": 1}', "has version 2, not 1"),
        (b'{"schema": "teamlead.planner-session", "version": 1}', "cannot be read: .*missing required field"),
        (b'{"schema": "teamlead.plan', "cannot be read"),
        (b"", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"[]", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_the_reason(
    folder: PlannerFolder, content: bytes, reason: str
) -> None:
    folder.file.write_bytes(content)
    with pytest.raises(StorageFailed, match=reason):
        folder.load()


def test_one_with_a_task_of_an_unknown_shape_is_refused(folder: PlannerFolder) -> None:
    kept(folder)
    document = json.loads(folder.file.read_text())
    document["generatedTasks"][0]["type"] = "cooking"
    folder.file.write_text(json.dumps(document))
    with pytest.raises(StorageFailed, match=r"Invalid enum value 'cooking'"):
        folder.load()


def test_no_file_of_the_users_is_overwritten(
    folder: PlannerFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.md").write_text("mine")
    assert Path(write_markdown(folder, kept(folder), None).markdown_path) == tmp_path / "plan-2.md"
    assert Path(write_markdown(folder, kept(folder), None).markdown_path) == tmp_path / "plan-3.md"
    with pytest.raises(Refused, match=r"'plan.md' is there already"):
        write_markdown(folder, kept(folder), Path("plan.md"))
    assert (tmp_path / "plan.md").read_text() == "mine"


def test_a_changed_plan_file_is_noticed_and_a_removed_one_is_not_missed(
    folder: PlannerFolder, tmp_path: Path
) -> None:
    session = write_markdown(folder, kept(folder), tmp_path / "plan.md")
    assert not edited(session)
    (tmp_path / "plan.md").write_text("# Mine\n")
    assert edited(session)
    (tmp_path / "plan.md").unlink()
    assert not edited(session)


def test_a_plan_file_remembers_what_it_was_made_from_also_when_edited(
    repository: Repository, folder: PlannerFolder, tmp_path: Path
) -> None:
    session = write_markdown(folder, kept(folder), tmp_path / "plan.md")
    path = tmp_path / "plan.md"
    path.write_text(path.read_text().replace("Write the file a.", "Write the file b."))
    plan = linked(repository, load(path).plan)
    assert (plan.instruction, plan.planner_session) == ("write a", session.id)
    assert plan.tasks[0].description == "Write the file b."
    named = path.read_text()
    for other in (session.id[:-1], "the best planner"):
        path.write_text(named.replace(session.id, other))
        assert linked(repository, load(path).plan).planner_session == ""


def test_sessions_that_were_started_from_it_are_linked(repository: Repository, folder: PlannerFolder) -> None:
    session = kept(folder)
    for child in ("one", "two"):
        add_child(repository, plan_of(session), child)
    assert folder.load().child_session_ids == ("one", "two")
