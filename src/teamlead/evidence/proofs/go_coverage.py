"""Which lines of Go ran, by the coverage that `go test` writes when its environment asks for it.

A program called "go" stands before the real one. So it does not matter what calls it (make, a script), where,
and how often: each call writes a profile of its own.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath

from teamlead.core.evidence.values import SuiteRun
from teamlead.evidence.proofs.python_statements import Statement

PROFILES = "go-*.txt"
PROGRAM = "bin/go"
_NO_CODE = re.compile(
    r"\s*(?://|/\*|\*|import\b|package\b|panic\(|return .*(?:\berr\b|Errorf|errors\.)|[\W_]*$)"
)
_BLOCK = re.compile(r"(\S+\.go):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)")


_FUNCTION = re.compile(r"^func\b|\bfunc\(", re.MULTILINE)


def _is_beside(path: str, blocks: Collection[str]) -> bool:
    """What holds no function has no block: it is loaded with those of its folder."""
    folder = str(PurePosixPath(path).parent)
    return any(
        folder in {".", "/"} or str(PurePosixPath(name).parent).endswith(f"/{folder}") for name in blocks
    )


def is_measured(path: str) -> bool:
    return path.endswith(".go") and not path.endswith("_test.go")


def runs(suite: SuiteRun | None) -> bool:
    return suite is not None and "go" in suite.programs


def program(folder: str) -> str:
    profile = PROFILES.replace("*", "$$")
    return f"""#!/bin/sh
if [ "$1" = test ]; then
  GOFLAGS="$("$TEAMLEAD_GO" env GOFLAGS) -coverprofile=$TEAMLEAD_AT/{folder}/{profile} -coverpkg=./..."
  export GOFLAGS
fi
exec "$TEAMLEAD_GO" "$@"
"""


def asking(folder: str) -> str:
    """The shell's words before the command."""
    place = f"$PWD/{folder}/{PurePosixPath(PROGRAM).parent}"
    return f"""if [ -x {folder}/{PROGRAM} ] && TEAMLEAD_GO="$(command -v go)"; then
  TEAMLEAD_AT="$PWD" PATH="{place}:$PATH"
  export TEAMLEAD_GO TEAMLEAD_AT PATH
fi
"""


def added_lines_of_code(text: str, added: Collection[int]) -> list[Statement]:
    """Line by line, and without those that only hand on that something is wrong."""
    return [
        Statement(number, 0, number, asserts=False, function="", function_is_new=False)
        for number, line in enumerate(text.split("\n"), 1)
        if number in added and not _NO_CODE.match(line)
    ]


def ran(told: Iterable[str], texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, int]]:
    """Of these files the lines that ran, or that no block covers; line 0 for each that it knows."""
    blocks: defaultdict[str, dict[tuple[int, int], bool]] = defaultdict(dict)
    for line in told:
        if found := _BLOCK.fullmatch(line):
            place = int(found[2]), int(found[3])
            blocks[found[1]][place] = blocks[found[1]].get(place, False) or found[4] != "0"
    for path, text in texts:
        if not _FUNCTION.search(text) and _is_beside(path, blocks):
            yield from ((path, line) for line in range(text.count("\n") + 2))
        # The module's name stands before it: another file of the same name would be in another folder.
        names = [name for name in blocks if name.endswith(f"/{path}")]
        if len(names) == 1:
            yield path, 0
            of_file = blocks[names[0]]
            idle = {
                line for (first, last), seen in of_file.items() if not seen for line in range(first, last + 1)
            }
            seen = {
                line for (first, last), seen in of_file.items() if seen for line in range(first, last + 1)
            }
            lines = range(1, text.count("\n") + 2)
            yield from ((path, line) for line in lines if line in seen or line not in idle)
