import pytest

from teamlead.errors import ConfigError
from teamlead.runners.script import check_script


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
        ('{team = "send_message"}', 3, "'team' is a step of the scripted model; the scripted agent cannot"),
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
    assert check_script('[[default]]\nsteps = [{team = "list_tasks"}]', "s", "model")
    with pytest.raises(ConfigError, match="line 2: step 1: 'exit' is a step of the scripted agent"):
        check_script("[[default]]\nsteps = [{exit = 1}]", "s", "model")


def test_an_absolute_path_may_leave_the_copy() -> None:
    check_script('[[default]]\nsteps = [{write = "/tmp/x", text = ""}]', "s")
