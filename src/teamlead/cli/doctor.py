"""`teamlead doctor`: what this machine has, what is missing, and what to do about it.

What is absent is shown as absent. Nothing is changed but what is remembered of rooms, and no model is asked.
"""

import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import apsw
import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, paint, safe, table
from teamlead.errors import TeamleadError
from teamlead.journal.filesystem import refuse_network_filesystem
from teamlead.journal.sqlite import check_library
from teamlead.ports.rooms import Kind
from teamlead.runners.detection import NOBODY, credentials, find, first_usable
from teamlead.runners.logins import missing_logins
from teamlead.runners.refusals import REMEDY
from teamlead.sessions.agent_rooms import known_means
from teamlead.settings.found_checks import found_checks
from teamlead.settings.loading import load
from teamlead.system.awake import why_not as awake_why_not
from teamlead.system.disk import FEW, MEGABYTE, DiskSpace, disk_space, megabytes
from teamlead.system.git import as_user, read_settings, require_git
from teamlead.system.notifying import why_no_desktop
from teamlead.system.offline import why_not as offline_why_not
from teamlead.system.repository import discover
from teamlead.system.user_folders import state_home, user_config_file
from teamlead.system.warden_client import supported as wardens_supported
from teamlead.views.documents.setup import DoctorDocument, DoctorPart

OLDEST_PYTHON = (3, 11)

Level = Literal["ok", "warn", "fail"]
_COLOURS: Mapping[Level, str] = {"ok": "green", "warn": "yellow", "fail": "red"}


class Row(NamedTuple):
    level: Level
    name: str
    found: str
    remedy: str = ""


@click.command(epilog=examples("teamlead doctor", "teamlead doctor --checks", "teamlead doctor --json"))
@click.option("--checks", is_flag=True, help="Try the checks of the configuration, too, or those found here.")
@json_option
@click.pass_context
def doctor(context: click.Context, checks: bool, as_json: bool) -> None:
    """Check this machine, and say what is missing.

    With --checks it runs the `checks` of the configuration on a clean copy of the last commit, as a session
    does before its first agent. Where none are set, it runs the test commands that `teamlead init` proposes.

    Exit codes: 0 everything required is there, 1 something is missing.
    """
    rows = [row for check in CHECKS for row in check()] + (list(_checks()) if checks else [])
    healthy = all(row.level != "fail" for row in rows)
    if as_json:
        findings = [DoctorPart(name=r.name, level=r.level, found=r.found, remedy=r.remedy) for r in rows]
        echo_json(DoctorDocument(ok=healthy, findings=findings))
    else:
        _print(rows)
    context.exit(0 if healthy else 1)


def _print(rows: list[Row]) -> None:
    lines = table([row[:3] for row in rows]).splitlines()
    for row, line in zip(rows, lines, strict=True):
        click.echo(paint(row.level, _COLOURS[row.level]) + line.removeprefix(row.level))
        if row.remedy:
            click.echo(f"      → {row.remedy}")
    missing = sum(row.level == "fail" for row in rows)
    click.echo(f"Required and missing: {missing}." if missing else "Everything required is there.")


def _platform() -> Iterator[Row]:
    found = f"{platform.system()} {platform.release()} ({platform.machine()})"
    if sys.platform in ("linux", "darwin"):
        yield Row("ok", "platform", found)
    else:
        yield Row("fail", "platform", found, "use Linux, macOS, or WSL2 on Windows")


def _python() -> Iterator[Row]:
    level: Level = "ok" if sys.version_info >= OLDEST_PYTHON else "fail"
    remedy = "" if level == "ok" else "install Python 3.11 or newer"
    yield Row(level, "python", platform.python_version(), remedy)


def _git() -> Iterator[Row]:
    here = Path.cwd()
    try:
        require_git()
        yield Row("ok", "git", as_user(here, "version").text.removeprefix("git version "))
    except TeamleadError as error:
        yield Row("fail", "git", error.message, error.remedy or "install git 2.38 or newer")
        return
    try:
        who = read_settings(here)
        yield Row("ok", "git identity", f"{who.name} <{who.email}>")
    except TeamleadError as error:
        yield Row("fail", "git identity", "absent: commits need an author", error.remedy)


def _sqlite() -> Iterator[Row]:
    version = apsw.sqlite_lib_version()
    try:
        check_library()
    except TeamleadError as error:
        yield Row("fail", "sqlite", version, error.remedy)
    else:
        yield Row("ok", "sqlite", version)


def _state() -> Iterator[Row]:
    home = state_home()
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    try:
        refuse_network_filesystem(home)
        with tempfile.TemporaryFile(dir=there):
            pass
    except TeamleadError as error:
        yield Row("fail", "state folder", error.message, error.remedy)
    except OSError as error:
        found = f"{home} cannot be written: {error.strerror}"
        yield Row("fail", "state folder", found, "make it writable, or set XDG_STATE_HOME to another folder")
    else:
        yield Row("ok", "state folder", str(home))


def _space() -> Iterator[Row]:
    try:
        repository = discover(Path.cwd())
        wanted = load(repository.root).min_free_space * MEGABYTE
    except TeamleadError:
        # What is wrong with them is told elsewhere.
        yield _disk_space("space for state", disk_space(state_home()), 0)
        return
    yield _disk_space("space for state", disk_space(state_home()), wanted)
    yield _disk_space("space for git", disk_space(repository.common_dir), wanted)


def _disk_space(name: str, found: DiskSpace, wanted: int) -> Row:
    remedy = f"sessions want {megabytes(wanted)} to stay free (min_free_space): free some space"
    if found.exhausted or found.free < wanted:
        return Row("fail", name, str(found), remedy)
    if found.free < 2 * wanted or (found.files is not None and found.files < FEW):
        return Row("warn", name, str(found), remedy)
    return Row("ok", name, str(found))


