"""What a change brings along that nobody wrote for others: large files, backups, logs, caches."""

import re
from collections.abc import Iterator

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.core.model import Change
from teamlead.core.policy.scope import names_exactly
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

ABSENT = "000000"
LARGE = 1_000_000
CLAIM = "it brings along what belongs there"
_KINDS = {
    "a backup": re.compile(r"(?:.*/)?(?:[^/]+\.(?:orig|bak|rej|old|swp|swo|tmp)|[^/]*~|\.#[^/]*|#[^/]*#)"),
    "a log": re.compile(r"(?:.*/)?(?:[^/]+\.log(?:\.\d+)?|npm-debug\.log.*|nohup\.out|core\.\d+)"),
    "a cache": re.compile(
        r"(?:.*/)?(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.tox|\.nox|\.cache|\.nyc_output"
        r"|node_modules|\.venv|\.gradle|[^/]+\.egg-info)/.*|.*\.py[co]|(?:.*/)?(?:\.coverage|\.DS_Store|Thumbs\.db)"
    ),
    "keys": re.compile(
        r"(?:.*/)?(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.env(?:\.(?!example|sample|template)\w+)?|[^/]+\.(?:p12|pfx|jks|keystore))"
    ),
}


def examine_leftovers(git: Git, claim: Claim) -> Iterator[Evidence]:
    new = [change for change in claim.changes if change.before == ABSENT and change.after != ABSENT]
    named = (change.path for change in new if not names_exactly(change.path, claim.task.scope))
    found = [f"{path}: {kind}" for path in named if (kind := _kind(path))]
    found += [f"{path}: {size / 1_000_000:.1f} MB" for path, size in _large(git, claim)]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=in_brief(found),
            command=f"git diff --stat {claim.base[:12]} {claim.commit[:12]}",
            details=tuple(found),
            question=f"Which sentence of the plan asks for this file: {in_brief(found)}?",
        )


def _kind(path: str) -> str:
    return next((kind for kind, pattern in _KINDS.items() if pattern.fullmatch(path)), "")


def _large(git: Git, claim: Claim) -> Iterator[tuple[str, int]]:
    """Those that grew beyond the bound."""
    changed: list[Change] = [
        change for change in claim.changes if "\n" not in change.path and change.after != ABSENT
    ]
    if not changed:
        return
    asked = [f"{tree}:{change.path}" for tree in (claim.commit, claim.base) for change in changed]
    told = git.text(
        "cat-file", "--batch-check=%(objectsize)", stdin="".join(f"{each}\n" for each in asked).encode()
    )
    sizes = [int(line) if line.isdigit() else 0 for line in told.splitlines()]
    for change, size, before in zip(changed, sizes, sizes[len(changed) :], strict=False):
        if size > LARGE >= before:
            yield change.path, size
