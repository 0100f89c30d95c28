import os
import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

import click

from teamlead.cli.leading import exit_code
from teamlead.cli.live import screen
from teamlead.cli.options import directory_option
from teamlead.cli.output import examples
from teamlead.core import phases
from teamlead.core.facts import Approve, Command, Resolve
from teamlead.core.state.team_state import TeamState
from teamlead.errors import UsageError
from teamlead.plans.load import require
from teamlead.sessions.desk import Desk
from teamlead.sessions.opening import Wishes, open_session
from teamlead.settings.loading import load
from teamlead.system.git import as_user
from teamlead.system.repository import claim, discover
from teamlead.views.report import report_document
from teamlead.views.report_text import report_markdown
from teamlead.wiring.leadership import lead

ANSWER = "friendly"
STAND_IN = "teamlead demo, in your place"


@click.command(epilog=examples("teamlead demo", "teamlead demo --ask", "teamlead demo --directory ~/demo"))
@directory_option
@click.option("--ask", is_flag=True, help="Answer the team's question and approve the work yourself.")
@click.pass_context
def demo(ctx: click.Context, directory: Path | None, *, ask: bool) -> None:
    """Watch a scripted team carry out a plan in a sample repository; needs no agent and no key.

    Everything is real except the agents' thinking: processes, working copies, commits, checks, merges. You
    see tasks in parallel, a false "done" that is caught, a failing check, a question, a merge and a report.
    """
    place = _make(directory)
    click.echo(f"A sample repository is in {place / 'greeter'}; nothing outside {place} is touched.")
    click.echo("The agents are scripted: they really edit, run and commit, but no model is asked.\n")
    click.echo((place / "plan.md").read_text(encoding="utf-8"))
    # Not in the user's own state directory: a demo leaves nothing behind but its folder.
    os.environ["XDG_STATE_HOME"] = str(place / "state")
    os.environ["XDG_CONFIG_HOME"] = str(place / "config")
    repository = claim(discover(place / "greeter"))
    settings = load(repository.root, {"agent": f"scripted:{place / 'script.toml'}", "jobs": 3})
    folder = open_session(repository, settings, require(place / "plan.md").plan, Wishes())
    with screen(folder) as shown:
        led = lead(
            Desk(repository, folder, settings),
            "teamlead demo",
            observe=shown.observe,
            person=shown.ask if ask else _stand_in,
        )
    click.echo()
    click.echo(report_markdown(report_document(led.state)).split("## Asked")[0])
    click.echo("What is on main now:\n")
    click.echo(_git(repository.root, "log", "--graph", "--oneline", "main"))
    click.echo(f"\nLook around: cd {place / 'greeter'}")
    ctx.exit(exit_code(led))


async def _stand_in(state: TeamState) -> Command | None:
    """Answers in the user's place, and says so."""
    for record in state.open.values():
        return Resolve(record.id, ANSWER, by=STAND_IN) if record.kind == "question" else None
    return Approve(state.integration_tip, by=STAND_IN) if phases.awaits_approval(state.phase) else None


def _make(directory: Path | None) -> Path:
    if directory is None:
        place = Path(tempfile.mkdtemp(prefix="teamlead-demo-")).resolve()
    else:
        place = directory.expanduser().resolve()
        if place.exists() and any(place.iterdir()):
            raise UsageError(f"{str(place)!r} is not empty", remedy="choose a folder that does not exist yet")
        place.mkdir(parents=True, exist_ok=True)
    source = Path(str(files("teamlead") / "demo"))
    for name in ("plan.md", "script.toml"):
        shutil.copyfile(source / name, place / name)
    root = place / "greeter"
    shutil.copytree(source / "repository", root, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "gitignore").rename(root / ".gitignore")
    _git(root, "init", "--quiet", "--initial-branch=main")
    _git(root, "config", "user.name", "teamlead demo")
    _git(root, "config", "user.email", "demo@localhost")
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", "A greeter that says hello")
    return place


def _git(root: Path, *arguments: str) -> str:
    return as_user(root, *arguments).text
