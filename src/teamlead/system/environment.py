"""The environment of the programs we start: an allow-list, so that no secret of the user's reaches them.

The user's GIT_* is absent on purpose: it would point git in a working copy at another repository. So is
PYTHONPATH: an absolute one would make a copy's tests import the user's own checkout.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from teamlead.system.user_folders import state_home

_NAMES = frozenset(
    """
    PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR
    HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy ftp_proxy all_proxy no_proxy
    SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS
    VIRTUAL_ENV CONDA_PREFIX PYENV_ROOT NVM_DIR JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME
    LD_LIBRARY_PATH NIX_PATH NIX_SSL_CERT_FILE
    """.split()  # noqa: SIM905 - a table of names reads better without quotes
)
_PREFIXES = ("LC_", "XDG_")

AGENTS = ".teamlead.invalid"
TEAM_URL = "TEAMLEAD_TEAM_URL"
TEAM_TOKEN = "TEAMLEAD_TEAM_TOKEN"  # noqa: S105 - the name of a variable
BELONGS_TO = "TEAMLEAD_BELONGS_TO"
"""The state directory of the session for which something runs."""
BELONGS_TO_REPOSITORY = "TEAMLEAD_BELONGS_TO_REPOSITORY"
"""The git directory that the working trees of the session's repository share."""


def work_for(common_dir: Path) -> None:
    """Lets all that this process starts from now on belong to this repository."""
    _repository[:] = [common_dir]


_repository: list[Path] = []


def belonging() -> dict[str, str]:
    """Returns the variables that tell for whom a program of ours runs."""
    told = {BELONGS_TO: str(state_home())}
    if _repository:
        told[BELONGS_TO_REPOSITORY] = os.path.realpath(_repository[0])
    return told


def allowed(source: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns what of `source` (this process's environment) may be passed on."""
    found = os.environ if source is None else source
    kept = {name: value for name, value in found.items() if name in _NAMES or name.startswith(_PREFIXES)}
    return kept | {"TERM": "dumb"}


def for_agent(session: str, task: str, attempt: int, slot: int, extra: Mapping[str, str]) -> dict[str, str]:
    own = {"TEAMLEAD_SESSION": session, "TEAMLEAD_TASK": task, "TEAMLEAD_ATTEMPT": str(attempt)}
    return allowed() | dict(extra) | own | _marks(session, task, attempt) | _slot(slot)


def _marks(session: str, task: str, attempt: int) -> dict[str, str]:
    """Make git's logs tell which attempt moved a ref. The author of a commit stays the user.

    Git's own maintenance is left to the user: started by an agent it may be killed with it, and its lock,
    which stays behind, would switch the repository's maintenance off for good.

    One variable instead of GIT_CONFIG_COUNT and its pairs: some agents drop all whose name has KEY in it.
    """
    return {
        "GIT_COMMITTER_EMAIL": address(session, task, attempt),
        "GIT_CONFIG_PARAMETERS": "'core.logAllRefUpdates=always' 'gc.auto=0' 'maintenance.auto=false'",
    }


def address(session: str, task: str, attempt: int) -> str:
    """Returns the address under which the agent of this attempt commits."""
    return f"attempt-{attempt}@{task}.{session}{AGENTS}"


def for_check(slot: int) -> dict[str, str]:
    return allowed() | _slot(slot)


def _slot(slot: int) -> dict[str, str]:
    return {"TEAMLEAD_SLOT": str(slot)}
