"""`teamlead agents`: who could work here, and what each can do. No model is asked."""

from collections.abc import Iterator

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, safe, table
from teamlead.ports.runner import Capabilities
from teamlead.runners.detection import NOBODY, FoundProgram, credentials, find, first_usable
from teamlead.runners.refusals import REMEDY, cannot_hold
from teamlead.runners.registry import FORMS, runner_for
from teamlead.views.documents.setup import AgentPart, AgentsDocument, CapabilitiesPart

LIMITS = {
    "none": "only checked afterwards",
    "kinds": "tools are taken away",
    "calls": "each call is judged",
}


@click.command(epilog=examples("teamlead agents", "teamlead agents --json"))
@json_option
def agents(*, as_json: bool) -> None:
    """List the agents that are installed, and what they can do.

    TEAM tells whether an agent can talk with the lead and the others while it works. LIMITS tells how it is
    kept to the tools of its role; with any of them, changes outside of its task are never accepted.

    CREDENTIALS names the variable, or your login with the program, that would be used.
    """
    found = find()
    default = first_usable(found)
    rows = [*map(_installed, found), *(_form(form) for form in FORMS if ":" in form)]
    if as_json:
        echo_json(AgentsDocument(default=default, agents=rows))
        return
    header = ("AGENT", "VERSION", "TEAM", "CAN", "LIMITS", "CREDENTIALS", "PROGRAM")
    click.echo(table([header, *map(_line, rows)]))
    for remark in _remarks(found):
        click.echo(safe(remark))
    click.echo(
        f"If you choose none, {default} works."
        if default
        else f"If you choose none, nobody can work: {NOBODY}"
    )


def _installed(found: FoundProgram) -> AgentPart:
    return _part(found, credentials(found.kind), usable=found.usable)


def _form(form: str) -> AgentPart:
    """What is always there: the rest of its name is up to the user."""
    return _part(FoundProgram(form), "", usable=True)


def _part(found: FoundProgram, credentials: str, *, usable: bool) -> AgentPart:
    return AgentPart(
        agent=found.kind,
        usable=usable,
        path=str(found.path or ""),
        version=found.version,
        problem=found.problem,
        warning=found.warning,
        credentials=credentials,
        capabilities=_capabilities(runner_for(found.kind).capabilities),
    )


def _capabilities(can: Capabilities) -> CapabilitiesPart:
    return CapabilitiesPart(
        team=can.team,
        steer=can.steer,
        cost=can.cost,
        structured=can.structured,
        resume=can.resume,
        tool_limits=can.tool_limits,
        os_sandbox=can.os_sandbox,
        unheld=can.unheld,
        roomless=can.roomless,
    )


def _line(row: AgentPart) -> tuple[str, ...]:
    if not row["usable"]:
        return row["agent"], "broken" if row["problem"] else "absent"
    can = row["capabilities"]
    return (
        row["agent"],
        row["version"] or "-",
        "yes" if can["team"] else "no",
        ", ".join(_abilities(can)) or "-",
        LIMITS[can["tool_limits"]],
        row["credentials"] or "-",
        row["path"] or "-",
    )


def _abilities(can: CapabilitiesPart) -> Iterator[str]:
    told = {
        "steer": can["steer"],
        "cost": can["cost"],
        "structured": can["structured"],
        "resume": can["resume"],
        "sandbox": can["os_sandbox"],
    }
    return (name for name, able in told.items() if able)


def _remarks(found: list[FoundProgram]) -> Iterator[str]:
    for one in found:
        if one.problem or one.warning:
            yield f"{one.kind}: {one.problem or one.warning}"
        if one.unheld:
            yield f"{one.kind} {cannot_hold(one.unheld)}. To use it: {REMEDY}."
