"""Every form in which a task can hand its work in: what it asks for, its sections, its schema, its reader."""

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from teamlead.core.model import TASK_FORMS, TaskForm
from teamlead.forms.results.contract import Reading, read_result
from teamlead.forms.results.kinds import KINDS
from teamlead.forms.results.schema import Schema, result_schema
from teamlead.forms.results.shape import REQUIRED

SUMMARY: Final = """\
End with a short summary: what you changed, file by file, what you ran and how it ended, and what you did not
do. Cite code as `path:line` with the line's own text beside it. Each is looked up, so cite nothing that you
have not read."""

REPORT: Final = """\
### Status
SUCCESS, PARTIAL or FAILED

### Summary
Two or three sentences, never more than about 500 tokens.

### Findings
{findings}

### Key References
| Item | Location | Relevance |
| --- | --- | --- |
| what it is | `path:line` | `the line's own text`: why it matters (confidence: 0 to 100) |

### Confidence
0 to 100 - why. From 75 on with its parts: verified_confidence (what you saw), inferred_confidence (what you
concluded), combined_confidence (their mean, which is the confidence itself). From 85 on with a section
`### Confidence Justification`: score, evidence count, verification method, blind spots. Below 70 with a
section `### Uncertainty`.

### Issues, ### Next Steps, ### Blockers
Where there are any. An issue ends with `| severity: critical`, `important` or `minor`; a blocker with
`| resolution: what would remove it`. Blockers are always told.

### Verification
- [x] every file:line reference exists
- [x] quoted code matches the files
- [x] no path is invented
- [x] each finding has its evidence"""

READINGS: Final = 5


class Form(NamedTuple):
    name: TaskForm
    asks: str
    """What a prompt says of it."""
    sections: tuple[str, ...]
    """That it needs, as they are called in English."""
    schema: Callable[[], Schema]
    read: Callable[[str], Reading]
    readings: int
    """How many that are wrong are read in one run: all but the last come back with what is wrong."""


def _form(name: TaskForm) -> Form:
    kind = KINDS.get(name)
    return Form(
        name=name,
        asks=REPORT.format(findings=kind.asks) if kind else SUMMARY,
        sections=tuple(REQUIRED.values()) if kind else (),
        schema=partial(result_schema, name),
        read=partial(read_result, form=name),
        readings=READINGS,
    )


FORMS: Final[dict[str, Form]] = {name: _form(name) for name in TASK_FORMS}
