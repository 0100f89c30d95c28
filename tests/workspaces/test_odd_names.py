"""Names that are no text, in files that are."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as some

from teamlead.workspaces.odd_names import escape, name_as_text, name_from_text, unescape

NAMES = [
    b"main",
    b"caf\xc3\xa9",
    b"caf\xe9",
    b"\xff\xfe",
    rb"\xff",
    b"\\\xff",
    rb"\x5cxff",
    rb"a\b",
    rb"\x5c",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_text_and_the_same_again(name: bytes) -> None:
    written = name_as_text(os.fsdecode(name))
    written.encode()
    assert os.fsencode(name_from_text(written)) == name


def test_names_of_different_things_stay_different() -> None:
    assert len({name_as_text(os.fsdecode(name)) for name in NAMES}) == len(NAMES)


PARTS = [
    b".git",
    b".GIT",
    b"dot",
    b".gitmodules",
    b"git~1",
    b" ",
    b".",
    b":x",
    b"\\",
    b"/",
    b"\xff",
    b"a",
    "\u200c".encode(),
]


@given(some.lists(some.sampled_from(PARTS), min_size=1, max_size=8).map(b"".join), some.booleans())
def test_every_name_comes_back_as_it_was(path: bytes, link: bool) -> None:
    assert unescape(escape(path, link=link)) == path


@pytest.mark.parametrize(
    "path", [b"README.md", b".gitignore", b".github/x", b"src/dot", b"widget.git", b".gitmodules"]
)
def test_ordinary_names_stay_as_they_are(path: bytes) -> None:
    assert escape(path) == path


@pytest.mark.parametrize(
    ("path", "stored"),
    [
        (b"inner/.git/HEAD", b"inner/dot.git/HEAD"),
        (b"dot.git", b"dotdot.git"),
        (b"x/.GIT", b"x/dot.GIT"),
        (b"a\\.git", b"a\\dot.git"),
        (b".git. ", b"dot.git. "),
    ],
)
def test_what_git_takes_for_its_own_is_renamed(path: bytes, stored: bytes) -> None:
    assert escape(path) == stored


def test_a_link_that_poses_as_the_list_of_submodules_is_renamed() -> None:
    assert escape(b".gitmodules", link=True) == b"dot.gitmodules"
