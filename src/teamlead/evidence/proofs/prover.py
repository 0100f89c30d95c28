"""The prover tries by running whether checks that passed show that the work is done. A proof is a file."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

from teamlead.core.answers import Example
from teamlead.core.evidence.claimed_numbers import examine_numbers
from teamlead.core.evidence.values import CHECKS_PROVE_IT, Cost, Evidence, Proofs, bounded
from teamlead.core.model import Change as ChangedFile
from teamlead.core.runs import Consultant
from teamlead.errors import MachineUnable, StaleLeader, TeamleadError
from teamlead.evidence.proofs.added_tests import added_tests
from teamlead.evidence.proofs.bench import Bench, Change
from teamlead.evidence.proofs.blind_spots import blind_spots
from teamlead.evidence.proofs.comparison_hooks import comparison_hooks
from teamlead.evidence.proofs.documented_blocks import documented_blocks
from teamlead.evidence.proofs.documented_examples import documented_examples
from teamlead.evidence.proofs.documented_values import documented_values
from teamlead.evidence.proofs.frozen_harness import frozen_harness
from teamlead.evidence.proofs.generated_again import generated_again
from teamlead.evidence.proofs.given_examples import try_out
from teamlead.evidence.proofs.harness import Question, find_harness
from teamlead.evidence.proofs.left_alone import left_alone
from teamlead.evidence.proofs.near_inputs import near_inputs
from teamlead.evidence.proofs.neighbours import neighbours
from teamlead.evidence.proofs.new_tests import new_tests
from teamlead.evidence.proofs.order import order
from teamlead.evidence.proofs.outside_runner import outside_runner
from teamlead.evidence.proofs.planned_examples import planned_examples
from teamlead.evidence.proofs.planted_faults import planted_faults
from teamlead.evidence.proofs.told_apart import told_apart
from teamlead.evidence.proofs.unrun_lines import unrun_lines
from teamlead.ports.checking import Case, Claim, Trials
from teamlead.system.git import Git

Proof = Callable[[Bench], Awaitable[Proofs]]

PROOFS: Sequence[Proof] = (
    frozen_harness,
    told_apart,
    new_tests,
    outside_runner,
    planned_examples,
    documented_examples,
    documented_values,
    left_alone,
    generated_again,
    unrun_lines,
    added_tests,
    blind_spots,
    near_inputs,
    comparison_hooks,
    neighbours,
    planted_faults,
    order,
    documented_blocks,
)
"""The time for further runs is bounded, but for what the first one needs. Of the others, those that
can object stand before those that ask; of these, what asks a few tests before what asks all of them."""


class RunningProver:
    """Implements `ports.checking.Prover`."""

    def __init__(self, git: Git, trials: Trials, proofs: Sequence[Proof] = PROOFS) -> None:
        self._git = git
        self._trials = trials
        self._proofs = proofs

    async def prove(self, case: Case) -> Proofs:
        try:
            change = await asyncio.to_thread(_change, self._git, case.claim)
        except (MachineUnable, StaleLeader):
            raise
        except Exception as error:  # noqa: BLE001 - as below
            return Proofs((bounded(_untried(_told(error))),))
        bench = Bench(self._git, self._trials, case, change)
        found = list(examine_numbers(_said(case.claim), case.checks))
        acquits = retested = False
        for proof in self._proofs:
            if bench.out_of_time:
                bench.was_cut_short = True
                break
            try:
                with bench.counted(proof):
                    proofs = await proof(bench)
            except (MachineUnable, StaleLeader):
                raise
            except Exception as error:  # noqa: BLE001 - no proof ends the leader: the checks have passed
                found.append(_untried(_told(error)))
            else:
                found += proofs.evidence
                acquits |= proofs.acquits
                retested |= proofs.retested
        if bench.was_cut_short:
            found.append(_cut_short())
        costs = tuple(bench.costs.values())
        return Proofs(
            tuple(map(bounded, found)),
            acquits=acquits,
            retested=retested,
            runs=sum(cost.runs for cost in costs),
            seconds=round(sum(cost.seconds for cost in costs), 2),
            costs=costs,
        )

    async def try_out(
        self,
        commit: str,
        examples: Sequence[Example],
        timeout: float,  # noqa: ASYNC109 - the port's
        *,
        by: Consultant = "judge",
    ) -> Proofs:
        started = time.monotonic()
        found = [
            await try_out(self._git, self._trials, commit, each, limit=timeout, by=by) for each in examples
        ]
        ran = sum(bool(item.log) for item in found)
        seconds = round(time.monotonic() - started, 2)
        costs = (Cost(f"examples of the {by}'s", ran, seconds),) if ran else ()
        return Proofs(tuple(map(bounded, found)), runs=ran, seconds=seconds, costs=costs)


def _told(error: Exception) -> str:
    return str(error) if isinstance(error, TeamleadError) else f"{type(error).__name__}: {error}"


def _untried(why: str) -> Evidence:
    return Evidence("proof", "unknown", CHECKS_PROVE_IT, f"it could not be tried: {why}")


def _cut_short() -> Evidence:
    told = "the time for further runs was over before all of them were made: `proof_times` gives more"
    return Evidence("proof", "unknown", CHECKS_PROVE_IT, told)


def _change(git: Git, claim: Claim) -> Change:
    files = changed_files(git, claim.base, claim.commit)
    asked = Question(claim.base, claim.commit, files, claim.checks, claim.task.scope)
    return Change(files, find_harness(git, asked))


def changed_files(git: Git, base: str, commit: str) -> tuple[ChangedFile, ...]:
    """But for names that no journal could hold."""
    asked = ("-r", "-z", "--no-renames", "--raw", "--numstat", "--no-ext-diff", "--no-textconv")
    fields = git.run("diff-tree", *asked, base, commit).fields
    # First two fields a path, and then one with the counts of its lines.
    counted = len(fields) // 3 * 2
    changes = []
    for head, path, count in zip(fields[:counted:2], fields[1:counted:2], fields[counted:], strict=True):
        before, after, *_ = head.decode().removeprefix(":").split(" ")
        added, deleted, _ = count.decode(errors="replace").split("\t", 2)
        lines = (0, 0) if added == "-" else (int(added), int(deleted))
        name = path.decode("utf-8", "replace")
        if "\ufffd" not in name:
            changes.append(ChangedFile(name, before, after, *lines))
    return tuple(changes)


def _said(claim: Claim) -> str:
    """All that its agent says of it."""
    handed = (claim.result.summary, claim.result.findings) if claim.result else ()
    return "\n".join((claim.text, *handed))
