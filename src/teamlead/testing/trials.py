"""Trials without a disk."""

from collections.abc import Mapping, MutableMapping

from teamlead.ports.checking import CheckEnd, Checker
from teamlead.ports.workspace import Workspace

Run = tuple[str, str, int, tuple[tuple[str, str], ...]]
"""The files, the command, the repetition and the environment."""


class FakeTrials:
    """Implements `ports.checking.Trials`: asks a checker, in borrowed copies, and remembers in a mapping."""

    def __init__(
        self,
        workspace: Workspace,
        checker: Checker,
        remembered: MutableMapping[Run, CheckEnd] | None = None,
    ) -> None:
        self._workspace = workspace
        self._checker = checker
        self.remembered = {} if remembered is None else remembered

    async def run(
        self,
        commit: str,
        command: str,
        timeout: float,  # noqa: ASYNC109 - the port's
        *,
        repetition: int = 0,
        environment: Mapping[str, str] = {},
        afresh: bool = False,
    ) -> CheckEnd:
        tree = await self._workspace.tree(commit)
        key = (tree, command, repetition, tuple(sorted(environment.items())))
        known = not afresh and key in self.remembered
        if not known:
            async with self._workspace.borrow(commit) as loan:
                end = await self._checker.check(
                    command,
                    loan.path,
                    loan.logs / "out.txt",
                    timeout,
                    loan.number,
                    environment=environment,
                )
            if end.exit_code is None:
                return end
            self.remembered[key] = end
        return self.remembered[key]._replace(remembered=known)
