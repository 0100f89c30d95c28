import time
from pathlib import Path

import click

from teamlead.cli.options import session_argument
from teamlead.cli.output import examples, line_json, safe
from teamlead.cli.session import find, show_waits, viewing
from teamlead.core import phases
from teamlead.core.events import AttemptEnded, AttemptStarted, Recorded
from teamlead.core.transitions import FINAL_PHASES
from teamlead.errors import NEEDS_PERSON
from teamlead.sessions.leader import leader_of
from teamlead.sessions.replay import recorded_events
from teamlead.system.sessions import SessionFolder
from teamlead.views.activity import Streamed, activity, parse
from teamlead.views.documents.sessions import SessionRow, StreamDocument
from teamlead.views.leadership import waits
from teamlead.views.lines import line
from teamlead.views.recorded import event_document

EVERY = 0.025
CHUNK = 1 << 20

Said = tuple[str, Streamed]
"""A task, and what its agent streamed."""


@click.command(epilog=examples("teamlead watch", "teamlead watch k3f9 --json --since 120"))
@session_argument
@click.option(
    "--since", type=click.IntRange(min=0), default=0, metavar="SEQ", help="Show only events after this one."
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object a line; in those of what agents stream, seq is null.",
)
@click.pass_context
def watch(ctx: click.Context, session: str | None, since: int, *, as_json: bool) -> None:
    """Follow a session that another process leads, as it happens.

    Exit codes: 0 the session has ended, 1 it failed or was cancelled, 3 nobody leads it any more.
    """
    _, folder = find(session)
    streams = Streams(folder)
    printer = Printer(as_json=as_json)
    with viewing(folder) as reader:
        seen = -1
        live = False
        while True:
            # Asked before reading: a leader that ends in between has written its last word by then.
            led = leader_of(folder) is not None
            version = reader.data_version()
            if version != seen:
                seen = version
                for recorded in recorded_events(reader, since):
                    since = recorded.seq
                    # What an agent said comes before the word that it has ended.
                    for task, event in streams.note(recorded.event, live=live):
                        printer.stream(task, event)
                    printer.event(recorded)
            live = True
            for task, event in streams.poll():
                printer.stream(task, event)
            if not led:
                ctx.exit(_ending(reader.session()))
            time.sleep(EVERY)


def _ending(row: SessionRow) -> int:
    if row["phase"] in FINAL_PHASES:
        return 1 if phases.broken_off(row["phase"]) else 0
    click.echo(f"Nobody leads {row['id']} ({row['state']}).", err=True)
    show_waits(waits(row, (), led=False), err=True)
    return NEEDS_PERSON


class Printer:
    def __init__(self, *, as_json: bool) -> None:
        self._json = as_json

    def event(self, recorded: Recorded) -> None:
        if self._json:
            click.echo(line_json(event_document(recorded)))
            return
        told = line(recorded.event)
        if told:
            click.echo(f"{time.strftime('%H:%M:%S', time.localtime(recorded.at))}  {safe(told)}")

    def stream(self, task: str, event: Streamed) -> None:
        if self._json:
            click.echo(line_json(StreamDocument(seq=None, task=task, stream=event)))
            return
        told = activity(event)
        if told:
            click.echo(f"{time.strftime('%H:%M:%S')}    {task} | {safe(told)}")


class Streams:
    """What agents say while they work: the files of the attempts that run now."""

    def __init__(self, folder: SessionFolder) -> None:
        self._folder = folder
        self._open: dict[str, tuple[Path, int, bytes]] = {}

    def note(self, event: object, *, live: bool) -> list[Said]:
        """Opens and closes streams as attempts start and end; returns what an ended one said last."""
        from teamlead.core.events import RunEnded  # noqa: PLC0415 - loaded by now

        if isinstance(event, AttemptStarted):
            path = self._folder.attempt(event.task, event.attempt) / "events.jsonl"
            # An attempt that is long under way is joined where it is; its past is for `logs`.
            begin = path.stat().st_size if path.exists() and not live else 0
            self._open[event.task] = (path, begin, b"")
        elif isinstance(event, RunEnded | AttemptEnded) and event.task in self._open:
            said = []
            while more := self._read(event.task):
                said += more
            del self._open[event.task]
            return said
        return []

    def poll(self) -> list[Said]:
        return [said for task in self._open for said in self._read(task)]

    def _read(self, task: str) -> list[Said]:
        path, offset, rest = self._open[task]
        try:
            with path.open("rb") as stream:
                stream.seek(offset)
                data = stream.read(CHUNK)
        except FileNotFoundError:
            return []
        *lines, last = (rest + data).split(b"\n")
        self._open[task] = (path, offset + len(data), last)
        return [(task, parse(entry)) for entry in lines]
