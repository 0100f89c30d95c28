import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.core.model import Budget
from teamlead.core.runs import RunEnd
from teamlead.ports.rooms import House, Kind, Means, Room
from teamlead.ports.runner import RunSpec
from teamlead.runners import program
from teamlead.runners.program import Dialect, Invocation, ProgramInput, launch
from teamlead.runners.run_events import Event, parse_event
from teamlead.system import processes
from teamlead.system.rooms.entering import enter

T = TypeVar("T")


class Echo(Dialect):
    """Our own events from a program that is talked to, one line a message."""

    talks = True
    translates = True

    def __init__(self) -> None:
        self._line: ProgramInput | None = None
        self.awaits_service_now = False

    @property
    def awaits_service(self) -> bool:
        return self.awaits_service_now

    def open(self, line: ProgramInput) -> None:
        self._line = line

    def read(self, line: bytes) -> Iterable[Event]:
        event = parse_event(line)
        self.awaits_service_now = event.get("text") == "I ask my service"
        return (event,)

    def say(self, text: str) -> bool:
        return self._line is not None and self._line.write(text.encode() + b"\n")

    def interrupt(self) -> bool:
        return self.say("interrupt")


BEGIN = """
import json, signal, sys, time
def say(**event): print(json.dumps(event), flush=True)
def hear(): return sys.stdin.readline().strip()
def finish(status="ok"): say(type="finished", status=status, summary="made it", error="oh")
"""


async def begin(spec: RunSpec, code: str, dialect: Dialect | None = None) -> program.ProgramRun:
    return await launch(spec, Invocation([sys.executable, "-c", BEGIN + code]), dialect or Echo())


def run(main: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(main, 60))


def end_of(spec: RunSpec, code: str) -> RunEnd:
    async def main() -> RunEnd:
        return await (await begin(spec, code)).result()

    return run(main())


