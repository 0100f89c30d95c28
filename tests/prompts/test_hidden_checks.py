"""No prompt tells what a hidden check is: neither the worker's, nor a judge's, nor a planner's."""

from msgspec.structs import replace
from tests.core.leading import EVERYBODY
from tests.core.support import World, session, task
from tests.core.told import agent_ended, check_ended, work_found

from teamlead.core import facts as f
from teamlead.core.advisers.replanning import heirs
from teamlead.core.evidence.bisection import WholeCheck
from teamlead.core.model import TaskSpec
from teamlead.core.runs import Run
from teamlead.core.state.records import Whole
from teamlead.prompts.material import Material
from teamlead.prompts.planner import completion_prompt, review_prompt
from teamlead.prompts.task_texts import evidence_text, task_text
from teamlead.prompts.worker import worker_prompt

HIDDEN = "sh /home/ada/oracle.sh"


def failed() -> World:
    """A task whose visible check passed, and whose hidden one did not."""
    spec = session(task(1, checks=("make",), hidden_checks=(HIDDEN,)), task(2), consultants=EVERYBODY)
    plan = replace(spec.plan, text=f"Do it\n- Hidden checks: `{HIDDEN}`", hidden_lines=(1,))
    world = World(replace(spec, plan=plan))
    world.tell(f.CopyReady("task-1", 1, "base"))
    world.tell(agent_ended("task-1", 1, "ok", tool_calls=1))
    world.tell(work_found("task-1", 1, "commit-1"))
    world.tell(check_ended("task-1", 1, "make", 0))
    world.tell(check_ended("task-1", 1, HIDDEN, 1, output="the oracle wants 5", log="/logs/oracle.txt"))
    return world


def test_its_agent_hears_that_one_fails_and_nothing_else() -> None:
    world = failed()
    assert world.task(1).attempts[0].reasons == ("a hidden check fails",)
    told = worker_prompt(world.state, world.task(1))
    assert "- > a hidden check fails" in told
    assert "oracle" not in told


def test_a_judge_and_a_planner_hear_no_more() -> None:
    world = failed()
    task_1 = world.task(1)
    texts = [evidence_text(world.state, task_1, task_1.attempts[0]), task_text(task_1)]
    run = replace_run(world)
    texts.append(review_prompt(world.state, run, Material()))
    assert "a hidden check: what it is, is told to nobody" in texts[0]
    assert not any("oracle" in text for text in texts)


def test_who_is_asked_whether_the_plan_is_fulfilled_hears_no_more() -> None:
    world = failed()
    world.state.whole = Whole("tip-1", (WholeCheck(HIDDEN, "broken", "the oracle wants 5"),), 0)

    told = completion_prompt(world.state, replace_run(world), Material())

    assert "a hidden check: broken" in told
    assert "oracle" not in told


def replace_run(world: World) -> Run:
    run = world.state.runs["task-1-1"]
    return Run(
        **{
            name: getattr(run, name) for name in ("id", "number", "role", "task", "attempt", "agent", "model")
        },
        purpose="review",
        effort="",
        wanted_at=0.0,
    )


def test_tasks_in_the_place_of_one_have_to_pass_its_hidden_checks_and_leave_alone_what_it_had_to() -> None:
    old = task(1, hidden_checks=(HIDDEN,), protects=("tests/",), removes_tests=("test_old",))
    steps = (TaskSpec("task-1", "A step"), TaskSpec("task-2", "The rest", depends_on=("task-1",)))
    first, last = heirs(failed().state, [old], steps)
    assert (first.hidden_checks, last.hidden_checks) == ((), (HIDDEN,))
    assert first.protects == last.protects == ("tests/",)
    assert last.removes_tests == ("test_old",)
