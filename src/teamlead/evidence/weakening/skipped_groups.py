"""Which tests a skip reaches that stands outside of them: those of a group, or those that use its name."""

import re
from collections.abc import Sequence

from teamlead.evidence.weakening.single_tests import end_of

_NAMED = re.compile(r"(?:export )?(?:(?:const|let|var) )?(?P<name>\w+) ?=(?!=)")
_GROUP = re.compile(r"@|#\[|x?(?:describe|suite|context)\b|\(.*\?.*\)\(")
_ABOVE = re.compile(r"\s*(?:@|#\[|\[\w+)")
_WHOLE_FILE = frozenset({"pytestmark", "__test__", "collect_ignore", "collect_ignore_glob"})


def skipped_by(lines: Sequence[str], index: int) -> set[int] | None:
    """Returns the lines, counted from 1, that a skip on line `index` reaches. None: all, or unknown."""
    line = lines[index].strip()
    named = _NAMED.match(line)
    if named and named["name"] not in _WHOLE_FILE:
        # Only what is called by this name, or stands below it, is skipped.
        use = re.compile(rf"(?:@|\b)(?:\w+\.)?{named['name']}\b")
        used = [at for at, other in enumerate(lines) if at != index and use.match(other.strip())]
        mentioned = [at for at, other in enumerate(lines) if at != index and use.search(other)]
        return _blocks(lines, used) if used == mentioned else None
    return _blocks(lines, [index]) if _GROUP.match(line) else None


def _blocks(lines: Sequence[str], starts: Sequence[int]) -> set[int]:
    return {line for start in starts for line in range(start + 1, _end(lines, start) + 1)}


def _end(lines: Sequence[str], index: int) -> int:
    while index + 1 < len(lines) and _ABOVE.match(lines[index]):
        index = end_of(lines, index)
    return end_of(lines, index)
