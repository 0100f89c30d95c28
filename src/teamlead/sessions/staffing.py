"""Who works in a session with what, decided and checked before anybody is told."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import asdict, replace

from teamlead.core.model import Budget, SessionSpec, TaskSpec
from teamlead.core.roles import TIERS, role_named
from teamlead.core.state import staffing
from teamlead.ports.runner import Capabilities
from teamlead.runners import registry
from teamlead.runners.detection import default_agent
from teamlead.runners.refusals import refuse_unheld
from teamlead.sessions.consultants import consultant, consultants, thinks_of_inputs
from teamlead.sessions.judge_choice import with_other_judge
from teamlead.settings.loading import Settings

Tell = Callable[[str], object]


class Staffed(NamedTuple):
    session: SessionSpec
    """With the agent and the model of every task settled."""
    agents: Mapping[str, Capabilities]


def staff(draft: SessionSpec, settings: Settings, tell: Tell) -> Staffed:
    """Raises if one of the agents is unknown or cannot run."""
    session = _with_agent(draft, tell)
    session = with_models(with_other_judge(session, settings, tell), settings, tell)
    tasks = [_within(settings.task_budget(), task) for task in session.plan.tasks]
    session = replace(session, plan=replace(session.plan, tasks=tuple(tasks)))
    session = replace(session, consultants=tuple(consultants(session, settings)))
    session = replace(
        session, judged=settings.judge or session.judged, judge_inputs=thinks_of_inputs(session, settings)
    )
    workers = [staffed_with(session, task) for task in tasks if not task.function]
    asked = [consultant(session, role) for role in session.consultants]
    agents = _able(who.agent for who in (*workers, *asked))
    _refuse_unheld(session, workers, agents)
    return Staffed(session, agents)


def staff_further(
    session: SessionSpec, settings: Settings, tasks: Iterable[TaskSpec], tell: Tell
) -> tuple[TaskSpec, ...]:
    """For tasks that come to a session late, or go to another agent. Raises as `staff` does."""
    plan = replace(session.plan, tasks=tuple(_within(settings.task_budget(), task) for task in tasks))
    named = with_models(replace(session, plan=plan), settings, tell).plan.tasks
    workers = [staffed_with(session, task) for task in named if not task.function]
    _refuse_unheld(session, workers, _able(who.agent for who in workers))
    return named


def _able(agents: Iterable[str]) -> dict[str, Capabilities]:
    found = {}
    for agent in dict.fromkeys(agents):
        runner = registry.runner_for(agent)
        runner.validate()
        found[agent] = runner.capabilities
    return found


def _refuse_unheld(
    session: SessionSpec, workers: Iterable[staffing.Staff], agents: Mapping[str, Capabilities]
) -> None:
    """Before anything is made: otherwise each of their attempts would be refused."""
    for who in workers:
        can = agents[who.agent]
        refuse_unheld(who.agent, can.unheld or (can.roomless if session.strict else ""), who.arguments)


def staffed_with(session: SessionSpec, task: TaskSpec) -> staffing.Staff:
    return staffing.staff(session, task)


def with_models(session: SessionSpec, settings: Settings, tell: Tell = lambda _: None) -> SessionSpec:
    return _Models(session, settings.entries("tiers"), tell).named()


def _with_agent(session: SessionSpec, tell: Tell) -> SessionSpec:
    if all(staffed_with(session, task).agent for task in session.plan.tasks):
        return session
    agent = default_agent()
    tell(f"No agent was chosen: {agent} is used, the first that was found (--agent names another).")
    return replace(session, agent=agent)


class _Models:
    """Puts models in the place of small, medium and large, which mean other ones to each program."""

    def __init__(self, session: SessionSpec, tiers: Mapping[str, Mapping[str, object]], tell: Tell) -> None:
        self._session = session
        self._tiers = tiers
        self._tell = tell
        self._missed: set[tuple[str, str]] = set()

    def named(self) -> SessionSpec:
        session = self._session
        tasks = tuple(replace(task, model=self._of_task(task)) for task in session.plan.tasks)
        return replace(
            session,
            plan=replace(session.plan, tasks=tasks),
            model=self._meant(session.model, session.agent),
            roles=tuple(
                replace(role, model=self._meant(role.model, role.agent or session.agent))
                for role in session.roles
            ),
        )

    def _of_task(self, task: TaskSpec) -> str:
        """Without a word from anybody, the kind of work says how able a model it needs."""
        who = staffed_with(self._session, task)
        role = role_named(task.role, self._session.roles)
        words = (role.settings.model, self._session.model)
        said = who.model or next((word for word in words if word in TIERS), "")
        if not said:
            return self._looked_up(role.tier, who.agent)
        model = self._meant(said, who.agent)
        if not model:
            self._miss(said, who.agent)
        return model

    def _meant(self, word: str, agent: str) -> str:
        return self._looked_up(word, agent) if word in TIERS else word

    def _looked_up(self, tier: str, agent: str) -> str:
        return str(self._tiers.get(_program(agent), {}).get(tier, ""))

    def _miss(self, tier: str, agent: str) -> None:
        program = _program(agent)
        if program not in {"scripted", "command"} and (program, tier) not in self._missed:
            self._missed.add((program, tier))
            self._tell(
                f"No {tier} model is settled for {program}, which uses its own choice "
                f'(`[tiers.{program}]`, `{tier} = "NAME"` in the configuration).'
            )


def _within(default: Budget, task: TaskSpec) -> TaskSpec:
    """Each amount that the task does not state is the default's."""
    stated = {name: amount for name, amount in asdict(task.budget).items() if amount is not None}
    return replace(task, budget=replace(default, **stated))


def _program(agent: str) -> str:
    return agent.partition(":")[0]
