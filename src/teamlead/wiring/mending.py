"""What `teamlead mend` works with: the watch of a session, and those of the other sessions beside it."""

from teamlead.system.sessions import SessionFolder, all_sessions
from teamlead.wiring.leading import Desk
from teamlead.workspaces import checkout_files
from teamlead.workspaces.repository_mending import Mender
from teamlead.workspaces.repository_watch import Watch


def mender_for(desk: Desk) -> Mender:
    others = (folder for folder in all_sessions(desk.repository) if folder != desk.folder)
    return Mender(_watch(desk, desk.folder), desk.folder.id, (_watch(desk, folder) for folder in others))


def _watch(desk: Desk, folder: SessionFolder) -> Watch:
    return Watch(desk.repository, folder.copies, (folder.copies / checkout_files.FILE).exists())
