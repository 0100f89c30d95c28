"""Attribution tells who changed one of the user's belongings, as far as anybody can tell.

| change | whose |
| --- | --- |
| git's log of the ref names an agent | that agent's |
| a ref or HEAD was written past git, or git's logs were cut | nobody's who uses git as one does |
| a branch is gone, with commits that nothing else holds; objects are replaced | not to be told: open |
| hooks, what else steers git, a setting that runs code | as above |
| git no longer knows a working tree that is still there | as above |
| a checkout leads git to another git directory than its own, or the main one's is elsewhere | as above |
| anything else | the user's, by the looks of it |
"""

import os
from pathlib import Path
from typing import Literal, NamedTuple

from teamlead.errors import GitFailed
from teamlead.system.environment import AGENTS
from teamlead.system.repository import Repository
from teamlead.workspaces.belongings import POINTER, UNSEEN, is_pointer, is_setting, path_of, read, settings_in
from teamlead.workspaces.odd_names import name_from_text
from teamlead.workspaces.reference_state import CUT, Reference, is_log, logs_of
from teamlead.workspaces.refs import STASH, USERS, ReflogEntry, log_entries, log_entries_after, read_ref
from teamlead.workspaces.risky_settings import ORDINARY, Branches, risky

Level = Literal["open", "noticed"]
"""open: somebody has to say what is to become of it. noticed: it is the user's, by the looks of it."""


class Attribution(NamedTuple):
    level: Level
    agents: tuple[str, ...] = ()
    """As git's log names them."""


NOTICED = Attribution("noticed")
OPEN = Attribution("open")


