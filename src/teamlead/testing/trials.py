"""Trials without a disk."""

from collections.abc import MutableMapping

from teamlead.ports.checking import CheckEnd, Checker
from teamlead.ports.workspace import Workspace


class FakeTrials:
    """Implements `ports.checking.Trials`: asks a checker, in borrowed copies, and remembers in a mapping."""

    def __init__(
        self,
        workspace: Workspace,
        checker: Checker,
        remembered: MutableMapping[tuple[str, str, int], CheckEnd] | None = None,
    ) -> None:
        self._workspace = workspace
        self._checker = checker
        self.remembered = {} if remembered is None else remembered

    async def run(self, commit: str, command: str, timeout: float, *, repetition: int = 0) -> CheckEnd:  # noqa: ASYNC109 - the port's
        key = (await self._workspace.tree(commit), command, repetition)
        if key not in self.remembered:
            async with self._workspace.borrow(commit) as loan:
                end = await self._checker.check(
                    command, loan.path, loan.logs / "out.txt", timeout, loan.number
                )
            if end.exit_code is None:
                return end
            self.remembered[key] = end
        return self.remembered[key]
