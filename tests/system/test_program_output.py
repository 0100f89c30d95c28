from pathlib import Path

from teamlead.system.program_output import CappedFile, Lines


def test_lines_come_whole_however_they_are_cut() -> None:
    got: list[bytes] = []
    lines = Lines(got.append)
    for piece in (b"on", b"e\ntwo\n\nthr", b"ee"):
        lines.write(piece)
    assert got == [b"one", b"two", b""]
    lines.close()
    assert got == [b"one", b"two", b"", b"three"]


def test_of_an_endless_line_the_beginning_is_kept_and_the_next_line_is_whole() -> None:
    got: list[bytes] = []
    lines = Lines(got.append, longest=4)
    for piece in (b"abc", b"def", b"ghi\nnext\n"):
        lines.write(piece)
    assert got == [b"abcd", b"next"]


def test_a_capped_file_stops_growing_says_so_once_and_remembers_the_end(tmp_path: Path) -> None:
    file = CappedFile(tmp_path / "log", cap=10)
    for piece in (b"12345\n", b"too long for it\n", b"6\n", b"the end\n"):
        file.write(piece)
    file.close()
    assert (tmp_path / "log").read_bytes() == b"12345\n\n[output cut: it is longer than 10 bytes]\n"
    assert file.recent.endswith(b"6\nthe end\n")


def test_what_is_written_can_be_read_at_once(tmp_path: Path) -> None:
    file = CappedFile(tmp_path / "log", cap=10)
    file.write(b"now")
    assert (tmp_path / "log").read_bytes() == b"now"
    file.close()
