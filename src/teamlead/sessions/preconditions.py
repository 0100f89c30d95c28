"""What has to be allowed, and has to be possible, before a session's agents are started."""

from collections.abc import Iterable, Iterator
from difflib import unified_diff
from itertools import islice

from teamlead.errors import Refused
from teamlead.prompts.library import FOLDER, Templates
from teamlead.runners.logins import missing_logins
from teamlead.settings.consent import Asked, asked
from teamlead.settings.loading import Settings
from teamlead.system.offline import why_not


def all_asked(settings: Settings, templates: Templates, *, fixed: bool = True) -> tuple[Asked, ...]:
    """All that a repository asks of its user: in its settings, and in its own words for agents.

    Without `fixed`, only what a session looks at again that has begun.
    """
    return (*asked(settings, fixed=fixed), *_words(templates))


def _words(templates: Templates) -> Iterator[Asked]:
    without = Templates(user=templates.user)
    for theirs in templates.repository:
        own = without.of(theirs.name)
        if own.text != theirs.text:
            # Its head says nothing that `source` does not.
            lines = islice(
                unified_diff(own.text.splitlines(), theirs.text.splitlines(), lineterm=""), 2, None
            )
            name = f"{FOLDER}/{theirs.name}.md"
            yield Asked(name, own.source, theirs.source, content=theirs.text, difference=tuple(lines))


def require_logins(agents: Iterable[str]) -> None:
    """Raises Refused: otherwise each of their attempts would end at once."""
    missing = missing_logins(agents)
    if missing:
        raise Refused(
            f"nobody is logged in: {', '.join(missing)}",
            remedy="; ".join(f"{kind}: {remedy}" for kind, remedy in missing.items()),
        )


def require_offline(settings: Settings) -> None:
    """Raises Refused: a check that was to have no network must not run with it."""
    reason = "" if settings.check_network else why_not()
    if reason:
        raise Refused(
            f"checks cannot be run without network (check_network = false): {reason}",
            remedy="allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone,"
            " kernel.apparmor_restrict_unprivileged_userns), or set check_network = true",
        )
