"""What `plan new` does: with which planning it goes on, what is said in it, and what comes of it."""

from pathlib import Path
from typing import NamedTuple

from teamlead.cli.output import echo_json, tell
from teamlead.cli.person import at_terminal
from teamlead.cli.planning import (
    file_of,
    lead_planning,
    planning_view,
    questions_of,
    show_waits,
    tell_plan,
    write_plan,
)
from teamlead.cli.session import put
from teamlead.core.advisers import drafts
from teamlead.core.facts import ReassignTask, Revise
from teamlead.core.state.staffing import Staff
from teamlead.core.state.team_state import TeamState
from teamlead.errors import NEEDS_PERSON, Failed, Refused, UsageError
from teamlead.sessions.desk import Desk
from teamlead.sessions.finding import find_planning
from teamlead.sessions.leader import leader_of
from teamlead.sessions.made_plans import lacking, status_of, ways_on
from teamlead.sessions.planner_sessions import (
    Planned,
    from_instruction,
    from_planning,
    open_planning,
    planner_of,
)
from teamlead.sessions.replay import read_state
from teamlead.settings.loading import load
from teamlead.system.repository import Repository, claim, discover
from teamlead.system.sessions import SessionFolder
from teamlead.views.documents.plans import PlanningDocument


class Wish(NamedTuple):
    instruction: str
    agent: str | None
    model: str | None
    planning: str | None
    """With which one to go on."""
    output: Path | None
    interactive: bool


class Earlier(NamedTuple):
    folder: SessionFolder
    state: TeamState

    @property
    def planner(self) -> Staff:
        return self.state.staff_of(next(iter(self.state.tasks.values())).spec)


class Made(NamedTuple):
    """With a plan, and its file; or with what a person has to say first."""

    repository: Repository
    state: TeamState

    @property
    def file(self) -> str:
        """As one would type it here."""
        return file_of(self.state)

    @property
    def planner(self) -> str:
        return drafts.planner_of(self.state)


def make(wish: Wish) -> Made:
    _require_possible(wish)
    repository = discover(Path.cwd())
    earlier = _earlier(repository, wish)
    settings = load(repository.root, _staffing(wish, earlier))
    staffed = planner_of(settings, tell)
    repository = claim(repository)
    if earlier and not earlier.state.final:
        desk = Desk(repository, earlier.folder, settings)
        _go_on(desk, earlier, wish, staffed)
    else:
        said = wish.instruction
        plan = from_planning(earlier.state, said) if earlier else from_instruction(said)
        desk = Desk(
            repository, open_planning(repository, settings, Planned(plan, wish.interactive)), settings
        )
    state = lead_planning(desk, person=at_terminal())
    if status_of(state) == "ready":
        state = write_plan(desk, wish.output, Path())
    return Made(repository, state)


def tell_made(made: Made, *, drawn: bool, as_json: bool) -> None:
    if as_json:
        echo_json(PlanningDocument(planning=planning_view(made.repository, made.state)))
    else:
        tell_plan(made.state, drawn=drawn)


def tell_unmade(made: Made, *, as_json: bool) -> int:
    """What a person has to say first, or how the planning ended; returns the exit code."""
    state, name = made.state, made.state.session.id
    if state.final:
        tell(f"{state.phase}: {state.phases[-1].reason}")
        show_waits(made.repository, state, as_json=as_json)
        return Failed.exit_code
    how = "--interactive" if status_of(state) == "proposed" else '"TEXT"'
    way = f"teamlead plan new --session {name} {how}"
    told = f"Answer: {way}" if questions_of(state) else f"Go on with: {way}"
    show_waits(made.repository, state, told, as_json=as_json)
    return NEEDS_PERSON


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
    earlier = Earlier(folder, read_state(folder)) if folder else None
    if earlier and not wish.instruction.strip() and not _goes_on(wish, earlier):
        raise _nothing_said(earlier.state)
    if wish.instruction or not earlier:
        _require_text(wish.instruction)
    return earlier


def _nothing_said(state: TeamState) -> UsageError:
    ready = status_of(state) == "ready"
    stands = f"planner session {state.session.id!r} has its plan" if ready else lacking(state)
    return UsageError(
        f"{stands}: it goes on with a word of yours, and nothing was said", remedy=ways_on(state)
    )


def _goes_on(wish: Wish, earlier: Earlier) -> bool:
    """Without a further word: one that was interrupted, or with the plan as it was proposed."""
    status = status_of(earlier.state)
    return status == "planning" or (status == "proposed" and wish.interactive)


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
        agent, model = earlier.planner.agent, model or earlier.planner.model or None
    return {"agent": agent, "roles.planner.agent": agent, "roles.planner.model": model}


def _go_on(desk: Desk, earlier: Earlier, wish: Wish, staffed: Staff) -> None:
    """The next word in a planning that is open."""
    led = leader_of(desk.folder)
    if led is not None:
        raise Refused(
            f"planner session {desk.folder.id!r} is led by {led}",
            remedy=f"answer there, or with `teamlead resolve {desk.folder.id}`",
        )
    if (staffed.agent, staffed.model) != (earlier.planner.agent, earlier.planner.model):
        task = next(iter(earlier.state.tasks))
        put(desk, ReassignTask(task, staffed.agent, staffed.model))
    again = status_of(earlier.state) == "planning" and wish.interactive and drafts.standing(earlier.state)
    if wish.instruction or again:
        put(desk, Revise(wish.instruction, discuss=wish.interactive))
