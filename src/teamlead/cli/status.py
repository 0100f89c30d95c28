"""`teamlead status`: answers from the view rows, so its time does not depend on the session's size."""

import json
import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from teamlead.cli.options import json_option, session_argument
from teamlead.cli.output import ascii_only, examples, paint, safe, table
from teamlead.cli.session import find, show_waits, shown_session, viewing
from teamlead.cli.shown_work import note_shown
from teamlead.sessions.leader import leader_of
from teamlead.system.repository import Repository
from teamlead.views.documents.base import SCHEMA_VERSION
from teamlead.views.leadership import TO_START, stage_waits, with_stage_wait
from teamlead.views.moments import counted
from teamlead.views.words import (
    headline,
    told_budget,
    told_conflict,
    told_difficulty,
    told_evidence,
    told_holds,
    told_scope,
    told_spent,
    told_stage,
    told_stages,
    told_suspects,
)

if TYPE_CHECKING:
    from teamlead.sessions.view_reader import ViewReader
    from teamlead.views.documents.sessions import SessionPart, TaskPart

SHOWN = 50
WIDTH = 100
FIRST = ("RUNNING", "BLOCKED", "NEEDS_CONTINUATION")
VIOLATIONS: dict[Literal["denials", "trespasses", "remarks"], str] = {
    "denials": "Not allowed, so it did not happen",
    "trespasses": "Changed outside of its copy, so its work was refused",
    "remarks": "Changed outside of its copy, perhaps by you",
}
COLOURS = {"DONE": "green", "RUNNING": "cyan", "BLOCKED": "yellow", "CANCELLED": "red"}


@click.command(
    epilog=examples("teamlead status", "teamlead status k3f9 --json", "teamlead status --all"),
)
@session_argument
@click.option(
    "--all", "everything", is_flag=True, help=f"Show every task, not only the {SHOWN} that matter most."
)
@json_option
def status(session: str | None, *, everything: bool, as_json: bool) -> None:
    """Show a session's tasks and what it waits for.

    SESSION is an id or a part of one; without it, the latest session of this repository.
    """
    repository, folder = find(session)
    leads = leader_of(folder)
    with viewing(folder) as reader, reader.snapshot():
        found = shown_session(reader, led=leads is not None)
        if as_json:
            _print_json(found, reader)
            return
        rows = reader.tasks() if everything else reader.foremost(FIRST, SHOWN)
    waits = stage_waits(found)
    tasks = [with_stage_wait(task, waits) for task in rows]
    _print(found, tasks, str(leads) if leads else "nobody")
    if found["kept"]:
        _print_kept(repository, found)
    if found["waiting"]:
        click.echo("\nWaiting for:")
        show_waits(found["waiting"][:SHOWN])
    note_shown(folder, found["phase"], found["integration_commit"])


def _print_json(session: "SessionPart", reader: "ViewReader") -> None:
    # The rows are JSON already; decoding them all would cost more than everything else here.
    waits = stage_waits(session)
    tasks = ",\n".join(
        json.dumps(with_stage_wait(json.loads(row.body), waits))
        if waits and row.state in TO_START
        else row.body.decode()
        for row in reader.stored_tasks()
    )
    document = (
        f'{{"schema_version": {SCHEMA_VERSION},\n"session": {json.dumps(session)},\n"tasks": [\n{tasks}\n]}}'
    )
    click.echo(ascii_only(document))


def _print(view: "SessionPart", tasks: "Sequence[TaskPart]", leads: str) -> None:
    total, counts = view["tasks_total"], view["task_counts"]
    click.echo(f"{view['id']}  {safe(view['title'])}")
    click.echo(
        f"{paint(view['state'], 'yellow' if view['state'] == 'ESCALATING' else 'cyan')}"
        f" (phase {view['phase']}: {safe(view['phase_reason'])})"
    )
    told = ", ".join(f"{count} {state}" for state, count in counts.items())
    wanted = total - counts.get("REPLACED_BY_REPLAN", 0)
    click.echo(f"{counts.get('DONE', 0)} of {wanted} done ({told}); leader: {leads}")
    if view["team"]:
        _print_team(view)
    elif len(view["stages"]) > 1:
        click.echo(f"stages: {safe(told_stages(view['stages']))}")
    if view["interrupted"]:
        click.echo(f"interrupted: {safe(view['interrupted'])}; teamlead resume {view['id']}")
    tip = f" at {view['integration_commit'][:10]}" if view["integration_commit"] else ""
    if view["integration_branch"]:
        click.echo(f"work: {view['integration_branch']}{tip} → {view['target_branch']}")
    for item in view["plan_checks"]:
        click.echo(f"the whole: {safe(item['claim'])}: {safe(item['found'])}")
    _print_means(view)
    _print_trespasses(view)
    if view["approval"] and view["approval"]["commit"]:
        click.echo(f"approved: {view['approval']['commit'][:10]}; undo: {safe(view['approval']['undo'])}")
    if view["rejected"]:
        click.echo(f"rejected: {safe(view['rejected'])}")
    click.echo()
    lines = table(_columns(tasks)).splitlines()
    click.echo(lines[0])
    for line, task in zip(lines[1:], tasks, strict=True):
        click.echo(line.replace(task["state"], paint(task["state"], COLOURS.get(task["state"], "white")), 1))
    if total > len(tasks):
        click.echo(f"… and {total - len(tasks)} more (--all)")
    _print_findings(tasks)


