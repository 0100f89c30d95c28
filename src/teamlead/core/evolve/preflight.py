"""The checks, tried on the base before agents work."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core.state.indexes import (
    await_preflight,
    checks_of,
    clear_due,
    forget_preflight,
    pursue,
    want_tried,
)
from teamlead.core.state.team_state import TeamState


def _started(state: TeamState, event: e.PreflightStarted, at: float) -> None:
    for command in event.commands:
        state.untried.pop(command, None)
        known = state.preflights[command]
        await_preflight(state, do.Preflight(command, known.turn), at)


def _ended(state: TeamState, event: e.PreflightEnded, at: float) -> None:
    known = state.preflights[event.command]
    forget_preflight(state, do.Preflight(event.command, known.turn))
    known.obstacle = event.obstacle
    state.touched |= known.tasks


def _repeated(state: TeamState, event: e.PreflightRepeated, at: float) -> None:
    for command in event.commands:
        known = state.preflights[command]
        known.turn += 1
        known.obstacle = None
        state.untried[command] = None


def _corrected(state: TeamState, event: e.CheckCorrected, at: float) -> None:
    known = state.preflights.pop(event.before)
    state.untried.pop(event.before, None)
    forget_preflight(state, do.Preflight(event.before, known.turn))
    checking = [
        state.tasks[name]
        for name, attempt in state.active.items()
        if attempt.phase == "checking" and event.before in checks_of(state, state.tasks[name].spec)
    ]
    state.spec = replace(state.session, checks=_instead(event, state.session.checks))
    for name in known.tasks:
        task = state.tasks[name]
        task.spec = replace(
            task.spec,
            checks=_instead(event, task.spec.checks),
            hidden_checks=_instead(event, task.spec.hidden_checks),
        )
        want_tried(state, event.after, name)
        state.touched[name] = None
    if event.after in state.session.checks:
        want_tried(state, event.after)
    for task in checking:
        # From the first again: which are left to run is told by their places.
        attempt = state.active[task.spec.id]
        attempt.checks.clear()
        clear_due(state, attempt)
        pursue(state, task, attempt)


def _instead(event: e.CheckCorrected, checks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(event.after if each == event.before else each for each in checks))


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.PreflightStarted: _started,
    e.PreflightEnded: _ended,
    e.PreflightRepeated: _repeated,
    e.CheckCorrected: _corrected,
}
