"""The commit that a person was shown last of a session: what `approve` means where it names none.

It only saves them typing the commit. Whether that is still the whole of the work, the session itself decides.
"""

from contextlib import suppress

from teamlead.core import phases
from teamlead.errors import Failed, Refused
from teamlead.system.atomic_files import write_atomically
from teamlead.system.process_owner import require_person
from teamlead.system.sessions import SessionFolder
from teamlead.system.user_folders import state_home

LONGEST = 64
"""Characters of a commit's name."""


def note_shown(folder: SessionFolder, phase: str, commit: str) -> None:
    """Call once it is on the screen. What agents look at, and what programs read as JSON, does not count."""
    if not phases.awaits_approval(phase) or not commit or last_shown(folder) == commit:
        return
    # A disk that takes nothing more is no reason to show nothing: at worst it has to be shown again.
    with suppress(Failed, Refused):
        require_person(state_home())
        write_atomically(folder.shown, commit.encode(), mode=0o600)


def last_shown(folder: SessionFolder) -> str:
    """Empty: nothing yet."""
    with suppress(OSError), folder.shown.open("rb") as stream:
        return stream.read(LONGEST).decode(errors="replace")
    return ""
