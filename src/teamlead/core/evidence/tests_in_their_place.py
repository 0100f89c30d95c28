"""Lost tests in whose place as many new ones run: turned into functions, parametrised or renamed.

Only the number is looked at here, place by place: whether the new ones test the same is a question.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from teamlead.core.evidence.names_of_tests import file_of
from teamlead.core.evidence.suites import MORE
from teamlead.core.evidence.values import SuiteDelta

SHOWN = 3
_WHOLE = re.compile(r"(?P<file>.+): all (?P<number>\d+) tests")
_NUMBERS = re.compile(r"\d+ tests? (?:skipped )?before, ")
_OF_GO = re.compile(r"/(?=(?:Test|Example|Benchmark|Fuzz)(?:[A-Z_]|$))")


def as_many(delta: SuiteDelta) -> bool:
    """Whether each place has as many that are new as it lost."""
    if delta.skipped or not delta.vanished or any(_only_number(name) for name in delta.lost):
        return False
    lost, new = _counted(delta.vanished), _counted(delta.added)
    return "" not in lost and all(new[place] >= number for place, number in lost.items())


def asked(delta: SuiteDelta) -> str:
    """What a judge is asked: a few of both, since all of them stand in the details."""
    return (
        f"These tests ran before: {_few(delta.vanished)}. These are new in their place: {_few(delta.added)}. "
        "Do they test all that the old ones did?"
    )


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more}"


def _only_number(name: str) -> bool:
    return bool(MORE.fullmatch(name) or _NUMBERS.match(name))


def _counted(names: Iterable[str]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for name in names:
        whole = _WHOLE.fullmatch(name)
        if not MORE.fullmatch(name):
            counted[whole["file"] if whole else _place(name)] += int(whole["number"]) if whole else 1
    return counted


def _place(name: str) -> str:
    """Its file, package or module; empty where its name does not tell."""
    plain = name.partition("[")[0]
    file = file_of(plain)
    if file != plain:
        return file
    if len(parts := _OF_GO.split(plain, maxsplit=1)) > 1:
        return parts[0]
    words = plain.split(".")
    return ".".join(words[:-2]) if len(words) > 2 and not re.search(r"[\s/]", plain) else ""
