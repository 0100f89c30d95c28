import json
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_args

import pytest

from teamlead.core.roles import BUILT_IN, role_named
from teamlead.errors import Refused, StorageFailed
from teamlead.settings import consent
from teamlead.settings.consent import needs_consent
from teamlead.settings.loading import Settings, load
from teamlead.settings.roles import roles
from teamlead.settings.schema import KEYS, TABLES, Key, Kind, Tighter, Value

COMMANDS = 'post_create = ["npm ci"]\nchecks = ["make test", "make lint"]\n'


Configure = Callable[..., Settings]


@pytest.fixture
def configure(root: Path, home: Path) -> Configure:
    def write(repository: str, user: str = "", **flags: object) -> Settings:
        (root / ".teamlead" / "config.toml").write_text(repository)
        own = home / "config" / "teamlead" / "config.toml"
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(user)
        return load(root, flags)

    return write


def allow(settings: Settings) -> None:
    consent.allow("id", consent.asked(settings))


def missing(settings: Settings) -> list[str]:
    """The names of what is not allowed."""
    return [wish.name for wish in consent.not_allowed("id", consent.asked(settings))]


def shown(settings: Settings, *, fixed: bool = True) -> list[str]:
    return [str(wish) for wish in consent.asked(settings, fixed=fixed)]


def test_what_a_repository_asks_for_is_refused_with_both_values_until_it_is_allowed(
    configure: Configure,
) -> None:
    settings = configure(COMMANDS + "budget_usd = 50\n", "budget_usd = 5\n")
    with pytest.raises(Refused, match="config allow") as caught:
        consent.require("id", consent.asked(settings))
    assert caught.value.message.splitlines()[1:] == [
        "  budget_usd: 5.0 -> 50.0",
        '  checks: [] -> ["make test", "make lint"]',
        '  post_create: [] -> ["npm ci"]',
    ]
    allow(settings)
    consent.require("id", consent.asked(settings))


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        (COMMANDS.replace("npm ci", "npm  ci"), ["post_create"]),
        (COMMANDS.replace('"make test", ', ""), ["checks"]),
        (
            COMMANDS.replace("post_create", "checks_")
            .replace("checks = ", "post_create = ")
            .replace("checks_", "checks"),
            ["checks", "post_create"],
        ),
        (COMMANDS + 'agent = "command:evil"\n', ["agent"]),
    ],
)
def test_a_change_withdraws_the_consent_for_what_was_changed(
    configure: Configure, changed: str, names: list[str]
) -> None:
    allow(configure(COMMANDS))
    assert missing(configure(changed)) == names


def test_what_is_taken_back_stays_allowed_only_until_the_next_consent(configure: Configure) -> None:
    allow(configure(COMMANDS))
    fewer = configure('post_create = ["npm ci"]\n')
    assert missing(fewer) == []
    allow(fewer)
    assert missing(configure(COMMANDS)) == ["checks"]


def test_a_tighter_wish_of_the_user_withdraws_the_consent_to_the_looser_one(configure: Configure) -> None:
    theirs = "budget_usd = 50\n"
    allow(configure(theirs, "budget_usd = 20\n"))
    assert missing(configure(theirs, "budget_usd = 20\n")) == []
    assert missing(configure(theirs, "budget_usd = 5\n")) == ["budget_usd"]
    assert missing(configure(theirs, "budget_usd = 60\n")) == []


def test_a_flag_takes_the_place_of_what_would_be_asked_and_withdraws_no_other_consent(
    configure: Configure,
) -> None:
    theirs = COMMANDS + 'agent = "codex"\njobs = 1000\n'
    allow(configure(theirs))
    assert missing(configure(theirs, jobs=2)) == []
    assert missing(configure(theirs.replace("1000", "999"), jobs=2)) == []
    assert missing(configure(theirs.replace("1000", "999"))) == ["jobs"]


