import pytest
from hypothesis import given
from hypothesis import strategies as some

from teamlead.workspaces.escaped_names import escape, unescape

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
