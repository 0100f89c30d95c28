"""Which paths a pattern covers."""

import pytest

from teamlead.core.policy.scope import in_scope, may_meet, names_exactly, outside, within

INSIDE = [
    ("README.md", "README.md"),
    ("README.md", "./README.md"),
    ("src/auth/login.py", "src/auth"),
    ("src/auth/login.py", "src/auth/"),
    ("src/auth/deep/login.py", "src/auth/"),
    ("src/auth", "src/auth/"),
    ("src/a.py", "src/*.py"),
    ("src/ab.py", "src/a?.py"),
    ("src/a.py", "**"),
    ("a.py", "**"),
    (".github/workflows/ci.yml", "**"),
    ("a.py", "**/*.py"),
    ("x/y/a.py", "**/*.py"),
    ("src/a.py", "src/**/a.py"),
    ("src/x/y/a.py", "src/**/a.py"),
    ("src/x/y", "src/**"),
    ("docs/x/y.md", "docs/*"),
    ("anything/at/all", "."),
    ("anything/at/all", "./"),
    ("a+b (1).py", "a+b (1).py"),
    ("a[1].py", "a[1].py"),
    ("line\nbreak/a", "**"),
    ("line\nbreak/a", "line\nbreak"),
    ("日本/計画.md", "日本/*.md"),
    (".teamlead/config.toml", ".teamlead/config.toml"),
    (".teamlead/teams/a.md", ".teamlead/"),
    (".teamlead/teams/a.md", "./.teamlead"),
    (".teamlead/teams/a.md", ".teamlead/**/*.md"),
    (".teamlead-notes/a", "**"),
]

OUTSIDE = [
    ("ab", "a**/b"),
    ("README.md.orig", "README.md"),
    ("docs/README.md", "README.md"),
    ("readme.md", "README.md"),
    ("src/authority.py", "src/auth"),
    ("src", "src/auth"),
    ("lib/src/auth/a.py", "src/auth"),
    ("src/x/a.py", "src/*.py"),
    ("src/.py", "src/?.py"),
    ("src/abc.py", "src/a?.py"),
    ("src/a/.py", "src/a?.py"),
    ("src/xa.py", "src/**/a.py"),
    ("aXpy", "a.py"),
    ("a1.py", "a[1].py"),
    (".teamlead/config.toml", "**"),
    (".teamlead/config.toml", "."),
    (".teamlead/config.toml", "*/config.toml"),
    (".teamlead", "**"),
    (".teamlead/config.toml", "?teamlead/**"),
    (".teamlead/config.toml", ".teamlead-notes"),
]


@pytest.mark.parametrize(("path", "pattern"), INSIDE)
def test_a_path_is_inside(path: str, pattern: str) -> None:
    assert in_scope(path, [pattern])


@pytest.mark.parametrize(("path", "pattern"), OUTSIDE)
def test_a_path_is_outside(path: str, pattern: str) -> None:
    assert not in_scope(path, [pattern])


def test_no_pattern_covers_nothing() -> None:
    assert outside(["a.py"], []) == ["a.py"]


def test_one_pattern_of_several_is_enough_and_the_order_of_paths_is_kept() -> None:
    assert outside(["b.md", "src/a.py", "a.txt", "docs/x"], ["src/", "docs/"]) == ["b.md", "a.txt"]


def test_teamleads_folder_is_covered_only_by_the_pattern_that_names_it() -> None:
    assert in_scope(".teamlead/teams/a.md", ["**", ".teamlead/teams/"])
    assert not in_scope(".teamlead/config.toml", ["**", ".teamlead/teams/"])


@pytest.mark.parametrize(
    ("path", "pattern", "exact"),
    [
        (".gitattributes", ".gitattributes", True),
        (".gitattributes", "./.gitattributes", True),
        (".gitattributes", "**", False),
        (".gitattributes", ".git*", False),
        ("src/.gitattributes", "src/", False),
        ("src/.gitattributes", ".gitattributes", False),
        ("src/.gitattributes", "src/.gitattributes", True),
    ],
)
def test_a_path_is_named_exactly_only_by_itself(path: str, pattern: str, *, exact: bool) -> None:
    assert names_exactly(path, [pattern]) is exact


@pytest.mark.parametrize(
    ("one", "other", "possible"),
    [
        ("**", "src/app.py", True),
        ("src/", "src/auth/login.py", True),
        ("src/auth", "src/author", False),
        ("README.md", "README.md", True),
        ("README.md", "README.mdx", False),
        ("src/*.py", "src/app.py", True),
        ("src/*.py", "docs/*.py", False),
        ("src/a?.py", "src/*", True),
        ("sr*", "src/app.py", True),
        (".", "anything", True),
        ("./src", "src/app.py", True),
    ],
)
def test_scopes_that_share_no_path_are_told_apart(one: str, other: str, possible: bool) -> None:
    assert may_meet([one], ["elsewhere/x", other]) is possible
    assert may_meet([other, "elsewhere/x"], [one]) is possible


@pytest.mark.parametrize(("path", "pattern"), INSIDE)
def test_a_pattern_may_meet_every_path_that_it_covers(path: str, pattern: str) -> None:
    assert may_meet([pattern], [path])


@pytest.mark.parametrize(
    ("pattern", "wider"),
    [
        ("src/a.py", "src/"),
        ("src/auth/", "src"),
        ("src/*.py", "src/**"),
        ("src/*.py", "src/*.py"),
        ("a.py", "*.py"),
        ("**", "**"),
        ("docs/**/a.md", "**"),
    ],
)
def test_a_pattern_within_a_wider_one_is_seen_to_be(pattern: str, wider: str) -> None:
    assert within(pattern, ("other/", wider))


PIECES = (
    "src",
    "src/",
    "src/*",
    "src/**",
    "src/*.py",
    "src/?.py",
    "**",
    "**.py",
    "*",
    "*.py",
    "s*",
    ".teamlead",
    "a.py",
)
PATHS = (
    "src",
    "src/a.py",
    "src/ab.py",
    "src/x/a.py",
    "a.py",
    "x/a.py",
    "s",
    "sx/a",
    ".teamlead/x",
    ".teamlead",
)


@pytest.mark.parametrize("pattern", PIECES)
@pytest.mark.parametrize("wider", PIECES)
def test_nothing_that_a_wider_pattern_misses_is_within_it(pattern: str, wider: str) -> None:
    if within(pattern, (wider,)):
        missed = [path for path in PATHS if in_scope(path, (pattern,)) and not in_scope(path, (wider,))]
        assert missed == []