def test_settings_that_tighten_may_change_freely(configure: Configure) -> None:
    allow(configure(COMMANDS))
    tighter = "attempts = 2\nhard_timeout = '10m'\nrequire_reports = true\ntask_budget_usd = 1\n"
    assert missing(configure(COMMANDS + tighter)) == []
    assert missing(configure(COMMANDS + "attempts = 4\n")) == ["attempts"]


@pytest.mark.parametrize("setting", ['copy = [".env"]', 'link = ["deps"]', 'notify = ["desktop"]'])
def test_what_brings_the_users_things_to_agents_or_speaks_to_them_needs_consent(
    configure: Configure, setting: str
) -> None:
    assert missing(configure(setting)) == [setting.split(maxsplit=1)[0]]


def test_what_the_user_has_as_well_needs_no_consent_whatever_it_is(configure: Configure) -> None:
    both = COMMANDS + 'model = "opus"\nroom = false\njudge = false\n[roles.reviewer]\nagent = "codex"\n'
    assert shown(configure(both, both)) == []
    assert shown(configure("checks = []\n", 'checks = ["make"]\n')) == ['checks: ["make"] -> []']


def test_consent_for_one_repository_is_none_for_another(configure: Configure) -> None:
    asked = consent.asked(configure(COMMANDS))
    consent.allow("one", asked)
    assert consent.not_allowed("one", asked) == ()
    assert consent.not_allowed("two", asked) == asked


def test_the_users_own_config_and_flags_need_no_consent(configure: Configure) -> None:
    settings = configure("", COMMANDS + "room = false\n", agent="scripted:demo.toml", jobs=1000)
    assert shown(settings) == []


def test_who_works_needs_consent_wherever_it_is_said(configure: Configure) -> None:
    settings = configure(
        'arguments = ["--mcp-config", "x.json"]\nagent_settings = true\nmodel = "opus"\n'
        '[roles.reviewer]\nagent = "command:review --all"\narguments = ["-c"]\neffort = "max"\n'
        '[roles.tester]\nagent = "codex"\n[tiers.claude]\nsmall = "opus"\n'
    )
    assert shown(settings) == [
        'model: "" -> "opus"',
        'arguments: [] -> ["--mcp-config", "x.json"]',
        "agent_settings: false -> true",
        'tiers.claude.small: "haiku" -> "opus"',
        'roles.reviewer.agent: "" -> "command:review --all"',
        'roles.reviewer.arguments: [] -> ["-c"]',
        'roles.reviewer.effort: "" -> "max"',
        'roles.tester.agent: "" -> "codex"',
    ]
    assert shown(configure("agent_settings = false\ncheck_network = false\n")) == []
    assert shown(configure("check_network = true\n", "check_network = false\n")) == [
        "check_network: false -> true"
    ]


def test_a_role_may_lose_rights_and_not_gain_any_that_it_is_built_in_with(configure: Configure) -> None:
    tighter = (
        '[roles.security-auditor]\ntools = ["read"]\nasks = ["shell"]\n[roles.own]\nwrites = ["docs/"]\n'
    )
    assert shown(configure(tighter)) == []
    looser = (
        '[roles.security-auditor]\ntools = ["read", "edit"]\ncommands = "any"\n'
        '[roles.own]\nwrites = [".teamlead/"]\n'
    )
    assert shown(configure(looser)) == [
        'roles.security-auditor.tools: ["read", "search", "shell", "web"] -> ["read", "edit"]',
        'roles.security-auditor.commands: "audit" -> "any"',
        'roles.own.writes: ["**"] -> [".teamlead/"]',
    ]


def test_a_role_is_held_against_what_the_user_says_of_it(configure: Configure) -> None:
    own = '[roles.worker]\ntools = ["read"]\nasks = ["read"]\nwrites = ["docs/**"]\nbudget_usd = 2\n'
    theirs = '[roles.worker]\ntools = ["read", "search"]\nasks = []\nwrites = ["docs/api/"]\nbudget_usd = 0\n'
    assert shown(configure(theirs, own)) == [
        'roles.worker.tools: ["read"] -> ["read", "search"]',
        'roles.worker.asks: ["read"] -> []',
        "roles.worker.budget_usd: 2.0 -> 0.0",
    ]


