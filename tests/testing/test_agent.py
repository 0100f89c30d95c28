import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from teamlead.core.reports import DifficultyFeedback
from teamlead.forms.feedback import read_feedback
from teamlead.runners.script import check_script
from teamlead.runners.script_steps import STEPS, steps_of
from teamlead.testing.agent import Agent

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "scripted-agent.md"
EXAMPLES = re.findall(r"^```toml\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


class Done(NamedTuple):
    exit_code: int
    events: list[dict[str, Any]]
    errors: str

    def kinds(self) -> list[str]:
        return [event["type"] for event in self.events]


def agent(copy: Path, script: str, task: str = "task-1", attempt: int = 1, prompt: str = "") -> Done:
    file = copy.parent / "script.toml"
    file.write_text(script, encoding="utf-8")
    own = {"TEAMLEAD_TASK": task, "TEAMLEAD_ATTEMPT": str(attempt), "TEAMLEAD_SLOT": "4"}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "teamlead.testing.agent", file],
        cwd=copy,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"} | own,
        input=prompt.encode(),
        capture_output=True,
        check=False,
        timeout=30,
    )
    return Done(
        done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()
    )


def steps(*given: str) -> str:
    return f"[[default]]\nsteps = [{', '.join(given)}]\n"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    (tmp_path / "copy").mkdir()
    return tmp_path / "copy"


def test_files_are_written_extended_touched_and_deleted(copy: Path) -> None:
    done = agent(
        copy,
        steps(
            '{write = "a/b.txt", text = "one\\n"}',
            '{append = "a/b.txt", text = "two\\n"}',
            '{touch = "c"}',
            '{write = "d", text = ""}',
            '{delete = "d"}',
        ),
    )
    assert (copy / "a/b.txt").read_text() == "one\ntwo\n"
    assert sorted(path.name for path in copy.iterdir()) == ["a", "c"]
    assert done.kinds().count("tool_call") == 5
    assert done.events[1]["input"] == {"path": "a/b.txt"}


def test_a_script_without_an_end_ends_well(copy: Path) -> None:
    done = agent(copy, steps('{say = "hello"}'))
    assert (done.exit_code, done.kinds()) == (0, ["started", "text", "finished"])
    assert done.events[-1]["status"] == "ok"


def test_nothing_happens_after_the_end(copy: Path) -> None:
    done = agent(copy, steps('{done = "all done"}', '{touch = "later"}'))
    assert done.events[-1]["summary"] == "all done"
    assert not (copy / "later").exists()


def test_each_attempt_has_its_own_steps_and_the_last_repeats(copy: Path) -> None:
    script = '[[task-1]]\nsteps = [{fail = "first"}]\n[[task-1]]\nsteps = [{done = "second"}]\n'
    assert agent(copy, script, attempt=1).events[-1]["error"] == "first"
    assert agent(copy, script, attempt=2).events[-1]["summary"] == "second"
    assert agent(copy, script, attempt=7).events[-1]["summary"] == "second"


def test_a_task_that_is_not_named_takes_the_default_or_is_refused(copy: Path) -> None:
    script = '[[task-1]]\nsteps = [{done = "mine"}]\n'
    assert (
        agent(copy, script + '[[default]]\nsteps = [{done = "any"}]', "task-2").events[-1]["summary"] == "any"
    )
    done = agent(copy, script, "task-2")
    assert (done.exit_code, done.events) == (2, [])
    assert "[[task-2]]" in done.errors


def test_a_broken_script_is_refused_with_file_and_line(copy: Path) -> None:
    done = agent(copy, "[[default]]\nsteps = [\n{dance = true}]\n")
    assert done.exit_code == 2
    assert re.search(r"script\.toml: line 3: .*'dance'", done.errors)


