"""Seeds that showed what a test looks for are recorded, so that its search begins with them.

A change of the code may give a seed another meaning. Only time is lost by that: the search goes on with
all other seeds. TEAMLEAD_TEST_RECORD=1 writes down what it finds.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

FILE = Path(__file__).with_suffix(".json")
RECORD = bool(os.environ.get("TEAMLEAD_TEST_RECORD"))
SPARE = 3
"""Seeds found earlier that are kept: another change may give them their meaning again."""
RECORDED: dict[str, list[int]] = json.loads(FILE.read_text())


def recorded_first(what: str, seeds: Iterable[int]) -> Iterator[int]:
    """Each seed once."""
    yield from dict.fromkeys(chain(RECORDED.get(what, ()), seeds))


def found(what: str, seeds: Sequence[int]) -> None:
    """These were enough."""
    if not RECORD:
        return
    # Other processes of the same test run record, too.
    with FILE.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        earlier = [seed for seed in RECORDED.get(what, ()) if seed not in seeds]
        known = {**json.load(file), what: [*seeds, *earlier[:SPARE]]}
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known))
        file.seek(0)
        file.truncate()
        file.write(f"{{\n{lines}\n}}\n")
