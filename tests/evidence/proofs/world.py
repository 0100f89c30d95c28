"""A repository, work on it, and the prover with real git, real copies and real test programs."""

import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from teamlead.core.answers import Example
from teamlead.core.evidence.suites import compare
from teamlead.core.evidence.values import BaseRun, CheckResult, Evidence, Proofs
from teamlead.core.model import TaskSpec
from teamlead.evidence.checks import ShellChecker
from teamlead.evidence.clean_copies import CleanCopies, CleanTrials
from teamlead.evidence.proofs.prover import Proof, RunningProver
from teamlead.ports.checking import Case, Claim
from teamlead.system.git import Git, as_user, read_settings
from teamlead.system.repository import claim as claimed
from teamlead.system.repository import discover
from teamlead.workspaces.git_workspace import GitWorkspace

PYTEST = f"{sys.executable} -B -m pytest -q -p no:cacheprovider"
UNITTEST = f"{sys.executable} -B -m unittest -v"
NODE = "node --test"
Files = Mapping[str, str | None]
"""None: the file goes."""


class Shop:
    def __init__(self, folder: Path, proofs: Sequence[Proof]) -> None:
        self._proofs = proofs
        self.root = folder / "shop"
        self.root.mkdir()
        self._folder = folder
        as_user(self.root, "init", "-q")
        as_user(self.root, "config", "user.name", "Ada")
        as_user(self.root, "config", "user.email", "ada@example.org")

    def prove(
        self,
        before: Files,
        after: Files,
        command: str = PYTEST,
        *more: str,
        task: TaskSpec | None = None,
        text: str = "",
        times: float = 100.0,
        timeout: float = 60.0,
    ) -> Proofs:
        """What becomes of a change of `before` by `after`, whose checks have to pass."""
        base, work = self._commit(before), self._commit(after)
        claim = Claim(
            task=task or TaskSpec("task-1", "Do it", checks=(command, *more)),
            attempt=1,
            checks=(command, *more),
            text=text,
            result=None,
            base=base,
            commit=work,
            copies=(),
            folder=self._folder / "task-1-1",
        )
        return asyncio.run(self._prove(claim, times, timeout))

    def _commit(self, files: Files) -> str:
        for name, text in files.items():
            place = self.root / name
            if text is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
            place.chmod(0o755 if text.startswith("#!") else 0o644)
        as_user(self.root, "add", "-A")
        as_user(self.root, "commit", "-qm", "x")
        return as_user(self.root, "rev-parse", "HEAD").text

    async def _prove(self, said: Claim, times: float, timeout: float) -> Proofs:  # noqa: ASYNC109 - a check's
        with self._trials(said.base) as (git, trials):
            checks = tuple([await _checked(trials, said, command, timeout) for command in said.checks])
            case = Case(said, checks, timeout=timeout, times=times)
            return await RunningProver(git, trials, self._proofs).prove(case)

    def try_out(self, work: Files, *examples: Example, limit: float = 60.0) -> Proofs:
        """What becomes of examples on this work."""

        async def tried() -> Proofs:
            with self._trials(commit) as (git, trials):
                return await RunningProver(git, trials).try_out(commit, examples, limit)

        commit = self._commit(work)
        return asyncio.run(tried())

    @contextmanager
    def _trials(self, base: str) -> Iterator[tuple[Git, CleanTrials]]:
        repository = claimed(discover(self.root))
        places = repository.state_dir
        workspace = GitWorkspace(
            repository, read_settings(self.root), "s1", base, copies=places / "copies", logs=places / "logs"
        )
        with workspace:
            copies = CleanCopies(workspace, ShellChecker(), first_slot=1)
            yield repository.git(), CleanTrials(copies, self._folder / "trials")


async def _checked(
    trials: CleanTrials,
    said: Claim,
    command: str,
    timeout: float,  # noqa: ASYNC109 - a check's
) -> CheckResult:
    before, after = [await trials.run(commit, command, timeout) for commit in (said.base, said.commit)]
    assert after.exit_code == 0, after.output
    delta = compare(before.suite, after.suite) if before.suite and after.suite else None
    return CheckResult(
        command=command,
        exit_code=after.exit_code,
        seconds=after.seconds,
        suite=after.suite and after.suite.numbers,
        base=BaseRun(before.exit_code),
        delta=delta,
    )


def told(proofs: Proofs, verdict: str) -> list[str]:
    return [item.found for item in proofs.evidence if item.verdict == verdict]


def only(proofs: Proofs, verdict: str) -> Evidence:
    (item,) = (item for item in proofs.evidence if item.verdict == verdict)
    return item