def test_a_command_that_fails_is_noted_and_may_be_required_to_pass(copy: Path) -> None:
    noted = agent(copy, steps('{run = "echo no; exit 4"}'))
    assert noted.exit_code == 0
    assert noted.events[2] | {"type": ""} == {"type": "", "name": "run", "exit_code": 4, "output": "no\n"}
    required = agent(copy, steps('{run = "exit 4", must_pass = true}', '{touch = "later"}'))
    assert required.exit_code == 1
    assert "exit code 4" in required.events[-1]["error"]
    assert not (copy / "later").exists()


def test_it_can_commit_by_itself(copy: Path) -> None:
    subprocess.run(["git", "init", "-q", copy], check=True)
    agent(copy, steps('{write = "a", text = "x"}', '{commit = "By {task}"}'))
    log = subprocess.run(
        ["git", "-C", copy, "log", "--format=%s", "--name-only"], capture_output=True, check=True
    )
    assert log.stdout.split() == [b"By", b"task-1", b"a"]


def test_placeholders_are_filled_once(copy: Path) -> None:
    prompt = "Answer:\n> old\n\nAnswer:\n> {task} é\n"
    agent(copy, steps('{write = "{task}", text = "{answer}|{attempt}|{slot}|{other}"}'), prompt=prompt)
    assert (copy / "task-1").read_text(encoding="utf-8") == "{task} é|1|4|{other}"


@pytest.mark.parametrize("path", ["{answer}", "link/outside"])
def test_a_relative_path_cannot_leave_the_copy(copy: Path, path: str) -> None:
    (copy / "link").symlink_to(copy.parent)
    done = agent(copy, steps(f'{{write = "{path}", text = "x"}}'), prompt="Answer:\n> ../outside")
    assert done.exit_code == 1
    assert "leaves the working copy" in done.events[-1]["error"]
    assert not (copy.parent / "outside").exists()


def test_an_absolute_path_can(copy: Path) -> None:
    agent(copy, steps(f'{{write = "{copy.parent}/outside", text = "x"}}'))
    assert (copy.parent / "outside").read_text() == "x"


def test_a_step_that_is_impossible_fails_the_run_with_its_reason(copy: Path) -> None:
    done = agent(copy, steps('{delete = "absent"}'))
    assert done.exit_code == 1
    assert "absent" in done.events[-1]["error"]


def test_waiting_ends_when_the_file_is_there(copy: Path) -> None:
    done = agent(copy, steps('{run = "(sleep 0.1; touch go) >/dev/null 2>&1 &"}', '{wait_for = "go"}'))
    assert done.events[-1]["status"] == "ok"


def test_waiting_is_bounded(copy: Path) -> None:
    done = agent(copy, steps('{wait_for = "never", seconds = 0.05}'))
    assert "'never'" in done.events[-1]["error"]


def test_asking_ends_the_turn(copy: Path) -> None:
    done = agent(copy, steps('{ask = "Which?", options = ["a", "b"]}', '{touch = "later"}'))
    assert done.events[1] == {"type": "ask", "text": "Which?", "options": ["a", "b"]}
    assert (done.exit_code, done.kinds()[-1]) == (0, "finished")
    assert not (copy / "later").exists()


def test_an_answer_is_the_json_of_its_last_words_and_its_placeholders_are_filled(copy: Path) -> None:
    done = agent(copy, steps('{answer = {success = false, missing = ["{task}", 1]}}', '{touch = "later"}'))
    assert json.loads(done.events[-1]["summary"]) == {"success": False, "missing": ["task-1", 1]}
    assert not (copy / "later").exists()


def test_feedback_stands_in_the_last_words_where_the_lead_looks_for_it(copy: Path) -> None:
    difficulty = '{feedback = {kind = "difficulty", issue = "No key", impediment = {category = "scope"}}}'
    done = agent(copy, steps(difficulty, '{done = "I am stuck."}'))
    words = done.events[-1]["summary"]
    assert words.startswith("I am stuck.\n")
    assert read_feedback(words) == DifficultyFeedback("No key", category="scope")


