import pytest

from teamlead.errors import IllegalMove, NotFound, TeamleadError
from teamlead.markup.problems import Problem

INNER = NotFound("there is no agent", remedy="name one with --agent")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (TeamleadError("it is gone"), "it is gone"),
        (INNER, "there is no agent (name one with --agent)"),
        (
            TeamleadError("nobody can do it", remedy=f"found: {INNER}"),
            "nobody can do it; found: there is no agent (name one with --agent)",
        ),
        (
            TeamleadError(f"nobody can do it: {INNER}", remedy="try again"),
            "nobody can do it: there is no agent (name one with --agent); try again",
        ),
        (
            IllegalMove("task", "DONE", "RUNNING", remedy="retry it"),
            "Invalid transition: DONE → RUNNING (task); retry it",
        ),
    ],
)
def test_a_message_and_its_remedy_read_as_one_sentence_without_brackets_in_brackets(
    error: TeamleadError, told: str
) -> None:
    assert str(error) == told


def test_the_problem_of_a_plan_reads_so_too() -> None:
    plain = Problem(3, "error", "unknown type 'magic'", "use one of: fix")
    assert plain.show("plan.md") == "plan.md:3: error: unknown type 'magic' (use one of: fix)"
    nested = plain._replace(remedy="use one of: fix (a repair)")
    assert nested.show("plan.md") == "plan.md:3: error: unknown type 'magic'; use one of: fix (a repair)"
