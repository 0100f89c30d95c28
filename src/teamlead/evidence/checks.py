"""Check commands: what a task must pass in its working copy."""

import asyncio
import time
from pathlib import Path

from teamlead.errors import Failed
from teamlead.evidence.suites.logs import Reports, read_results
from teamlead.ports import CheckEnd
from teamlead.system.alive import claim
from teamlead.system.disk import storing
from teamlead.system.environment import for_check
from teamlead.system.offline import offline
from teamlead.system.output import CappedFile
from teamlead.system.processes import spawn
from teamlead.system.text import printable, tail

LOG_CAP = 32 * 1024 * 1024
SHOWN_LINES = 40
SHOWN_CHARS = 4096


class ShellChecker:
    """Runs a command with the shell; its whole output goes to the log, the end of it to the user."""

    def __init__(self, *, network: bool = True) -> None:
        self._network = network

    async def check(self, command: str, cwd: Path, log: Path, timeout: float, slot: int) -> CheckEnd:  # noqa: ASYNC109 - a bound on the command, not on this call
        started = time.monotonic()
        with storing(log):
            log.parent.mkdir(parents=True, exist_ok=True)
            lock = await claim(log.with_name("alive.lock"))
            if lock is None:
                raise Failed(f"what ran before in {str(cwd)!r} does not end")
            output = CappedFile(log, LOG_CAP)
        reports = Reports(command, cwd)
        shell = ["/bin/sh", "-c", command]
        with lock:
            process = await spawn(
                shell if self._network else offline(shell),
                cwd=cwd,
                env=for_check(slot),
                stdout=output,
                hard_timeout=timeout,
                kept=lock.fileno(),
            )
        try:
            with storing(log):
                ended = await process.wait()
        except asyncio.CancelledError:
            await process.cancel(0)
            raise
        seconds = time.monotonic() - started
        with storing(log):
            # What a check that was stopped had told by then is no result.
            suite = (
                None if ended.stopped else await asyncio.to_thread(read_results, log, output.recent, reports)
            )
        shown = tail(printable(output.recent.decode("utf-8", "replace")), SHOWN_LINES, SHOWN_CHARS)
        code = None if ended.stopped else ended.exit_code
        return CheckEnd(code, seconds, shown, str(log), suite)
