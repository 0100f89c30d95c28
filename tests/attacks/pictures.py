"""The user's world as a mapping: every file of theirs, every ref, every object, by a name that tells where.

checkout/README.md     a file of the checkout
git/hooks/pre-commit   a file of its git directory; none of teamlead's own, and no refs
ref refs/heads/main    what it points to
setting core.bare      its values
staged README.md       mode and content in the index
object 1a2b...         that it is there; new ones are nobody's loss
object of nobody       one that no ref leads to
home/.bashrc           a file of the home; linked working trees lie there, too
config/, remote/       the user's own settings of teamlead; the repository that `origin` names
tmp/, var-tmp/, shm/   what lies there and carries the world's mark
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from teamlead.system.repository import PROJECTIONS

if TYPE_CHECKING:
    from tests.attacks.world import World

OURS = ("refs/heads/teamlead/", "refs/teamlead/")
NOT_THE_USERS = (
    "config",
    "index",
    "objects/",
    "teamlead/",
    "refs/",
    "packed-refs",
    "logs/refs/heads/teamlead/",
    "logs/refs/teamlead/",
)
SHARED = {"tmp": "/tmp", "var-tmp": "/var/tmp", "shm": "/dev/shm"}

Picture = dict[str, str]


def take(world: "World") -> Picture:
    found = dict(_repository(world.root))
    for place in ("home", "config", "remote"):
        found |= {f"{place}/{name}": content for name, content in _files(world.place / place)}
    for line in world.git("config", "--file", ".git/config", "--list", "--null").split("\0")[:-1]:
        key, _, value = line.partition("\n")
        found[f"setting {key}"] = f"{found.get(f'setting {key}', '')}{value}\n"
    for line in world.git("ls-files", "--stage", "-z").split("\0")[:-1]:
        entry, _, path = line.partition("\t")
        found[f"staged {path}"] = entry
    for ref, tip in world.refs().items():
        if not ref.startswith(OURS):
            found[f"ref {ref}"] = tip
    for name in world.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split():
        found["object of nobody" if name == world.dangling else f"object {name}"] = "there"
    for place, folder in SHARED.items():
        for left in Path(folder).glob(f"{world.mark}*"):
            found[f"{place}/{left.name.removeprefix(world.mark)}"] = "there"
    return found


def _repository(root: Path) -> Iterator[tuple[str, str]]:
    for name, content in _files(root):
        if not name.startswith((".git/", PROJECTIONS)):
            yield f"checkout/{name}", content
    for name, content in _files(root / ".git"):
        if name.startswith("objects/info/") or not name.startswith(NOT_THE_USERS):
            yield f"git/{name}", content


def differing(before: Picture, after: Picture) -> frozenset[str]:
    return frozenset(
        name
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name) and (name in before or not name.startswith("object "))
    )


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    for above, folders, names in os.walk(folder):
        for name in (*names, *(each for each in folders if Path(above, each).is_symlink())):
            path = Path(above, name)
            yield str(path.relative_to(folder)), _content(path)


def _content(path: Path) -> str:
    found = path.lstat()
    kind = f"{found.st_mode:o} {found.st_uid}"
    if stat.S_ISLNK(found.st_mode):
        return f"{kind} {path.readlink()}"
    if not stat.S_ISREG(found.st_mode):
        return kind
    content = path.read_bytes()
    if path.name == "exclude":
        # Teamlead's own line, which keeps its files out of `git status`.
        content = content.replace(f"/{PROJECTIONS}\n".encode(), b"")
    return f"{kind} {hashlib.sha256(content).hexdigest()}"
