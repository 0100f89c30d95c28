"""What a session offers to choose from: a mode, a model, an effort. Names differ from agent to agent.

Newer agents offer options of categories, older ones lists of modes and models.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from teamlead.core.model import ToolPolicy
from teamlead.runners.acp.rpc import Request
from teamlead.runners.untrusted_fields import table, tables, text

Category = Literal["mode", "model", "thought_level"]

READ_ONLY = ("read-only", "readonly", "default", "ask", "plan")
"""By preference: what asks before each call is held by the policy, and a mode for plans yields only plans."""
ASKING = READ_ONLY[:-1]
WRITING = ("workspace-write", "default", "ask")
SHOWN = 10


class Offer(NamedTuple):
    current: str
    names: Mapping[str, str]
    """By value."""
    method: str
    key: str
    """Of the parameter that takes the value."""
    further: Mapping[str, str]

    def find(self, wanted: Sequence[str]) -> str:
        """Returns the value that the first fitting one of the wanted words names; "" if none does."""
        for word in map(_plain, wanted):
            for value, name in self.names.items():
                if word in (_plain(value), _plain(name)):
                    return value
        return ""

    def request(self, value: str) -> Request:
        return Request(self.method, {**self.further, self.key: value})

    def __str__(self) -> str:
        shown = [*self.names][:SHOWN]
        return ", ".join(shown) + (", ..." if len(self.names) > SHOWN else "")


def wanted_mode(policy: ToolPolicy) -> Sequence[str]:
    if "edit" not in policy.tools:
        return READ_ONLY
    return ASKING if policy.asks else WRITING


def offer(session: str, opened: Mapping[str, Any], category: Category) -> Offer | None:
    """Returns what the answer to the session's opening offers; None for nothing of the kind."""
    for option in tables(opened.get("configOptions")):
        if option.get("category") == category:
            listed = tables(option.get("options"))
            values = [one for entry in listed for one in (tables(entry.get("options")) or [entry])]
            named = {"sessionId": session, "configId": text(option.get("id"))}
            return _offer(
                text(option.get("currentValue")),
                values,
                "value",
                ("session/set_config_option", "value", named),
            )
    own = {"sessionId": session}
    if category == "mode":
        modes = table(opened.get("modes"))
        values = tables(modes.get("availableModes"))
        return _offer(text(modes.get("currentModeId")), values, "id", ("session/set_mode", "modeId", own))
    if category == "model":
        models = table(opened.get("models"))
        values = tables(models.get("availableModels"))
        return _offer(
            text(models.get("currentModelId")), values, "modelId", ("session/set_model", "modelId", own)
        )
    return None


def _offer(
    current: str, values: Sequence[Mapping[str, Any]], key: str, way: tuple[str, str, Mapping[str, str]]
) -> Offer | None:
    names = {text(value.get(key)): text(value.get("name")) for value in values if text(value.get(key))}
    return Offer(current, names, *way) if names else None


def _plain(name: str) -> str:
    return re.sub(r"[\s_]+", "-", name.strip().lower())
