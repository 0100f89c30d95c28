"""Whether a change that had to be made is more than white space and modes, and finished."""

from collections.abc import Iterator

from teamlead.core.evidence import Evidence
from teamlead.ports import Claim
from teamlead.system.git import Git

ABSENT = "000000"


def examine_substance(git: Git, claim: Claim) -> Iterator[Evidence]:
    yield from _markers(git, claim)
    yield from _emptiness(git, claim)


def _markers(git: Git, claim: Claim) -> Iterator[Evidence]:
    between = (claim.base, claim.commit)
    told = git.run("diff", "--check", "--no-renames", *between, ok=(0, 2)).text
    left = [line for line in told.splitlines() if line.endswith("leftover conflict marker")]
    if left:
        command = f"git diff --check {' '.join(between)}"
        yield Evidence(
            "change",
            "flagged",
            claim="it is finished",
            found="conflict markers were left",
            command=command,
            details=tuple(left),
        )


def _emptiness(git: Git, claim: Claim) -> Iterator[Evidence]:
    if claim.task.type != "implementation" or any(ABSENT in {c.before, c.after} for c in claim.changes):
        return
    between = (claim.base, claim.commit)
    if any(change.added or change.deleted for change in claim.changes):
        told = git.text("diff", "-w", "--ignore-blank-lines", "--no-renames", "--numstat", *between)
        if any(not line.startswith("0\t0\t") for line in told.splitlines()):
            return
        found = "it changes nothing but white space"
    elif all(change.before != change.after for change in claim.changes):
        found = "it changes nothing but the modes of files"
    else:
        return
    yield Evidence("change", "flagged", "it is a change", found, f"git diff -w {' '.join(between)}")
