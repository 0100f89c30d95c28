"""What `start` and `session init` share: a session whose work is known is opened."""

from collections.abc import Sequence

from teamlead.cli.output import tell
from teamlead.cli.staffing_options import unmatched_roles
from teamlead.core.model import Plan
from teamlead.sessions.opening import Team, Wishes, open_session
from teamlead.settings.loading import Settings
from teamlead.system.repository import Repository
from teamlead.system.sessions import SessionFolder


def open_wanted(
    repository: Repository,
    settings: Settings,
    plan: Plan,
    wishes: Wishes,
    *,
    team: Team | None,
    roles: Sequence[str],
) -> SessionFolder:
    """`roles`: as they were named on the command line."""
    for line in unmatched_roles(roles, (task.role for task in plan.tasks)):
        tell(line)
    return open_session(repository, settings, plan, wishes, tell=tell, team=team)
