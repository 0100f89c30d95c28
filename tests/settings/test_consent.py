import json
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from teamlead.errors import Refused, StorageFailed
from teamlead.settings import consent
from teamlead.settings.loading import Settings, load

COMMANDS = 'post_create = ["npm ci"]\nchecks = ["make test", "make lint"]\n'


Configure = Callable[[str], Settings]


@pytest.fixture
def configure(root: Path) -> Configure:
    def write(content: str) -> Settings:
        (root / ".teamlead" / "config.toml").write_text(content)
        return load(root)

    return write


def test_commands_of_a_repository_are_refused_by_name_until_allowed(configure: Configure) -> None:
    settings = configure(COMMANDS)
    with pytest.raises(Refused, match="config allow") as caught:
        consent.require("id", settings)
    for command in ("npm ci", "make test", "make lint"):
        assert command in caught.value.message
    consent.allow("id", settings)
    consent.require("id", settings)


@pytest.mark.parametrize(
    "changed",
    [
        COMMANDS.replace("npm ci", "npm  ci"),
        COMMANDS.replace('"make test", ', ""),
        COMMANDS.replace("post_create", "checks_")
        .replace("checks = ", "post_create = ")
        .replace("checks_", "checks"),
        COMMANDS + 'agent = "command:evil"\n',
    ],
)
def test_changing_one_command_withdraws_the_consent(configure: Configure, changed: str) -> None:
    consent.allow("id", configure(COMMANDS))
    assert not consent.is_allowed("id", configure(changed))


def test_settings_that_run_nothing_may_change_freely(configure: Configure) -> None:
    consent.allow("id", configure(COMMANDS))
    assert consent.is_allowed("id", configure(COMMANDS + 'jobs = 3\ncopy = [".env"]\n'))


def test_a_command_that_notifies_needs_consent_and_the_desktop_does_not(configure: Configure) -> None:
    assert consent.asked(configure('notify = ["desktop"]\n')) == ()
    settings = configure('notify = ["desktop", "mail me"]\n')
    assert consent.asked(settings) == (consent.Asked("notify", "mail me"),)
    with pytest.raises(Refused, match="notify: mail me"):
        consent.require("id", settings)


def test_consent_for_one_repository_is_none_for_another(configure: Configure) -> None:
    settings = configure(COMMANDS)
    consent.allow("one", settings)
    assert not consent.is_allowed("two", settings)


def test_the_users_own_config_and_flags_need_no_consent(root: Path, home: Path) -> None:
    path = home / "config" / "teamlead" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(COMMANDS)
    settings = load(root, {"agent": "scripted:demo.toml"})
    assert consent.asked(settings) == ()
    consent.require("id", settings)


def test_an_agent_needs_consent_where_it_names_what_to_run(configure: Configure) -> None:
    assert consent.asked(configure('agent = "claude"\n')) == ()
    ((key, command),) = consent.asked(configure('agent = "scripted:demo.toml"\n'))
    assert key == "agent"
    assert command.endswith("/demo.toml")


def test_what_makes_an_agent_run_other_things_needs_consent_wherever_it_stands(configure: Configure) -> None:
    settings = configure(
        'arguments = ["--mcp-config", "x.json"]\nagent_settings = true\n'
        '[roles.reviewer]\nagent = "command:review --all"\narguments = ["-c"]\nmodel = "opus"\n'
        '[roles.tester]\nagent = "codex"\n'
    )
    hooks = "whatever the repository's own settings and hooks for agents say"
    assert consent.asked(settings) == (
        ("arguments", "--mcp-config"),
        ("arguments", "x.json"),
        ("agent_settings", hooks),
        ("roles.reviewer.agent", "command:review --all"),
        ("roles.reviewer.arguments", "-c"),
    )
    assert consent.asked(configure("agent_settings = false\ncheck_network = false\n")) == ()
    network = ("check_network", "checks that may use the network")
    assert consent.asked(configure("check_network = true\n")) == (network,)


def test_a_changed_script_withdraws_the_consent(configure: Configure, root: Path) -> None:
    script = root / "demo.toml"
    script.write_text("one")
    settings = configure('agent = "scripted:demo.toml"\n')
    consent.allow("id", settings)
    assert consent.is_allowed("id", settings)
    script.write_text("two")
    assert not consent.is_allowed("id", settings)
    script.unlink()
    assert not consent.is_allowed("id", settings)


def test_consents_given_at_the_same_moment_are_all_kept(configure: Configure) -> None:
    settings = configure(COMMANDS)
    names = [f"repository-{number}" for number in range(16)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: consent.allow(name, settings), names))
    assert all(consent.is_allowed(name, settings) for name in names)


def test_consent_is_kept_in_the_users_state_for_the_user_alone(configure: Configure, home: Path) -> None:
    consent.allow("id", configure(COMMANDS))
    path = home / "state" / "teamlead" / "allowed.json"
    assert json.loads(path.read_text())["schema_version"] == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"schema_version": 2, "allowed": {}}', '{"allowed": 3}']
)
def test_an_unreadable_file_of_consents_is_named_and_left_alone(
    configure: Configure, home: Path, content: str
) -> None:
    settings = configure(COMMANDS)
    path = home / "state" / "teamlead" / "allowed.json"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    with pytest.raises(StorageFailed, match=r"allowed\.json"):
        consent.require("id", settings)
    with pytest.raises(StorageFailed):
        consent.allow("id", settings)
    assert path.read_text() == content
