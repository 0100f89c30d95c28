from typing import Any

import msgspec
import pytest

from teamlead.mcp.tools import TOOLS

MOST_BYTES = 8 * 1024 + 512
"""Of all tools together, as listed: every request of an agent carries them."""


def test_all_tools_together_stay_small() -> None:
    assert len(msgspec.json.encode([tool.listed() for tool in TOOLS])) < MOST_BYTES


def test_no_name_is_one_that_an_agent_keeps_for_itself() -> None:
    names = [tool.name for tool in TOOLS]
    assert len(set(names)) == len(names)
    assert "ask_user" not in names
    assert all(name.islower() and name.replace("_", "").isalpha() for name in names)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_shape_is_one_plain_object_in_which_everything_is_described(tool: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="the extra `agents` brings it")
    jsonschema.Draft202012Validator.check_schema(tool.shape)
    assert tool.shape["type"] == "object"
    assert not tool.shape.keys() & {"oneOf", "anyOf", "allOf", "enum", "not"}
    assert set(tool.shape.get("required", ())) <= tool.shape["properties"].keys()
    assert all(field["description"] for field in tool.shape["properties"].values())
