"""Which models a session may consult: a judge, a planner, a validator, and an advisor from elsewhere."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from teamlead.core.model import SessionSpec, TaskSpec
from teamlead.core.roles import role_named
from teamlead.core.runs import Consultant
from teamlead.core.state.staffing import Staff, staff
from teamlead.runners.script import script_purposes, script_roles
from teamlead.settings.loading import Settings

MODELS = frozenset({"claude", "codex", "gemini", "acp"})
"""Programs that ask a model, and so can answer anything."""


def consultant(session: SessionSpec, role: str) -> Staff:
    return staff(session, TaskSpec("", "", role=role))


def consultants(session: SessionSpec, settings: Settings) -> Iterator[Consultant]:
    unwanted = {name for name, wanted in _switches(settings).items() if not wanted}
    for role in get_args(Consultant):
        if role not in unwanted and able(session, role):
            yield role


def thinks_of_inputs(session: SessionSpec, settings: Settings) -> bool:
    """Its judge is to, and can."""
    kind, _, argument = consultant(session, "judge").agent.partition(":")
    able = kind != "scripted" or "examples" in script_purposes(Path(argument))
    return settings.judge_inputs and "judge" in session.consultants and able


def _switches(settings: Settings) -> dict[str, bool]:
    return {
        "judge": bool(settings.judge),
        "planner": settings.planner,
        "tester": settings.independent_tests,
    }


def able(session: SessionSpec, role: Consultant) -> bool:
    if role_named(role, session.roles).settings.agent:
        return True
    kind, _, argument = consultant(session, role).agent.partition(":")
    # An advisor is to see things differently: the team's own agent would not.
    if role == "advisor":
        return False
    return kind in MODELS or (kind == "scripted" and role in script_roles(Path(argument)))
