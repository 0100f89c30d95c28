import errno

import pytest

from teamlead.system.wardens.messages import read_order, write_order


def test_what_is_ordered_is_what_is_read() -> None:
    env = {"PATH": "/bin", "EMPTY": "", "EQUALS": "a=b", "ODD": "\udcff\n"}
    written = write_order("/a b", ["sh", "", "x\ny"], env, ["step", ""], holds_room=True, umask=18)
    order = read_order(written)
    assert order == (
        b"/a b",
        18,
        [b"sh", b"", b"x\ny"],
        {b"PATH": b"/bin", b"EMPTY": b"", b"EQUALS": b"a=b", b"ODD": b"\xff\n"},
        [b"step", b""],
        True,
    )


def test_a_null_byte_is_refused() -> None:
    with pytest.raises(OSError, match="a null byte") as caught:
        write_order("/", ["sh", "a\0b"], {})
    assert caught.value.errno == errno.EINVAL
