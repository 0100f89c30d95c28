"""What the roles that teamlead knows by itself are built in with, and what settings make of it."""

from operator import attrgetter
from typing import get_args

import pytest
from msgspec.structs import replace

from teamlead.core.model import Budget, RoleSettings, TaskForm, ToolPolicy
from teamlead.core.policy.calls import Call, refusal
from teamlead.core.roles import BUILT_IN, Role, Tier, role_named
from teamlead.core.runs import Consultant

CALLS = {
    "read": Call("read", ("src/a.py",)),
    "search": Call("search"),
    "edit": Call("edit", ("src/a.py",)),
    "edit own state": Call("edit", (".teamlead/sessions/s/notes.md",)),
    "audit command": Call("shell", command="git log -p"),
    "any command": Call("shell", command="make test"),
    "web": Call("web"),
    "team": Call("team"),
}

ALL = {name for name in CALLS if name != "edit own state"}
LIMITED = {
    "security-auditor": {"read", "search", "audit command", "web", "team"},
    "code-explorer": {"read", "search", "audit command", "team"},
    "system-architect": {"read", "search", "team"},
    "verification-specialist": {"read", "search", "team"},
    **{name: {"read", "search", "team"} for name in get_args(Consultant)},
    "leader": {"read", "search", "edit own state", "team"},
}
"""Every other role may do all."""

FORMS: dict[TaskForm, set[str]] = {
    "exploration": {"code-explorer", "Explore"},
    "design": {"code-architect", "system-architect"},
    "review": {"qa-engineer", "security-auditor", "verification-specialist"},
    "implementation": {"frontend-specialist", "backend-specialist"},
}
TIERS: dict[str, Tier] = {
    "code-explorer": "small",
    "worker": "medium",
    "product-manager": "large",
    "arch-skeleton": "large",
    "reviewer": "large",
    "poet": "medium",
}
REVIEWERS = ("security-auditor", "qa-engineer", "system-architect")

built_in = pytest.mark.parametrize("role", BUILT_IN.values(), ids=attrgetter("name"))


@built_in
def test_a_built_in_role_may_do_exactly_what_it_should(role: Role) -> None:
    scope = ("**", ".teamlead/") if role.name == "leader" else ("**",)
    allowed = {name for name, call in CALLS.items() if not refusal(role.policy, scope, call)}
    assert allowed == LIMITED.get(role.name, ALL)


@built_in
def test_a_built_in_role_hands_in_what_it_should(role: Role) -> None:
    assert role.form == next((form for form, names in FORMS.items() if role.name in names), "summary")
    assert role.reports is (role.form != "summary")


def test_every_role_that_is_expected_here_is_built_in() -> None:
    assert set(LIMITED) | set().union(*FORMS.values()) | set(TIERS) - {"poet"} <= set(BUILT_IN)


@pytest.mark.parametrize(("role", "tier"), TIERS.items())
def test_the_kind_of_task_says_how_able_a_model_it_needs(role: str, tier: Tier) -> None:
    assert role_named(role).tier == tier


@pytest.mark.parametrize("name", REVIEWERS)
def test_a_reviewer_knows_its_focus_its_peers_and_what_it_knows_best(name: str) -> None:
    role = role_named(name)
    assert role.focus
    assert "to the lead" in role.peers
    assert any(other in role.peers for other in REVIEWERS if other != name)
    assert role.expertise


@built_in
def test_nobody_is_sent_to_a_role_that_does_not_exist(role: Role) -> None:
    named = [word.strip(".,") for word in role.peers.split() if "-" in word]
    assert set(named) <= set(BUILT_IN)


def test_those_who_explore_read_for_others() -> None:
    assert {role.name for role in BUILT_IN.values() if role.reads_for_others} == FORMS["exploration"]


def test_any_other_name_has_a_workers_rights_and_nothing_of_its_own() -> None:
    assert role_named("poet") == replace(role_named("worker"), name="poet")
    assert role_named("worker").policy == ToolPolicy()


def test_what_settings_say_of_a_role_wins_and_the_rest_is_as_it_is_built_in() -> None:
    own = ToolPolicy(("read", "web"))
    said = RoleSettings("system-architect", agent="codex", policy=own, budget=Budget(turns=5))
    found = role_named("system-architect", [RoleSettings("worker", agent="claude"), said])
    assert (found.policy, found.settings) == (own, said)
    assert found.form == role_named("system-architect").form == "design"


def test_settings_that_say_nothing_of_tools_leave_them_as_they_are_built_in() -> None:
    found = role_named("system-architect", [RoleSettings("system-architect", model="opus")])
    assert found.policy == BUILT_IN["system-architect"].policy


def test_settings_may_give_a_role_every_tool() -> None:
    assert role_named("judge", [RoleSettings("judge", policy=ToolPolicy())]).policy == ToolPolicy()


def test_a_role_that_only_settings_know_has_what_they_say() -> None:
    said = RoleSettings("poet", policy=ToolPolicy(("read",)))
    assert role_named("poet", [said]) == Role(name="poet", policy=ToolPolicy(("read",)), settings=said)
