import asyncio
import json
from pathlib import Path

from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunSpec
from teamlead.testing.consultants import answer, cast
from teamlead.testing.runner import FakeRunner, Work


def asked(work: Work, task: str, prompt: str) -> RunEnd:
    async def main() -> RunEnd:
        spec = RunSpec(
            session="s1",
            task=task,
            attempt=1,
            role="",
            model="",
            prompt=prompt,
            cwd=Path(),
            folder=Path(),
            hard_timeout=60.0,
            idle_timeout=60.0,
            slot=0,
        )
        return await (await FakeRunner(work).start(spec)).result()

    return asyncio.run(main())


def test_everybody_plays_its_own_part_and_who_has_none_is_content() -> None:
    async def slow(_: RunSpec) -> RunEnd:
        return answer({"fulfilled": False, "reason": "Nothing was done", "missing": ["all"]})

    team = cast(lambda spec: RunEnd("ok", summary=f"worked on {spec.task}"), planner=slow)
    assert asked(team, "task-1", "# task-1: Title").summary == "worked on task-1"
    assert json.loads(asked(team, "planner", "# planner: complete").summary)["fulfilled"] is False
    assert json.loads(asked(team, "task-1-judge", "# task-1-judge: judge").summary)["success"] is True


def test_tasks_are_not_made_up() -> None:
    end = asked(cast(lambda _: RunEnd("ok")), "task-1-planner", "# task-1-planner: replan")
    assert (end.status, end.detail) == ("error", "nobody says what task-1-planner answers")
