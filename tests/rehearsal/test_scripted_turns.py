"""Which reply a script gives to a request, whatever the interface."""

import json

import pytest

from teamlead.core.reports import ExplorationFeedback
from teamlead.forms.feedback import read_feedback
from teamlead.rehearsal.anthropic import TOOLBOX
from teamlead.rehearsal.conversation import Conversation, Crash, Result, Saying, Silence, Tool, Trouble, What
from teamlead.rehearsal.scripted_turns import ASIDE, reply
from teamlead.runners.script import check_script

PROMPT = "# task-3: Colours\n\nThis is attempt 2.\n"
TOOLS = {name: Tool(name) for name in ("Write", "Bash", "mcp__team__ask_human")}
DONE = Result("done")


def replied(steps: str, *results: Result, prompt: str = PROMPT) -> What:
    script = check_script(f"[[default]]\nsteps = [{steps}]", "script", "model")
    return reply(script, Conversation(TOOLS, prompt, results), TOOLBOX).what


def said(what: What) -> Saying:
    assert isinstance(what, Saying)
    return what


def called(what: What) -> tuple[str, dict[str, object]]:
    call = said(what).call
    assert call
    return call.tool.name, call.input


def test_the_step_is_told_by_the_results_that_came_since_the_prompt() -> None:
    steps = '{write = "a", text = "1"}, {run = "ls"}, {done = "ready"}'
    assert called(replied(steps)) == ("Write", {"file_path": "a", "content": "1"})
    assert called(replied(steps, DONE))[1]["command"] == "ls"
    assert replied(steps, DONE, DONE) == Saying("ready")


def test_a_conversation_that_goes_on_after_its_end_gets_the_end_again() -> None:
    assert replied('{run = "ls"}, {done = "ready"}', DONE, DONE, DONE) == Saying("ready")


def test_what_is_said_goes_with_the_next_call() -> None:
    what = said(replied('{say = "one"}, {say = "two"}, {touch = "a/b"}'))
    assert what.text == "one\ntwo"
    assert called(what)[1]["command"] == "mkdir -p -- a && touch -- a/b"


def test_a_script_without_an_end_ends_well() -> None:
    assert replied('{run = "ls"}', DONE) == Saying("task-3: 1 steps done")


def test_attempts_have_steps_of_their_own_and_the_last_one_repeats() -> None:
    text = "".join(f'[[task-3]]\nsteps = [{{done = "{n}"}}]\n' for n in (1, 2))
    script = check_script(text, "script", "model")
    for attempt, expected in ((1, "1"), (2, "2"), (3, "2")):
        prompt = f"# task-3: Colours\nThis is attempt {attempt}.\n"
        assert reply(script, Conversation(TOOLS, prompt), TOOLBOX).what == Saying(expected)


def test_who_is_consulted_answers_by_its_table_or_is_content() -> None:
    text = """
    [[default]]
    steps = [{http = 500}]
    [[task-3-judge]]
    steps = [{run = "git log -1"}, {answer = {success = false, reason = "{task} lacks tests"}}]
    [[task-3-judge]]
    steps = [{done = "Well, it depends."}]
    """
    script = check_script(text, "script", "model")

    def told(prompt: str, *results: Result) -> str:
        return said(reply(script, Conversation(TOOLS, prompt, results), TOOLBOX).what).text

    judged = json.loads(told("# task-3-judge: judge\n", DONE))
    assert judged == {"success": False, "reason": "task-3-judge lacks tests"}
    assert told("# task-3-judge: judge (2)\n") == "Well, it depends."
    assert json.loads(told("# task-4-judge: judge\n"))["success"] is True
    assert json.loads(told("# planner: complete\n"))["fulfilled"] is True


def test_feedback_stands_in_the_last_words() -> None:
    steps = '{feedback = {kind = "exploration", findings = "{task} is old"}}, {run = "ls"}, {done = "ready"}'
    assert called(replied(steps))[0] == "Bash"
    words = said(replied(steps, DONE)).text
    assert words.startswith("ready\n")
    assert read_feedback(words) == ExplorationFeedback("task-3 is old")


