"""What `start`, `resume` and `demo` share: leading a session in this process or in the background."""

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import click
import msgspec

from teamlead.cli.escalations import show_question
from teamlead.cli.exit_codes import INTERRUPTED, NEEDS_PERSON
from teamlead.cli.output import ascii_json, echo_json, safe
from teamlead.cli.shown_work import note_shown
from teamlead.core.state import TeamState, session_state
from teamlead.errors import Failed
from teamlead.journal.lease import holder
from teamlead.system.disk import storing
from teamlead.views.evidence import whole_view
from teamlead.views.rows import escalation_view, session_view, task_view, trespasses_view
from teamlead.views.words import told_suspects

if TYPE_CHECKING:
    from teamlead.wiring.leading import Desk, Led

PATIENCE = 20.0
SHOWN_FILES = 5


def lead_here(desk: "Desk", *, wait: bool, as_json: bool) -> int:
    """Leads until there is nothing left to do here; returns the exit code."""
    from teamlead.cli.live import screen  # noqa: PLC0415 - a leader is slow to import: not for --help
    from teamlead.cli.person import at_terminal  # noqa: PLC0415 - as above
    from teamlead.wiring.leading import lead  # noqa: PLC0415 - as above

    with screen(desk.folder) as shown:
        person = None if wait or not at_terminal() else shown.ask
        led = lead(desk, "teamlead", linger=wait, observe=shown.observe, person=person)
    if led.warning:
        click.echo(safe(led.warning), err=True)
    if as_json:
        click.echo(ascii_json(_document(led)))
    else:
        _summarise(led)
        note_shown(desk.folder, led.state.phase, led.state.integration_tip)
    return exit_code(led)


def tell_session(name: str, *, as_json: bool, err: bool = False) -> None:
    if as_json:
        echo_json({"session": name})
    else:
        click.echo(f"session {name} (watch it: teamlead watch {name})", err=err)


def exit_code(led: "Led") -> int:
    if led.end == "interrupted":
        return INTERRUPTED
    if led.end in {"waiting", "paused"}:
        return NEEDS_PERSON
    return 0 if led.state.phase in {"DONE", "ROLLED_BACK"} else 1


def _document(led: "Led") -> bytes:
    session = session_view(led.state)
    tasks = [task_view(led.state, task) for task in led.state.tasks.values()]
    waiting: list[dict[str, Any]] = session.pop("waiting")
    waiting += [task["waiting"] for task in tasks if task["waiting"]]
    document = {"schema_version": 1, "end": led.end, "session": session, "tasks": tasks, "waiting": waiting}
    return msgspec.json.format(msgspec.json.encode(document))


def _summarise(led: "Led") -> None:
    state = led.state
    name = state.session.id
    done = sum(task.state == "DONE" for task in state.tasks.values())
    wanted = sum(task.state != "REPLACED_BY_REPLAN" for task in state.tasks.values())
    click.echo(f"{session_state(state)}: {done} of {wanted} done (session {name})")
    if led.end in {"interrupted", "paused"}:
        click.echo(f"{led.end.capitalize()}; nothing is lost. Go on with: teamlead resume {name}")
    if led.end == "waiting":
        _tell_waits(state)
    _tell_trespasses(state)
    if led.changed_files:
        files = ", ".join(led.changed_files[:SHOWN_FILES])
        more = ", …" if len(led.changed_files) > SHOWN_FILES else ""
        click.echo(f"Changed in your checkouts while agents without rooms worked: {safe(files)}{more}")
        click.echo(f"If that was not you: teamlead mend {name}")
    if state.phase == "AWAITING_APPROVAL":
        if state.approval_refused and not state.trespasses:
            click.echo(f"Approval was not possible: {safe(state.approval_refused)}")
        for item in whole_view(state):
            click.echo(f"The whole: {safe(item['claim'])}: {safe(item['found'])}")
        tip = state.integration_tip[:10]
        click.echo(f"Look at {tip}: teamlead diff --session {name}; teamlead report {name}")
        click.echo(f"Then: teamlead approve {name}, or: teamlead reject {name}")
    if state.approval is not None and state.approval.commit:
        click.echo(
            f"{state.approval.branch} is now {state.approval.commit[:10]}; undo: {state.approval.undo}"
        )
    if state.phase in {"FAILED", "CANCELLED"}:
        click.echo(f"{state.phase}: {safe(state.phases[-1].reason)}")


def _tell_trespasses(state: TeamState) -> None:
    """Last thing on the screen but for the approval, which waits for it."""
    found = trespasses_view(state)
    if found:
        click.echo("Changed in your repository, not by you as far as one can tell:")
    for each in found:
        click.echo(f"  {safe(each['told'] + told_suspects(each))}")
    if found:
        click.echo(f"Look and decide, before anything is approved: teamlead mend {state.session.id}")


def _tell_waits(state: TeamState) -> None:
    """What only a person moves, but for the approval."""
    name = state.session.id
    for record in state.open.values():
        click.echo()
        show_question(escalation_view(record))
        click.echo(f"  answer: teamlead resolve {name} --escalation-id {record.id} --resolution TEXT")
    for task in state.paused:
        click.echo(f"{task} is paused: teamlead retry {task} --session {name}")
    if state.open or state.paused:
        after = "your answers" if state.open else "that"
        click.echo(f"\nAfter {after}: teamlead resume {name}")


def lead_in_background(desk: "Desk") -> None:
    """Starts a leader that outlives this process and its terminal; returns once it leads."""
    with storing(desk.folder.log), desk.folder.log.open("ab") as log:
        os.fchmod(log.fileno(), 0o600)
        process = subprocess.Popen(
            [sys.executable, "-m", "teamlead", "resume", desk.folder.id, "--wait"],
            cwd=desk.repository.root,
            env={**os.environ, "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    deadline = time.monotonic() + PATIENCE
    while holder(desk.folder.path) is None:
        if process.poll() is not None:
            if process.returncode in {0, NEEDS_PERSON}:
                return
            told = desk.folder.log.read_text(errors="replace").strip().splitlines()[-3:]
            raise Failed(f"the background leader ended at once: {safe(' '.join(told))}")
        if time.monotonic() > deadline:
            raise Failed(
                f"the background leader did not start within {PATIENCE:.0f} s; see {desk.folder.log}"
            )
        time.sleep(0.01)
