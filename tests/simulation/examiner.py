"""Simulated examinations: work that is embellished is objected to, wherever it is looked at."""

from typing import TYPE_CHECKING

from tests.simulation.line import Line

from teamlead.core.evidence import Evidence
from teamlead.ports import Claim, Examined

if TYPE_CHECKING:
    from tests.simulation.world import World

EMBELLISHED = b"embellished"


class ExaminerOnLine:
    """Implements `ports.Examiner` for one leader."""

    def __init__(self, world: "World", line: Line) -> None:
        self._world = world
        self._line = line

    async def examine(self, claim: Claim) -> Examined:
        self._line.step("examine")
        await self._world.pause(self._line)
        files = self._world.workspace.history.commits[claim.commit].files if claim.commit else {}
        changed = (files.get(change.path, b"") for change in claim.changes)
        found = any(content.startswith(EMBELLISHED) for content in changed)
        objection = Evidence(
            "claims", "objected", "what it says", "it says more than it did: mend the report"
        )
        return Examined(None, None, (objection,) if found else ())
