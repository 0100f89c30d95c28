"""What `plan check` and `plan graph` share: they look at a plan file, not at a planning."""

from pathlib import Path

from teamlead.errors import NotFound, TeamleadError
from teamlead.sessions.finding import find_planning
from teamlead.system.repository import discover


def refuse_planning(name: str) -> None:
    """Raises NotFound where no file, but a planner session is called so."""
    if Path(name).exists():
        return
    try:
        found = find_planning(discover(Path.cwd()), name)
    except TeamleadError:
        # Outside of a repository, or nothing is called so: a file that is not there, which is told as such.
        return
    raise NotFound(
        f"{name!r} is no plan file, but a planner session",
        remedy=f"see its plan with `teamlead plan show {found.id}`; `teamlead plan list` names its file",
    )