def test_a_program_that_has_finished_gets_the_end_of_its_input(
    spec: Callable[..., RunSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "LEAVING", 600.0)
    end = end_of(spec(), "finish(); sys.stdin.read(); sys.exit(3)")
    assert (end.status, end.summary) == ("ok", "made it")


@pytest.mark.parametrize(
    "code", ["time.sleep(600)", "signal.signal(signal.SIGTERM, lambda *_: 0)\ntime.sleep(600)"]
)
def test_a_program_that_lingers_after_its_last_word_is_ended_and_counts_as_it_said(
    spec: Callable[..., RunSpec], monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setattr(program, "LEAVING", 0.1)
    end = end_of(spec(), f"finish()\n{code}")
    assert (end.status, end.summary) == ("ok", "made it")
    assert end_of(spec(attempt=2), f"finish('limit')\n{code}").status == "limit"


def test_a_program_of_our_own_events_may_go_on_after_it(
    spec: Callable[..., RunSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "LEAVING", 0.0)

    async def main() -> RunEnd:
        return await (await begin(spec(), "finish(); time.sleep(0.5); sys.exit(3)", Dialect())).result()

    assert run(main()).detail == "exit code 3"


STUBBORN = """
def last_words(*_):
    finish("error"); sys.exit(0)
signal.signal(signal.SIGINT, last_words)
"""


def test_last_words_at_a_time_out_do_not_change_what_it_was(spec: Callable[..., RunSpec]) -> None:
    end = end_of(spec(idle_timeout=1.0), STUBBORN + 'say(type="text", text="hello"); time.sleep(600)')
    assert (end.status, end.detail) == ("timeout", "idle time-out: no output for 1 s")


def test_whose_silence_it_was_is_told_by_what_it_did_before(spec: Callable[..., RunSpec]) -> None:
    asking = 'say(type="text", text="I ask my service"); time.sleep(600)'
    assert end_of(spec(idle_timeout=1.0), STUBBORN + asking).status == "unavailable"


SPENDING = """
say(type="usage", input_tokens=50, output_tokens=50)
assert hear() == "interrupt"
"""


def test_at_the_limit_of_its_budget_it_is_asked_to_end(spec: Callable[..., RunSpec]) -> None:
    end = end_of(spec(budget=Budget(tokens=100)), SPENDING + 'finish("error")')
    assert (end.status, end.detail) == ("budget", "it has used 100 of 100 tokens")
    assert end.usage.input_tokens == 50


def test_a_last_word_that_reaches_the_limit_counts(spec: Callable[..., RunSpec]) -> None:
    lines: list[Event] = [
        {"type": "usage", "input_tokens": 100},
        {"type": "finished", "status": "ok", "summary": "made it"},
    ]

    class Both(Echo):
        def read(self, line: bytes) -> Iterable[Event]:
            return lines if line == b"both" else super().read(line)

    async def main() -> RunEnd:
        return await (
            await begin(spec(budget=Budget(tokens=100)), 'print("both", flush=True)', Both())
        ).result()

    end = run(main())
    assert (end.status, end.summary, end.usage.input_tokens) == ("ok", "made it", 100)


def test_cancelled_it_is_asked_first_and_says_what_it_used(spec: Callable[..., RunSpec]) -> None:
    async def main() -> RunEnd:
        code = """
signal.signal(signal.SIGINT, signal.SIG_IGN)
say(type="started")
assert hear() == "interrupt"
say(type="usage", input_tokens=7)
finish("error")
"""
        handle = await begin(spec(), code)
        await events(spec().folder)
        await handle.cancel(50.0)
        return await handle.result()

    end = run(main())
    assert (end.status, end.usage.input_tokens) == ("interrupted", 7)


def test_a_program_that_does_not_listen_is_ended_all_the_same(spec: Callable[..., RunSpec]) -> None:
    async def main() -> RunEnd:
        code = """
for number in (signal.SIGINT, signal.SIGTERM): signal.signal(number, signal.SIG_IGN)
say(type="started")
time.sleep(600)
"""
        handle = await begin(spec(), code)
        await events(spec().folder)
        await handle.cancel(0.3)
        return await handle.result()

    assert run(main()).status == "interrupted"


async def events(folder: Path) -> None:
    """Until it has said something."""
    path = folder / "events.jsonl"
    while not (path.exists() and path.read_bytes()):  # noqa: ASYNC110 - written by the run itself
        await asyncio.sleep(0.02)


def test_a_message_reaches_a_program_that_listens(spec: Callable[..., RunSpec]) -> None:
    async def main() -> tuple[bool, RunEnd, bool]:
        handle = await begin(spec(), 'say(type="text", text=hear()); finish()')
        sent = await handle.send("hello")
        end = await handle.result()
        return sent, end, await handle.send("too late")

    sent, end, late = run(main())
    assert (sent, end.status, late) == (True, "ok", False)
    texts = [
        json.loads(line).get("text") for line in (spec().folder / "events.jsonl").read_text().splitlines()
    ]
    assert texts == ["hello", None]


@pytest.mark.parametrize(
    ("kind", "steps"),
    [
        pytest.param("bubblewrap", [], id="its holder fails"),
        pytest.param("bubblewrap", ["leap"], id="a step fails"),
        pytest.param("landlock", ["leap"], id="a step fails, without holder"),
    ],
)
def test_an_agent_that_did_not_get_into_its_room_has_not_failed_and_the_means_are_doubted(
    kind: Kind,
    steps: list[str],
    spec: Callable[..., RunSpec],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    doubted: list[str] = []
    monkeypatch.setattr(processes, "means", lambda: Means(program="/bin/false", landlock=1))
    monkeypatch.setattr(processes, "enter", lambda *given: enter(*given)._replace(steps=steps))
    monkeypatch.setattr(processes, "doubt", lambda: doubted.append("doubted"))
    root, state = tmp_path / "project", tmp_path / "state"
    for folder in (root / ".git/objects", state, tmp_path / "git", tmp_path / "home"):
        folder.mkdir(parents=True)
    house = House(root, root / ".git", state, state / "objects", home=tmp_path, kind=kind)
    made = spec(room=Room(house, spec().cwd, tmp_path / "git"), home=tmp_path / "home")
    end = end_of(made, "finish()")
    why = ": no step into a room: b'leap'" if steps else ""
    mends = "`teamlead doctor` says what mends that"
    assert (end.status, end.detail) == ("denied", f"no room could be made for the agent ({mends}){why}")
    assert doubted == ["doubted"]
