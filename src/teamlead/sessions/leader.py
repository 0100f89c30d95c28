"""Who leads a session at this moment: the one place to ask. A look loads no leader and takes no lease."""

from teamlead.journal.lease import Holder, holder
from teamlead.system.sessions import SessionFolder


def leader_of(folder: SessionFolder) -> Holder | None:
    """None: nobody does. A command that is just being applied leads for that moment, too."""
    return holder(folder.path)
