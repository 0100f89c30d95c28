"""Copies that hold only the scope of their task, and the files at the root.

git leaves out what the index marks as left out (`skip-worktree`), and nothing of it counts as deleted. The
patterns lie in the copy's git directories, and that they hold is said with each call: the user's
configuration stays as it is.
"""

import re
from collections.abc import Sequence

SETTINGS = (("core.sparseCheckout", "true"), ("core.sparseCheckoutCone", "false"))
AT_THE_ROOT = ("/*", "!/*/")
SPECIAL = re.compile(r"[\\\[\]]")
"""What git reads as more than a letter, and a scope does not."""


def patterns(scope: Sequence[str]) -> tuple[str, ...]:
    """As git wants them; none if everything is in scope. They may cover more than the scope, never less."""
    chosen = [_pattern(glob.removeprefix("./").strip("/")) for glob in scope]
    return (*AT_THE_ROOT, *chosen) if chosen and "/" not in chosen else ()


def _pattern(glob: str) -> str:
    parts: list[str] = []
    for part in glob.split("/"):
        if part in {"", "."}:
            continue
        start, crosses, _ = part.partition("**")
        if crosses and part != "**":
            # Only in a scope may it cross folders from here.
            return "/" + "/".join([*parts, f"{_literal(start)}*"])
        parts.append(_literal(part))
    return "/" + "/".join(parts) if parts and parts != ["**"] else "/"


def _literal(text: str) -> str:
    return SPECIAL.sub(r"\\\g<0>", text).replace(" ", "\\ ")