def test_who_is_consulted_finds_its_table_by_the_first_line_of_its_prompt(copy: Path) -> None:
    script = "".join(
        f'[[planner]]\nfor = "{purpose}"\nsteps = [{{done = "{purpose} {number}"}}]\n'
        for purpose in ("replan", "review")
        for number in (1, 2)
    )
    asked = [
        ("# planner: replan\n\n# planner: review (2)\n", "replan 1"),
        ("# planner: replan (2)\n", "replan 2"),
        ("# planner: review (1)\n", "review 1"),
        ("# planner: review (9)\n", "review 2"),
    ]
    for prompt, expected in asked:
        assert agent(copy, script, "planner", 7, prompt).events[-1]["summary"] == expected


def test_a_worker_whose_prompt_quotes_another_heading_keeps_its_own_part(copy: Path) -> None:
    script = '[[task-1]]\nsteps = [{done = "mine"}]\n[[judge]]\nsteps = [{done = "a judge"}]\n'
    assert agent(copy, script, prompt="# judge: judge\n").events[-1]["summary"] == "mine"


def test_who_has_no_team_cannot_call_it(copy: Path) -> None:
    done = agent(copy, steps('{team = "report_progress", input = {text = "x"}}'))
    assert done.exit_code == 1
    assert "there is no team" in done.events[-1]["error"]


def test_exit_and_crash_end_it_without_a_word(copy: Path) -> None:
    left = agent(copy, steps("{exit = 3}"))
    assert (left.exit_code, left.kinds()) == (3, ["started"])
    crashed = agent(copy, steps("{crash = true}"))
    assert (crashed.exit_code, crashed.kinds()) == (-9, ["started"])


@pytest.mark.parametrize(
    ("step", "status"),
    [("{http = 401}", "denied"), ("{http = 529}", "unavailable"), ("{http = 400}", "error")],
)
def test_a_refusing_service_ends_the_run_as_what_it_means(copy: Path, step: str, status: str) -> None:
    done = agent(copy, steps(step))
    assert (done.exit_code, done.events[-1]["status"]) == (1, status)


def test_a_limit_says_when_it_is_lifted(copy: Path) -> None:
    before = time.time()
    event = agent(copy, steps("{http = 429, reset_in = 60}")).events[-1]
    assert event["status"] == "limit"
    assert before + 60 <= event["reset_at"] <= time.time() + 60


def test_it_starts_without_heavy_imports() -> None:
    heavy = "{'asyncio', 'msgspec', 'subprocess', 'click', 'dataclasses', 'inspect'}"
    code = f"import sys, teamlead.testing.agent; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"[]\n"


def test_every_step_of_the_form_can_be_done() -> None:
    done = {name.removeprefix("do_") for name in vars(Agent) if name.startswith("do_")}
    assert done == set(steps_of("agent"))


def test_the_guide_shows_every_step_and_option() -> None:
    page = GUIDE.read_text(encoding="utf-8")
    for kind in steps_of("agent"):
        assert f"`{{{kind} = " in page
        for option in STEPS[kind][1]:
            assert f"{option} = " in page


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_guides_examples_are_good_scripts(example: str) -> None:
    check_script(example, "guide")


def test_the_guides_first_example_does_what_the_guide_says(copy: Path) -> None:
    subprocess.run(["git", "init", "-q", copy], check=True)
    example = EXAMPLES[0]
    assert agent(copy, example, attempt=1).events[-1]["status"] == "ok"
    assert [path.name for path in copy.iterdir()] == [".git"]
    agent(copy, example, attempt=2)
    assert (copy / "src/greet.py").exists()
    assert agent(copy, example, "task-2").events[1]["type"] == "ask"
    agent(copy, example, "task-2", attempt=2, prompt="Answer:\n> red")
    assert (copy / "colour.txt").read_text() == "red\n"
    agent(copy, example, "task-3")
    assert (copy / "task-3.txt").read_text() == "made by task-3 in slot 4\n"
