"""Codex runs where the operating system can hold its commands: not every kernel and container lets it."""

import asyncio
import os
import subprocess
import tempfile
from functools import cache, cached_property
from pathlib import Path

from teamlead.errors import Refused
from teamlead.ports.rooms import Kind
from teamlead.ports.runner import Capabilities, RunHandle, RunSpec
from teamlead.runners.codex.dialect import CodexDialect
from teamlead.runners.codex.invocation import invocation, places, reads_only
from teamlead.runners.detection import locate, require
from teamlead.runners.program import ProgramRunner, launch
from teamlead.runners.refusals import UNHELD, is_unheld, refuse_asking, refuse_unheld
from teamlead.system.disk import storing
from teamlead.system.environment import allowed
from teamlead.system.rooms.availability import means
from teamlead.system.rooms.trial_room import empty_room, run
from teamlead.system.text import clip, printable

PATIENCE = 10.0
LONGEST = 300
_SETTINGS = ('sandbox_mode="workspace-write"', "sandbox_workspace_write={exclude_slash_tmp=true}")
_TRIAL = 'touch inside; touch "$0" 2>/dev/null'


class CodexRunner(ProgramRunner):
    def __init__(self, program: Path | None = None) -> None:
        self._named = program

    @cached_property
    def capabilities(self) -> Capabilities:
        program = self._named or locate("codex")
        kind = means().kind
        roomless = why_not(program, kind) if program and kind else ""
        # Whoever can in a room can without one.
        unheld = why_not(program, None) if program and (roomless or not kind) else ""
        return Capabilities(
            team=True,
            resume=True,
            tool_limits="kinds",
            os_sandbox=program is not None and not unheld,
            unheld=unheld,
            roomless="" if unheld else roomless,
        )

    def validate(self) -> None:
        self._found()

    async def start(self, spec: RunSpec) -> RunHandle:
        program = self._found()
        refuse_asking("codex", spec)
        spec = await asyncio.to_thread(_held, program, spec)
        where = places(spec)
        with storing(spec.home):
            for folder in filter(None, where):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return await launch(spec, invocation(program, spec), CodexDialect(spec, where.home))

    def _found(self) -> Path:
        return self._named or require("codex")


def _held(program: Path, spec: RunSpec) -> RunSpec:
    """Chooses where its commands are held: in its room, if they can be there."""
    if is_unheld(spec.arguments):
        if reads_only(spec):
            raise Refused(f"role {spec.role!r} may only read: codex cannot be run with {UNHELD} (--yolo)")
        return spec
    reason = why_not(program, spec.room.house.kind if spec.room else None)
    if reason and spec.room and not spec.room.house.strict:
        spec, reason = spec._replace(room=None), why_not(program, None)
    refuse_unheld("codex", reason, spec.arguments)
    return spec


@cache
def why_not(program: Path, kind: Kind | None) -> str:
    """Says why commands cannot be held, in a room of this kind or, with None, without one; "" if they can."""
    with tempfile.TemporaryDirectory() as folder:
        return _tried(program, Path(os.path.realpath(folder)), kind)


def _tried(program: Path, folder: Path, kind: Kind | None) -> str:
    room = empty_room(folder / "room", kind) if kind else None
    work = room.copy if room else folder / "work"
    home, temporary, free = (folder / name for name in ("home", "temporary", "free"))
    for each in (home, temporary, free, work):
        each.mkdir(exist_ok=True)
    outside = free / "outside"
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    argv = [str(program), "sandbox", *settings, "--", "sh", "-c", _TRIAL, str(outside)]
    # A home of its own: the user's settings are not what is asked about.
    environment = allowed() | {"CODEX_HOME": str(home), "TMPDIR": str(temporary)}
    try:
        if room:
            room = room._replace(writable=(home, temporary, free))
            done = run(argv, room, environment, means(), PATIENCE)
        else:
            done = subprocess.run(
                argv,
                cwd=work,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
    except OSError as error:
        return f"its sandbox cannot be started: {error.strerror}"
    except subprocess.TimeoutExpired:
        return f"its sandbox gave no answer within {PATIENCE:g} s"
    if outside.exists():
        return "its sandbox lets commands write where they must not"
    if (work / "inside").exists():
        return ""
    return _last_words(done.stderr) or "commands do nothing in its sandbox"


def _last_words(errors: bytes) -> str:
    lines = printable(errors.decode("utf-8", "replace")).splitlines()
    # Of a program that breaks down, the last line tells how to look closer.
    told = [line.strip() for line in lines if line.strip() and not line.startswith("note: ")]
    return clip(told[-1], LONGEST) if told else ""
