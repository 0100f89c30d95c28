"""`teamlead status`: answers from the view rows, so its time does not depend on the session's size."""

import json
import os
import time
from typing import Any

import click

from teamlead.cli.interrupted import why_interrupted
from teamlead.cli.output import ascii_json, examples, paint, safe, table
from teamlead.cli.session import find, json_option, session_argument, show_waits, viewing, waits
from teamlead.cli.shown_work import note_shown
from teamlead.journal.lease import holder
from teamlead.system.repository import Repository
from teamlead.views.words import (
    told_budget,
    told_conflict,
    told_difficulty,
    told_evidence,
    told_holds,
    told_scope,
    told_spent,
    told_suspects,
)
from teamlead.wiring.viewing import ViewReader

SHOWN = 50
FIRST = ("RUNNING", "BLOCKED", "NEEDS_CONTINUATION")
OTHERS = ("READY", "DONE", "SKIPPED", "CANCELLED", "REPLACED_BY_REPLAN")
VIOLATIONS = {
    "denials": "Not allowed, so it did not happen",
    "trespasses": "Changed outside of its copy, so its work was refused",
    "remarks": "Changed outside of its copy, perhaps by you",
}
NO_EVIDENCE: dict[str, Any] = {"verdicts": {}, "flags": []}
"""Rows that an earlier version wrote have none."""
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
    leads = holder(folder.path)
    with viewing(folder) as reader, reader.snapshot():
        view = reader.session()
        view["leader_alive"] = leads is not None
        view["interrupted"] = why_interrupted(view, led=leads is not None)
        running = [json.loads(row.body)["waiting"] for row in reader.tasks(waiting_only=True)]
        waiting = waits(view, running, led=leads is not None)
        del view["waiting"]
        if as_json:
            _print_json(view, reader, waiting)
        else:
            limit = -1 if everything else SHOWN
            rows = reader.tasks(states=FIRST, limit=limit)
            if everything or len(rows) < SHOWN:
                rows += reader.tasks(states=OTHERS, limit=limit if everything else SHOWN - len(rows))
            tasks = [json.loads(row.body) for row in sorted(rows)]
            _print(view, tasks, view["task_counts"], str(leads) if leads else "nobody")
            if view.get("kept"):
                _print_kept(repository, view["kept"], view["kept_total"])
            if waiting:
                click.echo("\nWaiting for:")
                show_waits(waiting[:SHOWN])
            note_shown(folder, view["phase"], view["integration_tip"])


def _print_json(view: dict[str, Any], reader: ViewReader, waiting: list[dict[str, Any]]) -> None:
    # The rows are JSON already; decoding them would cost more than everything else here.
    bodies = b",\n".join(row.body for row in reader.tasks())
    click.echo(f'{{"schema_version": 1,\n"session": {json.dumps(view)},')
    click.echo(f'"tasks": [\n{ascii_json(bodies)}\n],\n"waiting": {json.dumps(waiting)}}}')


def _print(
    view: dict[str, Any],
    tasks: list[dict[str, Any]],
    counts: dict[str, int],
    leads: str,
) -> None:
    total = view["tasks_total"]
    click.echo(f"{view['id']}  {safe(view['title'])}")
    click.echo(
        f"{paint(view['state'], 'yellow' if view['state'] == 'ESCALATING' else 'cyan')}"
        f" (phase {view['phase']}: {safe(view['phase_reason'])})"
    )
    told = ", ".join(f"{count} {state}" for state, count in counts.items())
    wanted = total - counts.get("REPLACED_BY_REPLAN", 0)
    click.echo(f"{counts.get('DONE', 0)} of {wanted} done ({told}); leader: {leads}")
    if view["interrupted"]:
        click.echo(f"interrupted: {safe(view['interrupted'])}; teamlead resume {view['id']}")
    tip = f" at {view['integration_tip'][:10]}" if view["integration_tip"] else ""
    click.echo(f"work: {view['integration_branch']}{tip} → {view['target_branch']}")
    for item in view.get("whole", ()):
        click.echo(f"the whole: {safe(item['claim'])}: {safe(item['found'])}")
    _print_means(view)
    _print_trespasses(view)
    if view["approved"]:
        click.echo(f"approved: {view['approved']['commit'][:10]}; undo: {safe(view['approved']['undo'])}")
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


