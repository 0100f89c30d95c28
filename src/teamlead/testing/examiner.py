"""An examiner without a repository."""

from collections.abc import Callable

from teamlead.core.evidence.values import Evidence, Examined
from teamlead.ports.checking import Claim

Look = Callable[[Claim], tuple[Evidence, ...]]


class FakeExaminer:
    """Implements `ports.checking.Examiner`: asks a function what is found. `claims` lists what was asked."""

    def __init__(self, look: Look = lambda _: ()) -> None:
        self._look = look
        self.claims: list[Claim] = []

    async def examine(self, claim: Claim) -> Examined:
        self.claims.append(claim)
        return Examined(claim.result, None, self._look(claim))
