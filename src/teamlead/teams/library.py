"""The presets there are: ours, the user's and the repository's. Of the same name the later goes first.

Nothing here reads more than heads, and what cannot be read hides no other: it stands here with its problem.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, Literal, NamedTuple

from teamlead.errors import PlanError, Refused
from teamlead.markup.files import MAX_BYTES, decoded
from teamlead.markup.problems import Problem
from teamlead.system.untrusted_folder import unlinked
from teamlead.system.user_folders import REPOSITORY_FILE, user_config_file
from teamlead.teams.front_matter import LARGEST, Head, split
from teamlead.teams.known_heads import KnownHeads

Origin = Literal["built in", "user", "repository"]

BUILT_IN: Final = Path(__file__).parent / "built_in"
ORDER: Final = ("bugfix", "devops", "dev-backend", "dev-frontend")
"""In which ours stand: where two fit equally well, the first is taken."""
KIND: Final = "preset"
FOLDER: Final = "teams"
REPOSITORY_FOLDER: Final = f"{Path(REPOSITORY_FILE).parent}/{FOLDER}"
NO_PRESETS: Final = frozenset({"readme.md"})
"""Files that may lie beside them."""
_HEAD = 4 * LARGEST + 1024
"""Bytes that hold a head, whatever letters it is made of."""
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


class Found(NamedTuple):
    """One preset, as far as its head tells."""

    name: str
    """That of its file, where its head has none that can be used."""
    origin: Origin
    path: Path
    shown: str
    """Its place, as people are told it."""
    head: Head
    problems: tuple[Problem, ...]
    """Of its head, or of the file."""
    hides: tuple[str, ...] = ()
    """The places of those of the same name that it stands before."""

    @property
    def usable(self) -> bool:
        """As far as its head tells."""
        return not any(problem.severity == "error" for problem in self.problems)


class Library(NamedTuple):
    found: tuple[Found, ...]
    """Those in effect, in their order: ours, then the user's, then the repository's."""
    hidden: tuple[Found, ...] = ()

    @property
    def unusable(self) -> list[Found]:
        """What somebody has to mend. Of those that are hidden, only what has another's name."""
        return [each for each in (*self.found, *self.hidden) if not each.usable]

    def named(self, name: str) -> Found | None:
        return next((found for found in self.found if found.name == name), None)


def library(root: Path | None) -> Library:
    """`root`: of the repository; None where there is none."""
    heads = KnownHeads()
    every = [
        *_in_order(_read(heads, "built in", root)),
        *_read(heads, "user", root),
        *(_read(heads, "repository", root) if root else ()),
    ]
    heads.keep()
    in_effect: dict[str, Found] = {}
    hidden: list[Found] = []
    for found in every:
        earlier = in_effect.get(found.name)
        if earlier is None:
            in_effect[found.name] = found
        elif earlier.origin == found.origin:
            hidden.append(_doubled(found, earlier))
        else:
            hidden.append(earlier)
            in_effect[found.name] = found._replace(hides=(*earlier.hides, earlier.shown))
    return Library(tuple(in_effect.values()), tuple(hidden))


def read_preset(found: Found, root: Path | None) -> str:
    """All of its text. Raises PlanError."""
    try:
        with _shelf(found.origin, root) as shelf, shelf.open(found.path.name) as file:
            return decoded(_content(file, MAX_BYTES + 1), found.shown, KIND)
    except (OSError, Refused) as error:
        raise PlanError(f"cannot read the {KIND} {found.shown!r}: {_why(error)}") from None


def _in_order(found: Iterable[Found]) -> list[Found]:
    known = {name: place for place, name in enumerate(ORDER)}
    return sorted(found, key=lambda each: known.get(each.name, len(known)))


def _doubled(found: Found, first: Found) -> Found:
    problem = Problem(
        1, "error", f"{first.shown!r} has the name {found.name!r}, too", "give each team a name of its own"
    )
    return found._replace(problems=(problem, *found.problems))


class _Shelf(NamedTuple):
    """A folder of presets. Of a repository's no link is followed: it may lead anywhere."""

    folder: Path
    names: tuple[str, ...]
    open: Callable[[str], BinaryIO]


@contextmanager
def _shelf(origin: Origin, root: Path | None) -> Iterator[_Shelf]:
    """Raises OSError or Refused."""
    if origin == "repository":
        assert root is not None
        with unlinked(root, REPOSITORY_FOLDER, make=False) as opened:
            yield _Shelf(
                root / REPOSITORY_FOLDER, _presets(opened.names()), lambda name: opened.open(name, _FLAGS)
            )
        return
    folder = BUILT_IN if origin == "built in" else user_config_file().parent / FOLDER
    yield _Shelf(
        folder,
        _presets(path.name for path in folder.iterdir()),
        lambda name: os.fdopen(os.open(folder / name, _FLAGS), "rb"),
    )


def _presets(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(name for name in names if name.endswith(".md") and name.lower() not in NO_PRESETS))


def _read(heads: KnownHeads, origin: Origin, root: Path | None) -> Iterator[Found]:
    try:
        with _shelf(origin, root) as shelf:
            for name in shelf.names:
                yield _one(heads, origin, shelf, name)
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, Refused) as error:
        where = REPOSITORY_FOLDER if origin == "repository" else str(user_config_file().parent / FOLDER)
        yield Found(FOLDER, origin, Path(where), where, Head(), (_unread(_why(error)),))


def _one(heads: KnownHeads, origin: Origin, shelf: _Shelf, name: str) -> Found:
    path = shelf.folder / name
    places: dict[Origin, str] = {"built in": "built in", "repository": f"{REPOSITORY_FOLDER}/{name}"}
    shown = places.get(origin, str(path))
    stem = name.removesuffix(".md")
    try:
        with shelf.open(name) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MAX_BYTES:
                return Found(stem, origin, path, shown, Head(), (_unread("it is larger than 1 MiB"),))
            start = _content(file, _HEAD)
    except OSError as error:
        return Found(stem, origin, path, shown, Head(), (_unread(_why(error)),))
    # Only the head has to be text here; what is cut off in the middle of a letter lies behind it.
    apart = split(start.decode("utf-8", "replace"))
    if apart.head is not None and "\ufffd" in apart.head:
        return Found(stem, origin, path, shown, Head(), (_unread("its front matter is not UTF-8"),))
    read = heads.read(apart.head, apart.missing)
    return Found(read.head.name or stem, origin, path, shown, read.head, read.problems)


def _content(file: BinaryIO, most: int) -> bytes:
    # Opening a pipe would wait for its writer for ever, but for our flags; reading it tells nothing.
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        raise OSError(errno.EINVAL, "it is not a file")
    return file.read(most)


def _why(error: OSError | Refused) -> str:
    if isinstance(error, Refused) or error.errno in {errno.ELOOP, errno.EMLINK}:
        return "it is a link, or lies behind one, and no link of a repository is followed"
    return error.strerror or str(error)


def _unread(reason: str) -> Problem:
    return Problem(1, "error", f"it cannot be read: {reason}", "mend or remove it")
