"""Writes what the code knows into docs/reference: `python docs/generate_reference.py`."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from teamlead.cli.main import COMMANDS, cli
from teamlead.core.model import ToolPolicy
from teamlead.core.policy.calls import EVERYTHING, may_change
from teamlead.core.roles import BUILT_IN, Role
from teamlead.core.rules import RULES
from teamlead.forms.labels import PARTS, SECTIONS
from teamlead.forms.results.schema import result_schema
from teamlead.settings.schema import KEYS, TABLES, Key
from teamlead.settings.template import as_toml
from teamlead.views.documents.catalogue import DOCUMENTS
from teamlead.views.documents.catalogue import schema as documents_schema

REFERENCE = Path(__file__).parent / "reference"
WIDTH = 96
BEGIN, END = "<!-- generated: begin -->", "<!-- generated: end -->"


def commands() -> str:
    """The help of every command, as the command itself prints it."""
    root = click.Context(cli, info_name="teamlead", **{**cli.context_settings, "terminal_width": WIDTH})
    parts = ["## teamlead", _shown(root)]
    for section in dict.fromkeys(entry.section for entry in COMMANDS.values()):
        parts.append(f"## {section}")
        for name, entry in COMMANDS.items():
            if entry.section == section:
                parts += _command(name, cli.get_command(root, name), root)
    return "\n\n".join(parts)


def _command(name: str, command: click.Command | None, parent: click.Context) -> Iterator[str]:
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent, terminal_width=WIDTH)
    yield f"### {context.command_path}"
    yield _shown(context)
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            yield from _command(child, command.get_command(context, child), context)


def _shown(context: click.Context) -> str:
    # click remembers the help option of whoever asked first, perhaps without our settings.
    context.command._help_option = None  # noqa: SLF001 - there is no public way to forget it
    lines = (line.rstrip() for line in context.get_help().splitlines())
    return "\n".join(["```text", *lines, "```"])


def settings() -> str:
    rows = [
        "| setting | value | default | meaning | a repository, without your consent |",
        "| --- | --- | --- | --- | --- |",
        *map(_row, KEYS),
    ]
    for table in TABLES:
        rows += [
            "",
            f"## `[{table.name}.NAME]`",
            "",
            f"{table.description} An example of a name: `{table.entry}`.",
        ]
        rows += [
            "",
            "| setting | value | meaning | a repository, without your consent |",
            "| --- | --- | --- | --- |",
            *map(_entry_row, table.keys),
        ]
    return "\n".join(rows)


_KINDS = {
    "agent": "agent",
    "text": "text",
    "count": "whole number, from {minimum}",
    "money": "number",
    "duration": "duration",
    "switch": "`true` or `false`",
    "choice": "one of {choices}",
    "choices": "list of {choices}",
    "commands": "list of commands",
    "arguments": "list of texts",
    "paths": "list of paths",
    "places": "list of paths, absolute or `~/...`",
}

_ALONE = {
    "less": "lowers it",
    "limit": "lowers it, or sets a limit",
    "more": "raises it",
    "on": "switches it on",
    "off": "switches it off",
    "fewer": "takes some away",
    "further": "adds some",
    "within": "narrows it",
    "later": "sets `{last}`",
    "none": "does not set it",
}


def _row(key: Key) -> str:
    # The machine's number of cores is no default of ours.
    default = "" if key.name == "jobs" else f"`{as_toml(key, key.default)}`"
    return f"| `{key.name}` | {_kind(key)} | {default} | {key.description} | {_alone(key)} |"


def _entry_row(key: Key) -> str:
    return f"| `{key.name}` | {_kind(key)} | {key.description} | {_alone(key)} |"


def _kind(key: Key) -> str:
    choices = ", ".join([*(f"`{word}`" for word in key.choices), *["`false`"] * key.can_be_off])
    return _KINDS[key.kind].format(minimum=key.minimum, choices=choices)


def _alone(key: Key) -> str:
    return "never sets it" if key.own_only else _ALONE[key.tighter].format(last="".join(key.choices[-1:]))


def contract() -> str:
    """The rules for reports, and the words by which their sections are known."""
    rows = ["## Rules", "", "| rule | level | meaning |", "| --- | --- | --- |"]
    rows += [f"| `{rule.id}` | {rule.level} | {rule.text} |" for rule in RULES if rule.holds == "report"]
    rows += ["", "## Headings", "", "| section | also |", "| --- | --- |"]
    rows += [f"| {words[0]} | {', '.join(words[1:])} |" for words in map(list, SECTIONS.values())]
    for title, parts in PARTS.items():
        rows += ["", f"### Labels: {title}", "", "| label | also |", "| --- | --- |"]
        rows += [f"| {words[0]} | {', '.join(words[1:])} |" for words in map(list, parts.values())]
    return "\n".join(rows)


def roles() -> str:
    """What is built in of every role."""
    known = BUILT_IN.values()
    rows = [
        "| role | tools | shell | may change | model | report | reads for others |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *map(_role_row, known),
    ]
    rows += ["", "## What its agents are told", ""]
    rows += ["| role | looks above all at | talks |", "| --- | --- | --- |"]
    rows += [f"| `{role.name}` | {role.focus} | {role.peers} |" for role in known if role.focus or role.peers]
    rows += ["", "## What it knows better than others", ""]
    rows += ["| role | words of a category |", "| --- | --- |"]
    rows += [f"| `{role.name}` | {', '.join(role.expertise)} |" for role in known if role.expertise]
    return "\n".join(rows)


def _role_row(role: Role) -> str:
    tools = ", ".join(tool for tool in role.policy.tools if tool != "shell")
    commands = {"any": "any command", "audit": "commands that read"}[role.policy.commands]
    shell = commands if "shell" in role.policy.tools else "none"
    report = role.form if role.reports else ""
    reads = "yes" if role.reads_for_others else ""
    cells = (f"`{role.name}`", tools, shell, _may_change(role.policy), role.tier, report, reads)
    return f"| {' | '.join(cells)} |"


def _may_change(policy: ToolPolicy) -> str:
    if EVERYTHING in policy.writes:
        return "the task's scope" if may_change(policy, "any.file") else "nothing"
    return ", ".join(f"`{pattern}`" for pattern in policy.writes)


def documents() -> str:
    """What each command prints: the name in the schema, and its fields."""
    rows = ["| command | in the schema | fields |", "| --- | --- | --- |"]
    definitions = documents_schema()["$defs"]
    for name, kind in DOCUMENTS.items():
        fields = ", ".join(f"`{field}`" for field in definitions[kind.__name__]["properties"])
        rows.append(f"| `{name}` | `{kind.__name__}` | {fields} |")
    return "\n".join(rows)


PAGES: dict[str, Callable[[], str]] = {
    "cli.md": commands,
    "config.md": settings,
    "json.md": documents,
    "result-contract.md": contract,
    "roles.md": roles,
}


def as_json(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2) + "\n"


FILES: dict[str, Callable[[], str]] = {
    "documents.schema.json": lambda: as_json(documents_schema()),
    "result.schema.json": lambda: as_json(result_schema()),
}
"""Generated as a whole."""


def render(name: str, page: str) -> str:
    """The page with its generated part made anew; what people wrote around it stays."""
    before, found, rest = page.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not found or not closed:
        raise ValueError(f"{name} has no place for what is generated: add {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{PAGES[name]()}\n\n{END}{after}"


if __name__ == "__main__":
    for name in PAGES:
        path = REFERENCE / name
        path.write_text(render(name, path.read_text(encoding="utf-8")), encoding="utf-8")
    for name, content in FILES.items():
        (REFERENCE / name).write_text(content(), encoding="utf-8")
