from pathlib import Path
from typing import Any

import click

from teamlead.cli.decision import Decision
from teamlead.cli.leading import tell_session
from teamlead.cli.options import jobs_option, json_option, team_option
from teamlead.cli.output import examples
from teamlead.cli.staffing_options import staffing_options, staffing_settings
from teamlead.settings.loading import load
from teamlead.system.repository import discover


@click.command(
    cls=Decision,
    epilog=examples(
        """teamlead session init --team bugfix --task "the cart shows an error" --members '[]'""",
        """teamlead session init --team bugfix --task "..." --members \\
      '[{"name": "leader", "agent": "leader-agent", "role": "orchestrator"},
        {"name": "codex-fixer", "agent": "codex", "role": "fixer"}]'""",
    ),
)
@team_option(required=True)
@click.option("--task", required=True, metavar="TEXT", help="What is to be done.")
@click.option(
    "--members",
    required=True,
    metavar="JSON",
    help="An array of {name, agent, role}; whom it does not name works as the team says.",
)
@staffing_options
@jobs_option
@json_option
def init(*, team: str, task: str, members: str, jobs: int | None, as_json: bool, **staffing: Any) -> None:
    """Open a session of a team: its first events and its files, no leader and no agent.

    A member is known by its name, its role in the team, or AGENT-ROLE. Its agent is a program (codex,
    codex-agent, scripted:FILE, ...), or the role that it has. The lead is a program, in every team.

    `teamlead resume` leads it, and so does `teamlead start --session ID`.

    Exit codes: 0 it is there, 2 something is missing or cannot be read, 4 no such team.
    """
    from teamlead.cli.session_opening import open_wanted  # noqa: PLC0415 - slow to import: not for --help
    from teamlead.cli.team_source import of_named_team  # noqa: PLC0415 - as above
    from teamlead.sessions.desk import Desk  # noqa: PLC0415 - as above
    from teamlead.sessions.opening import Wishes  # noqa: PLC0415 - as above
    from teamlead.system.repository import claim  # noqa: PLC0415 - as above
    from teamlead.teams.named_members import read  # noqa: PLC0415 - as above
    from teamlead.wiring.leadership import apply_waiting  # noqa: PLC0415 - as above

    named = read(members)
    repository = discover(Path.cwd())
    settings = load(repository.root, {"jobs": jobs, **staffing_settings(**staffing)})
    staffed = of_named_team(repository, team, task, named)
    folder = open_wanted(
        repository, settings, staffed.plan, Wishes(), team=staffed.team, roles=staffing["roles"]
    )
    # Its files, as whoever applies a command writes them.
    apply_waiting(Desk(claim(repository), folder, None))
    tell_session(folder.id, as_json=as_json)
