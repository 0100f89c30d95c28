"""A planning: a session whose one task delivers a plan. Who makes it, and what is fixed when it is opened."""

from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from teamlead.core.advisers.drafts import conversation
from teamlead.core.model import Plan, Said, SessionSpec, TaskSpec
from teamlead.core.pipeline import pipelines
from teamlead.core.runs import Consultant
from teamlead.core.state.staffing import Staff
from teamlead.core.state.team_state import TeamState
from teamlead.errors import UsageError
from teamlead.prompts.library import load_templates
from teamlead.sessions.agent_rooms import STRICT
from teamlead.sessions.consultants import able
from teamlead.sessions.disk_space import require_disk_space
from teamlead.sessions.opening import create
from teamlead.sessions.preconditions import all_asked, require_logins
from teamlead.sessions.staffing import Tell, staff, staffed_with
from teamlead.settings import consent
from teamlead.settings.loading import Settings
from teamlead.settings.roles import roles
from teamlead.system.repository import PROJECTIONS, Repository, require_startable
from teamlead.system.sessions import PLANNING, SessionFolder
from teamlead.system.untrusted_folder import refuse_links

PLANNER: Consultant = "planner"
LONGEST_TITLE = 100
MOST_NAMES = 100
_TASK = TaskSpec("task-1", "Make the plan", role=PLANNER, scope=(), type="investigation", delivers="plan")


class Planned(NamedTuple):
    """What a plan is to be made of."""

    plan: Plan
    discuss: bool = False
    """A person is asked to accept it."""


def from_instruction(instruction: str) -> Plan:
    title = next(line.strip() for line in instruction.splitlines() if line.strip())[:LONGEST_TITLE]
    return Plan(
        title,
        "",
        (),
        instruction=instruction,
        source_type="planner-session",
        conversation=(Said("user", instruction),),
    )


def from_document(document: Plan) -> Plan:
    """What a structured plan would be, as far as it was read: its title is the instruction."""
    source = str(Path(document.source).absolute())
    instruction = from_instruction(document.title)
    return replace(
        instruction, text=document.text, common=document.common, source=source, source_type="plan-document"
    )


def from_planning(state: TeamState, text: str) -> Plan:
    """Another plan, by what was said in a planning that is over, and one word more."""
    before = state.session.plan
    return replace(
        before, planner_session=state.session.id, conversation=(*conversation(state), Said("user", text))
    )


def planner_of(settings: Settings, tell: Tell) -> Staff:
    """The agent that plans, checked. Raises where there is none, or where it cannot plan."""
    session = _staffed(_spec(settings, Plan("", "", ())), settings, tell)
    found = staffed_with(session, session.plan.tasks[0])
    if not able(session, PLANNER):
        raise UsageError(
            f"the agent {found.agent!r} does not plan",
            remedy="name one that does with --agent, or as `agent` of [roles.planner] in the configuration",
        )
    return found


def open_planning(repository: Repository, settings: Settings, wanted: Planned) -> SessionFolder:
    refuse_links(repository.main_root, PROJECTIONS)
    templates = load_templates(repository.root)
    consent.require(repository.id, all_asked(settings, templates))
    start = require_startable(repository)
    require_disk_space(repository, start.commit, 1, settings.min_free_space)
    spec = replace(
        _spec(settings, wanted.plan, _facts(repository, start.commit, settings)),
        base_commit=start.commit,
        target_branch=start.branch,
        auto_approve=not wanted.discuss,
    )
    return create(repository, _staffed(spec, settings, lambda _: None), PLANNING)


def _spec(settings: Settings, plan: Plan, facts: tuple[str, ...] = ()) -> SessionSpec:
    return SessionSpec(
        id="",
        plan=replace(plan, tasks=(replace(_TASK, context="\n".join(facts)),)),
        base_commit="",
        target_branch="",
        agent=settings.agent,
        limits=replace(settings.limits(), attempts=settings.plan_attempts),
        model=settings.model,
        effort=settings.effort,
        arguments=settings.arguments,
        roles=roles(settings),
        budget=settings.budget(),
        notify=settings.notify,
        strict=settings.room == STRICT,
        pipeline=pipelines.PLANNING,
    )


def _staffed(draft: SessionSpec, settings: Settings, tell: Tell) -> SessionSpec:
    """Nobody else is turned to: what the planner cannot do, a person is asked about."""
    staffed = staff(draft, settings, tell)
    require_logins(staffed.agents)
    return replace(staffed.session, consultants=())


def _facts(repository: Repository, commit: str, settings: Settings) -> tuple[str, ...]:
    """What the planner need not look for."""
    names = repository.git().text("ls-tree", "--name-only", commit).splitlines()
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    checks = [f"Every task has to pass `{command}`." for command in settings.checks]
    return (f"At the root: {', '.join(names[:MOST_NAMES])}{more}", *checks)
