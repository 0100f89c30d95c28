"""`driver.py MUTANT ARGUMENTS...`: the command line, with rooms that are broken on purpose.

A program of its own, so that a test can start it as another user.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from teamlead.cli.main import main
from teamlead.ports.rooms import Room
from teamlead.system.rooms import availability, bubblewrap
from teamlead.system.rooms.mounts import Mount
from teamlead.workspaces import private_git
from teamlead.workspaces.copy_folder import CopyFolder


def keep_capabilities() -> None:
    words = bubblewrap.ALONE
    place = words.index("--cap-drop")
    bubblewrap.ALONE = (*words[:place], *words[place + 2 :])


def show_state() -> None:
    _show(lambda room: [room.house.state])


def share_git_directory() -> None:
    """The copy is one of the user's repository, as a linked working tree is."""

    def link(copy: CopyFolder) -> None:
        (copy.path / ".git").write_text(f"gitdir: {copy.lead_dir}\n")

    private_git.link = link
    _show(lambda room: [room.git_dir.with_name("lead"), room.house.objects.with_name("repository")])


def _show(places: Callable[[Room], list[Path]]) -> None:
    """Writable, whatever else is seen there."""
    real = bubblewrap.arguments

    def arguments(program: str, room: Room, mounts: Iterable[Mount], cwd: str) -> list[str]:
        words = real(program, room, mounts, cwd)
        # Before the places that they lie in are closed.
        end = words.index("--remount-ro")
        shown = [word for place in places(room) for word in ("--bind", str(place.resolve()), str(place))]
        return [*words[:end], *shown, *words[end:]]

    bubblewrap.arguments = arguments


MUTANTS: dict[str, Callable[[], None]] = {
    "none": lambda: None,
    "keeps capabilities": keep_capabilities,
    "shows the state": show_state,
    "shares the git directory": share_git_directory,
}

if __name__ == "__main__":
    # A trial of a broken room would tell, and there would be none.
    availability.means()
    MUTANTS[sys.argv[1]]()
    main(sys.argv[2:])
