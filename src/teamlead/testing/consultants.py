"""Those whom the lead consults, without a model: functions for a `FakeRunner`."""

import json
from collections.abc import Awaitable
from pathlib import Path

from teamlead.core.answers import Answer, Draft
from teamlead.core.runs import Run, RunEnd
from teamlead.core.state.team_state import TeamState
from teamlead.engine.parts import Consulting, Shown
from teamlead.forms.catalogue import PLAN, answer_to
from teamlead.ports.runner import RunSpec
from teamlead.prompts.consulting import consultation_prompt
from teamlead.prompts.material import Material
from teamlead.prompts.planner import planning_prompt
from teamlead.runners.script import DEFAULTS, part_of, role_of
from teamlead.testing.runner import Work


def answer(value: object) -> RunEnd:
    """Ends a run with this as JSON, its fields in camelCase."""
    return RunEnd("ok", summary=json.dumps(value, ensure_ascii=False))


def content(spec: RunSpec) -> RunEnd:
    """A judge finds all well, a planner all fulfilled. It has no tasks: who plans needs its own function."""
    part = part_of(spec.prompt)
    found = DEFAULTS.get(part.purpose) if part else None
    return answer(found) if found else RunEnd("error", detail=f"nobody says what {spec.task} answers")


def cast(worker: Work, **consultants: Work) -> Work:
    """Makes one function for all: `worker` for tasks, `judge=`, `planner=` and so on for advisers."""

    def work(spec: RunSpec) -> RunEnd | Awaitable[RunEnd]:
        role = role_of(spec.task)
        return consultants.get(role, content)(spec) if role else worker(spec)

    return work


def _prompt(state: TeamState, asked: Run, shown: Shown) -> str:
    if asked.purpose == "work":
        return planning_prompt(state, asked)
    return consultation_prompt(state, asked, Material(*shown))


async def _read(_: TeamState, asked: Run, text: str) -> Answer:
    if asked.purpose != "work":
        return answer_to(asked.purpose, text)
    said = PLAN.read(text)
    return Draft(said.tasks, said.title, said.questions, words=text)


async def _no_log(_: Path) -> str:
    return ""


CONSULTING = Consulting(_prompt, _no_log, _read)
"""For `Parts`: they are asked and read as in a session, but not told what agents did: it is on no disk.

Nor are places that a judge names looked up: there is no repository."""
