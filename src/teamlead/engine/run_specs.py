"""What a runner is told of a run, whatever the run is for."""

from collections.abc import Awaitable, Callable
from functools import lru_cache
from hashlib import sha256

from teamlead.core.forms import form_of
from teamlead.core.runs import Run
from teamlead.core.state.budget import left_of
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.members import conversation_of
from teamlead.engine.parts import Parts
from teamlead.ports.rooms import Room
from teamlead.ports.runner import RunSpec

Permit = Callable[[str], Awaitable[str]]
"""Asks a person to allow one call of a tool."""


def spec_of(state: TeamState, parts: Parts, run: Run, permit: Permit | None = None) -> RunSpec:
    """All but the prompt and, where a run borrows one, its copy."""
    task = state.tasks[run.task] if run.purpose == "work" else None
    owns = task is not None and not run.commit
    staff = state.staff_of(task.spec) if task else state.consultant(run.role)
    budget = left_of(task.funds, task.spec.id) if task else left_of(state.funds_of(run.role))
    limits = state.session.limits
    return RunSpec(
        session=state.session.id,
        task=run.name,
        attempt=run.number,
        role=run.role,
        form=form_of(task.spec) if task else "",
        model=run.model,
        prompt="",
        cwd=parts.workspace.path(run.task) if owns else parts.attempts,
        folder=parts.attempts / run.id,
        hard_timeout=_sooner(limits.hard_timeout, budget.seconds),
        idle_timeout=limits.idle_timeout,
        slot=task.live.slot if task and task.live else 0,
        effort=run.effort,
        arguments=staff.arguments,
        policy=staff.policy,
        scope=task.spec.scope if task else (),
        protects=task.spec.protects if task else (),
        budget=budget,
        conversation=conversation_of(task.member, run.agent) if task else "",
        home=parts.homes / f"{run.name}-{_slug(run.agent)}",
        permit=permit if staff.policy.asks else None,
        own_settings=owns and state.session.agent_settings,
        room=room_of_agent(state, parts, parts.workspace.room(run.task)) if owns else None,
        secrets=parts.secrets,
    )


def room_of_agent(state: TeamState, parts: Parts, room: Room | None) -> Room | None:
    """Checks that need them read more in the same room."""
    return room._replace(unseen=parts.unseen(state)) if room else None


def _sooner(limit: float, left: float | None) -> float:
    """0 is no limit."""
    return limit if left is None else min(limit or left, left)


@lru_cache
def _slug(agent: str) -> str:
    """An agent may be a whole command line, and two may begin alike."""
    name, _, rest = agent.partition(":")
    return f"{name}-{sha256(rest.encode()).hexdigest()[:8]}" if rest else name
