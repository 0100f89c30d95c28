"""Every rule is in one table, and the table is true: what enforces a rule exists, and so does its test."""

import ast
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from teamlead.core import rules
from teamlead.core.roles import BUILT_IN
from teamlead.core.rules import RULES, Level, Rule, advice_for
from teamlead.forms.results import contract

TESTS = Path(__file__).parents[1]
ENFORCED = [rule for rule in RULES if rule.level != "L3" and not rule.open_because]


def function(name: str) -> object:
    module, _, attribute = name.partition(":")
    return getattr(import_module(f"teamlead.{module}"), attribute)


@cache
def names_in(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def faults(rule: Rule) -> list[str]:
    found = []
    if rule.level == "L3":
        return ["advice is not enforced"] if rule.enforced_by else []
    if rule.open_because:
        return ["a hard rule is open"] if rule.level == "L1" else []
    try:
        found += [] if callable(function(rule.enforced_by)) else ["no function enforces it"]
    except (ImportError, AttributeError):
        found.append("no function enforces it")
    file, _, name = rule.tested_by.partition("::")
    if not (TESTS / file).is_file() or name not in names_in(file):
        found.append("no test shows it")
    return found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_that_is_not_advice_has_a_function_and_a_test(rule: Rule) -> None:
    assert faults(rule) == []


@pytest.mark.parametrize(
    ("enforced_by", "tested_by", "fault"),
    [
        ("", ENFORCED[0].tested_by, "no function enforces it"),
        ("guard.lookup:nothing", ENFORCED[0].tested_by, "no function enforces it"),
        ("core.nowhere:judge", ENFORCED[0].tested_by, "no function enforces it"),
        (ENFORCED[0].enforced_by, "", "no test shows it"),
        (ENFORCED[0].enforced_by, "guard/test_lookup.py::test_nothing", "no test shows it"),
    ],
)
def test_a_hard_rule_that_nothing_enforces_or_shows_is_noticed(
    enforced_by: str, tested_by: str, fault: str
) -> None:
    assert faults(Rule("hollow", "L1", "lead", "", enforced_by, tested_by)) == [fault]


def test_what_nothing_enforces_yet_says_so_and_is_never_a_hard_rule() -> None:
    assert [rule.id for rule in RULES if rule.open_because] == []
    assert faults(Rule("hollow", "L1", "lead", "", open_because="later")) == ["a hard rule is open"]


def test_every_rule_has_its_own_id_a_level_and_a_sentence() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert {rule.level for rule in RULES} == set(get_args(Level))
    assert all(rule.text.endswith(".") for rule in RULES)


def test_a_rule_for_reports_is_enforced_by_the_contract_itself() -> None:
    named = {rule.id: rule.enforced_by for rule in RULES if rule.enforced_by.startswith("forms.")}
    checks = {**contract.FLAGS, **contract.RULES}
    assert {rule for rule in named if rule in checks and checks[rule] is not function(named[rule])} == set()
    assert named.keys() - checks.keys() == {"known-status", "confidence-range", "issue-severity"}


def test_every_rule_that_code_names_is_in_the_table() -> None:
    source = Path(rules.__file__).parents[1]
    named = {
        node.args[0].value
        for path in [*(source / "core").glob("*.py"), *(source / "guard").glob("*.py")]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "refused"
        and isinstance(node.args[0], ast.Constant)
    }
    assert len(named) > 4
    assert named <= {rule.id for rule in RULES}


def test_advice_for_a_lead_is_not_advice_for_agents() -> None:
    assert "Ask the user rather than guess what is meant." in advice_for("leader")
    for role in (name for name in BUILT_IN if name != "leader"):
        assert "Name next steps, where there are any." in advice_for(role)
        assert not set(advice_for(role)) & set(advice_for("leader"))
