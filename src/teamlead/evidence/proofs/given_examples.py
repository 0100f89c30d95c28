"""Examples of what a task asks for, run on its work: a command each, perhaps with one file beside the work.

They are a judge's inputs, or a tester's tests.

They run where checks run, on a clean copy, and never in the user's checkout. What differs says nothing by
itself: whoever thought of it may have been wrong. So a judge is asked about it.
"""

import asyncio
import math
from collections.abc import Iterator
from pathlib import PurePosixPath
from shlex import quote

from msgspec.structs import replace

from teamlead.core.answers import Example
from teamlead.core.attempts.examples import WORK_GIVES_THEM
from teamlead.core.attempts.independent_tests import THEY_PASS
from teamlead.core.evidence.values import Evidence, Verdict
from teamlead.core.runs import Consultant
from teamlead.core.work.checking import NO_PROGRAM, look_again
from teamlead.evidence.proofs.variants import entries, stored, variant
from teamlead.ports.checking import CheckEnd, Trials
from teamlead.system.git import Git

MOST_SECONDS = 30.0
SHOWN = 600
"""Characters of what was printed and expected, in one sentence."""
QUESTION = (
    "Before you saw the work, you expected something else of it. Is your expectation right, or the work? "
    "If the words ask for what the work gives, copy the sentence that does. If they leave it open, or your "
    "example was wrong, copy the one that you had drawn it from. Say none if the work is wrong."
)
ABOUT_A_TEST = (
    "Somebody who saw only the task wrote a test, and it fails on the work; the evidence shows it. Is the "
    "test right, or the work? If the words ask for what the work gives, copy the sentence that does. If they "
    "leave it open, or the test is wrong, copy the one that it stands for. Say none if the work is wrong."
)
_NOTES = ".teamlead-errors"


async def try_out(
    git: Git, trials: Trials, commit: str, example: Example, *, limit: float, by: Consultant = "judge"
) -> Evidence:
    evidence = _of_test if by == "tester" else _of_input
    with_file = await asyncio.to_thread(_with_file, git, commit, example)
    if with_file is None:
        return evidence(
            example, "unknown", f"it was not run: the work has a file in the place of {example.file!r}"
        )
    end = await trials.run(with_file, _told_apart(example), min(MOST_SECONDS, limit or math.inf))
    if end.exit_code in NO_PROGRAM and example.exit_code != end.exit_code:
        item = evidence(example, "unknown", f"it cannot be run here: {_shown(end.output)}")
    elif _agrees(example, end):
        item = evidence(example, "proven", f"it gives {_expected(example)}")
    else:
        item = evidence(example, "flagged", f"it gives {_given(end)}")
    return replace(item, log=end.log, command=look_again(example.command, with_file, end.room))


def _with_file(git: Git, commit: str, example: Example) -> str | None:
    """A commit of the work with that file; None: something of the work would have to go for it."""
    if not example.file:
        return commit
    places = [example.file, *map(str, list(PurePosixPath(example.file).parents)[:-1])]
    there = [path for path, entry in entries(git, commit, places).items() if entry is not None]
    if any(path in places or path.startswith(f"{example.file}/") for path in there):
        return None
    content = stored(git, f"{example.text}\n".encode(errors="replace"))
    return variant(git, commit, {example.file: content})


def _told_apart(example: Example) -> str:
    """What it says of errors and warnings is no part of its output, and is shown where it ends otherwise."""
    expected = f"[ $code -eq {example.exit_code} ] || cat {quote(_NOTES)}"
    return f"(\n{example.command}\n) 2>{quote(_NOTES)}; code=$?; {expected}; exit $code"


def _agrees(example: Example, end: CheckEnd) -> bool:
    if end.exit_code != example.exit_code:
        return False
    return example.output is None or _plain(example.output) == _plain(end.output)


def _plain(text: str) -> list[str]:
    """White space at the end of a line or of all was not meant."""
    return [line.rstrip() for line in text.strip().splitlines()]


def _of_test(example: Example, verdict: Verdict, found: str) -> Evidence:
    """What is found is all that its agent is told: it could write its work for the test alone."""
    told = {"proven": "passes", "flagged": "fails"}.get(verdict, "could not be run")
    return Evidence(
        kind="example",
        verdict=verdict,
        claim=THEY_PASS,
        found=f"a test {told} that its agent has not seen; it stands for {example.sentence!r}",
        details=(f"`{example.command}`: {found}; {_expected(example)} was expected", *_details(example)),
        question=ABOUT_A_TEST if verdict == "flagged" else "",
    )


def _of_input(example: Example, verdict: Verdict, found: str) -> Evidence:
    differs = verdict == "flagged"
    expected = f", and a judge who had not seen it expected {_expected(example)}" if differs else ""
    return Evidence(
        kind="example",
        verdict=verdict,
        claim=WORK_GIVES_THEM,
        found=f"`{example.command}`: {found}{expected}",
        details=tuple(_details(example)),
        question=QUESTION if differs else "",
    )


def _details(example: Example) -> Iterator[str]:
    yield f"by the sentence: {example.sentence}"
    if example.file:
        yield f"{example.file} is:\n{example.text}"


def _given(end: CheckEnd) -> str:
    if end.exit_code is None:
        return "nothing: it does not end in time"
    return f"exit code {end.exit_code} and {_shown(end.output)}"


def _expected(example: Example) -> str:
    output = "" if example.output is None else f" and {_shown(example.output)}"
    return f"exit code {example.exit_code}{output}"


def _shown(text: str) -> str:
    text = text.strip()
    return repr(text[-SHOWN:]) if text else "no output"
