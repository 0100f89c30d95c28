import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.support import FakeListener, serving

from teamlead.core.facts import FeedbackGiven
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.runs import RunEnd
from teamlead.errors import Failed
from teamlead.ports.runner import RunSpec
from teamlead.runners.run_events import LONGEST_RAW
from teamlead.runners.scripted import ScriptedRunner
from teamlead.system.wardens import marks

MakeSpec = Callable[..., RunSpec]
MakeRunner = Callable[[str], ScriptedRunner]


def end_of(runner: ScriptedRunner, spec: RunSpec) -> RunEnd:
    async def main() -> RunEnd:
        return await (await runner.start(spec)).result()

    return asyncio.run(asyncio.wait_for(main(), 30))


def events(spec: RunSpec) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (spec.folder / "events.jsonl").read_text().splitlines()]


def test_the_agent_works_in_its_copy_and_knows_who_it_is(spec: MakeSpec, scripted: MakeRunner) -> None:
    run = spec(attempt=3, environment={"EXTRA": "extra"})
    seen = 'run = "echo $TEAMLEAD_SESSION $TEAMLEAD_TASK $TEAMLEAD_ATTEMPT $TEAMLEAD_SLOT $EXTRA > seen"'
    assert end_of(scripted(f"{{{seen}}}"), run).status == "ok"
    assert (run.cwd / "seen").read_text() == "s1 task-1 3 2 extra\n"


def test_the_attempts_folder_tells_the_whole_story(spec: MakeSpec, scripted: MakeRunner) -> None:
    run = spec(prompt="Please do it.")
    end_of(scripted('{say = "hello"}, {run = "echo oops >&2; exit 1"}'), run)
    assert (run.folder / "prompt.md").read_text() == "Please do it."
    assert [event["type"] for event in events(run)] == [
        "started",
        "text",
        "tool_call",
        "tool_result",
        "finished",
    ]
    assert json.loads((run.folder / "started.json").read_text())["mark"]
    assert json.loads((run.folder / "result.json").read_text())["status"] == "ok"
    assert (run.folder / "stderr.txt").read_bytes() == b""


def test_it_talks_with_its_team_while_it_runs(spec: MakeSpec, scripted: MakeRunner) -> None:
    difficulty = 'input = {kind = "difficulty", issue = "No key for {task}"}'
    runner = scripted(f'{{team = "report_feedback", {difficulty}}}, {{team = "send_message"}}')
    listener = FakeListener()

    async def main() -> RunSpec:
        async with serving(listener) as server:
            run: RunSpec = spec(team=server.admit("task-1", 1))
            await (await runner.start(run)).result()
            return run

    run = asyncio.run(asyncio.wait_for(main(), 30))
    assert runner.capabilities.team
    assert listener.facts == [FeedbackGiven("task-1", 1, DifficultyFeedback("No key for task-1"))]
    recorded, refused = (event["output"] for event in events(run) if event["type"] == "tool_result")
    assert recorded.startswith("Recorded. Nobody is asked about it, since `category` is missing")
    assert "recipient" in refused


def test_who_never_talks_has_no_team(scripted: MakeRunner, tmp_path: Path) -> None:
    assert not scripted('{say = "team"}').capabilities.team
    assert not ScriptedRunner(tmp_path / "absent.toml").capabilities.team


def test_the_answer_in_the_prompt_reaches_the_agent(spec: MakeSpec, scripted: MakeRunner) -> None:
    run = spec(prompt="Answer:\n> red\n\nYou asked again.\nAnswer:\n> blue\n\n> Answer:\n> black")
    end_of(scripted('{write = "colour", text = "{answer}"}'), run)
    assert (run.cwd / "colour").read_text() == "blue"


def test_a_crash_names_the_signal(spec: MakeSpec, scripted: MakeRunner) -> None:
    end = end_of(scripted("{crash = true}"), spec())
    assert (end.status, end.detail) == ("error", "killed by SIGKILL")


def test_an_exit_code_is_named(spec: MakeSpec, scripted: MakeRunner) -> None:
    assert end_of(scripted("{exit = 3}"), spec()).detail == "exit code 3"


