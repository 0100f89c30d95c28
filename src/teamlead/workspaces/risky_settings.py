"""Which changes of what steers git are worth stopping for, whoever made them.

While agents work, their user goes on to use git, and most settings are a matter of taste. What counts is a
setting that makes git run a program, that leads it elsewhere (another remote, another proxy, another
configuration), or that takes a safeguard off: nobody sees from the outside who changed it.
"""

import re
import shlex
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.workspaces.belongings import Values
from teamlead.workspaces.odd_names import name_as_text
from teamlead.workspaces.refs import log_entries, log_of, read_ref

ORDINARY = re.compile(
    r"branch\.(?!.*\.pushremote$).*|lfs\.repositoryformatversion|lfs\..*\.(access|locksverify)"
)
"""What git itself leaves there in ordinary work."""

RISKY = re.compile(
    r"core\.(hookspath|fsmonitor|sshcommand|gitproxy|askpass|editor|pager|alternaterefs.*|attributesfile"
    r"|excludesfile|worktree|bare|repositoryformatversion|logallrefupdates|protecthfs|protectntfs)"
    r"|(sequence|pager|extensions|include|includeif|filter|credential|url|http|protocol|uploadpack|receive"
    r"|transfer|fsck|hook|lfs|ssh|sendemail|imap|browser|man|instaweb|guitool|bundle)\..*"
    r"|diff\.external|diff\..*\.(command|textconv)|merge\..*\.driver|(merge|diff)tool\..*\.(cmd|path)"
    r"|gpg\.(.*\.)?program|gpg\.ssh\..*|submodule\..*\.(update|url)|interactive\.difffilter"
    r"|trailer\..*\.(cmd|command)|tar\..*\.command|init\.templatedir|remote\.pushdefault"
    r"|gc\..*(expire|prune).*|gc\.recentobjectshook|fetch\.(fsck.*|bundle.*)"
)

TARGET = re.compile(r"branch\.(.*)\.(remote|pushremote)|remote\.pushdefault", re.DOTALL)
"""Names the remote that is fetched from or pushed to."""

RUNS = re.compile(
    r"[!-].*"
    r"|.*\b(difftool|mergetool|filter-branch|foreach|bisect|for-each-repo|instaweb|send-email|pack)\b.*"
    r"|.* --(exe?c?|op[a-z-]*|upl[a-z-]*|rece[a-z-]*)(=.*| .*)?"
    r"|rebase .*(?<= )-[a-zA-Z]*x.*|grep .*(?<= )-[a-zA-Z]*O.*|clone .*(?<= )(-[a-zA-Z]*[cu]|--co|--te).*",
    re.DOTALL,
)
"""An alias that starts more than the command of git that it names. Options may be cut short, and joined."""


class Branches(NamedTuple):
    """Of a repository, as far as their settings are judged by them."""

    common_dir: Path
    before: Mapping[str, str]
    """What there was, by name."""

    def new(self, branch: str) -> bool:
        name = f"refs/heads/{branch}"
        return name_as_text(name) not in self.before and self._there(name)

    def followed(self, branch: str, remote: str) -> bool:
        """A push or a fetch that was no agent's has left word of it."""
        name = f"refs/remotes/{remote}/{branch}"
        moves = list(log_entries(log_of(self.common_dir, name))) if self._there(name) else []
        return bool(moves) and not any(move.by_an_agent for move in moves)

    def _there(self, name: str) -> bool:
        return ".." not in name and bool(read_ref(self.common_dir, name))


def risky(key: str, before: Collection[str], after: Values, branches: Branches | None = None) -> bool:
    """`before`: the keys that there were. Without `branches`, nothing is known of them."""
    values = after.get(key, ())
    section, _, rest = key.partition(".")
    if section == "alias":
        return any(_runs(value) for value in values)
    if section == "remote" and "." in rest:
        # A new one leads nobody anywhere unless it is named, and one that is gone does not, either.
        name = rest.rpartition(".")[0]
        named = (each for each in after if name in after[each] and TARGET.fullmatch(each))
        return bool(values) and (
            name in _remotes(before) or any(_leads_elsewhere(each, before, after, branches) for each in named)
        )
    if section == "branch":
        return _leads_elsewhere(key, before, after, branches)
    return RISKY.fullmatch(key) is not None and not ORDINARY.fullmatch(key)


def _leads_elsewhere(key: str, before: Collection[str], after: Values, branches: Branches | None) -> bool:
    """What was there before goes to a remote that was not, or to an address."""
    target = TARGET.fullmatch(key)
    foreign = set(after.get(key, ())) - _remotes(before) if target else set()
    if not target or not foreign:
        return False
    branch, what = target[1], target[2]
    if branches and branch and branches.new(branch):
        return False
    # The first remote of a branch, as `git push --set-upstream` leaves it.
    first = what == "remote" and key not in before and foreign <= _remotes(after)
    return not first or (
        branches is not None and not all(branches.followed(branch, each) for each in foreign)
    )


def _remotes(keys: Collection[str]) -> set[str]:
    named = (key.split(".", 1)[1].rpartition(".")[0] for key in keys if key.startswith("remote."))
    return {".", *named}


def _runs(alias: str) -> bool:
    try:
        words = shlex.split(alias)
    except ValueError:
        # Nothing that git would run, but nothing to rely on.
        return True
    return RUNS.fullmatch(" ".join(words)) is not None
