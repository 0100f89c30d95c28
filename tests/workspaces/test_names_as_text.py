"""Names that are no text, in files that are."""

import os

import pytest

from teamlead.workspaces.names_as_text import real, writable

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
    written = writable(os.fsdecode(name))
    written.encode()
    assert os.fsencode(real(written)) == name


def test_names_of_different_things_stay_different() -> None:
    assert len({writable(os.fsdecode(name)) for name in NAMES}) == len(NAMES)
