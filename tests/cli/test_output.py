import json
import os
import pty
import subprocess
import sys

import pytest

from teamlead.cli.output import echo_json, examples, paint, safe, table


def test_columns_line_up_on_the_screen_also_with_wide_letters() -> None:
    assert (
        table([("作業", "a"), ("task", "b", "c"), ("e\u0301", "d")]) == "作業  a\ntask  b  c\ne\u0301     d"
    )


def test_no_rows_are_no_lines() -> None:
    assert table([]) == ""


def test_a_cell_can_neither_steer_the_terminal_nor_break_its_row() -> None:
    assert table([("a\x1b[2Jb\nc", "d")]) == "ab c  d"


def test_safe_text_is_one_line_without_controls() -> None:
    assert safe("one\r\ntwo\u2028three\x07\u202e\x9b31m") == "one two three"


def test_json_is_ascii_and_tells_its_version_first(capsys: pytest.CaptureFixture[str]) -> None:
    title = "作業 \x1b[2J\u202e"
    echo_json({"title": title})
    printed = capsys.readouterr().out
    assert printed.startswith('{\n  "schema_version": 1,')
    assert printed.isascii()
    assert "\x1b" not in printed
    assert json.loads(printed)["title"] == title


def test_json_can_name_a_file_whose_name_is_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    echo_json({"title": os.fsdecode(b"caf\xe9")})
    assert os.fsencode(json.loads(capsys.readouterr().out)["title"]) == b"caf\xe9"


def test_examples_keep_their_lines_in_help() -> None:
    assert examples("teamlead a", "teamlead b") == "\b\nExamples:\n  teamlead a\n  teamlead b"


def test_without_a_terminal_nothing_is_painted() -> None:
    assert paint("ok", "green") == "ok"


@pytest.mark.parametrize(
    ("environment", "painted"),
    [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_is_painted_unless_the_user_says_no(environment: dict[str, str], painted: bool) -> None:
    leader, follower = pty.openpty()
    code = "from teamlead.cli.output import paint; print(paint('ok', 'green'))"
    inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    subprocess.run([sys.executable, "-c", code], stdout=follower, env=inherited | environment, check=True)
    os.close(follower)
    printed = os.read(leader, 1000)
    os.close(leader)
    assert (b"\x1b[" in printed) is painted