def test_a_request_beside_the_work_gets_a_short_answer() -> None:
    script = check_script("[[default]]\nsteps = [{http = 500}]", "script", "model")
    assert reply(script, Conversation(TOOLS, ""), TOOLBOX).what is ASIDE
    # A title is asked for with the prompt, but without tools.
    assert reply(script, Conversation({}, PROMPT), TOOLBOX).what is ASIDE


def test_usage_is_counted_in_its_turn_and_sleep_is_the_models_time() -> None:
    text = "[[default]]\nsteps = [{sleep = 2}, {usage = {input_tokens = 7, output_tokens = 8}}]"
    chosen = reply(check_script(text, "script", "model"), Conversation(TOOLS, PROMPT), TOOLBOX)
    assert chosen.after == 2
    assert said(chosen.what)[2:4] == (7, 8)


def test_the_answer_to_a_question_is_known_to_every_later_step() -> None:
    steps = '{ask = "Which?", options = ["a", "b"]}, {run = "ls"}, {done = "it is {answer}"}'
    name, given = called(replied(steps))
    assert (name, given) == ("mcp__team__ask_human", {"question": "Which?", "options": ["a", "b"]})
    answered = Result("User's answer: blue\nA message for you: hurry")
    assert replied(steps, answered, DONE) == Saying("it is blue")


def test_an_answer_in_the_prompt_is_known_too() -> None:
    prompt = PROMPT + "About:\n> Which?\nAnswer:\n> red\n"
    assert replied('{done = "it is {answer}"}', prompt=prompt) == Saying("it is red")


def test_a_parked_question_ends_the_turn() -> None:
    steps = '{ask = "Which?"}, {write = "a", text = "{answer}"}'
    parked = said(replied(steps, Result("No answer yet: end your turn.")))
    assert parked.call is None


def test_a_question_at_the_end_of_a_script_ends_the_turn_whatever_the_answer() -> None:
    assert said(replied('{ask = "Which?"}', Result("blue"))).call is None


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ('{fail = "no way"}', Trouble(400, "no way")),
        ("{http = 529}", Trouble(529)),
        ("{http = 429, reset_in = 5}", Trouble(429, reset_in=5)),
        ('{http = 429, headers = {a = "b"}, body = "x"}', Trouble(429, headers={"a": "b"}, body="x")),
        ("{silence = true}", Silence()),
        ("{hang = true}", Silence()),
        ("{crash = true}", Crash()),
        ("{break_stream = true}", Saying("I was about to", broken=True)),
    ],
)
def test_troubles_are_replies_too(step: str, expected: What) -> None:
    assert replied(step) == expected


@pytest.mark.parametrize("step", ['{run = "make", must_pass = true}', '{wait_for = "go"}'])
def test_a_command_that_had_to_pass_fails_the_run(step: str) -> None:
    failure = replied(f'{step}, {{done = "ready"}}', Result("", failed=True))
    assert isinstance(failure, Trouble)
    assert replied(f'{step}, {{done = "ready"}}', DONE) == Saying("ready")


def test_a_tool_that_is_not_declared_is_called_all_the_same() -> None:
    assert called(replied('{call = "Nuke", input = {all = true}}')) == ("Nuke", {"all": True})


def test_a_deferred_tool_is_looked_for_once_before_it_is_called() -> None:
    script = check_script('[[default]]\nsteps = [{team = "send_message"}]', "script", "model")
    tools = {"ToolSearch": Tool("ToolSearch")}
    first = reply(script, Conversation(tools, PROMPT), TOOLBOX).what
    assert called(first) == ("ToolSearch", {"query": "select:mcp__team__send_message"})
    found = Conversation(tools, PROMPT, [Result("", aside=True)])
    assert called(reply(script, found, TOOLBOX).what) == ("mcp__team__send_message", {})


def test_a_command_that_runs_on_is_waited_for() -> None:
    steps = '{run = "make"}, {done = "ready"}'
    waiting = called(replied(steps, Result("", aside=True, running=7)))
    assert waiting == ("write_stdin", {"session_id": 7, "yield_time_ms": 30_000})
    assert replied(steps, Result("", aside=True, running=7), DONE) == Saying("ready")
