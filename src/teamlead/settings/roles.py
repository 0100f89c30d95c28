"""The roles of a session: the built-in ones with what the settings say of them, and the settings' own."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from teamlead.core.model import Role
from teamlead.core.roles import BUILT_IN
from teamlead.settings.loading import Settings, budget_of
from teamlead.settings.schema import POLICY

_STAFFING = ("agent", "model", "effort", "arguments")


def roles(settings: Settings) -> tuple[Role, ...]:
    known = {role.name: role for role in BUILT_IN}
    for name, given in settings.entries("roles").items():
        known[name] = _with(known.get(name, Role(name)), given)
    return tuple(known.values())


def _with(role: Role, given: Mapping[str, Any]) -> Role:
    return replace(
        role,
        **{key: given[key] for key in _STAFFING if key in given},
        policy=replace(role.policy, **{key: given[key] for key in POLICY if key in given}),
        budget=budget_of(given),
    )
