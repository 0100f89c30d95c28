import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from teamlead.core.model import Question, Usage
from teamlead.core.runs import RunEnd
from teamlead.errors import UsageError
from teamlead.ports.runner import RunSpec
from teamlead.runners.command import CommandRunner
from teamlead.runners.registry import runner_for

MakeSpec = Callable[..., RunSpec]

ODD_PROMPTS = [
    "",
    "-h --help",
    "'single' \"double\" `back` $(touch pwned) ; | & > out",
    "first\n\n\tlast without an end",
    "ünïcödé 漢字 \U0001f600 \u202e",
    "long " * 200_000,
]


def end_of(spec: RunSpec, *argv: str) -> RunEnd:
    async def main() -> RunEnd:
        return await (await CommandRunner(argv).start(spec)).result()

    return asyncio.run(asyncio.wait_for(main(), 60))


def python(spec: RunSpec, program: str, *arguments: str) -> RunEnd:
    return end_of(spec, sys.executable, "-c", program, *arguments)


@pytest.mark.parametrize("prompt", ODD_PROMPTS, ids=[prompt[:12] for prompt in ODD_PROMPTS])
def test_any_prompt_arrives_intact_as_input_and_as_a_file(spec: MakeSpec, prompt: str) -> None:
    program = """
import os, pathlib, sys
given = sys.stdin.buffer.read()
for path in (sys.argv[1], os.environ["TEAMLEAD_PROMPT_FILE"]):
    assert pathlib.Path(path).read_bytes() == given
pathlib.Path("given").write_bytes(given)
"""
    run = spec(prompt=prompt)
    assert python(run, program, "{prompt_file}").status == "ok"
    assert (run.cwd / "given").read_bytes().decode() == prompt
    assert [path.name for path in run.cwd.iterdir()] == ["given"]


def test_the_last_lines_it_printed_are_the_summary(spec: MakeSpec) -> None:
    end = python(spec(), "for n in range(30): print('line', n)")
    assert (end.status, end.summary) == ("ok", "\n".join(f"line {n}" for n in range(20, 30)))


def test_a_program_that_prints_nothing_has_finished_all_the_same(spec: MakeSpec) -> None:
    assert end_of(spec(), "true") == RunEnd("ok")


def test_a_failing_program_is_an_error_with_its_last_words(spec: MakeSpec) -> None:
    end = end_of(spec(), "sh", "-c", "echo all is well; echo no such thing >&2; exit 3")
    assert (end.status, end.detail) == ("error", "exit code 3: no such thing")


def test_events_of_ours_on_its_output_are_understood(spec: MakeSpec) -> None:
    said = [
        {"type": "usage", "input_tokens": 7, "cost_usd": 0.25},
        {"type": "tool_call", "name": "edit"},
        {"type": "finished", "status": "ok", "summary": "said so", "conversation": "c-1"},
    ]
    end = python(spec(), f"print('noise'); [print(line) for line in {[json.dumps(one) for one in said]}]")
    assert end == RunEnd("ok", "said so", usage=Usage(7, None, 0.25), tool_calls=1, conversation="c-1")


def test_a_failure_it_tells_of_counts_whatever_its_exit_code(spec: MakeSpec) -> None:
    end = python(spec(), """print('{"type": "finished", "status": "error", "error": "no idea"}')""")
    assert (end.status, end.detail) == ("error", "no idea")


def test_a_question_it_asks_is_handed_on(spec: MakeSpec) -> None:
    end = python(spec(), """print('{"type": "ask", "text": "Which?", "options": ["a"]}')""")
    assert (end.status, end.question) == ("ok", Question("Which?", ("a",)))


def test_further_arguments_come_last(spec: MakeSpec) -> None:
    run = spec(arguments=("--fast", "two words"))
    assert (
        python(run, "import sys; print(sys.argv[1:])", "first").summary == "['first', '--fast', 'two words']"
    )


def test_no_shell_reads_the_command(spec: MakeSpec) -> None:
    run = spec()
    assert end_of(run, "echo", "$HOME", ">", "file").summary == "$HOME > file"
    assert not list(run.cwd.iterdir())


def test_secrets_of_the_user_do_not_reach_it(spec: MakeSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert "sk-secret" not in python(spec(), "import os; print(dict(os.environ))").summary


def test_a_missing_program_is_told_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no program 'no-such-agent'.*sh -c"):
        runner_for("command:no-such-agent --fast").validate()
    with pytest.raises(UsageError, match="absent"):
        runner_for(f"command:{tmp_path}/absent").validate()
    runner_for("command:sh -c 'exit 0'").validate()


def test_a_command_line_that_cannot_be_split_is_refused() -> None:
    with pytest.raises(UsageError, match="quote it"):
        runner_for("command:sh -c 'unfinished")


def test_all_it_printed_is_its_report_and_which_tools_it_used_is_unknown(spec: MakeSpec) -> None:
    end = python(spec(), "[print(number) for number in range(30)]")
    assert end.summary.splitlines() == [str(number) for number in range(20, 30)]
    assert end.report.splitlines() == [str(number) for number in range(30)]
    assert end.tool_calls is None
