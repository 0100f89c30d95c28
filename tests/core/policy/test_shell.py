"""What we take for the words of a command are the words that a shell makes of it."""

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from teamlead.core.policy.shell import Unclear, commands

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
SEED = int(os.environ.get("TEAMLEAD_TEST_SEED", "1"))
PIECES = [
    *"abc-=~*?[]{}()$!#^/.,:%@|&;<>`\t",
    *["'", '"', "\\", " ", "a", "b", "''", '""', "'a b'", '"a b"', "\\ "],
]
PRINT = """set -f; words() { for word in "$@"; do printf '%s\\0' "$word"; done; printf '\\n'; }"""


def lines(seed: int, count: int) -> Iterator[str]:
    dice = random.Random(seed)
    for _ in range(count):
        yield "words " + "".join(dice.choices(PIECES, k=dice.randint(1, 8)))


def understood(line: str) -> list[list[str]]:
    try:
        return commands(line)
    except Unclear:
        return []


@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_a_shell_agrees_about_every_line_that_we_understand(shell: str, tmp_path: Path) -> None:
    tried = [line for line in lines(SEED, 20_000 * SIZE) if len(understood(line)) == 1]
    assert len(tried) > 1000
    script = "\n".join([PRINT, *tried])
    done = subprocess.run([shell], input=script.encode(), cwd=tmp_path, capture_output=True, check=False)
    assert done.stderr == b""
    said = [line.split("\0")[:-1] for line in done.stdout.decode().splitlines()]
    differing = [
        (line, words)
        for line, words in zip(tried, said, strict=True)
        if understood(line) != [["words", *words]]
    ]
    assert differing == []
    assert list(tmp_path.iterdir()) == []


def test_commands_are_told_apart_however_they_are_joined() -> None:
    assert commands("a 'b;c' | d && e||f;g") == [["a", "b;c"], ["d"], ["e"], ["f"], ["g"]]


def test_the_reason_says_what_is_not_understood() -> None:
    with pytest.raises(Unclear, match="redirections"):
        commands("cat a > b")
