from pathlib import Path

from teamlead.core.model import Budget, RoleSettings, ToolPolicy
from teamlead.core.roles import BUILT_IN, Role, role_named
from teamlead.settings.loading import load
from teamlead.settings.roles import roles


def found(root: Path, content: str, name: str) -> Role:
    (root / ".teamlead" / "config.toml").write_text(content)
    return role_named(name, roles(load(root)))


def test_without_settings_nothing_is_said_of_any_role(root: Path) -> None:
    assert roles(load(root)) == ()


def test_only_what_is_said_of_a_role_is_kept(root: Path) -> None:
    (root / ".teamlead" / "config.toml").write_text('[roles.security-auditor]\nmodel = "opus"\n')
    assert roles(load(root)) == (RoleSettings("security-auditor", model="opus"),)


def test_what_is_said_of_a_built_in_role_leaves_the_rest_of_it_as_it_is(root: Path) -> None:
    content = '[roles.security-auditor]\nmodel = "opus"\nbudget_usd = 2\nasks = ["web"]\n'
    auditor = found(root, content, "security-auditor")
    assert (auditor.settings.model, auditor.settings.budget) == ("opus", Budget(cost_usd=2.0))
    built_in = BUILT_IN["security-auditor"]
    assert (auditor.policy.tools, auditor.policy.commands) == (built_in.policy.tools, "audit")
    assert auditor.policy.asks == ("web",)
    assert auditor.focus == built_in.focus


def test_a_role_of_the_users_own_may_do_what_it_says(root: Path) -> None:
    writer = found(
        root,
        '[roles.writer]\nagent = "codex"\ntools = ["read", "edit", "shell"]\nasks = ["shell"]\n'
        'commands = "audit"\nwrites = ["docs/**"]\narguments = ["-x"]\neffort = "low"\n',
        "writer",
    )
    said = writer.settings
    assert (said.agent, said.effort, said.arguments) == ("codex", "low", ("-x",))
    assert writer.policy == ToolPolicy(
        ("read", "edit", "shell"), commands="audit", writes=("docs/**",), asks=("shell",)
    )
