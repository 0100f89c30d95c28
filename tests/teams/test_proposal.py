"""Where no team fits, one is proposed that can be read and used, whatever the task says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamlead.teams.load import load
from teamlead.teams.proposal import propose


def builder(task: str) -> str:
    preset = load(propose(task), "proposed").preset
    return next(member.role for member in preset.members if member.name == "builder")


@given(st.text())
def test_a_proposal_has_no_problem(task: str) -> None:
    text = propose(task)
    assert load(text, "proposed").problems == []
    assert text == propose(task)


@pytest.mark.parametrize(
    "task", ["x: y\n---\nname: evil", '"quoted" \\ `code`', "{braces} {0}", "\x1b[2J", "長い文章" * 500]
)
def test_what_a_task_says_stays_in_its_description(task: str) -> None:
    loaded = load(propose(task), "proposed")
    assert loaded.problems == []
    assert loaded.preset.name == "proposed"


def test_the_roles_are_those_whose_expertise_the_task_speaks_of() -> None:
    assert builder("write a poem") == "worker"
    assert builder("improve accessibility of the usability test") == "frontend-specialist"
    assert builder("concurrency of the database") == "backend-specialist"
    names = {member.name for member in load(propose("rotate secrets"), "proposed").preset.members}
    assert "auditor" in names
    assert "auditor" not in {
        member.name for member in load(propose("write a poem"), "proposed").preset.members
    }
