"""Which paths a task may change.

A pattern is a file (`README.md`), a folder with all below it (`src/auth/` or `src/auth`), or a glob: `*` and
`?` stay within one folder, `**` crosses folders. Paths are relative to the repository's root.

teamlead's own folder is in no scope unless a pattern names it: `**` does not reach it.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

OWN_FOLDER = ".teamlead"


def in_scope(path: str, patterns: Sequence[str]) -> bool:
    own = path == OWN_FOLDER or path.startswith(OWN_FOLDER + "/")
    return any(
        _compiled(pattern).fullmatch(path) is not None
        for pattern in patterns
        if not own or _normalised(pattern).startswith(OWN_FOLDER)
    )


def outside(paths: Iterable[str], patterns: Sequence[str]) -> list[str]:
    return [path for path in paths if not in_scope(path, patterns)]


def within(pattern: str, patterns: Sequence[str]) -> bool:
    """Whatever it matches, one of these does, as far as the text alone can tell: never wrongly yes."""
    text = _normalised(pattern)
    return any(_covers(_normalised(wider), text) for wider in patterns)


def _covers(wider: str, text: str) -> bool:
    if wider == text:
        return True
    if wider in {"", ".", "**"}:
        return not text.startswith(OWN_FOLDER)
    if "*" not in text and "?" not in text:
        return in_scope(text, (wider,))
    folder = wider.removesuffix("/**")
    return "*" not in folder and "?" not in folder and text.startswith(f"{folder}/")


def names_exactly(path: str, patterns: Sequence[str]) -> bool:
    """The pattern is this very path, not a folder or glob that happens to cover it."""
    return any(_normalised(pattern) == path for pattern in patterns)


def protected(path: str, patterns: Sequence[str], scope: Sequence[str]) -> bool:
    """It is to be left as it is. What the scope names by its very path is not."""
    return bool(patterns) and in_scope(path, patterns) and not names_exactly(path, scope)


def may_meet(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether a path could be in both. False is certain; for globs only what precedes them is compared."""
    heads = [_head(pattern) for pattern in other]
    return any(a.startswith(b) or b.startswith(a) for a in map(_head, one) for b in heads)


def _head(pattern: str) -> str:
    """What every path begins with that the pattern covers."""
    pattern = _normalised(pattern)
    plain = re.split(r"[*?]", pattern, maxsplit=1)[0]
    return "" if pattern == "." else f"{pattern}/" if pattern == plain and pattern else plain


def _normalised(pattern: str) -> str:
    return pattern.removeprefix("./").rstrip("/")


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    pattern = _normalised(pattern)
    if pattern in {"", "."}:
        return re.compile(r".*", re.DOTALL)
    out = []
    for part in re.findall(r"(?:(?<=/)|^)\*\*/|\*\*|\*|\?|[^*?]+", pattern):
        if part == "**/":
            out.append("(?:.*/)?")
        elif part == "**":
            out.append(".*")
        elif part == "*":
            out.append("[^/]*")
        elif part == "?":
            out.append("[^/]")
        else:
            out.append(re.escape(part))
    # Whatever matches also covers what lies below it, so that a folder needs no trailing `/**`.
    return re.compile("".join(out) + r"(?:/.*)?", re.DOTALL)