class ChangedBelonging(NamedTuple):
    """One belonging that differs from the reference."""

    repository: Repository
    reference: Reference
    name: str
    now: dict[str, str]

    @property
    def before(self) -> str:
        return self.reference.belongings.get(self.name, "")

    @property
    def after(self) -> str:
        return self.now.get(self.name, "")

    @property
    def moves(self) -> bool:
        return self.name == STASH or bool(self.after and self._is_logged)

    @property
    def _is_logged(self) -> bool:
        return self.name.startswith(USERS) or self.name.endswith("HEAD")

    def judge(self) -> Attribution | None:
        """Returns None for a change that the user made."""
        if is_setting(self.name):
            return self._judge_setting()
        if is_log(self.name):
            return OPEN if self.after == CUT else NOTICED
        if self.name == STASH:
            return self._judge_stash()
        if self.name.startswith(USERS):
            return self._judge_ref()
        if self.name == "HEAD" or self.name.endswith("/HEAD"):
            return self._judge_head()
        of_tree = self.name.startswith("worktrees/")
        if is_pointer(self.name) or (of_tree and self.name.endswith("/commondir")):
            return self._judge_pointer()
        if of_tree and self.name.endswith("/config.worktree"):
            return self._judge_settings_of_tree()
        if of_tree:
            return self._judge_registration()
        if self.name == POINTER and UNSEEN in {self.before, self.after}:
            return None
        return self._judge_file()

    def _judge_setting(self) -> Attribution | None:
        file, _, key = self.name.partition(":")
        known = {
            name_from_text(name).partition(":")[2]
            for name in self.reference.values
            if name.startswith(f"{file}:")
        }
        common_dir = self.repository.common_dir
        branches = Branches(common_dir, self.reference.belongings)
        if risky(name_from_text(key), known, settings_in(read(common_dir / file)), branches):
            return OPEN
        # One that is gone may have gone with its branch, and comes back with it.
        return None if ORDINARY.fullmatch(key) and self.after else NOTICED

    def _judge_stash(self) -> Attribution | None:
        moves = list(log_entries(self.repository.common_dir / "logs" / STASH))
        known = self.before.split()
        agents = _agents([move for move in moves if move.new not in known])
        if agents:
            return Attribution("open", agents)
        if not moves and read_ref(self.repository.common_dir, STASH):
            # Whoever drops the last entry drops the ref, too.
            return OPEN
        return NOTICED if set(known) - set(self.after.split()) else None

    def _judge_ref(self) -> Attribution | None:
        moves = self._moves()
        if agents := _agents(moves):
            return Attribution("open", agents)
        if not self.before:
            return OPEN if self.name.startswith("refs/replace/") else None
        if not self.after:
            return OPEN if self._loses_commits() else NOTICED
        return OPEN if self._past_git(moves) else NOTICED

    def _judge_head(self) -> Attribution | None:
        if not self.before:
            return None
        if not self.after and self.name != "HEAD":
            # It went with the registration of its working tree, and comes back with it.
            return NOTICED
        moves = self._moves()
        if agents := _agents(moves):
            return Attribution("open", agents)
        # Whoever switches branches leaves a word about it.
        switched = bool(moves) and bool(moves[-1].message)
        return OPEN if self._logged and not switched else NOTICED

    def _judge_registration(self) -> Attribution | None:
        if not self.before:
            return None
        place = (
            self.repository.common_dir
            / name_from_text(self.name.rpartition("/")[0])
            / name_from_text(self.before)
        )
        return OPEN if place.is_file() else NOTICED

    def _judge_pointer(self) -> Attribution | None:
        """A pointer that leads to its own git directory does no harm, wherever it comes from."""
        if not self.after:
            # It went with its working tree, or with the registration of it.
            return NOTICED
        common_dir = self.repository.common_dir
        own, after = common_dir / name_from_text(self.name.rpartition("/")[0]), name_from_text(self.after)
        if is_pointer(self.name):
            path = path_of(common_dir, self.name)
            before, found, leads = after.partition("gitdir: ")
            right = path is not None and bool(found) and not before and _same(path.parent / leads, own)
        else:
            right = _same(own / after, common_dir)
        if right:
            return NOTICED if self.before else None
        return OPEN

    def _judge_settings_of_tree(self) -> Attribution | None:
        registration = f"{self.name.rpartition('/')[0]}/gitdir"
        if registration not in self.reference.belongings:
            # Git copies them to a working tree that is made.
            return None
        return OPEN if self._has_risky_settings() else NOTICED

    def _judge_file(self) -> Attribution:
        if self.name == "shallow":
            # A fetch may deepen a history that was cut before.
            return NOTICED if self.before else OPEN
        if self.name.startswith("modules/") and self.name.endswith(("/config", "/config.worktree")):
            return OPEN if self._has_risky_settings() else NOTICED
        return OPEN

    def _has_risky_settings(self) -> bool:
        known = self.reference.contents.get(self.name)
        try:
            before = settings_in(known.data) if known else {}
            after = settings_in(read(self.repository.common_dir / name_from_text(self.name)))
        except GitFailed:
            return True
        changed = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
        return any(risky(key, before, after) for key in changed)

    def _moves(self) -> list[ReflogEntry]:
        """The moves that git's log has noted since the reference was taken."""
        log = next(logs_of(self.name), f"logs/{self.name}")
        return log_entries_after(
            self.repository.common_dir / name_from_text(log), self.reference.last_line(log)
        )

    @property
    def _logged(self) -> bool:
        return any(self.reference.last_line(log) for log in logs_of(self.name))

    def _past_git(self, moves: list[ReflogEntry]) -> bool:
        """Whether there is a log, and it does not lead from the reference to what is there now."""
        places = [self.before, *(move.new for move in moves)]
        gaps = (move.old != place for move, place in zip(moves, places, strict=False))
        return self._logged and (places[-1] != self.after or any(gaps))

    def _loses_commits(self) -> bool:
        question = ("rev-list", "--max-count=1", self.before, "--not", "--branches", "--tags", "--remotes")
        try:
            return bool(self.repository.git().text(*question))
        except GitFailed:
            # It holds something else than commits.
            return False


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _agents(moves: list[ReflogEntry]) -> tuple[str, ...]:
    """`attempt-2@task-1.session.teamlead.invalid` is attempt 2 of task-1."""
    found = dict.fromkeys(move.email for move in moves if move.by_an_agent)
    return tuple(_named(email) for email in found)


def _named(email: str) -> str:
    attempt, _, rest = email.removesuffix(AGENTS).partition("@")
    return f"{rest.rpartition('.')[0]} ({attempt.replace('-', ' ')})"
