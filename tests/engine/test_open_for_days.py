"""Two questions stay open for days while leaders come and go; each answer is taken up exactly once."""

import asyncio
import json
from itertools import permutations

import pytest
from tests.engine.support import World, task

from teamlead.core import events as e
from teamlead.core.facts import Resolve
from teamlead.core.model import Question
from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunSpec
from teamlead.testing.clock import DAY

ANSWERS = {"esc-1": "red", "esc-2": "blue"}


class Story:
    """The agents of two tasks ask; a third works on its own; a fourth builds on both."""

    def __init__(self) -> None:
        self.prompts: dict[str, list[list[str]]] = {}
        self.world = World(task(1), task(2), task(3), task(4, 1, 2), work=self.work, notify=("desktop",))
        self.told: list[str] = []

    async def work(self, spec: RunSpec) -> RunEnd:
        answers = json.loads(spec.prompt)["answers"]
        self.prompts.setdefault(spec.task, []).append(answers)
        await asyncio.sleep(60)
        if spec.task in {"task-1", "task-2"} and not answers:
            return RunEnd("ok", question=Question(f"Which colour for {spec.task}?", ("red", "blue")))
        return self.world.write(spec)

    async def notify(self, way: str, notice: object) -> str:
        self.told.append(getattr(notice, "about", ""))
        return ""

    def lead(self, *steps: tuple[float, str]) -> None:
        """A leader stays for days; answers come after so many of them. Then it is killed."""

        async def days() -> None:
            leading = asyncio.ensure_future(self.world.leader(linger=True, notifier=self).run("somebody", 1))
            for pause, escalation in steps:
                await asyncio.sleep(pause * DAY)
                if escalation:
                    self.world.inbox.put(Resolve(escalation, ANSWERS[escalation]))
            await asyncio.sleep(DAY)
            assert not leading.done()
            leading.cancel()
            await asyncio.gather(leading, return_exceptions=True)

        self.world.play(days())


@pytest.mark.parametrize("order", list(permutations(ANSWERS)))
@pytest.mark.parametrize("restarts", [0, 1, 3])
def test_each_answer_resumes_its_task_once_whoever_leads_by_then(
    order: tuple[str, str], restarts: int
) -> None:
    story = Story()
    world = story.world
    first, second = order
    story.lead((2.0, ""))
    assert world.states() == {"task-1": "BLOCKED", "task-2": "BLOCKED", "task-3": "DONE", "task-4": "READY"}
    for _ in range(restarts):
        story.lead((1.0, ""))
    story.lead((3.0, first), (4.0, ""))
    assert list(world.state().open) == [second]
    story.lead((5.0, second), (1.0, ""))

    assert set(world.states().values()) == {"DONE"}
    assert story.prompts == {
        "task-1": [[], ["red"]],
        "task-2": [[], ["blue"]],
        "task-3": [[]],
        "task-4": [[]],
    }
    unblocked = [event.task for event in world.events(e.TaskUnblocked)]
    assert sorted(unblocked) == ["task-1", "task-2"]
    assert len(world.events(e.EscalationRaised)) == 2
    assert world.times(e.TaskDone, "task-4")[0] > 10 * DAY
    assert [about.partition(":")[0] for about in story.told] == ["esc-1", "esc-2", "approval"]


def test_answers_given_while_nobody_leads_are_taken_up_by_the_next_leader() -> None:
    story = Story()
    world = story.world
    story.lead((2.0, ""))
    for escalation in ("esc-2", "esc-1"):
        world.clock.advance(2 * DAY)
        world.inbox.put(Resolve(escalation, ANSWERS[escalation]))
        world.lead(staffed=False)
    assert world.started()[-1][0] != "task-4"
    story.lead((1.0, ""))
    assert set(world.states().values()) == {"DONE"}
    assert story.prompts["task-1"] == [[], ["red"]]
    assert story.prompts["task-2"] == [[], ["blue"]]
