"""Paths as text: where one leads, as far as the text alone can tell."""

import re

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def fault_of(pattern: str) -> str:
    """Why it cannot stand for files of the repository; empty if it can."""
    segments = pattern.replace("\\", "/").split("/")
    if pattern.startswith(("/", "~", "\\")) or _DRIVE.match(pattern):
        return "is absolute"
    if ".." in segments:
        return "leaves the repository with `..`"
    if pattern.startswith("-"):
        return "begins with a dash"
    if "\0" in pattern:
        return "holds a NUL character"
    if len(pattern.splitlines()) > 1:
        return "holds the end of a line"
    if segments[0].casefold() == ".git":
        return "is git's own folder"
    if re.search(r"\{[^}]*,", pattern):
        return "has braces, which are not expanded: name each path"
    return ""


def inside(path: str, root: str = "") -> str | None:
    """`path` relative to `root`, without `.` and `..`; None if it leads elsewhere.

    A relative path counts from `root`; without a root no absolute path is inside.
    """
    absolute = path.startswith("/")
    parts, above = _parts(path), _parts(root) if absolute else []
    if parts is None or above is None or (absolute and not root) or parts[: len(above)] != above:
        return None
    return "/".join(parts[len(above) :])


def _parts(path: str) -> list[str] | None:
    """None if `..` leads above where the path begins."""
    found: list[str] = []
    for part in path.split("/"):
        if part == ".." and not found:
            return None
        if part == "..":
            found.pop()
        elif part not in {"", "."}:
            found.append(part)
    return found
