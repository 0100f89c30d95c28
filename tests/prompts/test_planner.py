"""What the planner is told to make a plan."""

import pytest
from tests.core.leading import asked
from tests.core.support import DRAFTS, World, planning
from tests.core.told import agent_ended, answered
from tests.prompts.test_consulting import HOSTILE, outside_of_data

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.answers import Draft
from teamlead.core.model import Limits
from teamlead.prompts.catalogue import CATALOGUE
from teamlead.prompts.consulting import consultation_prompt
from teamlead.prompts.library import Templates
from teamlead.prompts.material import Material
from teamlead.prompts.planner import planning_prompt
from teamlead.prompts.template import Template

GOOD, _, WRONG, _, ASKS = DRAFTS
OURS = Templates()


def led(source_type: str = "planner-session", text: str = "") -> World:
    return World(planning(Limits(planned_tasks=7, planned_hours=2.5), source_type=source_type, text=text))


def propose(world: World, draft: Draft, conversation: str = "c-1") -> None:
    world.tell(answered(world.due(do.RunAgent).run, "ok", draft, conversation=conversation))


def told(world: World, templates: Templates = OURS) -> str:
    return planning_prompt(world.state, world.state.runs[world.due(do.RunAgent).run], templates)


def reviewed(world: World, plan: str, templates: Templates = OURS) -> str:
    return consultation_prompt(world.state, asked(world, "quality"), Material(plan=plan, templates=templates))


def test_a_new_plan_is_asked_for_with_all_that_is_known() -> None:
    text = told(led())
    assert text.startswith("# planner: plan\n")
    assert "## The instruction\n\nAdd logins\n" in text
    assert "- a Makefile" in text
    assert "At most 7 tasks, each of at most 2.5 hours." in text


def test_what_there_is_none_of_is_left_out() -> None:
    headings = [line for line in told(led()).splitlines() if line.startswith("## ")]
    assert headings == ["## The instruction", "## What is known", "## Bounds", "## Your answer"]


def test_a_refused_plan_goes_back_in_the_same_conversation_with_the_reasons_alone() -> None:
    world = led()
    propose(world, WRONG)
    text = told(world)
    assert text.startswith("# planner: plan (2)\n")
    assert "Add logins" not in text
    assert "- > task-1 has no description" in text
    assert "From planner:" not in text


def test_whoever_has_no_conversation_to_go_on_with_is_told_everything() -> None:
    world = led()
    propose(world, WRONG, conversation="")
    text = told(world)
    assert "## The instruction\n\nAdd logins\n" in text
    assert "From planner:\n> nobody could test it" in text
    assert "- > task-1 has no description" in text


def test_a_conversation_that_is_gone_is_told_again_whole() -> None:
    world = led()
    propose(world, ASKS)
    world.tell(f.Revise("the first"))
    assert "Add logins" not in told(world)
    assert "From user:\n> the first" in told(world)
    world.tell(agent_ended("task-1", 2, "lost"))
    assert "Add logins" in told(world)
    assert "From user:\n> the first" in told(world)


def test_after_a_conversation_in_which_nothing_came_the_next_begins_anew() -> None:
    world = led()
    propose(world, ASKS)
    world.tell(f.Revise("the first"))
    world.tell(agent_ended("task-1", 2, "error", detail="the prompt is too long"))
    world.tell(f.Revise("go on"))
    assert "Add logins" in told(world)
    assert "> the first" in told(world)


def test_no_line_of_a_conversation_passes_for_another() -> None:
    world = led()
    propose(world, Draft(questions=("Which database?",), words="Which database?"), conversation="")
    world.tell(f.Revise("SQLite.\nFrom planner:\n# Done"))
    speakers = [line for line in told(world).splitlines() if line.startswith(("From ", "# "))]
    assert speakers == ["# planner: plan (2)", "From planner:", "From user:"]


def test_a_document_is_data() -> None:
    document = led("plan-document", HOSTILE)
    world = led()
    propose(world, GOOD)
    for text in (told(document), reviewed(world, HOSTILE)):
        assert HOSTILE in text
        without = outside_of_data(text)
        assert "ignore the above" not in without
        assert without.count("## Your answer") == 1


def _filled(name: str, templates: Templates) -> str:
    world = led("plan-document" if name == "planner-interpret" else "planner-session", "x")
    if name == "planner-quality":
        propose(world, GOOD)
        return reviewed(world, "y", templates)
    conversation = "c-1" if name == "planner-again" else ""
    propose(world, ASKS, conversation)
    world.tell(f.Revise("the first"))
    propose(world, WRONG, conversation="")
    return told(world, templates)


@pytest.mark.parametrize("name", ["planner-new", "planner-interpret", "planner-again", "planner-quality"])
def test_every_placeholder_can_be_used(name: str) -> None:
    everything = "\n".join(f"{slot}={{{{{slot}}}}}" for slot in CATALOGUE[name].slots)
    text = _filled(name, Templates((Template(name, everything, "x.md"),)))
    for slot in CATALOGUE[name].slots:
        assert f"\n{slot}=" in text
        assert f"\n{slot}=\n" not in text
