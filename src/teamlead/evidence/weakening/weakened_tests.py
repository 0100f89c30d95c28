"""What was found about the tests of a change, as evidence."""

import shlex
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain

from teamlead.core.evidence.suites import MOST_DECIDING
from teamlead.core.evidence.values import (
    ASSERTED_AS_BEFORE,
    Evidence,
    GoneTest,
    Verdict,
    in_brief,
    still_shown,
)
from teamlead.core.model import Change
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.changed_tests import asserts_something, newly_marked, nowhere, read_tests
from teamlead.evidence.weakening.files_of_tests import (
    Finding,
    Text,
    is_test,
    read_texts,
)
from teamlead.evidence.weakening.single_tests import helpers_of
from teamlead.evidence.weakening.suite_configuration import read_configuration
from teamlead.system.git import Git

MOST_FILES = 500
MOST_TOLD = 50
MOST_WITH_NAME = 50
"""Files in which a function is looked for."""


def weakened(
    git: Git,
    base: str,
    commit: str,
    changes: Sequence[Change],
    checks: Sequence[str] = (),
    *,
    asked: str = "",
) -> tuple[Evidence, ...]:
    """`checks` are the commands that judge the work, `asked` the words of its task.

    At most one item is objected to, and one flagged.
    """
    paths = sorted((change.path for change in changes if "\n" not in change.path), key=_rank)
    texts = read_texts(git, base, commit, paths[:MOST_FILES])
    found = [*findings(texts, checks, asked, partial(_asserts, git, commit)), *_unread(paths[len(texts) :])]
    items = (
        _evidence("objected", [one for one in found if one.objected], base, commit),
        _evidence("flagged", [one for one in found if not one.objected], base, commit),
    )
    return tuple(item for item in items if item)


def findings(
    texts: Sequence[Text],
    checks: Sequence[str] = (),
    asked: str = "",
    asserts: Callable[[str], bool | None] = nowhere,
) -> list[Finding]:
    tests, code = _split(texts)
    marked = newly_marked(tests, asked)
    snapshots = (
        Finding(text.path, 0, "recorded expectations were changed", objected=False)
        for text in texts
        if text.path.endswith((".snap", ".ambr")) and text.before not in (None, text.after)
    )
    return list(
        dict.fromkeys(
            chain(
                read_tests(tests, code, asserts), read_configuration(texts, checks, asked), marked, snapshots
            )
        )
    )


def _asserts(git: Git, commit: str, name: str) -> bool | None:
    """Whether a function of the work does; None: there is none, or one of tests, which may raise."""
    told = git.run("grep", "-lIzwF", "-e", name, commit, "--", ok=(0, 1)).text
    paths = [each.removeprefix(f"{commit}:") for each in told.split("\0") if "\n" not in each and each]
    known: list[bool | None] = []
    for text in read_texts(git, commit, commit, sorted(paths, key=_rank)[:MOST_WITH_NAME]):
        helpers = {each.name: each for each in helpers_of(text.after or "", language(text.path))}
        if name in helpers:
            does = asserts_something(helpers[name], helpers)
            known.append(None if not does and is_test(text.path) else does)
    return True if any(known) else None if None in known or not known else False


def _rank(path: str) -> int:
    """Puts tests first, then what may steer them: where not all can be looked at, code is left out."""
    return 0 if is_test(path) else 2 if language(path) else 1


def _unread(paths: Sequence[str]) -> list[Finding]:
    sentence = "too much was changed to look at these tests, too"
    return [Finding(path, 0, sentence, objected=False) for path in paths if is_test(path)]


def _split(texts: Sequence[Text]) -> tuple[list[Text], list[Text]]:
    tests = [text for text in texts if is_test(text.path, f"{text.before}{text.after}")]
    code = [text for text in texts if text not in tests and language(text.path)]
    return tests, code


def _evidence(verdict: Verdict, found: Sequence[Finding], base: str, commit: str) -> Evidence | None:
    if not found:
        return None
    paths = dict.fromkeys(one.path for one in found)
    told = [str(one) for one in found]
    return Evidence(
        "tests",
        verdict,
        claim=ASSERTED_AS_BEFORE,
        found=in_brief(told),
        command=shlex.join(["git", "diff", base[:12], commit[:12], "--", *paths]),
        details=(*told[:MOST_TOLD], *_more(len(told) - MOST_TOLD)),
        question=still_shown(told) if verdict == "flagged" else "",
        gone=_gone(found),
    )


def _gone(found: Sequence[Finding]) -> tuple[GoneTest, ...]:
    """Of what is objected to, nothing but these."""
    gone = [one.gone for one in found if one.gone]
    speaks_of_others = any(one.objected for one in found) and len(gone) < len(found)
    return () if speaks_of_others or len(gone) > MOST_DECIDING else tuple(gone)


def _more(left: int) -> tuple[str, ...]:
    return (f"and {left} more",) if left > 0 else ()
