import os
from collections.abc import Callable
from pathlib import Path

import pytest

from teamlead.core.model import Budget, Limits
from teamlead.errors import ConfigError
from teamlead.settings.loading import Origin, load
from teamlead.settings.schema import KEYS
from teamlead.settings.source import LARGEST_FILE


def repository_file(root: Path, content: str | bytes) -> Path:
    path = root / ".teamlead" / "config.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def user_file(home: Path, content: str) -> Path:
    path = home / "config" / "teamlead" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    return path


def problems(root: Path, overrides: dict[str, object] | None = None) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(root, overrides)
    return str(caught.value).splitlines()[1:]


def test_without_files_every_value_is_the_default(root: Path) -> None:
    settings = load(root)
    assert {key.name: settings.value(key.name) for key in KEYS} == {key.name: key.default for key in KEYS}
    assert {settings.origin(key.name) for key in KEYS} == {Origin("default")}
    assert 1 <= settings.jobs <= 8


def test_flags_go_before_the_repository_which_goes_before_the_user(root: Path, home: Path) -> None:
    repository = repository_file(root, "# ours\njobs = 2\nattempts = 4\n")
    user = user_file(home, "jobs = 5\nattempts = 6\ngrace = '1m'\n")
    settings = load(root, {"jobs": 7, "attempts": None})
    assert (settings.jobs, settings.origin("jobs")) == (7, Origin("flag"))
    assert (settings.attempts, settings.origin("attempts")) == (4, Origin("repository", repository, 3))
    assert (settings.grace, settings.origin("grace")) == (60.0, Origin("user", user, 3))


