import os

import click

from teamlead.cli.output import examples
from teamlead.errors import UsageError
from teamlead.mcp.stdio_bridge import Bridge, Leader
from teamlead.system.environment import TEAM_TOKEN, TEAM_URL


@click.command(
    epilog=examples(
        "teamlead mcp        # as the command of an MCP server, in the settings of an agent",
    )
)
def mcp() -> None:
    """Connect an agent with its team, by MCP on stdin and stdout.

    Most agents find their team without it. It is for programs that can reach an MCP server only by a command.
    The lead sets TEAMLEAD_TEAM_URL and TEAMLEAD_TEAM_TOKEN in their environment.
    """
    host, port, path = _address(os.environ.get(TEAM_URL, ""))
    Bridge(Leader(host, port, path, _token())).run()


def _address(url: str) -> tuple[str, int, str]:
    place, slash, path = url.removeprefix("http://").partition("/")
    host, _, port = place.partition(":")
    if not url:
        raise UsageError(
            f"there is no team here: {TEAM_URL} is not set",
            remedy="let an agent's program start `teamlead mcp`: the lead sets it there",
        )
    # The token is handed to nobody but a leader on this machine.
    if not url.startswith("http://") or host != "127.0.0.1" or not port.isdecimal():
        raise UsageError(
            f"{TEAM_URL} is {url!r}", remedy="it is set by the lead, as http://127.0.0.1:PORT/mcp"
        )
    return host, int(port), slash + path


def _token() -> str:
    token = os.environ.get(TEAM_TOKEN, "")
    if not token.isascii() or not token.isprintable() or not token:
        raise UsageError(f"{TEAM_TOKEN} is not set", remedy=f"the lead sets it together with {TEAM_URL}")
    return token
