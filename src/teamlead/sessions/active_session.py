"""`.teamlead/sessions/active-session.json`: the latest session that has not ended, for whoever looks for one.

It is for reading, as all that lies there: nobody is kept from another session by it.
"""

import os

import msgspec

from teamlead.core.transitions import FINAL_PHASES
from teamlead.errors import TeamleadError
from teamlead.sessions.finding import all_sessions
from teamlead.sessions.view_reader import ViewReader
from teamlead.system.faults import reach
from teamlead.system.repository import PROJECTIONS, Repository
from teamlead.system.untrusted_folder import unlinked
from teamlead.views.documents.base import SCHEMA_VERSION
from teamlead.views.documents.session_file import ActiveSessionDocument

NAME = "active-session.json"


def point_at_active(repository: Repository) -> None:
    """Whichever it is now; without one, there is no such file."""
    document = _active(repository)
    with unlinked(repository.main_root, PROJECTIONS) as folder:
        if document is None:
            folder.remove(NAME)
            return
        content = msgspec.json.format(msgspec.json.encode({"schema_version": SCHEMA_VERSION, **document}))
        fresh = f".{NAME}.new"
        with folder.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as stream:
            stream.write(content + b"\n")
        reach(f"file {NAME}: written")
        folder.replace(fresh, NAME)


def _active(repository: Repository) -> ActiveSessionDocument | None:
    for folder in all_sessions(repository):
        if folder.plans:
            continue
        try:
            with ViewReader(folder.journal) as reader:
                row = reader.session()
        except TeamleadError:
            # One that cannot be read is in nobody's way.
            continue
        if row["phase"] not in FINAL_PHASES:
            return ActiveSessionDocument(
                id=row["id"],
                team=row["team"],
                task=row["title"],
                path=f"{PROJECTIONS}{row['id']}/",
                created_at=row["created_at"],
            )
    return None
