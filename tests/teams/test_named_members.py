"""Whoever opens a session names members, in the words of other tools, too."""

import json

import pytest

from teamlead.errors import PlanError, UsageError
from teamlead.teams.load import load
from teamlead.teams.named_members import Named, fitted, read
from teamlead.teams.preset import Preset

PAIR = """---
name: pair
description: One looks, the lead joins what was found, one writes.
trigger_keywords: [pair]
---
## Members

### code-explorer as analyst
- **Instructions**: Look.

### engine:findings as joiner
- **After**: analyst

### backend-specialist as fixer
- **Instructions**: Write it.

## Workflow

1. **ANALYZING**: analyst, joiner
2. **EXECUTING**: fixer — depends on ANALYZING
"""
LEADER = Named("leader", "leader-agent", "orchestrator")


def pair() -> Preset:
    loaded = load(PAIR, "pair.md")
    assert loaded.ok
    return loaded.preset


def programs(*named: Named) -> dict[str, str]:
    found = fitted(pair(), (LEADER, *named), lambda agent: f"{agent}!")
    return {member.name: member.agent for member in found.members}


def refusal(*named: Named) -> str:
    with pytest.raises(PlanError) as refused:
        programs(*named)
    return "\n".join(refused.value.problems)


def test_the_lead_is_no_member_and_whom_nobody_names_works_as_the_preset_says() -> None:
    assert programs() == {"analyst": "", "joiner": "", "fixer": ""}
    assert fitted(pair(), ()) == pair()


@pytest.mark.parametrize(
    ("named", "agent"),
    [
        (Named("fixer", "codex", "writer"), "codex"),
        (Named("somebody", "codex-agent", "Fixer"), "codex"),
        (Named("claude-fixer", "claude", "writer"), "claude"),
        (Named("fixer", "scripted:team.toml", "fixer"), "scripted:team.toml!"),
        (Named("fixer", "backend-specialist", "fixer"), ""),
    ],
)
def test_a_member_is_known_by_its_name_its_role_or_both_and_gets_its_program(
    named: Named, agent: str
) -> None:
    assert programs(named) == {"analyst": "", "joiner": "", "fixer": agent}


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ([Named("fixr", "codex", "fixr")], "'fixr' ('fixr') is no member (did you mean 'fixer'?)"),
        ([Named("x", "codex", "y")], "'x' ('y') is no member (its members: analyst, joiner, fixer)"),
        (
            [Named("fixer", "codex", "fixer"), Named("two", "claude", "fixer")],
            "'fixer' is named twice: 'fixer', 'two'",
        ),
        ([Named("fixer", "qa-engineer", "fixer")], "'fixer' is backend-specialist in this team"),
        ([Named("fixer", "cody", "fixer")], "'cody' cannot work as 'fixer'"),
        ([Named("fixer", "engine:findings", "fixer")], "'engine:findings' cannot work as 'fixer'"),
        ([Named("joiner", "codex", "joiner")], "'joiner' is `engine:findings`, not 'codex'"),
    ],
)
def test_what_does_not_fit_is_told_with_what_would(named: list[Named], told: str) -> None:
    assert told in refusal(*named)


def test_all_that_does_not_fit_is_told_at_once() -> None:
    assert len(refusal(Named("x", "codex", "y"), Named("z", "codex", "z")).splitlines()) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "cannot be read"),
        ("[", "cannot be read"),
        ("{}", "Expected `array`, got `object`"),
        ('"leader"', "Expected `array`, got `str`"),
        ("[1]", "Expected `object`, got `int`"),
        ('[{"name": "a", "agent": "b"}]', "missing required field `role`"),
        ('[{"name": "a", "agent": "b", "role": 1}]', "Expected `str`, got `int`"),
        ('[{"name": "a", "agent": "b", "role": "c", "model": "d"}]', "unknown field `model`"),
        ('[{"name": " ", "agent": "b", "role": "c"}]', "cannot have ' '"),
        ("[" * 100_000, "cannot be read"),
    ],
)
def test_what_is_no_array_of_members_is_told_in_a_line(text: str, told: str) -> None:
    with pytest.raises(UsageError, match="member") as refused:
        read(text)
    assert told in refused.value.message
    assert "\n" not in refused.value.message


def test_members_are_read_as_other_tools_write_them() -> None:
    listed = [{"name": "leader", "agent": "leader-agent", "role": "orchestrator"}]
    assert read(json.dumps(listed)) == (LEADER,)
    assert LEADER.leads
    assert not Named("fixer", "codex", "fixer").leads
