"""Texts made to hurt whoever reads them, and the measure of what reading them costs.

The same seed gives the same texts. What is measured is the processor time of this thread, as a ratio of two
lengths of one text, so that a busy machine changes nothing.
"""

import gc
import re
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from random import Random
from time import thread_time
from typing import Any, NamedTuple

Reader = Callable[[str], object]

LONG = 50_000
MEGABYTE = 1_000_000

CHARACTERS = [
    *(
        "\0",
        "\ud800",
        "\udfff",
        "\u202e",
        "\u2066",
        "\u200b",
        "\ufeff",
        "\u2028",
        "\x85",
        "\r",
        "\x0b",
        "\x1b",
    ),
    *(
        "\x1b[31m",
        "\x1b]0;title\x07",
        "\x1b[2J",
        "\x9b2J",
        "\u0301" * 50,
        "\U0001f9d1\u200d\U0001f4bb",
        "ß",
        "İ",
    ),
    *("²", "１２", "٣", "Ⅷ", "：", "｜", "＃", "\xa0", "\u3000"),  # noqa: RUF001 - that is what is tried
]
NUMBERS = [
    *(
        "9" * 5000,
        "-1",
        "0",
        "-0",
        "1e999999",
        "NaN",
        "Infinity",
        "-Infinity",
        "1_000",
        "0x10",
        "1.",
        ".5",
        "+5",
    ),
    *("4294967296", "18446744073709551616", "101", "100.0000001", "٣", "²", "1" + "0" * 400),
]
MARKS = [
    *(
        "```",
        "~~~",
        "```python\n",
        "````",
        "`",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<a>",
        "&#0;",
        "&a;",
        "---\n",
    ),
    *(
        "===\n",
        "# ",
        "####### ",
        "> ",
        "- [ ] ",
        "- [x] ",
        "1. ",
        "| ",
        "|---|\n",
        "\\",
        "**",
        "__",
        "[a](",
        "][",
    ),
    *(
        "{",
        "}",
        "[",
        "]",
        '"',
        "null",
        "true",
        ",",
        ":",
        "a.py:1",
        "a.py:1-0",
        "a.py:9999999999",
        "://",
        "../",
    ),
]
UNITS = [
    *(
        "a",
        " ",
        "\t",
        "\n",
        "\r\n",
        "é",
        "\0",
        "\ud800",
        "\u202e",
        "\x1b[",
        "9",
        "1.",
        "a.",
        "/",
        "a/",
        "../",
        "\\",
    ),
    *(
        "#",
        "# a\n",
        "### Status\n",
        "- ",
        "  - ",
        "- a\n",
        "- [ ] a\n",
        "1. a\n",
        "> ",
        "=",
        "-",
        "---\n",
        "_",
        "*",
    ),
    *(
        "`",
        "``",
        "``` ",
        "```\n",
        "~~~\n",
        "` a",
        "<",
        "<a",
        "<!--",
        "<a ",
        "</a>",
        "&",
        "|",
        "| a ",
        "|-",
        "|a|\n",
    ),
    *(
        "[",
        "]",
        "(",
        "[a](",
        "{",
        '{"a":',
        '["',
        '"',
        "'",
        ",",
        ":",
        "a:",
        "a: ",
        "a:1",
        "a:1,",
        "a.py:1 ",
        "a.py:1-",
    ),
    *(
        "a.py:1\n",
        "(a.py:1",
        "x::y ",
        "http://",
        "ok ",
        "ok a\n",
        "PASSED\n",
        "FAILED a::b - c\n",
        "test a ... ",
    ),
    *(
        "test a ... ok\n",
        "=== RUN a\n",
        "--- FAIL: a (0s)\n",
        "<testcase name='a'/>",
        "✓ a\n",
        "Tests: 1 passed, ",
    ),
    *(
        "is safe ",
        "no ",
        "safe",
        "how ",
        "line 3 of ",
        "fix it ",
        "問題",
        "Status: ",
        "severity: ",
        "| severity",
        "verified_confidence: 1\n",
    ),
]
ENDS = ["", "!", "\n", "\n!\n"]


def hostile_texts(samples: Sequence[str], number: int, seed: int) -> Iterator[str]:
    """Good texts that something happened to; every hundredth is long."""
    dice = Random(seed)
    for at in range(number):
        text = dice.choice(samples)
        for _ in range(dice.randint(1, 4)):
            text = dice.choice(DAMAGES)(text, samples, dice)
        yield text[: LONG if at % 100 == 0 else 8_000]


Damage = Callable[[str, Sequence[str], Random], str]


def _truncated(text: str, _samples: Sequence[str], dice: Random) -> str:
    start, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    return dice.choice([text[:end], text[start:], text[:start] + text[end:]])