def test_a_session_that_has_begun_asks_only_about_what_it_looks_at_again(
    configure: Configure, root: Path
) -> None:
    (root / "demo.toml").write_text("one")
    settings = configure(
        'agent = "claude"\njobs = 1000\nchecks = ["make"]\npost_create = ["npm ci"]\nroom = false\n'
        '[roles.worker]\nagent = "scripted:demo.toml"\n'
    )
    assert shown(settings, fixed=False) == [
        'post_create: [] -> ["npm ci"]',
        'room: "default" -> false',
        f'roles.worker.agent: "" -> "scripted:{root}/demo.toml"',
    ]


def test_a_changed_script_withdraws_the_consent(configure: Configure, root: Path) -> None:
    script = root / "demo.toml"
    script.write_text("one")
    settings = configure('agent = "scripted:demo.toml"\n')
    allow(settings)
    assert missing(settings) == []
    script.write_text("two")
    assert missing(settings) == ["agent"]
    script.unlink()
    assert missing(settings) == ["agent"]


def test_a_script_that_only_moves_stays_allowed(configure: Configure, root: Path) -> None:
    for name in ("one.toml", "two.toml"):
        (root / name).write_text("the same")
    allow(configure('agent = "scripted:one.toml"\n'))
    assert missing(configure('agent = "scripted:two.toml"\n')) == []


def test_where_nothing_is_started_what_is_not_allowed_is_as_the_user_has_it(configure: Configure) -> None:
    tables = "[tiers.claude]\nsmall = 'opus'\n[roles.planner]\ntools = ['edit']\n"
    settings = configure(f"keep_ignored = 500\nattempts = 1\n{tables}", "keep_ignored = 7\n")
    held = consent.in_effect("id", settings)
    assert (held.keep_ignored, held.attempts) == (7, 1)
    assert held.entries("tiers")["claude"]["small"] == "haiku"
    assert role_named("planner", roles(held)).policy == BUILT_IN["planner"].policy
    allow(settings)
    assert consent.in_effect("id", settings) == settings


def test_consents_given_at_the_same_moment_are_all_kept(configure: Configure) -> None:
    asked = consent.asked(configure(COMMANDS))
    names = [f"repository-{number}" for number in range(16)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: consent.allow(name, asked), names))
    assert not any(consent.not_allowed(name, asked) for name in names)


def test_consent_is_kept_in_the_users_state_for_the_user_alone(configure: Configure, home: Path) -> None:
    allow(configure(COMMANDS))
    path = home / "state" / "teamlead" / "allowed.json"
    assert json.loads(path.read_text())["schema_version"] == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_consent_of_old_is_none_and_gives_way_to_a_new_one(configure: Configure, home: Path) -> None:
    path = home / "state" / "teamlead" / "allowed.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"schema_version": 1, "allowed": {"id": "0123"}}')
    settings = configure(COMMANDS)
    assert missing(settings) == ["checks", "post_create"]
    allow(settings)
    assert missing(settings) == []


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"schema_version": 3, "allowed": {}}',
        '{"allowed": 3}',
        '{"schema_version": 2, "allowed": []}',
        '{"schema_version": 2, "allowed": {"id": "0123"}}',
    ],
)
def test_an_unreadable_file_of_consents_is_named_and_left_alone(
    configure: Configure, home: Path, content: str
) -> None:
    settings = configure(COMMANDS)
    path = home / "state" / "teamlead" / "allowed.json"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    with pytest.raises(StorageFailed, match=r"allowed\.json"):
        consent.require("id", consent.asked(settings))
    with pytest.raises(StorageFailed):
        allow(settings)
    assert path.read_text() == content


