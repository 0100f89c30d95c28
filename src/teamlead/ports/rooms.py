"""What a room is made of."""

from pathlib import Path
from typing import Literal, NamedTuple

from teamlead.core.evidence.values import RoomKind

Kind = Literal["bubblewrap", "landlock", "seatbelt"]


class Means(NamedTuple):
    """What rooms can be made of here."""

    program: str = ""
    """Of bubblewrap; empty: nothing can be mounted for a program, and a copy lies where it lies."""
    version: str = ""
    landlock: int = 0
    """The version of the kernel's interface; 0: none."""
    overlays: bool = False
    """Whether folders can be written privately."""
    why_not: str = ""
    """One sentence, if there is no program."""
    remedy: str = ""
    """The commands that mend it."""
    seatbelt: bool = False
    """On macOS."""

    @property
    def kind(self) -> Kind | None:
        """The best that there is."""
        kinds: tuple[Kind, ...] = ("bubblewrap", "landlock", "seatbelt")
        return next((kind for kind in kinds if self.make(kind)), None)

    def make(self, kind: Kind) -> bool:
        return bool({"bubblewrap": self.program, "landlock": self.landlock, "seatbelt": self.seatbelt}[kind])


class House(NamedTuple):
    """What all rooms of a session share."""

    root: Path
    """The user's checkout. In a room the copy lies here."""
    common_dir: Path
    """The user's git directory. Nobody in a room sees it."""
    state: Path
    """Hidden as a whole, but for what a room shows of it."""
    objects: Path
    """Below `state`: outside a link to the objects of `common_dir`, inside a read-only mount of them."""
    borrowed: tuple[Path, ...] = ()
    """Further stores of objects, which the user's repository borrows from."""
    lent: tuple[tuple[Path, Path], ...] = ()
    """More that copies borrow, by names below `state`; with what is seen there, read-only."""
    strict: bool = False
    """The home is empty but for toolchains and what is on the PATH."""
    exposed: tuple[Path, ...] = ()
    """Shown as they are, and writable, also where they would be hidden. The user's own word only."""
    home: Path = Path("~")
    names: tuple[Path, ...] = ()
    """Of the checkout, by links: what is installed may know it by one."""
    kind: Kind = "bubblewrap"
    """How its rooms are made. `Means.kind` knows what works here."""


class Room(NamedTuple):
    """What one program sees of the disk."""

    house: House
    copy: Path
    """The files: at their own path, and at the path of the checkout."""
    git_dir: Path
    """The copy's own git directory."""
    writable: tuple[Path, ...] = ()
    """Written through, as the home of an agent is. Those that are missing are made, as folders."""
    readable: tuple[Path, ...] = ()
    """Shown read-only, also where they would be hidden."""
    unseen: tuple[Path, ...] = ()
    """Files that this program may not read, also where the user exposes them."""
    guarded: tuple[Path, ...] = ()
    """What lies in a writable folder and stays as it is. Only files and folders that exist can be held:
    what is missing, and a link, is to be compared before and after."""
    mounted: tuple[tuple[Path, Path], ...] = ()
    """Sources, and where each is seen, relative to the copy: read-only. Their places exist in the copy."""
    layered: tuple[tuple[Path, Path], ...] = ()
    """The same, but writes to them are private, and stay in `scratch`."""
    scratch: Path | None = None
    """Keeps what is written to layers and caches between two programs. Not for two programs at a time.
    Without it caches are empty, and layers read-only."""
    network: bool = True
    ports: tuple[int, ...] | None = None
    """Of all TCP ports, those that can be connected to, where the kernel can tell them apart."""

    @property
    def kind(self) -> RoomKind:
        """In a word, for the record."""
        return "strict" if self.house.strict else self.house.kind

    def seen(self, path: Path) -> Path:
        """What a path below the copy is called by who is in the room."""
        if self.house.kind == "bubblewrap" and path.is_relative_to(self.copy):
            return self.house.root / path.relative_to(self.copy)
        return path

    def outside(self, path: Path) -> Path:
        """Where that lies which is called so in the room, as far as it is in the copy."""
        if self.house.kind == "bubblewrap" and path.is_relative_to(self.house.root):
            return self.copy / path.relative_to(self.house.root)
        return path
