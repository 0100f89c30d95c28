from pathlib import Path
from typing import get_args

import pytest

from teamlead.core.runs import ROLE_OF, Consultant, Purpose
from teamlead.errors import ConfigError
from teamlead.forms.catalogue import answer_to
from teamlead.runners.script import DEFAULTS, PURPOSES, Part, check_script, part_of, script_roles, steps_for
from teamlead.runners.script_steps import last_words


def test_attempts_come_in_order() -> None:
    text = '[[task-1]]\nsteps = [{say = "a"}]\n[[task-1]]\nsteps = []\n[[default]]\nsteps = [{exit = 1}]\n'
    assert check_script(text, "s") == {"task-1": [[{"say": "a"}], []], "default": [[{"exit": 1}]]}


@pytest.mark.parametrize(
    ("steps", "line", "problem"),
    [
        ('{say = "a"},\n  {dance = true}', 4, "unknown step 'dance'"),
        ('{say = "a"},\n  {say = "b"},\n  {say = 3}', 5, "'say' must be a string"),
        ("{exit = true}", 3, "'exit' must be a whole number"),
        ("{crash = 1}", 3, "'crash' must be true or false"),
        ("{crash = false}", 3, "'crash' must be true"),
        ('{write = "a"}', 3, "'write' needs 'text'"),
        ('{write = "a", text = "b", mode = 7}', 3, "'write' has no key 'mode'"),
        ('{write = "../a", text = "b"}', 3, "leaves the working copy"),
        ('{touch = "a/../../b"}', 3, "leaves the working copy"),
        ('{say = "a", done = "b"}', 3, "'say' and 'done' in one step"),
        ("{usage = {tokens = 3}}", 3, "'usage' has no key 'tokens'"),
        ('{usage = {input_tokens = "3"}}', 3, "'input_tokens' must be a whole number"),
        ('{ask = "a", options = [1]}', 3, "'options' must be a list of strings"),
        ("{http = 200}", 3, "'http' must be the status of an error"),
        ("{http = 429, headers = {a = 1}}", 3, "'headers' must be a table of strings"),
        ('{call = "Bash"}', 3, "'call' is a step of the scripted model; the scripted agent cannot"),
        ('{answer = "yes"}', 3, "'answer' must be a table or a list"),
        ("{answer = {on = 2020-01-01}}", 3, "'answer' must hold only what JSON can"),
        ("{answer = [{sure = nan}]}", 3, "'answer' must hold only what JSON can"),
        ('{feedback = ["x"]}', 3, "'feedback' must be a table"),
        ('"say"', 2, "a step is a table"),
    ],
)
def test_a_mistake_is_named_with_its_line(steps: str, line: int, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_script(f"[[task-1]]\nsteps = [\n  {steps},\n]\n", "team.toml")
    assert f"team.toml: line {line}: step" in str(caught.value)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("[[task-1]]\nsteps = [\n", 3, ""),
        ("", 1, "empty"),
        ("\n[task-1]\nsteps = []\n", 2, r"write [[task-1]]"),
        ("[[task-1]]\nsteps = []\n\n[[task-1]]\nstep = []\n", 5, "unknown key 'step'"),
        ("[[task-1]]\nsteps = []\n\n[[task-1]]\n", 4, "no list of `steps`"),
        ('[[task-1]]\nsteps = []\nfor = "plan"\n', 3, "unknown key 'for'"),
        (
            '[[planner]]\nsteps = []\n[[planner]]\nsteps = []\nfor = "judge"\n',
            5,
            "'for' must be one of: plan,",
        ),
    ],
)
def test_a_script_of_the_wrong_form_is_named_with_its_line(text: str, line: int, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_script(text, "team.toml")
    assert str(caught.value).startswith("team.toml: ")
    assert f"line {line}" in str(caught.value) or "end of document" in str(caught.value)
    assert problem in str(caught.value)


def test_a_mistake_in_a_later_attempt_is_found_there() -> None:
    text = '[[task-1]]\nsteps = [{say = "a"}]\n\n[[task-1]]\nsteps = [{say = "b"}, {say = 1}]\n'
    with pytest.raises(ConfigError, match="line 5: step 2"):
        check_script(text, "team.toml")


def test_each_player_has_steps_of_its_own() -> None:
    assert check_script('[[default]]\nsteps = [{call = "Bash"}]', "s", "model")
    with pytest.raises(ConfigError, match="line 2: step 1: 'exit' is a step of the scripted agent"):
        check_script("[[default]]\nsteps = [{exit = 1}]", "s", "model")


def test_an_absolute_path_may_leave_the_copy() -> None:
    check_script('[[default]]\nsteps = [{write = "/tmp/x", text = ""}]', "s")


SCRIPT = """
[[default]]
steps = [{done = "work"}]
[[judge]]
steps = [{done = "any judge"}]
[[task-1-judge]]
steps = [{done = "first"}]
[[task-1-judge]]
steps = [{done = "second"}]
[[planner]]
steps = [{done = "any planner"}]
[[planner]]
for = "replan"
steps = [{done = "replan"}]
[[task-2-planner]]
steps = [{done = "of task 2"}]
[[task-2-planner]]
for = "replan"
steps = [{done = "replan of task 2"}]
[[planner]]
for = "replan"
steps = [{done = "replan again"}]
"""


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (Part("task-7", 3), "work"),
        (Part("task-1-judge", 1, "judge"), "first"),
        (Part("task-1-judge", 3, "judge"), "second"),
        (Part("task-2-judge", 1, "judge"), "any judge"),
        (Part("planner", 1, "plan"), "any planner"),
        (Part("task-1-planner", 1, "replan"), "replan"),
        (Part("task-1-planner", 2, "replan"), "replan again"),
        (Part("task-2-planner", 5, "replan"), "replan of task 2"),
        (Part("task-2-planner", 1, "review"), "of task 2"),
    ],
)
def test_a_table_for_the_very_purpose_and_task_comes_first(part: Part, expected: str) -> None:
    assert steps_for(check_script(SCRIPT, "s"), part) == [{"done": expected}]


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (Part("task-1-judge", 1, "judge"), {"success": True}),
        (Part("planner", 1, "complete"), {"fulfilled": True}),
        (Part("task-1-validator", 1, "validate"), {"confidence": "high"}),
        (Part("task-1-advisor", 1, "advise"), {"confidence": "high"}),
    ],
)
def test_who_has_no_table_is_content(part: Part, said: dict[str, object]) -> None:
    script = check_script(
        '[[default]]\nsteps = [{fail = "no"}]\n[[planner]]\nsteps = [{done = "tasks"}]\n', "s"
    )
    (step,) = steps_for(script, part)
    assert said.items() <= step["answer"].items()


