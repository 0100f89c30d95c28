import pytest

from teamlead.core.model import TaskSpec
from teamlead.errors import UsageError
from teamlead.rehearsal.fault_kinds import KINDS
from teamlead.rehearsal.faults import Fault, parse, place, staged
from teamlead.runners.script import Script, check_script, script_text
from teamlead.runners.script_steps import Player

TASKS = [
    TaskSpec(f"task-{number}", f"Title {number}", scope=("src/",), acceptance=("It works",))
    for number in (1, 2, 3)
]
SCRIPT: Script = {"default": [[{"done": "ready"}]]}


def test_a_fault_is_read_with_or_without_its_task() -> None:
    assert parse("limit") == Fault("limit")
    assert parse("crash:task-2") == parse("crash:2") == Fault("crash", "task-2")


def test_a_fault_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(UsageError, match="unknown fault 'fire'") as caught:
        parse("fire")
    assert "false-done" in caught.value.remedy
    with pytest.raises(UsageError, match="'crash': there is no 'task-9'"):
        place([parse("crash:9")], TASKS)


def test_faults_without_a_task_go_to_different_tasks_as_long_as_there_are_some() -> None:
    faults = place([Fault("limit"), Fault("crash", "task-1"), Fault("hang"), Fault("denied")], TASKS)
    assert faults == [
        Fault("limit", "task-2"),
        Fault("crash", "task-1"),
        Fault("hang", "task-3"),
        Fault("denied", "task-1", 2),
    ]


def test_each_fault_is_an_attempt_before_the_tasks_own() -> None:
    faults = place([Fault("limit", "task-1"), Fault("crash", "task-1")], TASKS)
    script = staged(SCRIPT, faults, TASKS, "model")
    assert script["task-1"] == [[{"http": 429, "reset_in": 3}], [{"crash": True}], [{"done": "ready"}]]
    assert "task-2" not in script


def test_what_was_out_of_scope_is_cleaned_up_afterwards() -> None:
    script = staged(SCRIPT, [Fault("out-of-scope", "task-1")], TASKS, "model")
    assert script["task-1"][0][0]["write"] == "outside-task-1.md"
    assert script["task-1"][1][0] == {"run": "rm outside-task-1.md"}


@pytest.mark.parametrize("player", ["agent", "model"])
def test_every_fault_can_be_played_and_written_down(player: Player) -> None:
    faults = place([Fault(kind, "task-1") for kind in KINDS], TASKS)
    script = staged(SCRIPT, faults, TASKS, player)
    assert check_script(script_text(script), "script", player) == script


def test_a_judges_fault_leaves_the_workers_attempts_as_they_are() -> None:
    faults = place([Fault("judge-unreadable", "task-1"), Fault("crash", "task-1")], TASKS)
    assert [fault.attempt for fault in faults] == [1, 1]
    script = staged(SCRIPT, faults, TASKS, "model")
    assert script["task-1"] == [[{"crash": True}], [{"done": "ready"}]]
    unreadable, content = script["task-1-judge"]
    assert unreadable == [{"done": "Well, it depends."}]
    assert content[0]["answer"]["success"] is True


def test_a_judges_fault_needs_a_task_that_is_judged() -> None:
    unjudged = [TaskSpec("task-1", "Title", acceptance=("make",), checks=("make",)), *TASKS[1:]]
    assert place([Fault("judge-refuses")], unjudged) == [Fault("judge-refuses", "task-2")]
    with pytest.raises(UsageError, match="nobody judges task-1"):
        place([Fault("judge-refuses", "task-1")], unjudged)
    everywhere = place([Fault("judge-refuses", "task-1")], unjudged, all_judged=True)
    assert everywhere == [Fault("judge-refuses", "task-1")]


def test_a_table_that_serves_one_purpose_is_written_with_it() -> None:
    text = '[[planner]]\nfor = "replan"\nsteps = [{answer = {tasks = [{id = "task-1"}]}}]\n'
    script = check_script(text, "script")
    assert check_script(script_text(script), "script") == script