def _print_findings(tasks: list[dict[str, Any]]) -> None:
    """What a look at single tasks is worth for."""
    used = (task for task in tasks if task["state"] != "SKIPPED")
    flags = [
        (f"  {task['id']}", flag) for task in used for flag in task.get("evidence", NO_EVIDENCE)["flags"]
    ]
    if flags:
        click.echo(f"\nWorth a look (teamlead evidence TASK):\n{table(flags[:SHOWN])}")
    hard = [
        (f"  {task['id']}", f"{told_difficulty(each)}: {each['issue']}")
        for task in tasks
        for each in task.get("difficulties", ())
    ]
    if hard:
        click.echo(f"\nDifficulties that agents reported:\n{table(hard[:SHOWN])}")
    for key, title in VIOLATIONS.items():
        found = [(f"  {task['id']}", what) for task in tasks for what in task[key]]
        if found:
            click.echo(f"\n{title}:\n{table(found[:SHOWN])}")


def _print_trespasses(view: dict[str, Any]) -> None:
    for each in view.get("trespasses", ()):
        told = safe(f"{each['told']}{told_suspects(each)}")
        click.echo(f"{paint('open', 'red')}: {told}; teamlead mend {view['id']}")


def _print_means(view: dict[str, Any]) -> None:
    """What was spent, of what, and which agents have to wait."""
    spent = told_spent(view["spent"])
    if spent:
        click.echo(f"spent: {spent}")
    for budget in view["budgets"]:
        click.echo(f"budget of {safe(told_scope(budget['scope']))}: {told_budget(budget)}")
    for hold in told_holds(view["holds"], time.time()):
        click.echo(f"{paint('on hold', 'yellow')}: {safe(hold)}")
    for each in view.get("conflicts_ahead", ()):
        told = told_conflict(each["task"], each["other"], each["paths"])
        click.echo(f"{paint('conflict ahead', 'yellow')}: {safe(told)}")
    for warning in view.get("warnings", ()):
        click.echo(f"{paint('incomplete', 'yellow')}: {safe(warning)}")
    for problem in view.get("not_notified", ()):
        click.echo(f"{paint('not notified', 'yellow')}: {safe(problem)}")


def _print_kept(repository: Repository, kept: list[dict[str, str]], total: int) -> None:
    """Work that is on no branch: under a ref, or in a copy that had to stay."""
    there = _still_there(repository, [item["at"] for item in kept])
    click.echo(f"\nKept work ({total}):")
    click.echo(
        table(
            [
                (f"  {item['task']}", item["at"], "" if item["at"] in there else "is gone by now")
                for item in kept
            ]
        )
    )
    if total > len(kept):
        click.echo(f"  … and {total - len(kept)} more")
    click.echo("  look: teamlead salvage list; copies that stayed: teamlead clean --dry-run")


def _still_there(repository: Repository, places: list[str]) -> set[str]:
    """A ref may have been dropped since, and a copy cleaned away, which the journal is not told."""
    refs = [place for place in places if place.startswith("refs/")]
    found = repository.git().resolve(*refs) if refs else []
    held = {ref for ref, commit in zip(refs, found, strict=True) if commit}
    return held | {place for place in places if os.path.lexists(place)}


def _columns(tasks: list[dict[str, Any]]) -> list[list[str]]:
    """Who works and what it cost have a column where they tell something."""
    mixed = len({_who(task) for task in tasks}) > 1
    proofs = [told_evidence(task.get("evidence", NO_EVIDENCE)["verdicts"]) for task in tasks]
    spent = [told_spent(task["spent"]) for task in tasks]
    rows = []
    for task, proof, cost in zip(tasks, proofs, spent, strict=True):
        name, state, tries, change, title = _row(task)
        further = [*([proof] * any(proofs)), *([_who(task)] * mixed), *([cost] * any(spent))]
        rows.append([name, state, tries, change, *further, title])
    further = [*(["EVIDENCE"] * any(proofs)), *(["AGENT"] * mixed), *(["SPENT"] * any(spent))]
    head = ["TASK", "STATE", "TRY", "CHANGE", *further, "TITLE"]
    return [head, *rows]


def _who(task: dict[str, Any]) -> str:
    kind, _, argument = task["agent"].partition(":")
    shown = kind if kind == "scripted" else f"{kind}:{argument[:20]}" if argument else kind
    return f"{shown} {task['model']}".rstrip()


def _row(task: dict[str, Any]) -> tuple[str, ...]:
    change = (
        f"{task['files']} file{'s' * (task['files'] != 1)} +{task['added']} -{task['deleted']}"
        if task["files"]
        else ""
    )
    progress = f": {task['progress'].splitlines()[0][:100]}" if task["progress"] else ""
    step = f" ({task['step']}{progress})" if task["step"] else ""
    paused = " (paused)" if task.get("paused") else ""
    reason = f" — {task['reason'].splitlines()[0][:100]}" if task["reason"] else ""
    return (
        task["id"],
        task["state"],
        str(task["attempts"] or ""),
        change,
        f"{task['title']}{paused}{step}{reason}",
    )