EVERY = [(key.name, key) for key in KEYS] + [
    (f"{table.name}.{key.name}", key) for table in TABLES for key in table.keys
]
NUMBERS: frozenset[Kind] = frozenset({"count", "money", "duration"})

FITS: dict[Tighter, frozenset[Kind]] = {
    "less": NUMBERS,
    "limit": NUMBERS,
    "more": NUMBERS,
    "on": frozenset({"switch"}),
    "off": frozenset({"switch"}),
    "fewer": frozenset({"choices"}),
    "further": frozenset({"choices"}),
    "within": frozenset({"paths"}),
    "later": frozenset({"choice"}),
    "none": frozenset(get_args(Kind)),
}

PAIRS: dict[Tighter, list[tuple[Value, Value]]] = {
    "less": [(2, 1), (1, 0), (1.5, 1)],
    "limit": [(0, 1), (0, 10**9), (2, 1), (1.5, 1)],
    "more": [(1, 2), (0, 1)],
    "on": [(False, True)],
    "off": [(True, False)],
    "fewer": [(("read", "edit"), ("read",)), (("read",), ())],
    "further": [(("read",), ("shell", "read")), ((), ("read",))],
    "within": [(("**",), ("docs/",)), (("docs/**",), ("docs/api/*",)), (("a", "b"), ("b",)), (("a",), ())],
    "later": [("any", "audit")],
}
"""The looser value, and a tighter one."""


@pytest.mark.parametrize(("name", "key"), EVERY)
def test_every_setting_has_a_direction_that_fits_its_values_or_says_that_it_has_none(
    name: str, key: Key
) -> None:
    assert key.kind in FITS[key.tighter], name
    # What runs something, speaks to somebody or lays something open is never a matter of more or less.
    if key.kind in {"agent", "text", "commands", "arguments", "places"}:
        assert key.tighter == "none"


@pytest.mark.parametrize(("name", "key"), EVERY)
def test_every_setting_goes_its_own_way_without_consent_and_the_other_one_with_it(
    name: str, key: Key
) -> None:
    if key.tighter == "none":
        assert needs_consent(key, "one", "other"), name
        assert needs_consent(key, "other", "one"), name
    own: dict[str, list[tuple[Value, Value]]] = {"judge": [(False, "all"), ("acceptance", "all")]}
    for looser, tighter in own.get(name, PAIRS.get(key.tighter, [])):
        assert not needs_consent(key, looser, tighter), name
        assert needs_consent(key, tighter, looser), name
    assert not needs_consent(key, key.default, key.default), name


def tightened(name: str) -> str:
    return dict(EVERY)[name].tighter


@pytest.mark.parametrize(
    ("names", "tighter"),
    [
        ("jobs attempts autonomy questions replans validations advices max_tasks plan_attempts", "less"),
        ("budget_usd budget_tokens budget_time budget_turns task_budget_usd roles.budget_usd", "limit"),
        ("hard_timeout idle_timeout check_timeout", "limit"),
        ("require_reports", "on"),
        ("judge roles.commands", "later"),
        ("agent_settings check_network", "off"),
        ("min_free_space plan_quality", "more"),
        ("roles.tools", "fewer"),
        ("agent model effort room expose checks post_create copy link notify tiers.small", "none"),
    ],
)
def test_what_costs_or_protects_goes_the_way_that_a_user_would_expect(names: str, tighter: str) -> None:
    assert {tightened(name) for name in names.split()} == {tighter}


def test_patterns_of_which_it_cannot_be_told_whether_they_are_within_need_consent() -> None:
    (writes,) = (key for name, key in EVERY if name == "roles.writes")
    assert needs_consent(writes, ("docs/*.md",), ("docs/a*.md",))
    assert needs_consent(writes, ("**",), (".teamlead/config.toml",))
    assert needs_consent(writes, (), ("a",))
