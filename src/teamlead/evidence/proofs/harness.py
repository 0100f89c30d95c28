"""What of a change says how the work is tested: tests, their settings, what they read, what a check runs.

Frozen, these are as they were on the base. Where nobody can be sure whether a file is the work or its
harness, it is in doubt: both ways are tried then.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.steering_files import STEERING, changed_machinery
from teamlead.core.model import Change
from teamlead.core.policy.scope import names_exactly
from teamlead.evidence.proofs.helpers import helpers
from teamlead.evidence.proofs.manifests import frozen_manifest, is_manifest
from teamlead.evidence.proofs.variants import Entry, Files, entries, stored
from teamlead.evidence.sources.languages import language
from teamlead.evidence.sources.unit_tests import frozen_unit_tests, holds_unit_tests
from teamlead.evidence.weakening.files_of_tests import is_test, read_files, read_texts
from teamlead.evidence.weakening.suite_configuration import run_by
from teamlead.guard.delegation import work_on
from teamlead.system.git import Git

RECORDED = frozenset({"__snapshots__", "snapshots", "testdata", "golden", "goldens", "cassettes"})
"""Folders of what tests compare with."""
MOST_TESTS = 300
"""Files of tests that are asked what they read."""
GITLINK = "160000"
_LISTS = re.compile(r"\b(?:r?i?glob|listdir|iterdir|scandir|os\.walk|readdir(?:Sync)?|ReadDir|read_dir)\b")


class Harness(NamedTuple):
    """What the changed files of it were on the base."""

    sure: Files
    doubtful: Files

    def __bool__(self) -> bool:
        return bool(self.sure or self.doubtful)


class Question(NamedTuple):
    base: str
    work: str
    changes: Sequence[Change]
    commands: Sequence[str]
    scope: Sequence[str]


def is_of_tests(path: str) -> bool:
    """By its place and its name."""
    recorded = not RECORDED.isdisjoint(PurePosixPath(path).parts[:-1])
    return recorded or is_test(path) or work_on(path) == "tests"


def find_harness(git: Git, asked: Question) -> Harness:
    paths = [change.path for change in asked.changes if GITLINK not in {change.before, change.after}]
    programs = {word.removeprefix("./") for command in asked.commands for word in run_by(command)}
    plain = [path for path in paths if is_of_tests(path) or _is_plainly(path, programs, asked)]
    sure = entries(git, asked.base, plain)
    mixed = _mixed(git, asked, [path for path in paths if path not in sure])
    left = [path for path in paths if path not in sure and path not in mixed]
    theirs = helpers(git, (asked.base, asked.work), left, is_of_tests)
    read = _read_by_tests(git, asked, [path for path in left if path not in theirs])
    doubtful = entries(git, asked.base, [*theirs, *read])
    # What is new is what the task makes: without it, its check would fail for that reason alone.
    return Harness({**sure, **mixed}, {path: entry for path, entry in doubtful.items() if entry})


def brought_along(git: Git, base: str, work: str, harness: Harness) -> Files:
    """The harness as it is now, for the old source."""
    found = entries(git, work, list(harness.sure))
    mixed = [path for path in found if holds_unit_tests(path) and not is_of_tests(path)]
    for text in read_texts(git, base, work, mixed):
        if text.before is not None and text.after is not None:
            swapped = frozen_unit_tests(text.path, text.after, text.before)
            found[text.path] = stored(git, swapped.encode())
    return found


def _is_plainly(path: str, programs: set[str], asked: Question) -> bool:
    """Not where the task is about this very file: then it may be the work."""
    steers = PurePosixPath(path).name in STEERING or (path in programs and not language(path))
    return steers and not is_manifest(path) and not names_exactly(path, tuple(asked.scope))


def _mixed(git: Git, asked: Question, paths: Sequence[str]) -> dict[str, Entry | None]:
    """Files of which one part is the work, and another says how it is tested."""
    found: dict[str, Entry | None] = {}
    for text in read_texts(git, asked.base, asked.work, [path for path in paths if _may_be_mixed(path)]):
        if text.before is None or text.after is None:
            continue
        freeze = frozen_manifest if is_manifest(text.path) else frozen_unit_tests
        frozen = freeze(text.path, text.before, text.after)
        if frozen != text.after:
            found[text.path] = stored(git, frozen.encode())
    return found


def _may_be_mixed(path: str) -> bool:
    return is_manifest(path) or holds_unit_tests(path)


def _read_by_tests(git: Git, asked: Question, paths: Sequence[str]) -> Iterable[str]:
    """What a command or a test has the name of, and is no code that it tests."""
    named = frozenset(changed_machinery(asked.commands, paths))
    yield from (path for path in paths if path in named and not is_manifest(path))
    rest = [path for path in paths if path not in named and not language(path) and not is_manifest(path)]
    if not rest:
        return
    tracked = git.run("ls-tree", "-r", "-z", "--name-only", asked.work).fields
    tests = [path for path in (field.decode("utf-8", "replace") for field in tracked) if is_test(path)]
    told = "\n".join((*asked.commands, *read_files(git, asked.work, tests[:MOST_TESTS])))
    yield from (path for path in rest if PurePosixPath(path).name in told or _is_listed(path, told))


def _is_listed(path: str, told: str) -> bool:
    """Whether tests list what lies in its folder."""
    folder = PurePosixPath(path).parent.name
    return bool(folder and re.search(rf"['\"/]{re.escape(folder)}['\"/]", told) and _LISTS.search(told))