def _spliced(text: str, samples: Sequence[str], dice: Random) -> str:
    return _put(_truncated(dice.choice(samples), samples, dice), text, dice)


def _mutated(text: str, _samples: Sequence[str], dice: Random) -> str:
    for _ in range(dice.randint(1, 9)):
        text = _put(
            dice.choice(dice.choice([CHARACTERS, MARKS, NUMBERS])), text, dice, over=dice.randint(0, 3)
        )
    return text


def _renumbered(text: str, _samples: Sequence[str], dice: Random) -> str:
    return "".join(dice.choice(NUMBERS) if c.isdigit() and dice.random() < 0.3 else c for c in text)


def _nested(text: str, _samples: Sequence[str], dice: Random) -> str:
    depth = dice.choice([10, 500, 3_000])
    opening, closing = dice.choice(
        [("[", "]"), ('{"a":', "}"), ("> ", ""), ("- ", ""), ("<a>", "</a>"), ("(", ")")]
    )
    return dice.choice(
        [
            opening * depth + text + closing * depth,
            text + "\n" + opening * depth,
            "\n".join("  " * min(level, 200) + "- a" for level in range(depth // 10)) + text,
        ]
    )


def _repeated(text: str, _samples: Sequence[str], dice: Random) -> str:
    return _put(
        dice.choice([*UNITS, _truncated(text, (), dice)]) * dice.choice([2, 40, 2_000]), text[:4_000], dice
    )


def _shuffled(text: str, _samples: Sequence[str], dice: Random) -> str:
    lines = text.splitlines(keepends=True)
    dice.shuffle(lines)
    return "".join(lines)


def _joined(text: str, _samples: Sequence[str], dice: Random) -> str:
    """One very long line."""
    return dice.choice(["", " ", "\r", "|"]).join(text.splitlines()) * dice.choice([1, 30])


DAMAGES: list[Damage] = [_truncated, _spliced, _mutated, _renumbered, _nested, _repeated, _shuffled, _joined]


def _put(piece: str, text: str, dice: Random, *, over: int = 0) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + piece + text[at + over :]


class Provocation(NamedTuple):
    """A text of any length, made of one unit over and over at one place of a good text."""

    before: str
    unit: str
    after: str

    def of(self, length: int) -> str:
        return self.before + self.unit * (length // len(self.unit)) + self.after

    def __repr__(self) -> str:
        return f"{self.unit!r} over and over after {self.before[-40:]!r}, then {self.after[:40]!r}"


def provocations(samples: Sequence[str], number: int, seed: int) -> Iterator[Provocation]:
    """Units behind lines of the samples, before what follows there or instead of it."""
    dice = Random(seed)
    for _ in range(number):
        sample = dice.choice(["", *samples])
        at = dice.choice([0, *(found.start() + dice.randint(0, 1) for found in re.finditer("\n", sample))])
        after = dice.choice(["", sample[at:]])
        yield Provocation(sample[:at], dice.choice(UNITS), dice.choice(ENDS) + after)


SHORT = 1_000
TIMES = 8
MOST_GROWTH = 3 * TIMES
"""Work that grows with the square of the text grows 64 times here, and linear work 8 times."""
NOTHING = 0.002
"""Seconds below which growth is not worth telling from noise."""
MOST_SECONDS_A_MEGABYTE = 30
MOST_BYTES_A_BYTE = 400


def grows_too_fast(read: Reader, provocation: Provocation) -> str:
    """Why reading it is not bounded; empty if it is."""
    if _seconds(read, provocation.of(SHORT * TIMES)) < NOTHING:
        return ""
    for rounds in (1, 5):
        short = min(_seconds(read, provocation.of(SHORT)) for _ in range(rounds))
        long = min(_seconds(read, provocation.of(SHORT * TIMES)) for _ in range(rounds))
        if long <= max(MOST_GROWTH * short, NOTHING):
            return ""
    return f"{long / short:.0f} times the work for {TIMES} times the text: {provocation!r}"


def takes_too_much(read: Reader, text: str) -> str:
    """What a text of a megabyte takes beyond its limits; empty if nothing."""
    seconds = _seconds(read, text)
    if seconds > MOST_SECONDS_A_MEGABYTE * len(text) / MEGABYTE:
        return f"{seconds:.1f} s of processor time"
    tracemalloc.start()
    try:
        read(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return f"{peak / 1e6:.0f} MB of memory" if peak > MOST_BYTES_A_BYTE * len(text) else ""


def _seconds(read: Reader, text: str) -> float:
    gc.disable()
    try:
        began = thread_time()
        read(text)
        return thread_time() - began
    finally:
        gc.enable()


def quiet(read: Callable[[str], Any], *errors: type[Exception]) -> Reader:
    """`read`, without the errors that it may raise."""

    def reading(text: str) -> object:
        try:
            return read(text)
        except errors:
            return None

    return reading
