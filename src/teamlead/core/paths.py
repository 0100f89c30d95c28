"""Paths as text: where one leads, as far as the text alone can tell."""


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