def test_tasks_are_not_made_up_for_a_planner_without_a_table() -> None:
    script = check_script("[[default]]\nsteps = []\n", "s")
    with pytest.raises(ConfigError, match=r"neither \[\[task-1-planner: replan\]\] nor"):
        steps_for(script, Part("task-1-planner", 1, "replan"))


def test_a_script_tells_whom_it_plays(tmp_path: Path) -> None:
    file = tmp_path / "team.toml"
    file.write_text(SCRIPT, "utf-8")
    assert script_roles(file) == {"judge", "planner"}
    assert script_roles(tmp_path / "absent.toml") == frozenset()


def test_everybody_whom_the_lead_consults_has_a_part_for_every_purpose() -> None:
    assert set(PURPOSES) == set(get_args(Consultant))
    assert all(purpose in PURPOSES[role] for purpose, role in ROLE_OF.items())


@pytest.mark.parametrize("purpose", [purpose for purpose in ROLE_OF if purpose in DEFAULTS])
def test_what_is_answered_without_a_table_can_be_read(purpose: Purpose) -> None:
    assert answer_to(purpose, last_words({"answer": DEFAULTS[purpose]}, ()))


@pytest.mark.parametrize(
    ("prompt", "part"),
    [
        ("# task-3: Colours\n\nThis is attempt 2.\n", Part("task-3", 2)),
        ("# task-3: Colours", Part("task-3")),
        ("Hello\n\n# task-3-judge: judge\n\nThis is attempt 2 of task-3.", Part("task-3-judge", 1, "judge")),
        ("# planner: plan (12)\n# task-1: Title", Part("planner", 12, "plan")),
        ("# planners: plan", None),
        ("#  task-1: Title", None),
        ("", None),
    ],
)
def test_a_part_is_told_by_the_first_heading(prompt: str, part: Part | None) -> None:
    assert part_of(prompt) == part
