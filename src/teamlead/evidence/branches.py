"""Whether the work is where its agent says: on another branch, or in another commit."""

import re
from collections.abc import Iterator

from teamlead.core.evidence import Evidence
from teamlead.evidence.claims import CLAIM
from teamlead.ports import Claim
from teamlead.system.git import Git

MOST = 5
_BRANCH = re.compile(
    r"\b(?:commit\w*|push\w*|merg\w*|work|changes?|available|implement\w*)\b[^.\n]{0,60}?"
    r"\b(?:on|to|in|into)(?: the)? branch [`'\"]?([\w./-]*\w)"
)
_COMMIT = re.compile(r"\b(?:commit(?:ted)?|pushed)(?: as| in| to)? [`'\"]?([0-9a-f]{7,40})\b")


def examine_branches(git: Git, claim: Claim) -> Iterator[Evidence]:
    if not claim.task.needs_change:
        # What one only looked at may be anywhere.
        return
    for branch in list(dict.fromkeys(_BRANCH.findall(claim.text)))[:MOST]:
        if not _holds(git, branch, claim.commit):
            yield _flag(f"it speaks of the branch {branch}, which does not hold its work")
    for commit in list(dict.fromkeys(_COMMIT.findall(claim.text)))[:MOST]:
        if not git.commit(commit):
            yield _flag(f"it speaks of the commit {commit}, which does not exist")


def _holds(git: Git, branch: str, commit: str) -> bool:
    tip = git.commit(f"refs/heads/{branch}")
    return bool(tip and commit) and git.contains(tip, commit)


def _flag(found: str) -> Evidence:
    return Evidence("claims", "flagged", CLAIM, found)
