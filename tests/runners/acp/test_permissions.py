from pathlib import Path
from typing import Any

import pytest

from teamlead.core.model import ToolPolicy
from teamlead.core.policy.calls import refusal
from teamlead.runners.acp.permissions import call_of, outcome
from teamlead.runners.acp.updates import Updates

AUDITOR = ToolPolicy(tools=("read", "search", "shell"), commands="audit", writes=())


@pytest.mark.parametrize(
    ("tool", "allowed"),
    [
        ({"kind": "execute", "rawInput": {"command": "git diff"}}, True),
        ({"kind": "execute", "rawInput": {"command": ["/bin/bash", "-lc", "git diff --stat"]}}, True),
        ({"kind": "execute", "rawInput": {"command": ["git", "log"]}}, True),
        ({"kind": "execute", "title": "`git status`"}, True),
        ({"kind": "execute", "rawInput": {"command": "git diff --output=x"}}, False),
        ({"kind": "execute", "rawInput": {"command": ["bash", "-lc", "echo x > y"]}}, False),
        ({"kind": "execute", "title": "Run the tests"}, False),
        ({"kind": "read", "rawInput": {"path": "a"}}, True),
        ({"kind": "edit", "rawInput": {"changes": {"a": {}}}}, False),
        ({"kind": "fetch"}, False),
        ({"kind": "other", "title": "mcp__team__ask_human"}, True),
        ({"kind": "other", "title": "team_report_progress"}, True),
        ({"title": "team.send_message"}, True),
        ({"kind": "other", "title": "mcp__steam__buy"}, False),
        ({"title": "Tool: team/report_progress"}, True),
        ({"kind": "think", "title": "team_work"}, False),
        ({"kind": "switch_mode", "title": "Ready to code?"}, False),
        ({"kind": "execute", "title": "team_x", "rawInput": {"command": "rm x"}}, False),
        ({"kind": ["edit"], "title": {"x": 1}}, False),
    ],
)
def test_each_single_call_of_an_auditor_is_decided(
    tmp_path: Path, tool: dict[str, Any], allowed: bool
) -> None:
    assert (refusal(AUDITOR, ("**",), call_of(Updates().known(tool).name, tool, tmp_path)) == "") is allowed


def test_all_the_paths_that_a_call_names_count_with_links_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("elsewhere")
    tool = {
        "kind": "edit",
        "rawInput": {"file_path": "a", "changes": {"b": {}}},
        "locations": [{"path": str(tmp_path / "c")}, {"path": 3}, "x"],
        "content": [{"type": "diff", "path": "link/d"}, {"type": "diff", "path": "a"}],
    }
    names = [str(Path(path).relative_to(tmp_path)) for path in call_of("Edit", tool, tmp_path).paths]
    assert names == ["a", "c", "elsewhere/d", "b"]


OPTIONS = [
    {"kind": "allow_always", "optionId": "always"},
    {"kind": "allow_once", "optionId": "once"},
    {"kind": "reject_always", "optionId": "never"},
]


@pytest.mark.parametrize(
    ("options", "allowed", "chosen"),
    [
        (OPTIONS, True, "once"),
        (OPTIONS, False, "never"),
        (OPTIONS[:1], True, "always"),
    ],
)
def test_the_answer_is_for_this_once_where_that_is_offered(
    options: object, allowed: bool, chosen: str
) -> None:
    assert outcome(options, allowed=allowed) == {"outcome": "selected", "optionId": chosen}


@pytest.mark.parametrize(
    "options", [None, [], [3, {"kind": "allow_once"}], {"kind": "allow_once"}, OPTIONS[:2]]
)
def test_a_request_that_offers_no_fitting_answer_is_cancelled(options: object) -> None:
    assert outcome(options, allowed=False) == {"outcome": "cancelled"}
