"""What parts of a repository tasks may change, and when each is free if those that share one take turns."""

from typing import Any, NamedTuple

from teamlead.core.model import TaskSpec

ANY = "*"


class Ground(NamedTuple):
    """What a pattern may reach: a path with all below it, or what lies directly in a folder."""

    path: str
    ending: str = ""
    """Of the names in the folder: `.md`, or any. Empty: the pattern is a path."""


class Use(NamedTuple):
    until: float
    task: str


UNUSED = Use(0.0, "")


def grounds_of(task: TaskSpec) -> tuple[Ground, ...]:
    """Empty for a task that changes nothing, or that states no scope: nobody knows where it will be."""
    if task.scope == ("**",) or not task.merges:
        return ()
    return tuple(dict.fromkeys(map(_ground, task.scope)))


def _ground(pattern: str) -> Ground:
    parts = [part for part in pattern.split("/") if part not in {"", "."}]
    fixed = next((at for at, part in enumerate(parts) if "*" in part or "?" in part), len(parts))
    path = "/".join(parts[:fixed])
    if fixed != len(parts) - 1 or "**" in parts[fixed]:
        return Ground(path)
    return Ground(path, _ending(parts[fixed]) or ANY)


def _ending(name: str) -> str:
    _, dot, ending = name.rpartition(".")
    return f".{ending}" if dot and "*" not in ending and "?" not in ending else ""


class Grounds:
    """A pattern is taken for all that it may reach, so that a few seem to overlap that never will."""

    def __init__(self) -> None:
        self._whole: dict[str, Use] = {}
        self._below: dict[str, Use] = {}
        """By folder: the last use of anything in it, however deep."""
        self._inside: dict[Ground, Use] = {}
        """By folder and ending: the last use of a path that lies directly in it."""
        self._listed: dict[Ground, Use] = {}
        """By folder and ending: the last use by a pattern for what lies directly in it."""

    def free(self, ground: Ground) -> Use:
        """The last use that overlaps with it."""
        folders = _folders(ground.path)
        uses = [self._whole.get(each, UNUSED) for each in (ground.path, *folders)]
        if ground.ending:
            uses += [table.get(ground, UNUSED) for table in (self._inside, self._listed)]
            uses.append(self._listed.get(Ground(ground.path, ANY), UNUSED))
        else:
            uses.append(self._below.get(ground.path, UNUSED))
            uses += [self._listed.get(each, UNUSED) for each in _places(ground, folders)]
        return max(uses)

    def take(self, ground: Ground, use: Use) -> None:
        folders = _folders(ground.path)
        if ground.ending:
            _later(self._listed, ground, use)
            _later(self._inside, Ground(ground.path, ANY), use)
            _later(self._below, ground.path, use)
        else:
            _later(self._whole, ground.path, use)
            for place in _places(ground, folders):
                _later(self._inside, place, use)
        for folder in folders:
            _later(self._below, folder, use)


def _folders(path: str) -> list[str]:
    """The ones it lies in, the nearest first; the root is the empty one."""
    found = []
    while path:
        path = path.rpartition("/")[0]
        found.append(path)
    return found


def _places(ground: Ground, folders: list[str]) -> list[Ground]:
    """The patterns of its folder that reach it."""
    ending = _ending(ground.path.rpartition("/")[2])
    return [Ground(folder, each) for folder in folders[:1] for each in (ANY, ending) if each]


def _later(uses: dict[Any, Use], key: object, use: Use) -> None:
    uses[key] = max(uses.get(key, UNUSED), use)
