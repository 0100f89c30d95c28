"""A checker without processes."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.ports.checking import CheckEnd
from teamlead.ports.rooms import Room


class CheckCall(NamedTuple):
    command: str
    cwd: Path
    slot: int
    environment: Mapping[str, str] = {}


Answer = Callable[[CheckCall], int | Awaitable[int | None] | None]


def passes(_: CheckCall) -> int:
    return 0


class FakeChecker:
    """Implements `ports.checking.Checker`: asks a function for the exit code; None stands for out of time.

    An async function may wait, and is cancelled with the check. `calls` lists what was asked.
    """

    def __init__(self, answer: Answer = passes) -> None:
        self._answer = answer
        self.calls: list[CheckCall] = []

    async def check(
        self,
        command: str,
        cwd: Path,
        log: Path,
        timeout: float,  # noqa: ARG002, ASYNC109 - as above
        slot: int,
        *,
        room: Room | None = None,  # noqa: ARG002 - as above
        environment: Mapping[str, str] = {},
    ) -> CheckEnd:
        call = CheckCall(command, cwd, slot, environment)
        self.calls.append(call)
        answer = self._answer(call)
        code = await answer if inspect.isawaitable(answer) else answer
        return CheckEnd(code, 0.0, "" if code == 0 else f"{command} said no", str(log))
