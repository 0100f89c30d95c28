"""The environment of the programs we start: an allow-list, so that no secret of the user's reaches them.

GIT_* is absent on purpose: it would point git in a working copy at another repository. So is PYTHONPATH: an
absolute one would make a copy's tests import the user's own checkout.
"""

import os
from collections.abc import Mapping

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


def allowed(source: Mapping[str, str] | None = None) -> dict[str, str]:
    """What of `source` (this process's environment) may be passed on."""
    found = os.environ if source is None else source
    kept = {name: value for name, value in found.items() if name in _NAMES or name.startswith(_PREFIXES)}
    return kept | {"TERM": "dumb"}


def for_agent(session: str, task: str, attempt: int, slot: int, extra: Mapping[str, str]) -> dict[str, str]:
    own = {"TEAMLEAD_SESSION": session, "TEAMLEAD_TASK": task, "TEAMLEAD_ATTEMPT": str(attempt)}
    return allowed() | dict(extra) | own | _slot(slot)


def for_check(slot: int) -> dict[str, str]:
    return allowed() | _slot(slot)


def _slot(slot: int) -> dict[str, str]:
    return {"TEAMLEAD_SLOT": str(slot)}
