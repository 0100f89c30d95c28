"""Progress of a session that this process leads: a table on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

import click

from teamlead.cli.output import safe
from teamlead.cli.person import ask_person
from teamlead.core.events import Recorded
from teamlead.core.facts import Command
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.system.sessions import SessionFolder
from teamlead.views.activity import activity, parse
from teamlead.views.lines import line
from teamlead.views.moments import span
from teamlead.views.rows import holds_view
from teamlead.views.spending import session_spent
from teamlead.views.words import told_holds, told_spent

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

SHOWN = 20
TAIL = 4096
MARKS = {
    "READY": "·",
    "RUNNING": "▶",
    "NEEDS_CONTINUATION": "↻",
    "BLOCKED": "?",
    "DONE": "✔",
    "SKIPPED": "-",
    "CANCELLED": "✘",
    "REPLACED_BY_REPLAN": "⇄",
}
STYLES = {"RUNNING": "cyan", "BLOCKED": "yellow", "DONE": "green", "CANCELLED": "red"}
STOPPING = "Stopping: agents may end, nothing new starts. Ctrl-C again ends them now."
URGENCY = (
    "BLOCKED",
    "RUNNING",
    "NEEDS_CONTINUATION",
    "READY",
    "DONE",
    "SKIPPED",
    "CANCELLED",
    "REPLACED_BY_REPLAN",
)


class Shown(Protocol):
    def observe(self, recorded: Sequence[Recorded], state: TeamState) -> None: ...

    async def ask(self, state: TeamState) -> Command | None: ...


@contextmanager
def screen(folder: SessionFolder) -> Iterator[Shown]:
    if not sys.stderr.isatty():
        yield Lines()
        return
    table = Table(folder)
    table.start()
    try:
        yield table
    finally:
        table.stop()


class Lines:
    """One line an event, with the time since the start."""

    def __init__(self) -> None:
        self._begun = time.monotonic()

    def observe(self, recorded: Sequence[Recorded], state: TeamState) -> None:  # noqa: ARG002 - the port's
        # The work goes on although its log is full or nobody listens.
        with suppress(OSError):
            for entry in recorded:
                told = line(entry.event)
                if told:
                    click.echo(f"{time.monotonic() - self._begun:7.2f}s  {safe(told)}", err=True)

    async def ask(self, state: TeamState) -> Command | None:
        return await ask_person(state)


class Table:
    def __init__(self, folder: SessionFolder) -> None:
        self._folder = folder
        self._state: TeamState | None = None
        self._last = ""
        self._live: Live | None = None

    def start(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
        from rich.live import Live  # noqa: PLC0415 - as above

        # A new one each time: one that is started again would draw over what was written in between.
        self._live = Live(
            console=Console(stderr=True),
            get_renderable=self.render,
            refresh_per_second=5,
            vertical_overflow="crop",
        )
        self._live.start()

    def stop(self) -> None:
        if self._live is not None:
            self._live.stop()

    def observe(self, recorded: Sequence[Recorded], state: TeamState) -> None:
        self._state = state
        for entry in recorded:
            self._last = line(entry.event) or self._last

    async def ask(self, state: TeamState) -> Command | None:
        """The table makes room while the person types."""
        self.stop()
        try:
            return await ask_person(state)
        finally:
            self.start()

    def render(self) -> "RenderableType":
        from rich.table import Table as Grid  # noqa: PLC0415 - only a terminal needs it
        from rich.text import Text  # noqa: PLC0415 - as above

        state = self._state
        if state is None:
            return Text("starting …")
        now = time.time()
        # Drawn from another thread: `list` of a dict is one step, so it sees a whole picture.
        tasks = list(state.tasks.values())
        done = sum(task.state == "DONE" for task in tasks)
        grid = Grid(box=None, pad_edge=False, title_justify="left", expand=False)
        spent = told_spent(session_spent(state))
        wanted = sum(task.state != "REPLACED_BY_REPLAN" for task in tasks)
        told = f"{done} of {wanted} done{f'; {spent}' if spent else ''}"
        grid.title = f"{safe(state.session.plan.title)}: {told}"
        for column, width in (("", 1), ("task", 8), ("state", 8), ("last activity", 4), ("for", 6)):
            grid.add_column(column, overflow="ellipsis", no_wrap=True, min_width=width)
        for task in self._chosen(tasks):
            style = STYLES.get(task.state, "")
            word = task.live.phase if task.live else task.state.lower()
            grid.add_row(
                Text(MARKS[task.state], style),
                Text(f"{task.spec.id} {safe(task.spec.title)}"),
                Text(word, style),
                Text(safe(self._activity(task))),
                Text(span(now - task.since) if task.state not in {"DONE", "READY"} else ""),
            )
        if len(tasks) > SHOWN:
            grid.add_row("", Text(f"… and {len(tasks) - SHOWN} more"), "", "", "")
        last = STOPPING if state.draining else safe(self._last)[:200]
        holds = [f"on hold: {safe(hold)}"[:200] for hold in told_holds(holds_view(state), now)]
        grid.caption = Text("\n".join([*holds, last]), justify="left")
        grid.caption_justify = "left"
        return grid

    @staticmethod
    def _chosen(tasks: list[Task]) -> list[Task]:
        if len(tasks) <= SHOWN:
            return tasks
        by_state = [task for state in URGENCY for task in tasks if task.state == state]
        return sorted(by_state[:SHOWN], key=lambda task: task.order)

    def _activity(self, task: Task) -> str:
        if task.live is None or task.live.phase != "working":
            return task.attempts[-1].run.summary if task.attempts else ""
        if self._state is not None and any(name in self._state.open for name in task.live.questions):
            return "asks you: teamlead escalations"
        path = self._folder.attempt(task.spec.id, task.live.number) / "events.jsonl"
        try:
            with path.open("rb") as stream:
                stream.seek(max(0, path.stat().st_size - TAIL))
                lines = stream.read().splitlines()
        except OSError:
            return ""
        told = (activity(parse(entry)) for entry in reversed(lines))
        return next((text for text in told if text), "")
