"""Options that several commands have: each is written once, and says the same everywhere."""

from functools import partial
from pathlib import Path

import click

session_argument = click.argument("session", required=False)
session_option = click.option(
    "--session", metavar="ID", help="The session: its id or a part of it (default: the latest)."
)
team_option = partial(
    click.option,
    "--team",
    metavar="NAME",
    help="The team whose work a task in words is (see `teamlead team list`).",
)
"""Call it: one command requires it."""
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
attempt_option = click.option(
    "--attempt", "number", type=int, metavar="N", help="Which attempt at the task (default: the last)."
)
agent_option = partial(
    click.option,
    "--agent",
    metavar="AGENT",
    help="The agent: claude, codex, gemini, acp:COMMAND, scripted:FILE, ...",
)
"""Call it: one command requires it."""
model_option = click.option("--model", metavar="MODEL", help="Its model: a name, or small, medium or large.")
jobs_option = click.option(
    "--jobs",
    "-j",
    type=int,
    metavar="N",
    help="How many agents work at once (default: one for each core, at most 8).",
)
reason_option = click.option(
    "--reason", default="", metavar="TEXT", help="Why. It is kept in the journal and the report."
)
wait_option = click.option("--wait", is_flag=True, help="Stay and wait when a person is needed.")
detach_option = click.option(
    "--detach", is_flag=True, help="Run in the background, also after the terminal is closed."
)
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
directory_option = click.option(
    "--directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Use this folder, and keep it (default: a new temporary one).",
)
log_option = click.option(
    "--log",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The log (default: the one of all your projects).",
)
