"""A template says what is put in, leaves out what is empty, and never looks at what was put in."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile import Provocation, grows_too_fast

from teamlead.core.runs import Consultant
from teamlead.errors import ConfigError
from teamlead.prompts.catalogue import CATALOGUE, named
from teamlead.prompts.library import built_in
from teamlead.prompts.template import Template

TEXT = """\
You are {{ROLE}}.

{{OPTIONAL}}

Always.

## What to do

{{WHAT}}

## Read

Read {{FILES}} first.

{{MORE}}

## The end

Bye.
"""


def filled(**values: str) -> str:
    return Template("x", TEXT, "x.md").fill(
        {"ROLE": "", "OPTIONAL": "", "WHAT": "", "FILES": "", "MORE": "", **values}
    )


def test_what_is_empty_disappears_with_its_heading_and_what_stands_there_besides() -> None:
    assert filled(ROLE="a cook", WHAT="Cook.") == (
        "You are a cook.\n\nAlways.\n\n## What to do\n\nCook.\n\n## The end\n\nBye."
    )


def test_one_paragraph_of_a_section_may_be_empty() -> None:
    assert "## Read\n\nRead A first.\n\n## The end" in filled(ROLE="a", FILES="A")
    assert "## Read\n\nB\n\n## The end" in filled(ROLE="a", MORE="B")


def test_a_blank_text_is_an_empty_one() -> None:
    assert "## What to do" not in filled(ROLE="a", WHAT=" \n\t\n")


@given(st.text(), st.text(alphabet="{}ROLEWHAT# \n"))
def test_what_is_put_in_is_never_expanded_nor_taken_for_a_heading(one: str, other: str) -> None:
    told = filled(ROLE="a", WHAT=one + "{{ROLE}}\n## The end", MORE=other)
    assert (one + "{{ROLE}}\n## The end").strip() in told
    assert other.strip() in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\nb {{WAHT}}\n", "x.md:2: unknown placeholder {{WAHT}} (did you mean {{WHAT}}?)"),
        ("{{what}}", "x.md:1: unknown placeholder {{what}} (did you mean {{WHAT}}?)"),
        ("{{}}", "x.md:1: unknown placeholder {{}} (known: WHAT)"),
    ],
)
def test_an_unknown_placeholder_is_named_with_its_file_and_line(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Template("x", text, "x.md").fill({"WHAT": "a"})
    assert caught.value.message == told


def test_spaces_in_a_placeholder_do_not_matter() -> None:
    assert Template("x", "{{ WHAT }}", "x.md").fill({"WHAT": "a"}) == "a"


@pytest.mark.parametrize(
    "provocation",
    [Provocation("{{", " ", ""), Provocation("", "{{ a }}\n", ""), Provocation("", "\n \t", "x")],
    ids=repr,
)
def test_the_work_for_a_hostile_template_grows_with_its_length(provocation: Provocation) -> None:
    def read(text: str) -> None:
        # Not filled first: what was taken apart once is remembered, which would hide the work.
        list(Template("x", text, "x.md").problems(["WHAT"]))

    assert grows_too_fast(read, provocation) == ""


@pytest.mark.parametrize("name", CATALOGUE)
def test_our_templates_have_exactly_the_placeholders_of_the_catalogue(name: str) -> None:
    assert set(built_in(name).placeholders) == set(CATALOGUE[name].slots)


def test_every_role_has_its_templates() -> None:
    roles = ("worker", "worker-again", "judge-examples", *get_args(Consultant))
    assert {name for role in roles for name in named(role)} == set(CATALOGUE)
    assert named("planner-replan") == ("planner-replan",)
    assert named("plan") == ()
