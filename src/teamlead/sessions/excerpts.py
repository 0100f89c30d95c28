"""What the lead reads itself, where the agent that should have read it for others failed.

Only what that agent or its task names, and no more than a fallback allows.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from teamlead.core.attempts.going_without import unread_gaps
from teamlead.core.model import Excerpt
from teamlead.core.policy.exemptions import LIMITS
from teamlead.core.state.records import Task
from teamlead.engine.parts import Lent
from teamlead.forms.citations.scanning import citations

MOST_BYTES = 256 * 1024
WORD = re.compile(r"[\w./-]*\w")
"""May be the name of a file. Whether there is one decides."""


def read_excerpts(task: Task, copy: Path) -> tuple[Lent, ...]:
    limit = LIMITS["fallback"]
    assert limit.files is not None
    found: dict[str, Lent] = {}
    for path, line in _places(task):
        if path not in found and len(found) < limit.files and (lent := _excerpt(copy, path, line)):
            found[path] = lent
    return tuple(found.values())


def _places(task: Task) -> Iterator[tuple[str, int]]:
    """What is cited with its line comes first, by the agents before their tasks; then what is only named."""
    for gap in unread_gaps(task):
        texts = [attempt.run.summary or attempt.progress for attempt in reversed(gap.attempts)]
        texts += [gap.spec.title, gap.spec.description, gap.spec.context, *gap.spec.acceptance]
        for text in texts:
            for citation in citations(text).found:
                yield citation.path, citation.line
        for text in (*texts, *gap.spec.scope):
            for word in WORD.findall(text):
                yield word, 1


def _excerpt(copy: Path, name: str, line: int) -> Lent | None:
    most = LIMITS["fallback"].lines_per_file
    assert most is not None
    try:
        real = (copy / name).resolve()
        # Whoever worked in the copy before may have left anything there.
        if not real.is_relative_to(copy.resolve()) or not real.is_file() or real.stat().st_size > MOST_BYTES:
            return None
        lines = real.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return None
    # The lines around the one that was cited, where a file has more than may be read.
    first = max(1, min(line - most // 2, len(lines) - most + 1))
    shown = lines[first - 1 : first - 1 + most]
    return Lent(Excerpt(name, first, len(shown)), "\n".join(shown)) if shown else None
