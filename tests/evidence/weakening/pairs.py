"""Reads `pairs.txt`: changes of tests, honest and not, each of one or several files before and after.

=== objected: what was done // a part of the sentence
<<< path of a file before, or "path (absent)"
>>> after, or "(absent)"
"""

from pathlib import Path
from typing import NamedTuple

from teamlead.evidence.weakening.files_of_tests import Text

ABSENT = " (absent)"


class Pair(NamedTuple):
    title: str
    verdict: str
    says: str
    files: tuple[Text, ...]


def read_pairs() -> list[Pair]:
    text = Path(__file__).with_name("pairs.txt").read_text()
    return [_pair(part) for part in f"\n{text}".split("\n=== ")[1:]]


def _pair(text: str) -> Pair:
    head, *files = text.split("\n<<< ")
    title, _, says = head.partition(" // ")
    return Pair(title, title.partition(":")[0], says, tuple(_file(file) for file in files))


def _file(text: str) -> Text:
    before, after = text.split("\n>>>", 1)
    path, _, old = before.partition("\n")
    rest = after.partition("\n")[2]
    return Text(
        path.removesuffix(ABSENT),
        None if path.endswith(ABSENT) else f"{old}\n",
        None if after.startswith(ABSENT) else f"{rest.rstrip()}\n",
    )
