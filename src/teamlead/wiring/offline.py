"""Whether checks can be kept from the network, where the settings want it."""

from teamlead.errors import Refused
from teamlead.settings.loading import Settings
from teamlead.system.offline import why_not


def require_offline(settings: Settings) -> None:
    """Raises Refused: a check that was to have no network must not run with it."""
    reason = "" if settings.check_network else why_not()
    if reason:
        raise Refused(
            f"checks cannot be run without network (check_network = false): {reason}",
            remedy="allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone,"
            " kernel.apparmor_restrict_unprivileged_userns), or set check_network = true",
        )