def test_without_xdg_config_home_the_users_file_is_below_dot_config(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative/is/ignored")
    path = home / ".config" / "teamlead" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text("jobs = 3\n")
    assert load(root).jobs == 3


def test_limits_carry_every_bound(root: Path) -> None:
    repository_file(
        root,
        "jobs = 2\nattempts = 5\nretry_delay = 1\nhard_timeout = '2h'\nidle_timeout = '3m'\n"
        "check_timeout = 4.5\ngrace = 0\nquestions = 6\n",
    )
    assert load(root).limits() == Limits(
        jobs=2,
        attempts=5,
        retry_delay=1.0,
        hard_timeout=7200.0,
        idle_timeout=180.0,
        check_timeout=4.5,
        proof_times=2,
        grace=0.0,
        questions=6,
    )


def test_lists_become_tuples(root: Path) -> None:
    repository_file(
        root, 'checks = ["make test"]\npost_create = ["a", "b"]\ncopy = [".env"]\nlink = ["x/*"]\n'
    )
    settings = load(root)
    assert (settings.checks, settings.post_create) == (("make test",), ("a", "b"))
    assert (settings.copy, settings.link) == ((".env",), ("x/*",))


def test_every_problem_of_every_source_is_listed_at_once_with_its_line(root: Path, home: Path) -> None:
    repository_file(root, '\njob = 3\nattempts = "many"\nquestions = 0\n')
    user = user_file(home, "grace = 'soon'\n")
    listed = problems(root, {"jobs": 0})
    assert [line.split(" ")[0] for line in listed] == [
        "on",
        ".teamlead/config.toml:2:",
        ".teamlead/config.toml:3:",
        ".teamlead/config.toml:4:",
        f"{user}:1:",
    ]
    assert "did you mean 'jobs'?" in listed[1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("jobs = true", "must be a whole number, not true or false"),
        ("jobs = 1.5", "must be a whole number, not a number"),
        ("jobs = 1001", "must be from 1 to 1000, not 1001"),
        ("agent = 3", "must be a text in quotes, not a number"),
        ("agent = ''", "must not be empty"),
        ("agent = '-x'", "must not begin with a dash"),
        ("grace = -1", "must be from 0 to 720h"),
        ("grace = nan", "must be seconds"),
        ("checks = 'make'", "must be a list of texts, not a text"),
        ("checks = ['make', 3]", "entry 2 is a number"),
        ("checks = ['']", "must not be empty"),
        ('checks = ["a\\nb"]', "must be one line"),
        ('checks = ["\\u202Ehidden"]', "invisible characters: '\\u202ehidden'"),
        (f"checks = ['{'x' * 4001}']", "is longer than"),
        (f"checks = {['x'] * 201}", "has 201 entries"),
        ("copy = 1979-05-27", "not a date or time"),
        ("copy = ['/etc/passwd']", "must be relative"),
        ("copy = ['~/.ssh']", "must be relative"),
        ("copy = ['a\\b']", "must be relative"),
        ("link = ['a/../../b']", "must not leave the repository"),
        ("link = ['-rf']", "must not begin with a dash"),
        ("link = ['sub/.GIT/hooks']", "must not reach into git's own folder"),
        ("[jobs]\nx = 1", "must be a whole number, not a table"),
        ("effort = 'hard'", "effort must be one of low, medium, high, xhigh, max, not 'hard'"),
        ("autonomy = 3", "must be from 1 to 2, not 3"),
        ("budget_usd = '5'", "must be a number, not a text"),
        ("budget_usd = -1", "must be from 0 to 1000000, not -1"),
        ("budget_usd = nan", "must be from 0"),
        ("arguments = ['a\u202eb']", "invisible characters"),
        ("roles = 3", "'roles' must be a table: [roles.NAME]"),
        ("roles.reviewer = 'claude'", "'roles.reviewer' must be a table: [roles.NAME]"),
        ("roles.reviewer.agnet = 'claude'", "unknown key 'agnet' (did you mean 'agent'?)"),
        ("roles.reviewer.jobs = 1", "unknown key 'jobs' (known: agent, model"),
        ("roles.'a b'.agent = 'claude'", "'a b' is no name"),
        ("roles.reviewer.tools = ['hammer']", "roles.reviewer.tools must be one of read, search"),
        ("roles.reviewer.commands = 'some'", "must be one of any, audit"),
        ("tiers.codex.tiny = 'x'", "unknown key 'tiny'"),
        ("room = 'lax'", "room must be one of default, strict or false, not 'lax'"),
        ("judge = 'some'", "judge must be one of acceptance, undecided, all or false, not 'some'"),
        ("room = true", "room must be one of default, strict or false, not true or false"),
        ("commands = false", "unknown key 'commands'"),
        ("effort = false", "effort must be one of low, medium, high, xhigh, max, not true or false"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_with_the_reason(root: Path, content: str, said: str) -> None:
    repository_file(root, content)
    (problem,) = problems(root)
    assert problem.startswith(".teamlead/config.toml:1: ")
    assert said in problem


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"jobs = 1\njobs = 2\n", ".teamlead/config.toml:2: is not TOML"),
        (b"jobs = 1\nattempts", ".teamlead/config.toml:2: is not TOML"),
        (b"jobs = " + b"9" * 5000, ".teamlead/config.toml:1: is not TOML"),
        (b"jobs = 1\n# \xff\n", "it is not UTF-8 (line 2)"),
        (b"#" * (LARGEST_FILE + 1), "it is larger than 64 KiB"),
        (b"checks = " + b"[" * 30_000 + b"]" * 30_000, "is nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_problem(root: Path, content: bytes, said: str) -> None:
    repository_file(root, content)
    (problem,) = problems(root)
    assert said in problem


def test_a_pipe_in_place_of_the_file_is_refused_and_not_waited_for(root: Path) -> None:
    os.mkfifo(root / ".teamlead" / "config.toml")
    assert problems(root) == [".teamlead/config.toml: cannot be read: it is not a file"]


@pytest.mark.parametrize("make", [Path.touch, os.mkfifo])
def test_what_is_in_the_place_of_the_folder_is_named_with_what_to_do(
    root: Path, make: Callable[[Path], None]
) -> None:
    (root / ".teamlead").rmdir()
    make(root / ".teamlead")
    (problem,) = problems(root)
    assert f"{str(root / '.teamlead')!r} is no folder: move it away" in problem


def test_a_file_full_of_problems_is_cut_short(root: Path) -> None:
    repository_file(root, "\n".join(f"key{number} = 1" for number in range(60)))
    listed = problems(root)
    assert len(listed) == 51
    assert listed[-1] == ".teamlead/config.toml: and more"


def test_an_unknown_override_is_refused(root: Path) -> None:
    assert problems(root, {"job": 1}) == ["on the command line: unknown key 'job' (did you mean 'jobs'?)"]


def test_a_byte_order_mark_is_no_problem(root: Path) -> None:
    repository_file(root, b"\xef\xbb\xbfjobs = 3\n")
    assert load(root).jobs == 3


def test_a_script_is_relative_to_where_it_was_named(
    root: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    user = user_file(home, 'agent = "scripted:mine.toml"\n')
    assert load(root).agent == f"scripted:{user.parent / 'mine.toml'}"
    repository_file(root, 'agent = "scripted:scripts/../demo.toml"\n')
    assert load(root).agent == f"scripted:{root / 'demo.toml'}"
    assert load(root, {"agent": "scripted:here.toml"}).agent == f"scripted:{tmp_path / 'here.toml'}"
    assert load(root, {"agent": "scripted:/abs.toml"}).agent == "scripted:/abs.toml"
    assert load(root, {"agent": "claude"}).agent == "claude"


def test_what_a_table_settles_is_joined_key_by_key(root: Path, home: Path) -> None:
    repository = repository_file(root, '[roles.reviewer]\nagent = "codex"\ntools = ["read", "search"]\n')
    user = user_file(
        home, '[roles.reviewer]\nagent = "claude"\nmodel = "opus"\n[roles.tester]\neffort = "low"\n'
    )
    settings = load(root, {"roles.reviewer.effort": "high"})
    assert settings.entries("roles") == {
        "reviewer": {"agent": "codex", "tools": ("read", "search"), "model": "opus", "effort": "high"},
        "tester": {"effort": "low"},
    }
    assert settings.origin("roles.reviewer.agent") == Origin("repository", repository, 2)
    assert settings.origin("roles.reviewer.model") == Origin("user", user, 3)
    assert settings.origin("roles.reviewer.effort") == Origin("flag")


def test_words_for_models_have_a_meaning_with_claude_and_get_others_from_the_settings(root: Path) -> None:
    repository_file(root, '[tiers.codex]\nlarge = "gpt-5.5"\n[tiers.claude]\nsmall = "tiny"\n')
    assert load(root).entries("tiers") == {
        "claude": {"small": "tiny", "medium": "sonnet", "large": "opus"},
        "codex": {"large": "gpt-5.5"},
    }


def test_budgets_are_limits_where_they_are_not_zero(root: Path) -> None:
    repository_file(
        root, "budget_usd = 5\nbudget_time = '2h'\nbudget_turns = 0\ntask_budget_tokens = 200_000\n"
    )
    settings = load(root, {"budget_usd": 2.5})
    assert settings.budget() == Budget(cost_usd=2.5, seconds=7200.0)
    assert settings.task_budget() == Budget(tokens=200_000)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("command:tools/review --all x/y", "command:{root}/tools/review --all x/y"),
        ("acp:./agent", "acp:{root}/agent"),
        ("acp:opencode acp", "acp:opencode acp"),
        ("command:/usr/bin/env x", "command:/usr/bin/env x"),
    ],
)
def test_a_program_with_a_path_is_relative_to_where_it_was_named(
    root: Path, written: str, meant: str
) -> None:
    repository_file(root, f'agent = "{written}"\n')
    assert load(root).agent == meant.format(root=root)


@pytest.mark.parametrize("room", ["default", "strict", False])
def test_a_room_is_of_a_kind_or_none(root: Path, home: Path, room: object) -> None:
    user_file(home, f"room = {str(room).lower() if room is False else repr(room)}\n")
    assert load(root).room == room


def test_what_is_exposed_is_said_in_the_users_own_file_alone(root: Path, home: Path) -> None:
    user = user_file(home, 'expose = ["~/.ssh", "/run/docker.sock"]\n')
    assert load(root).expose == (f"{home}/.ssh", "/run/docker.sock")
    repository_file(root, 'jobs = 1\nexpose = ["~/.ssh"]\n')
    assert problems(root) == [
        f".teamlead/config.toml:2: expose is no repository's to set: move it to your own {user}"
    ]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("relative", "must begin with '/' or '~/'"),
        ("~other/x", "must begin with '/' or '~/'"),
        ("~", "must begin with '/' or '~/'"),
        ("/a/../b", "must not go back with '..'"),
    ],
)
def test_a_place_to_expose_is_plain_to_see(root: Path, home: Path, path: str, said: str) -> None:
    user_file(home, f"expose = ['{path}']\n")
    (problem,) = problems(root)
    assert f"expose {said}" in problem


def test_a_script_of_a_role_is_relative_to_where_it_was_named_too(root: Path) -> None:
    repository_file(root, '[roles.reviewer]\nagent = "scripted:demo.toml"\n')
    assert load(root).entries("roles")["reviewer"]["agent"] == f"scripted:{root / 'demo.toml'}"
