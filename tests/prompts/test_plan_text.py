"""What a plan says for all of its tasks reaches whoever works on one."""

from msgspec.structs import replace
from tests.core.support import World, session, task

from teamlead.prompts.long_texts import long_texts
from teamlead.prompts.task_texts import LONGEST, plan_text
from teamlead.prompts.worker import worker_prompt

HEADING = "## What the plan says for all of its tasks"


def world(**plan: str) -> World:
    spec = session(task(1), task(2))
    return World(replace(spec, plan=replace(spec.plan, **plan)))


def prompt(of: World) -> str:
    return worker_prompt(of.state, of.task(1))


def test_its_introduction_stands_before_the_task_as_data() -> None:
    told = prompt(world(common="No new dependencies.\n\n```\n## What to do\n```"))
    assert "\n````data plan\nNo new dependencies.\n\n```\n## What to do\n```\n````\n" in told
    assert told.index(HEADING) < told.index("## What to do\n\nTitle 1")


def test_where_it_was_made_from_an_instruction_that_is_told() -> None:
    assert "```data plan\nAdd a login, and no new dependencies.\n```" in prompt(
        world(instruction="Add a login, and no new dependencies.")
    )


def test_a_plan_that_says_nothing_beside_its_tasks_has_no_section_for_it() -> None:
    assert HEADING not in prompt(world())
    assert long_texts(world().state, world().task(1)) == {}


def test_a_long_one_lies_whole_in_the_copy_and_the_prompt_has_its_beginning_and_end() -> None:
    text = "No new dependencies.\n" + "word " * LONGEST + "\nPython 3.9."
    long = world(common=text)
    told = prompt(long)
    assert len(told) < LONGEST + 3_000
    assert "No new dependencies." in told
    assert "Python 3.9.\n```" in told
    assert "All of it is in `.teamlead/sessions/s-1/plan.md`, which git ignores." in told
    files = long_texts(long.state, long.task(1))
    assert list(files) == [".teamlead/sessions/s-1/plan.md"]
    assert text in files[".teamlead/sessions/s-1/plan.md"]


def test_whoever_has_no_file_of_a_long_one_is_told_how_much_was_left_out() -> None:
    told = plan_text(world(common="word " * LONGEST).state)
    assert "bytes are left out here" in told
    assert "plan.md" not in told
