"""What a commit has in the way of `copy` and `link`: told before agents begin, who would all fail by it."""

import os
import stat
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from teamlead.errors import ConfigError
from teamlead.system.repository import Repository
from teamlead.workspaces.path_patterns import named
from teamlead.workspaces.provisions import Provisions

KINDS = {"120000": "a symbolic link", "040000": "a folder", "160000": "a folder"}


def refuse_obstacles(repository: Repository, commit: str, provisions: Provisions) -> None:
    """A file or a link in the place of a folder of the checkout, or the other way. Raises ConfigError."""
    if not provisions.copy and not provisions.link:
        return
    root = repository.root
    tracked = _Tracked(repository, commit)
    for setting, patterns in (("copy", provisions.copy), ("link", provisions.link)):
        for path in (path for pattern in patterns for path in named(root, pattern).paths):
            # What `link` names is left as the commit has it.
            inside = tracked.at_or_below(path) if setting == "copy" else ()
            for place in (*map(str, path.parents), *inside):
                kind = tracked.kinds.get(place)
                if kind and _is_folder(root / place) not in (None, kind == "a folder"):
                    raise ConfigError(
                        f"`{setting}` cannot put {str(path)!r} into a working copy: {place!r} is {kind}"
                        " in the commit, and something else in your checkout",
                        remedy=f"name something else in `{setting}`, or make the two agree there",
                    )


class _Tracked:
    def __init__(self, repository: Repository, commit: str) -> None:
        self.kinds: dict[str, str] = {}
        listed = repository.git().run("ls-tree", "-r", "-t", "-z", "--full-tree", commit).fields
        for head, _, path in (field.partition(b"\t") for field in listed):
            self.kinds[os.fsdecode(path)] = KINDS.get(head[:6].decode(), "a file")
        self._sorted = sorted(self.kinds)

    def at_or_below(self, path: PurePosixPath) -> Iterator[str]:
        yield str(path)
        # In the order of characters "0" comes right after "/".
        first, end = (bisect_left(self._sorted, f"{path}{after}") for after in ("/", "0"))
        yield from self._sorted[first:end]


def _is_folder(path: Path) -> bool | None:
    """None: it is not there, or not for us."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return None
