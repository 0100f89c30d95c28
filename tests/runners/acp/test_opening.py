from typing import Any

import pytest

from teamlead.core.model import ToolPolicy
from teamlead.runners.acp.opening import offer, wanted_mode
from teamlead.runners.acp.rpc import Request

READER = ToolPolicy(tools=("read", "search"), writes=())


def modes(*ids: str, **names: str) -> dict[str, Any]:
    listed = [{"id": name, "name": name} for name in ids]
    listed += [{"id": key, "name": name} for key, name in names.items()]
    return {"modes": {"currentModeId": "x", "availableModes": listed}}


@pytest.mark.parametrize(
    ("opened", "reading", "writing"),
    [
        (modes("auto", "default", "acceptEdits", "plan", "bypassPermissions"), "default", "default"),
        (modes("full-access", auto="Default", ro="Read Only"), "ro", "auto"),
        (modes("build", "plan"), "plan", ""),
        (modes("read_only", "workspace-write"), "read_only", "workspace-write"),
        (modes("yolo"), "", ""),
    ],
)
def test_the_mode_fits_the_role_whatever_its_name(opened: dict[str, Any], reading: str, writing: str) -> None:
    offered = offer("s", opened, "mode")
    assert offered is not None
    assert offered.find(wanted_mode(READER)) == reading
    assert offered.find(wanted_mode(ToolPolicy())) == writing


def test_a_model_of_the_older_kind_is_chosen_by_a_request_of_its_own() -> None:
    opened = {"models": {"currentModelId": "a", "availableModels": [{"modelId": "b", "name": "Bee"}]}}
    offered = offer("s", opened, "model")
    assert offered is not None
    assert offered.request(offered.find(["bee"])) == Request(
        "session/set_model", {"sessionId": "s", "modelId": "b"}
    )


@pytest.mark.parametrize(
    "opened",
    [
        {},
        {"modes": 3},
        {"modes": {"availableModes": [{"id": 4}, "x"]}},
        {"configOptions": [{"category": "mode"}, 1]},
    ],
)
def test_an_offer_of_no_sense_is_none(opened: dict[str, Any]) -> None:
    assert offer("s", opened, "mode") is None
