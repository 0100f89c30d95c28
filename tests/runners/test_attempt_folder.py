import asyncio
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from teamlead.core.model import Question, Usage
from teamlead.core.runs import RunEnd
from teamlead.errors import Refused, StorageFailed
from teamlead.runners.attempt_folder import AttemptFolder, EventLog
from teamlead.system.wardens import marks

END = RunEnd(
    status="ok",
    summary="summary",
    detail="detail",
    question=Question("Which?", ("a",)),
    usage=Usage(1, 2, 0.5),
    tool_calls=3,
)


@pytest.fixture
def folder(tmp_path: Path) -> AttemptFolder:
    return AttemptFolder(tmp_path / "attempt")


def recall(folder: AttemptFolder) -> RunEnd | None:
    return asyncio.run(folder.recall())


def test_the_start_is_marked_once(folder: AttemptFolder) -> None:
    folder.begin("Do it.")
    with pytest.raises(Refused):
        folder.begin("Do it again.")
    assert "at" in json.loads(folder.started.read_bytes())


def test_a_result_comes_back_whole(folder: AttemptFolder) -> None:
    folder.begin("")
    folder.finish(END)
    assert recall(folder) == END


def test_a_start_without_a_process_is_lost(folder: AttemptFolder) -> None:
    folder.begin("")
    end = recall(folder)
    assert end is not None
    assert end.status == "lost"
    assert str(folder.path) in end.detail


def test_a_lost_run_still_accounts_for_what_it_spent(folder: AttemptFolder) -> None:
    folder.begin("")
    events = EventLog(folder.events)
    events.add({"type": "usage", "input_tokens": 4})
    events.add({"type": "tool_call", "name": "write"})
    events.close()
    end = recall(folder)
    assert end is not None
    assert (end.usage.input_tokens, end.tool_calls) == (4, 1)


@pytest.mark.parametrize("content", [b"", b'{"status": "ok"', b'{"status": "great"}', b"\xff"])
def test_a_broken_result_is_lost_and_names_the_file(folder: AttemptFolder, content: bytes) -> None:
    folder.begin("")
    folder.result.write_bytes(content)
    end = recall(folder)
    assert end is not None
    assert end.status == "lost"
    assert str(folder.result) in end.detail


def test_a_broken_start_mark_still_counts_as_started(folder: AttemptFolder) -> None:
    folder.begin("")
    folder.started.write_bytes(b"")
    end = recall(folder)
    assert end is not None
    assert end.status == "lost"


def test_what_carries_the_mark_of_a_lost_run_is_ended(folder: AttemptFolder) -> None:
    mark = folder.begin("")
    argv = ["setsid", "sleep", "60"]
    with subprocess.Popen(argv, env={**os.environ, marks.VARIABLE: mark}) as leftover:
        end = recall(folder)
        assert end is not None
        assert "still ran and was ended" in end.detail
        assert leftover.wait(20) == -signal.SIGKILL


def test_an_old_run_is_recalled_only_when_its_warden_has_ended_it(folder: AttemptFolder) -> None:
    async def main() -> tuple[bool, RunEnd | None]:
        folder.begin("")
        with await folder.lock():
            recalled = asyncio.create_task(folder.recall())
            early, _ = await asyncio.wait([recalled], timeout=0.05)
        return bool(early), await asyncio.wait_for(recalled, 20)

    early, end = asyncio.run(main())
    assert not early
    assert end is not None
    assert end.status == "lost"


def test_a_run_that_was_recalled_before_it_started_never_starts(folder: AttemptFolder) -> None:
    """Its leader was stopped between the mark and the start, and another one has come meanwhile."""
    folder.begin("")
    end = recall(folder)
    with pytest.raises(Refused, match="given up before it started"):
        asyncio.run(folder.lock())
    assert recall(folder) == end


def test_the_first_result_stays(folder: AttemptFolder) -> None:
    folder.begin("")
    lost = recall(folder)
    folder.finish(END)
    assert recall(folder) == lost
    assert sorted(path.name for path in folder.path.iterdir()) == [
        "alive.lock",
        "prompt.md",
        "result.json",
        "started.json",
    ]


def test_a_run_is_not_started_while_it_is_recalled(folder: AttemptFolder) -> None:
    async def main() -> None:
        folder.begin("")
        with await folder.lock(), pytest.raises(Refused):
            await folder.lock()

    asyncio.run(main())


def test_a_run_with_a_result_is_recalled_only_when_its_check_has_ended(folder: AttemptFolder) -> None:
    async def main() -> tuple[bool, RunEnd | None]:
        folder.begin("")
        check = await folder.lock()
        folder.finish(END)
        with check:
            recalled = asyncio.create_task(folder.recall())
            early, _ = await asyncio.wait([recalled], timeout=0.05)
        return bool(early), await asyncio.wait_for(recalled, 20)

    assert asyncio.run(main()) == (False, END)


def test_events_are_stored_with_their_time_up_to_the_cap(folder: AttemptFolder) -> None:
    folder.begin("")
    events = EventLog(folder.events, cap=100)
    for text in ("first", "x" * 200, "third"):
        events.add({"type": "text", "text": text, "time": "mine"})
    events.close()
    first, cut = (json.loads(line) for line in folder.events.read_text().splitlines())
    assert first["text"] == "first"
    assert isinstance(first["time"], float)
    assert cut["type"] == "warning"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageFailed, match="file"):
        AttemptFolder(tmp_path / "file" / "attempt").begin("")
