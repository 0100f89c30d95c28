"""What the settings say of roles, built-in ones and the user's own."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from teamlead.core.model import RoleSettings
from teamlead.core.roles import role_named
from teamlead.settings.loading import Settings, budget_of
from teamlead.settings.schema import POLICY

_STAFFING = ("agent", "model", "effort", "arguments")


def roles(settings: Settings) -> tuple[RoleSettings, ...]:
    return tuple(_said(name, given) for name, given in settings.entries("roles").items())


def _said(name: str, given: Mapping[str, Any]) -> RoleSettings:
    limits = {key: given[key] for key in POLICY if key in given}
    return RoleSettings(
        name,
        **{key: given[key] for key in _STAFFING if key in given},
        policy=replace(role_named(name).policy, **limits) if limits else None,
        budget=budget_of(given),
    )