def test_an_agent_that_hangs_is_timed_out(spec: MakeSpec, scripted: MakeRunner) -> None:
    end = end_of(scripted("{hang = true, stubborn = true}"), spec(idle_timeout=0.5))
    assert (end.status, end.detail) == ("timeout", "idle time-out: no output for 0.5 s")


def test_hostile_output_is_kept_and_does_not_stop_the_run(spec: MakeSpec, scripted: MakeRunner) -> None:
    run = spec()
    flood = '{emit_raw = "x", repeat = 10000000}, {emit_raw = "\\n"}'
    broken = '{emit_raw = "\\u00ff\\u00fe\\n", bytes = true}, {emit_raw = "{\\"type\\": \\"mood\\"}\\n"}'
    end = end_of(scripted(f'{flood}, {broken}, {{done = "still here"}}'), run)
    assert (end.status, end.summary) == ("ok", "still here")
    kinds = [(event["type"], len(event.get("text", ""))) for event in events(run)]
    assert kinds == [("started", 0), ("raw", LONGEST_RAW), ("raw", 2), ("mood", 0), ("finished", 0)]


def test_a_stubborn_grandchild_is_gone_when_the_result_is_there(spec: MakeSpec, scripted: MakeRunner) -> None:
    run = spec()
    assert end_of(scripted('{spawn_stubborn = true, pid_file = "pid"}, {done = ""}'), run).status == "ok"
    stubborn = Path("/proc", (run.cwd / "pid").read_text(), "stat")
    # Where nobody reaps orphans, a zombie stays.
    assert not stubborn.exists() or stubborn.read_text().rpartition(")")[2].split()[0] == "Z"


def test_modules_in_the_working_copy_do_not_disturb_the_agent(spec: MakeSpec, scripted: MakeRunner) -> None:
    run = spec()
    (run.cwd / "teamlead.py").write_text("raise SystemExit(9)")
    (run.cwd / "json.py").write_text("raise SystemExit(9)")
    assert end_of(scripted('{done = ""}'), run).status == "ok"


def test_a_run_that_cannot_be_started_is_an_error_also_when_recalled(
    spec: MakeSpec, scripted: MakeRunner
) -> None:
    run = spec(cwd=Path("/no/such/copy"))
    runner = scripted('{done = ""}')
    with pytest.raises(Failed, match="/no/such/copy"):
        end_of(runner, run)
    recalled = asyncio.run(runner.recall(run))
    assert recalled is not None
    assert recalled.status == "error"


LEAD = """
import asyncio, sys
from pathlib import Path
from teamlead.ports.runner import RunSpec
from teamlead.runners.run_events import LONGEST_RAW
from teamlead.runners.scripted import ScriptedRunner
from teamlead.system import processes

async def main():
    script, cwd, folder = map(Path, sys.argv[1:4])
    processes._wardens = sys.argv[4] == "warden"
    spec = RunSpec("s1", "task-1", 1, "worker", "", "", cwd, folder, 60, 60, 0)
    await (await ScriptedRunner(script).start(spec)).result()

asyncio.run(main())
"""


@pytest.mark.parametrize("held_by", ["warden", "group"])
def test_after_the_leads_death_its_agent_is_ended_and_lost(
    spec: MakeSpec, scripted: MakeRunner, tmp_path: Path, held_by: str
) -> None:
    run = spec()
    scripted('{touch = "working"}, {hang = true, stubborn = true}')
    lead = subprocess.Popen(
        [sys.executable, "-c", LEAD, tmp_path / "script.toml", run.cwd, run.folder, held_by]
    )
    deadline = time.monotonic() + 30
    stored = run.folder / "events.jsonl"
    while not (stored.exists() and "tool_call" in stored.read_text()):
        assert time.monotonic() < deadline
        assert lead.poll() is None
    lead.send_signal(signal.SIGKILL)
    lead.wait()
    mark = json.loads((run.folder / "started.json").read_text())["mark"]
    assert held_by == "warden" or marks.send(mark, 0)
    end = asyncio.run(ScriptedRunner(tmp_path / "script.toml").recall(run))
    assert end is not None
    assert (end.status, end.tool_calls) == ("lost", 1)
    assert held_by == "warden" or "still ran and was ended" in end.detail
    assert not marks.send(mark, 0)
