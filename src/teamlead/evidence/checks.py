"""Check commands: what a task must pass in its working copy."""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path

from teamlead.errors import Failed, LockHeld
from teamlead.evidence.suites.suite_results import Reports, read_results
from teamlead.ports.checking import CheckEnd
from teamlead.ports.rooms import Room
from teamlead.system.disk import storing
from teamlead.system.environment import for_check
from teamlead.system.exhaustion import SHELL_CANNOT_FORK, exhausted
from teamlead.system.offline import offline
from teamlead.system.processes import spawn
from teamlead.system.program_streams import CappedFile
from teamlead.system.rooms.open_ports import open_ports
from teamlead.system.run_lock import claim
from teamlead.system.secrets import Secrets
from teamlead.system.text import printable, tail

LOG_CAP = 32 * 1024 * 1024
SHOWN_LINES = 40
SHOWN_CHARS = 4096


class ShellChecker:
    """Runs a command with the shell; its whole output goes to the log, the end of it to the user."""

    def __init__(self, *, network: bool = True, secrets: Mapping[str, str] = {}) -> None:
        """Of what a command prints, none of the `secrets` is kept, and no secret of its environment."""
        self._network = network
        self._secrets = secrets

    async def check(
        self,
        command: str,
        cwd: Path,
        log: Path,
        timeout: float,  # noqa: ASYNC109 - a bound on the command, not on this call
        slot: int,
        *,
        room: Room | None = None,
        environment: Mapping[str, str] = {},
    ) -> CheckEnd:
        started = time.monotonic()
        with storing(log):
            log.parent.mkdir(parents=True, exist_ok=True)
            lock = await claim(log.with_name("alive.lock"))
        if lock is None:
            raise LockHeld(f"what ran before in {str(cwd)!r} does not end")
        reports = Reports(command, cwd)
        shell = ["/bin/sh", "-c", command]
        variables = for_check(slot) | dict(environment)
        with lock:
            with storing(log):
                output = CappedFile(log, LOG_CAP)
            process = await spawn(
                shell if self._network or room else offline(shell),
                cwd=cwd,
                env=variables,
                stdout=Secrets(variables, self._secrets).guard(output),
                hard_timeout=timeout,
                kept=lock.fileno(),
                room=self._strictly(room) if room else None,
            )
        try:
            with storing(log):
                ended = await process.wait()
        except asyncio.CancelledError:
            await process.cancel(0)
            raise
        if ended.exit_code and SHELL_CANNOT_FORK.fullmatch(output.recent):
            raise exhausted(
                f"cannot start what {command!r} wants: {output.recent.decode(errors='replace').strip()}"
            )
        if not ended.entered:
            mends = "`teamlead doctor` says what mends that"
            raise Failed(f"no room could be made for the check {command!r} ({mends}): {_last_words(output)}")
        seconds = time.monotonic() - started
        with storing(log):
            # What a check that was stopped had told by then is no result.
            suite = (
                None if ended.stopped else await asyncio.to_thread(read_results, log, output.recent, reports)
            )
        shown = tail(printable(output.recent.decode("utf-8", "replace")), SHOWN_LINES, SHOWN_CHARS)
        code = None if ended.stopped else ended.exit_code
        return CheckEnd(
            exit_code=code,
            seconds=seconds,
            output=shown,
            log=str(log),
            suite=suite,
            room=room.kind if room else "none",
        )

    def _strictly(self, room: Room) -> Room:
        ports = open_ports(for_check(0)) if room.house.strict else None
        return room._replace(network=self._network, ports=ports)


def _last_words(output: CappedFile) -> str:
    return printable(tail(output.recent.decode("utf-8", "replace"), 1, SHOWN_CHARS)).strip()
