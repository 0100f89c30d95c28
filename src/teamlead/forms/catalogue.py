"""Every form in which something is handed in: what it asks for, its sections, its schema, its reader."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, Generic, NamedTuple, TypeVar

from teamlead.core.answers import Answer
from teamlead.core.forms import FORM_OF_PURPOSE, READINGS, AnswerForm
from teamlead.core.model import TASK_FORMS, TaskForm
from teamlead.core.runs import Purpose
from teamlead.forms.answers.breakdown import Breakdown, read_breakdown
from teamlead.forms.answers.examples import EXAMPLES
from teamlead.forms.answers.readers import answer_schema, fields_of, read_answer
from teamlead.forms.results.contract import Reading, read_result
from teamlead.forms.results.conversion import REQUIRED
from teamlead.forms.results.kinds import KINDS
from teamlead.forms.results.part_rules import BOXES
from teamlead.forms.results.schema import Schema, result_schema

SUMMARY: Final = """\
End with a short summary: what you changed, file by file, what you ran and how it ended, and what you did not
do. Cite code as `path:line` with the line's own text beside it. Each is looked up, so cite nothing that you
have not read."""

REPORT: Final = """\
### Status
SUCCESS, PARTIAL, FAILED, ALREADY DONE (it was there before: cite where) or IMPOSSIBLE (it cannot be done
honestly: say why under Blockers, and add a section `### Tried`)

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
{boxes}"""

Handed = TypeVar("Handed")


class Form(NamedTuple, Generic[Handed]):
    name: TaskForm | AnswerForm
    asks: str
    """What a prompt says of it."""
    sections: tuple[str, ...]
    """Of a report those that it needs, as they are called in English; of JSON its fields."""
    schema: Callable[[], Schema]
    read: Callable[[str], Handed]
    """Of a report it never fails. Of an answer it raises `Unreadable`."""
    readings: int
    """How many wrong ones are read before it is given up: all but the last come back with what is wrong."""


def _report(name: TaskForm) -> Form[Reading]:
    kind = KINDS.get(name)
    boxes = "\n".join(f"- [x] {text}" for text in BOXES.values())
    return Form(
        name=name,
        asks=REPORT.format(findings=kind.asks, boxes=boxes) if kind else SUMMARY,
        sections=tuple(REQUIRED.values()) if kind else (),
        schema=partial(result_schema, name),
        read=partial(read_result, form=name),
        readings=READINGS[name],
    )


def _answer(name: AnswerForm, read: Callable[..., Handed]) -> Form[Handed]:
    return Form(
        name=name,
        asks=EXAMPLES[name],
        sections=fields_of(name),
        schema=partial(answer_schema, name),
        read=partial(read, example=EXAMPLES[name]),
        readings=READINGS[name],
    )


REPORTS: Final[dict[TaskForm, Form[Reading]]] = {name: _report(name) for name in TASK_FORMS}
"""What tasks hand in."""
ANSWERS: Final[dict[AnswerForm, Form[Answer]]] = {
    name: _answer(name, partial(read_answer, name)) for name in dict.fromkeys(FORM_OF_PURPOSE.values())
}
"""What models answer that a session consults."""
PLAN: Final[Form[Breakdown]] = _answer("plan", read_breakdown)

_ALL: Final[tuple[Form[Any], ...]] = (*REPORTS.values(), *ANSWERS.values(), PLAN)
FORMS: Final[dict[str, Form[Any]]] = {form.name: form for form in _ALL}


def answer_to(purpose: Purpose, text: str) -> Answer:
    """What a model says that was asked for this purpose. Raises `Unreadable`."""
    return ANSWERS[FORM_OF_PURPOSE[purpose]].read(text)
