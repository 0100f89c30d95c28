"""The real Claude Code, ended in the middle of what it does: nothing of it stays."""

import json
import os
from pathlib import Path

import pytest
from tests.runners.claude_support import Claude, until, wait

from teamlead.core.runs import RunEnd
from teamlead.system.wardens import marks

LOOP = "echo $$ > pid; while true; do sleep 0.1; done"
STUBBORN = "trap '' INT TERM HUP; " + LOOP
DETACHED = f"setsid sh -c '{LOOP}' & sleep 0.1; while true; do sleep 0.1; done"


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("grace", [20.0, 3.0, 0.0])
@pytest.mark.parametrize("command", [LOOP, STUBBORN, DETACHED], ids=["loop", "stubborn", "detached"])
def test_cancelled_in_mid_command_it_leaves_no_process(claude: Claude, command: str, grace: float) -> None:
    claude.follows(f'{{run = "{command}"}}')
    pid_file = claude.copy / "pid"

    async def main() -> RunEnd:
        handle = await claude.start()
        await until(lambda: pid_file.exists() and bool(pid_file.read_text().strip()))
        assert alive(int(pid_file.read_text()))
        await handle.cancel(grace)
        return await handle.result()

    end = wait(main())
    assert (end.status, end.detail, bool(end.conversation)) == ("interrupted", "ended by the lead", True)
    assert not alive(int(pid_file.read_text()))
    assert remains(claude.root / "attempts" / "1") is False


def remains(folder: Path) -> bool:
    """Whether anything that carries the mark of this run is alive."""
    started = json.loads((folder / "started.json").read_text())
    return marks.end(started["mark"])


def test_asked_over_its_own_protocol_it_still_says_what_it_has_used(claude: Claude) -> None:
    claude.follows('{run = "touch begun; while true; do sleep 0.1; done"}')

    async def main() -> RunEnd:
        handle = await claude.start()
        await until((claude.copy / "begun").exists)
        await handle.cancel(30.0)
        return await handle.result()

    end = wait(main())
    assert '"request_id":"interrupt"' in claude.raw()
    assert (end.status, end.usage.output_tokens) == ("interrupted", 10)
    assert end.usage.cost_usd


def test_cancelled_while_it_waits_for_its_model_it_ends(claude: Claude) -> None:
    claude.follows("{silence = true}", '{done = "made it"}')

    async def main() -> tuple[RunEnd, RunEnd]:
        handle = await claude.start()
        await claude.asks_its_model()
        await handle.cancel(30.0)
        first = await handle.result()
        return first, await claude.end(2, conversation=first.conversation)

    first, second = wait(main())
    assert (first.status, second.status) == ("interrupted", "ok")


def test_cancelled_before_it_has_begun_it_ends(claude: Claude) -> None:
    async def main() -> RunEnd:
        handle = await claude.follows('{done = "x"}').start()
        await handle.cancel(20.0)
        return await handle.result()

    assert wait(main()).status == "interrupted"
