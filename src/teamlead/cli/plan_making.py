"""What `plan new` does: with which planning it goes on, what is said in it, and what comes of it."""

from pathlib import Path
from typing import NamedTuple

from teamlead.cli.output import tell
from teamlead.cli.person import at_terminal
from teamlead.cli.planning import Talk, talk
from teamlead.errors import UsageError
from teamlead.settings.loading import load
from teamlead.system.repository import Repository, claim, discover
from teamlead.wiring.planner_plans import write_markdown
from teamlead.wiring.planner_runs import planner_of
from teamlead.wiring.planner_sessions import PlannerFolder, PlannerSession, find_planning, new_folder
from teamlead.wiring.planning import begin, reply


class Wish(NamedTuple):
    instruction: str
    agent: str | None
    model: str | None
    planning: str | None
    """With which one to go on."""
    output: Path | None
    interactive: bool


class Earlier(NamedTuple):
    folder: PlannerFolder
    session: PlannerSession


def make(wish: Wish) -> PlannerSession:
    """Ready, with its file; or asking, where nobody answers."""
    _require_possible(wish)
    repository = discover(Path.cwd())
    earlier = _earlier(repository, wish)
    settings = load(repository.root, _staffing(wish, earlier))
    staffed = planner_of(settings, tell)
    repository = claim(repository)
    folder = earlier.folder if earlier else new_folder(repository)
    with talk(repository, settings, staffed, folder, person=at_terminal()) as talking:
        session = _agreed(talking, wish, earlier.session if earlier else None)
    return write_markdown(folder, session, wish.output) if session.status == "ready" else session


def _require_possible(wish: Wish) -> None:
    if wish.interactive and not at_terminal():
        raise UsageError(
            "--interactive needs a terminal",
            remedy='leave out --interactive; `teamlead plan new --session ID "TEXT"` goes on with a plan',
        )
    if wish.output is not None and wish.output.exists():
        raise UsageError(f"{str(wish.output)!r} is there already", remedy="name another file with --output")


def _earlier(repository: Repository, wish: Wish) -> Earlier | None:
    """Something has to be said, unless it is to go on with what was said before."""
    folder = find_planning(repository, wish.planning) if wish.planning else None
    session = folder.load() if folder else None
    if not _discusses(wish, session):
        _require_text(wish.instruction)
    return Earlier(folder, session) if folder and session else None


def _discusses(wish: Wish, before: PlannerSession | None) -> bool:
    """The plan as it was proposed: the planner need not be asked first."""
    return wish.interactive and not wish.instruction and before is not None and before.status == "proposed"


def _require_text(instruction: str) -> None:
    if not instruction.strip():
        raise UsageError("there is no instruction", remedy='say what you want: teamlead plan "add a login"')
    if Path(instruction).is_file():
        raise UsageError(
            f"{instruction!r} is a file, not an instruction",
            remedy=f"teamlead start {instruction}, or teamlead plan check {instruction}",
        )


def _staffing(wish: Wish, earlier: Earlier | None) -> dict[str, object]:
    """Whoever is named here plans, whatever the configuration says of that role; else who planned before."""
    agent, model = wish.agent, wish.model
    if earlier and not agent:
        agent, model = earlier.session.agent or None, model or earlier.session.model or None
    return {"agent": agent, "roles.planner.agent": agent, "roles.planner.model": model}


def _agreed(talking: Talk, wish: Wish, before: PlannerSession | None) -> PlannerSession:
    if before and _discusses(wish, before):
        session = before
    else:
        folder = talking.planner.folder
        said = reply(folder, before, wish.instruction) if before else begin(folder, wish.instruction)
        session = talking.go_on(said)
    return talking.accepted(talking.discuss(session) if wish.interactive else session)
