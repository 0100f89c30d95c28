"""What the roles that teamlead knows by itself may do."""

import pytest

from teamlead.core.model import Role, TaskSpec, ToolPolicy
from teamlead.core.policy.calls import Call, refusal
from teamlead.core.roles import BUILT_IN, CHARTERS, TIERS, charter_of, role_named, tier_of

CALLS = {
    "read": Call("read", ("src/a.py",)),
    "search": Call("search"),
    "edit": Call("edit", ("src/a.py",)),
    "edit own state": Call("edit", (".teamlead/sessions/s/notes.md",)),
    "audit command": Call("shell", command="git log -p"),
    "any command": Call("shell", command="make test"),
    "team": Call("team"),
}
ALL = {name for name in CALLS if name != "edit own state"}

MAY = {
    "worker": ALL,
    "qa-engineer": ALL,
    "security-auditor": {"read", "search", "audit command", "team"},
    "code-explorer": {"read", "search", "audit command", "team"},
    "system-architect": {"read", "search", "team"},
    "verification-specialist": {"read", "search", "team"},
    **{name: {"read", "search", "team"} for name in ("judge", "planner", "validator", "advisor")},
    "leader": {"read", "search", "edit own state", "team"},
}


@pytest.mark.parametrize("role", BUILT_IN, ids=lambda role: role.name)
def test_a_built_in_role_may_do_exactly_what_it_should(role: Role) -> None:
    scope = ("**", ".teamlead/") if role.name == "leader" else ("**",)
    assert {name for name, call in CALLS.items() if not refusal(role.policy, scope, call)} == MAY[role.name]


def test_a_sessions_own_role_comes_before_the_built_in_one() -> None:
    own = Role("system-architect", policy=ToolPolicy(("read", "web")))
    assert role_named([own], "system-architect") is own
    assert role_named([], "system-architect").policy.tools == ("read", "search")


def test_any_other_name_has_a_workers_rights() -> None:
    assert role_named([], "poet") == Role("poet")
    assert role_named([], "poet").policy == role_named([], "worker").policy


@pytest.mark.parametrize("role", ["security-auditor", "qa-engineer", "system-architect"])
def test_a_review_role_knows_its_focus_and_its_peers(role: str) -> None:
    charter = charter_of(role)
    assert charter.focus
    assert "to the lead" in charter.peers
    assert any(other in charter.peers for other in CHARTERS if other != role)


def test_a_role_without_a_charter_has_none() -> None:
    assert charter_of("worker") == ("", "")


@pytest.mark.parametrize(
    ("role", "tier"),
    [("code-explorer", "small"), ("worker", "medium"), ("product-manager", "large"), *TIERS.items()],
)
def test_the_kind_of_task_says_how_able_a_model_it_needs(role: str, tier: str) -> None:
    assert tier_of(TaskSpec("task-1", "A task", role=role)) == tier
