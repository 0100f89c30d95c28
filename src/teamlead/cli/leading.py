"""What `start`, `resume` and `demo` share: leading a session in this process or in the background."""

import os
import subprocess
import sys
import time
from collections.abc import Collection
from typing import TYPE_CHECKING

import click

from teamlead.cli.escalations import for_user, show_question
from teamlead.cli.output import echo_json, safe
from teamlead.cli.shown_work import note_shown
from teamlead.core import phases
from teamlead.errors import INTERRUPTED, NEEDS_PERSON, Failed
from teamlead.sessions.desk import Desk
from teamlead.sessions.leader import leader_of
from teamlead.system.disk import storing
from teamlead.views.documents.sessions import LedDocument, OpenedDocument, SessionRow
from teamlead.views.leadership import shown, stage_waits, with_stage_wait
from teamlead.views.rows import session_view, task_view
from teamlead.views.waiting import worth_a_look
from teamlead.views.words import told_suspects

if TYPE_CHECKING:
    from teamlead.core.state.team_state import TeamState
    from teamlead.wiring.leader_process import Led

PATIENCE = 20.0
SHOWN_FILES = 5


def lead_here(desk: Desk, *, wait: bool, as_json: bool) -> int:
    """Leads until there is nothing left to do here; returns the exit code."""
    from teamlead.cli.live import screen  # noqa: PLC0415 - a leader is slow to import: not for --help
    from teamlead.cli.person import at_terminal  # noqa: PLC0415 - as above
    from teamlead.cli.planning import hand_over  # noqa: PLC0415 - as above
    from teamlead.wiring.leadership import lead  # noqa: PLC0415 - as above

    with screen(desk.folder) as drawn:
        person = None if wait or not at_terminal() else drawn.ask
        led = lead(desk, "teamlead", linger=wait, observe=drawn.observe, person=person)
    if led.warning:
        click.echo(safe(led.warning), err=True)
    if as_json:
        echo_json(_document(led))
    else:
        _summarise(led)
        note_shown(desk.folder, led.state.phase, led.state.integration_tip)
    if phases.done(led.state.phase) and desk.folder.plans:
        hand_over(desk, as_json=as_json)
    return exit_code(led)


def tell_session(name: str, *, as_json: bool, err: bool = False) -> None:
    if as_json:
        echo_json(OpenedDocument(session=name))
    else:
        click.echo(f"session {name} (watch it: teamlead watch {name})", err=err)


def exit_code(led: "Led") -> int:
    if led.end == "interrupted":
        return INTERRUPTED
    if led.end in {"waiting", "paused"}:
        return NEEDS_PERSON
    return 0 if phases.carried_out(led.state.phase) else 1


def _document(led: "Led") -> LedDocument:
    tasks = tuple(task_view(led.state, task) for task in led.state.tasks.values())
    session = shown(session_view(led.state), tasks, led=False, now=time.time())
    waits = stage_waits(session)
    return LedDocument(session=session, tasks=[with_stage_wait(task, waits) for task in tasks], end=led.end)


def _summarise(led: "Led") -> None:
    session = session_view(led.state)
    name = session["id"]
    wanted = session["tasks_total"] - session["task_counts"].get("REPLACED_BY_REPLAN", 0)
    done = f"{session['tasks_done']} of {wanted} done{_worth_a_look(led.state, name)}"
    click.echo(f"{session['state']}: {done} (session {name})")
    if led.end in {"interrupted", "paused"}:
        click.echo(f"{led.end.capitalize()}; nothing is lost. Go on with: teamlead resume {name}")
    if led.end == "waiting":
        _tell_waits(session, led.state.paused)
    _tell_trespasses(session)
    if led.changed_files:
        files = ", ".join(led.changed_files[:SHOWN_FILES])
        more = ", …" if len(led.changed_files) > SHOWN_FILES else ""
        click.echo(f"Changed in your checkouts while agents without rooms worked: {safe(files)}{more}")
        click.echo(f"If that was not you: teamlead mend {name}")
    if phases.awaits_approval(session["phase"]):
        if session["approval_refused"] and not session["trespasses"]:
            click.echo(f"Approval was not possible: {safe(session['approval_refused'])}")
        for item in session["plan_checks"]:
            click.echo(f"The whole: {safe(item['claim'])}: {safe(item['found'])}")
        tip = session["integration_commit"][:10]
        click.echo(f"Look at {tip}: teamlead diff --session {name}; teamlead report {name}")
        click.echo(f"Then: teamlead approve {name}, or: teamlead reject {name}")
    approval = session["approval"]
    if approval is not None and approval["commit"]:
        click.echo(f"{approval['branch']} is now {approval['commit'][:10]}; undo: {approval['undo']}")
    if phases.broken_off(session["phase"]):
        click.echo(f"{session['phase']}: {safe(session['phase_reason'])}")


def _worth_a_look(state: "TeamState", session: str) -> str:
    """Where to look, of the work that was accepted."""
    tasks = worth_a_look(state)
    if not tasks:
        return ""
    look = f"evidence {tasks[0].removeprefix('task-')}" if len(tasks) == 1 else f"report {session}"
    return f", {len(tasks)} worth a look: teamlead {look}"


def _tell_trespasses(session: SessionRow) -> None:
    """Last thing on the screen but for the approval, which waits for it."""
    if session["trespasses"]:
        click.echo("Changed in your repository, not by you as far as one can tell:")
    for each in session["trespasses"]:
        click.echo(f"  {safe(each['what'] + told_suspects(each))}")
    if session["trespasses"]:
        click.echo(f"Look and decide, before anything is approved: teamlead mend {session['id']}")


def _tell_waits(session: SessionRow, paused: Collection[str]) -> None:
    """What only a person moves, but for the approval."""
    asked = for_user(session)
    for question in asked:
        click.echo()
        show_question(question)
        click.echo(
            f"  answer: teamlead resolve {session['id']} --escalation-id {question['id']} --resolution TEXT"
        )
    for task in paused:
        click.echo(f"{task} is paused: teamlead retry {task} --session {session['id']}")
    if asked or paused:
        after = "your answers" if asked else "that"
        click.echo(f"\nAfter {after}: teamlead resume {session['id']}")


def lead_in_background(desk: Desk) -> None:
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
    while leader_of(desk.folder) is None:
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