def _print_team(view: "SessionPart") -> None:
    """Who works in which stage, and what the stages that have closed found."""
    click.echo(f"team {safe(view['team'])}:")
    for stage in view["stages"]:
        members = ", ".join(f"{each['name']} {each['state']}" for each in stage["members"])
        click.echo(f"  {safe(told_stage(stage))}: {safe(members)}")
        for found in stage["found"]:
            click.echo(f"    {safe(found)}"[:WIDTH])


def _print_findings(tasks: "Sequence[TaskPart]") -> None:
    """What a look at single tasks is worth for."""
    used = (task for task in tasks if task["state"] != "SKIPPED")
    flags = [(f"  {task['id']}", flag) for task in used for flag in task["evidence"]["flags"]]
    if flags:
        click.echo(f"\nWorth a look (teamlead evidence TASK):\n{table(flags[:SHOWN])}")
    hard = [
        (f"  {task['id']}", f"{told_difficulty(each)}: {each['issue']}")
        for task in tasks
        for each in task["difficulties"]
    ]
    if hard:
        click.echo(f"\nDifficulties that agents reported:\n{table(hard[:SHOWN])}")
    for key, title in VIOLATIONS.items():
        found = [(f"  {task['id']}", what) for task in tasks for what in task[key]]
        if found:
            click.echo(f"\n{title}:\n{table(found[:SHOWN])}")


def _print_trespasses(view: "SessionPart") -> None:
    for each in view["trespasses"]:
        told = safe(f"{each['what']}{told_suspects(each)}")
        click.echo(f"{paint('open', 'red')}: {told}; teamlead mend {view['id']}")


def _print_means(view: "SessionPart") -> None:
    """What was spent, of what, and which agents have to wait."""
    spent = told_spent(view["spent"])
    if spent:
        click.echo(f"spent: {spent}")
    for budget in view["budgets"]:
        click.echo(f"budget of {safe(told_scope(budget['scope']))}: {told_budget(budget)}")
    for hold in told_holds(view["holds"], time.time()):
        click.echo(f"{paint('on hold', 'yellow')}: {safe(hold)}")
    for each in view["conflicts_ahead"]:
        told = told_conflict(each["task"], each["other"], each["paths"])
        click.echo(f"{paint('conflict ahead', 'yellow')}: {safe(told)}")
    for warning in view["warnings"]:
        click.echo(f"{paint('incomplete', 'yellow')}: {safe(warning)}")
    for problem in view["not_notified"]:
        click.echo(f"{paint('not notified', 'yellow')}: {safe(problem)}")


def _print_kept(repository: Repository, view: "SessionPart") -> None:
    """Work that is on no branch: under a ref, or in a copy that had to stay."""
    there = _still_there(repository, [item["place"] for item in view["kept"]])
    click.echo(f"\nKept work ({view['kept_total']}):")
    click.echo(
        table(
            [
                (f"  {item['task']}", item["place"], "" if item["place"] in there else "is gone by now")
                for item in view["kept"]
            ]
        )
    )
    if view["kept_total"] > len(view["kept"]):
        click.echo(f"  … and {view['kept_total'] - len(view['kept'])} more")
    click.echo("  look: teamlead salvage list; copies that stayed: teamlead clean --dry-run")


def _still_there(repository: Repository, places: list[str]) -> set[str]:
    """A ref may have been dropped since, and a copy cleaned away, which the journal is not told."""
    refs = [place for place in places if place.startswith("refs/")]
    found = repository.git().resolve(*refs) if refs else []
    held = {ref for ref, commit in zip(refs, found, strict=True) if commit}
    return held | {place for place in places if os.path.lexists(place)}


def _columns(tasks: "Sequence[TaskPart]") -> list[list[str]]:
    """Who works and what it cost have a column where they tell something."""
    mixed = len({_who(task) for task in tasks}) > 1
    proofs = [told_evidence(task["evidence"]["verdicts"]) for task in tasks]
    spent = [told_spent(task["spent"]) for task in tasks]
    rows = []
    for task, proof, cost in zip(tasks, proofs, spent, strict=True):
        name, state, tries, change, title = _row(task)
        further = [*([proof] * any(proofs)), *([_who(task)] * mixed), *([cost] * any(spent))]
        rows.append([name, state, tries, change, *further, title])
    further = [*(["EVIDENCE"] * any(proofs)), *(["AGENT"] * mixed), *(["SPENT"] * any(spent))]
    head = ["TASK", "STATE", "TRY", "CHANGE", *further, "TITLE"]
    return [head, *rows]


def _who(task: "TaskPart") -> str:
    kind, _, argument = task["agent"].partition(":")
    shown = kind if kind == "scripted" else f"{kind}:{argument[:20]}" if argument else kind
    return f"{shown} {task['model']}".rstrip()


def _row(task: "TaskPart") -> tuple[str, ...]:
    change = (
        f"{counted(task['files_total'], 'file')} +{task['lines_added']} -{task['lines_deleted']}"
        if task["files_total"]
        else ""
    )
    progress = f": {task['progress'].splitlines()[0][:100]}" if task["progress"] else ""
    step = f" ({task['step']}{progress})" if task["step"] else ""
    paused = " (paused)" if task["paused"] else ""
    reason = f" — {headline(task['reason'])[:100]}" if task["reason"] else ""
    if task["state"] == "READY" and task["waiting"] and not task["paused"]:
        reason += f" — {task['waiting']['reason']}"
    return (
        task["id"],
        task["state"],
        str(task["attempts_total"] or ""),
        change,
        f"{task['title']}{paused}{step}{reason}",
    )
