"""A runner without processes, for tests of what stands around the agents."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

from teamlead.core.runs import RunEnd
from teamlead.errors import Refused
from teamlead.ports.runner import Capabilities, RunSpec

Work = Callable[[RunSpec], RunEnd | Awaitable[RunEnd]]


class FakeRun:
    def __init__(self, work: Work, spec: RunSpec) -> None:
        self._task = asyncio.create_task(_carry_out(work, spec))

    @property
    def done(self) -> bool:
        return self._task.done()

    async def send(self, text: str) -> bool:  # noqa: ARG002 - a function takes no messages
        return False

    async def result(self) -> RunEnd:
        # One that ended may be asked about in another loop than its own: after a resume.
        if not self._task.done():
            await asyncio.wait([self._task])
        if self._task.cancelled():
            return RunEnd("interrupted", detail="ended by the lead")
        return self._task.result()

    async def cancel(self, grace: float) -> None:  # noqa: ARG002 - nothing here resists
        self._task.cancel()
        await self.result()


class FakeRunner:
    """Runs a function in place of an agent; an async one may wait, and is cancelled with its run.

    `specs` lists what was started. It remembers in memory, so recall knows the runs of this very object.
    """

    capabilities = Capabilities()

    def __init__(self, work: Work) -> None:
        self._work = work
        self._runs: dict[tuple[str, str, int], FakeRun] = {}
        self.specs: list[RunSpec] = []

    async def recall(self, spec: RunSpec) -> RunEnd | None:
        run = self._runs.get(_key(spec))
        if run is None:
            return None
        if run.done:
            return await run.result()
        await run.cancel(0)
        return RunEnd("lost", detail="the lead ended before the agent")

    async def start(self, spec: RunSpec) -> FakeRun:
        if _key(spec) in self._runs:
            raise Refused(f"attempt {spec.attempt} of {spec.task!r} was started already")
        self.specs.append(spec)
        run = self._runs[_key(spec)] = FakeRun(self._work, spec)
        return run


def _key(spec: RunSpec) -> tuple[str, str, int]:
    return spec.session, spec.task, spec.attempt


async def _carry_out(work: Work, spec: RunSpec) -> RunEnd:
    end = work(spec)
    return await end if inspect.isawaitable(end) else end
