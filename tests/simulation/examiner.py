"""Simulated examinations: work that is embellished is objected to, and difficulties are found in it."""

from random import Random
from typing import TYPE_CHECKING

from tests.simulation.line import Line

from teamlead.core.evidence.values import Evidence, Examined
from teamlead.core.reports import DifficultyFeedback
from teamlead.ports.checking import Claim

if TYPE_CHECKING:
    from tests.simulation.world import World

EMBELLISHED = b"embellished"
STUCK = b"stuck"


def random_difficulty(random: Random) -> str:
    """As an agent leaves it with its work."""
    category = random.choice(("technical", "technical", "ambiguity", "scope", "dependency"))
    action = random.choice(("escalate", "escalate", "clarification", "replan", "continue"))
    return f"stuck {category} {action}"


def difficulty(text: str) -> DifficultyFeedback:
    _, category, action = text.split()
    paths = ("src/more",) if category == "scope" else ()
    return DifficultyFeedback(text, category=category, requested_action=action, paths=paths)  # type: ignore[arg-type]


class ExaminerOnLine:
    """Implements `ports.checking.Examiner` for one leader."""

    def __init__(self, world: "World", line: Line) -> None:
        self._world = world
        self._line = line

    async def examine(self, claim: Claim) -> Examined:
        self._line.step("examine")
        await self._world.pause(self._line)
        files = self._world.workspace.history.commits[claim.commit].files if claim.commit else {}
        changed = [files.get(change.path, b"") for change in claim.changes]
        found = any(content.startswith(EMBELLISHED) for content in changed)
        objection = Evidence(
            "claims", "objected", "what it says", "it says more than it did: mend the report"
        )
        stuck = next((difficulty(text.decode()) for text in changed if text.startswith(STUCK)), None)
        return Examined(None, stuck, (objection,) if found else ())
