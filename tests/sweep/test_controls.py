"""The sweep catches what it is there for."""

import subprocess
from pathlib import Path

import pytest
from tests.sweep import laws
from tests.sweep.sweeping import Life, disturbed, undisturbed
from tests.sweep.world import BUILT_ON_PLAN, LEAVING_PLAN, SHARED_PLAN, new_world

POINTS = {
    "merge without looking": "git update-ref: after",
    "run without looking": "file result.json: before",
    "let go without keeping": "",
}

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def life(template: Path) -> Life:
    return undisturbed(template)


@pytest.mark.parametrize("bug", POINTS)
def test_a_planted_bug_is_caught(life: Life, bug: str) -> None:
    points = [point for point in life.points[0] if point.startswith(f"{POINTS[bug]}#")] or [""]
    faults = ({0: f"kill {point}"} if point else {} for point in points)
    assert any(disturbed(life, fault, bug=bug).problems for fault in faults)


def test_a_task_that_its_question_forgot_is_caught(template: Path) -> None:
    life = undisturbed(template, plan=SHARED_PLAN, options=("--attempts", "1"))
    assert disturbed(life, {}, bug="forget who joined").problems


def test_a_team_that_is_deleted_too_early_is_caught(template: Path) -> None:
    life = undisturbed(template, plan=LEAVING_PLAN)
    assert disturbed(life, {}, bug="delete the team at once").problems


def test_followers_that_are_left_behind_are_caught(template: Path) -> None:
    life = undisturbed(template, plan=BUILT_ON_PLAN, again="31")
    assert disturbed(life, {}, bug="leave followers behind").problems


def test_a_process_that_lives_on_is_seen(template: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "PATIENCE", 0.0)
    with (
        new_world(template) as world,
        subprocess.Popen(["sleep", "60"], env=world.environment) as left,
    ):
        assert laws.still_alive(world) == {left.pid: "sleep 60 "}
        left.kill()
