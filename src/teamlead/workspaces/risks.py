"""Which changes of what steers git are worth stopping for, whoever made them.

While agents work, their user goes on to use git, and most settings are a matter of taste. What counts is a
setting that makes git run a program, that leads it elsewhere (another remote, another proxy, another
configuration), or that takes a safeguard off: nobody sees from the outside who changed it.
"""

import re
from collections.abc import Collection

from teamlead.workspaces.belongings import Values

ORDINARY = re.compile(r"branch\..*|lfs\.repositoryformatversion|lfs\..*\.(access|locksverify)")
"""What git itself leaves there in ordinary work."""

RISKY = re.compile(
    r"core\.(hookspath|fsmonitor|sshcommand|gitproxy|askpass|editor|pager|alternaterefs.*|attributesfile"
    r"|excludesfile|worktree|bare|repositoryformatversion|logallrefupdates|protecthfs|protectntfs)"
    r"|(sequence|pager|extensions|include|includeif|filter|credential|url|http|protocol|uploadpack|receive"
    r"|transfer|fsck|hook|lfs|ssh|sendemail|imap|browser|man|instaweb|guitool|bundle)\..*"
    r"|diff\.external|diff\..*\.(command|textconv)|merge\..*\.driver|(merge|diff)tool\..*\.(cmd|path)"
    r"|gpg\.(.*\.)?program|gpg\.ssh\..*|submodule\..*\.(update|url)|interactive\.difffilter"
    r"|trailer\..*\.(cmd|command)|tar\..*\.command|init\.templatedir|remote\.pushdefault"
    r"|gc\..*(expire|prune).*"
)

RUNS = re.compile(
    r"[!-].*|.*\b(exec|extcmd|difftool|mergetool|foreach|bisect|open-files|pack)\b.*", re.DOTALL
)
"""An alias that starts more than the command of git that it names."""


def risky(key: str, before: Collection[str], after: Values) -> bool:
    """`before`: the keys that there were."""
    values = after.get(key, ())
    section, _, rest = key.partition(".")
    if section == "alias":
        return any(RUNS.fullmatch(value) for value in values)
    if section == "remote" and "." in rest:
        # A new one leads nobody anywhere, and one that is gone does not, either.
        return bool(values) and rest.rpartition(".")[0] in _remotes(before)
    if section == "branch":
        # It names a remote, in the place of one that it named before or of an address.
        named = set(values) if key.endswith(("remote", "pushremote")) else set()
        return not named <= (_remotes(before) if key in before else _remotes(after))
    return RISKY.fullmatch(key) is not None and not ORDINARY.fullmatch(key)


def _remotes(keys: Collection[str]) -> set[str]:
    named = (key.split(".", 1)[1].rpartition(".")[0] for key in keys if key.startswith("remote."))
    return {".", *named}
