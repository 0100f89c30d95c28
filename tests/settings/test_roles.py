from pathlib import Path

from teamlead.core.model import Budget, Role, ToolPolicy
from teamlead.core.roles import BUILT_IN
from teamlead.settings.loading import load
from teamlead.settings.roles import roles


def found(root: Path, content: str) -> dict[str, Role]:
    (root / ".teamlead" / "config.toml").write_text(content)
    return {role.name: role for role in roles(load(root))}


def test_without_settings_the_roles_are_the_built_in_ones(root: Path) -> None:
    assert roles(load(root)) == BUILT_IN


def test_what_is_said_of_a_built_in_role_leaves_the_rest_of_it_as_it_is(root: Path) -> None:
    before = next(role for role in BUILT_IN if role.name == "security-auditor")
    auditor = found(root, '[roles.security-auditor]\nmodel = "opus"\nbudget_usd = 2\n')["security-auditor"]
    assert (auditor.model, auditor.budget) == ("opus", Budget(cost_usd=2.0))
    assert auditor.policy == before.policy


def test_a_role_of_the_users_own_may_do_what_it_says(root: Path) -> None:
    writer = found(
        root,
        '[roles.writer]\nagent = "codex"\ntools = ["read", "edit", "shell"]\nasks = ["shell"]\n'
        'commands = "audit"\nwrites = ["docs/**"]\narguments = ["-x"]\neffort = "low"\n',
    )["writer"]
    assert (writer.agent, writer.effort, writer.arguments) == ("codex", "low", ("-x",))
    assert writer.policy == ToolPolicy(
        ("read", "edit", "shell"), commands="audit", writes=("docs/**",), asks=("shell",)
    )