def _awake() -> Iterator[Row]:
    able = "the machine does not go to sleep while a session is at work"
    unable = "the machine may go to sleep while a session is at work"
    yield _ability("keep awake", awake_why_not(), able, unable)


def _processes() -> Iterator[Row]:
    """How surely an agent's whole tree of processes ends with it."""
    if wardens_supported():
        yield Row("ok", "wardens", "present: all that an agent starts ends with it, or with the leader")
    else:
        remedy = (
            "a process that leaves its agent's group goes on after it, and all go on if the leader is killed"
        )
        yield Row("warn", "wardens", "absent: process groups are used", remedy)
    if sys.platform == "linux" and _works(lambda: os.close(os.pidfd_open(os.getpid()))):
        yield Row("ok", "pidfd", "present")
    else:
        yield Row(
            "warn", "pidfd", "absent", "processes that an agent leaves behind after a crash are yours to end"
        )


def _works(call: Callable[[], None]) -> bool:
    try:
        call()
    except OSError:
        return False
    return True


def _agents() -> Iterator[Row]:
    yield Row("ok", "agent scripted", "built in: plays a script, for demos and tests")
    found = find()
    if not first_usable(found):
        yield Row("warn", "agent by default", "no working agent was found", NOBODY)
    missing = missing_logins(one.kind for one in found if one.usable)
    for one in found:
        name = f"agent {one.kind}"
        if one.usable:
            told = f"{one.version} at {one.path}, credentials: {credentials(one.kind)}"
            yield Row("warn" if one.warning else "ok", name, told, one.warning)
        else:
            yield Row("warn", name, one.problem or "absent")
        if one.kind in missing:
            yield Row("warn", f"login of {one.kind}", "absent: nobody is logged in", missing[one.kind])
        if one.unheld:
            yield Row("warn", f"sandbox of {one.kind}", f"absent: {one.unheld}", REMEDY)
        elif one.roomless:
            told = f"present, but not in a room: {one.roomless}"
            yield Row("warn", f"sandbox of {one.kind}", told, f"{one.kind} runs without a room here")


def _rooms() -> Iterator[Row]:
    """What agents and checks see of this machine. Asked anew: what was remembered may have changed."""
    found = known_means(anew=True)
    if found.kind == "bubblewrap":
        who = " (root)" if os.geteuid() == 0 else ""
        layers = "present" if found.overlays else "absent: caches are empty in rooms"
        landlock = found.landlock or "absent"
        told = f"bubblewrap {found.version} at {found.program}; private layers {layers}; Landlock {landlock}"
        row = Row("ok", "rooms", f"present{who}: {told}")
    else:
        row = Row("warn", "rooms", f"absent: {found.why_not}; {_INSTEAD[found.kind]}", found.remedy)
    yield _switched_off(row) or row


def _switched_off(row: Row) -> Row | None:
    try:
        settings = load(_root())
    except TeamleadError:
        # What is wrong with them is told elsewhere.
        return None
    if settings.own["room"]:
        return None
    told = f"switched off by room = false, so that {_INSTEAD[None]}; otherwise {row.found}"
    return Row("warn", "rooms", told, f'room = "default" in {str(user_config_file())!r} switches them on')


def _root() -> Path:
    try:
        return discover(Path.cwd()).root
    except TeamleadError:
        return Path.cwd()


_INSTEAD: Mapping[Kind | None, str] = {
    "landlock": "Landlock keeps agents and checks from secrets, and a copy lies at a path of its own",
    "seatbelt": "Seatbelt keeps agents and checks from secrets, which nobody has tried on a Mac yet",
    None: "agents and checks see all that you see",
}


def _offline() -> Iterator[Row]:
    unable = "sessions with check_network = false are refused here"
    yield _ability("checks offline", offline_why_not(), "checks can be kept from the network", unable)


def _checks() -> Iterator[Row]:
    from teamlead.wiring.trying_checks import try_checks  # noqa: PLC0415 - slow to import, and seldom wanted

    try:
        repository = discover(Path.cwd())
        settings = load(repository.root)
        commands = settings.checks or found_checks(repository.root)
        tried = try_checks(repository, settings, commands, lambda line: click.echo(safe(line), err=True))
    except TeamleadError as error:
        yield Row("warn", "checks", f"could not be tried: {error.message}", error.remedy)
        return
    if not tried:
        yield Row("ok", "checks", "none are set, and no test command was found")
    for each in tried:
        name = f"check {safe(each.command)}"
        if each.end is None:
            yield Row("warn", name, safe(f"could not be tried: {each.untried}"))
        elif each.obstacle is not None:
            yield Row("warn", name, safe(f"cannot be run: {each.obstacle.told}"), safe(each.obstacle.remedy))
        elif each.end.exit_code:
            code = each.end.exit_code
            yield Row(
                "warn", name, f"fails on the last commit, with exit code {code}", "agents may mend that"
            )
        else:
            yield Row("ok", name, "passes on a clean copy of the last commit")


def _desktop() -> Iterator[Row]:
    able, unable = 'notify = ["desktop"] shows that you are needed', 'notify = ["desktop"] does nothing here'
    yield _ability("notifications", why_no_desktop(), able, unable)


def _ability(name: str, why_not: str, able: str, unable: str) -> Row:
    return Row("warn", name, f"absent: {why_not}", unable) if why_not else Row("ok", name, f"present: {able}")


CHECKS: tuple[Callable[[], Iterator[Row]], ...] = (
    *(_platform, _python, _git, _sqlite, _state, _space, _processes, _rooms, _awake, _agents, _offline),
    _desktop,
)
