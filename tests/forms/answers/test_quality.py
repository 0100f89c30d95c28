"""A review of a plan that cannot be read is none: it never counts for the plan."""

import pytest

from teamlead.core.planning import Criterion, Quality
from teamlead.errors import Unreadable
from teamlead.forms.answers.quality import read_quality

GOOD = """\
Reviewed.
{"critical": [{"criterion": "each task can be tested", "met": true, "why": "commands"}],
 "important": [{"criterion": "scopes do not overlap", "met": false}],
 "nice": []}"""


def test_criteria_come_with_their_weight() -> None:
    tested = Criterion("each task can be tested", met=True, why="commands")
    assert read_quality(GOOD) == Quality((tested,), (Criterion("scopes do not overlap", met=False),))


@pytest.mark.parametrize(
    "text",
    [
        "The plan is good: 100 of 100.",
        '{"score": 100}',
        '{"critical": []}',
        '{"critical": [{"criterion": "x", "met": "yes"}]}',
        '{"critical": [{"criterion": "x"}]}',
        '{"important": [{"criterion": "x", "met": true}]}',
        GOOD[:-1],
    ],
)
def test_anything_else_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        read_quality(text)
