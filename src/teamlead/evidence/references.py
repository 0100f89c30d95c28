"""The places that an agent cites, looked up in the commit that it speaks of."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from teamlead.core.evidence.references import SHOWN, CheckedReference, References
from teamlead.core.evidence.values import Evidence, Verdict
from teamlead.core.reports import Result
from teamlead.errors import MachineUnable
from teamlead.evidence.cited_places import Quotation, Seen, look, look_outside, squeeze
from teamlead.evidence.file_sources import CommitFiles, Source
from teamlead.evidence.installed_files import elsewhere, installed_file
from teamlead.forms.citations.blocks import Citation
from teamlead.forms.citations.scanning import Citations
from teamlead.forms.results.report_citations import citations_of
from teamlead.system.git import Git

LONGEST = 50_000
"""Changed lines of a diff that is still looked at."""
GONE = frozenset({"file_not_found", "line_exceeds_file_length"})
OUTSIDE = "outside of the repository, where programs are installed"
_HUNK = re.compile(r"@@ -\S+ \+([0-9]{1,9})")
LABELLED = 50
"""Unverified references that are told one by one."""


class Row(NamedTuple):
    path: str
    line: int
    """In the file; for a removed line, where it was."""
    text: str
    positions: tuple[int, int, int]
    """In the whole diff, in the file's part of it, in the hunk."""


class Diff:
    """The change between two commits. Agents who read a diff take its line numbers for those of a file."""

    def __init__(self, git: Git, base: str, commit: str) -> None:
        self._rows: dict[tuple[str, int], list[Row]] = {}
        options = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames")
        counted = git.run("diff", "--numstat", *options, base, commit).text
        if sum(int(number) for number in re.findall(r"\b([0-9]+)\t", counted)) > LONGEST:
            return
        told = git.run("-c", "core.quotePath=false", "diff", *options, base, commit).output
        for row in _rows(told.decode("utf-8", "replace")):
            for position in dict.fromkeys(row.positions):
                self._rows.setdefault((row.path, position), []).append(row)

    def line(self, path: str, position: int, needle: Quotation | None = None) -> int:
        """Returns the file's line at this position of the diff, if it is the quoted one; else 0."""
        for row in self._rows.get((path, position), ()):
            if needle is None or _begins(needle, squeeze(row.text)):
                return row.line
        return 0


def _begins(needle: Quotation, row: str) -> bool:
    """Whether the quotation stands in this line, or begins with it."""
    return any(part in row for part in needle.parts[:1]) or (bool(row) and needle.squeezed.startswith(row))


def _rows(diff: str) -> Iterator[Row]:
    path, line, in_file, in_hunk = "", 0, 0, -1
    for number, text in enumerate(diff.split("\n"), 1):
        in_file += 1
        if text.startswith("diff --git "):
            path, in_file, in_hunk = "", 1, -1
        elif in_hunk < 0 and text.startswith("+++ b/"):
            path = text[6:].rstrip("\t")
        elif hunk := _HUNK.match(text):
            line, in_hunk = int(hunk[1]), 0
        elif in_hunk >= 0 and text[:1] in {"+", "-", " "}:
            in_hunk += 1
            yield Row(path, line, text[1:], (number, in_file, in_hunk))
            line += text[0] != "-"


class Comparison(NamedTuple):
    """What a report may speak of besides the files as they are: those before, and the diff."""

    before: Source
    diff: Callable[[], Diff]


def check_references(
    cited: Citations, files: Source, roots: Sequence[str] = (), change: Comparison | None = None
) -> References:
    """`roots`: absolute paths of the working copy. What fails here leaves nothing proven: it blocks."""
    try:
        checked = tuple(_checked(cited.found, files, roots, change))
    except MachineUnable:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, nothing was checked
        return References(fault=f"{type(error).__name__}: {error}"[:500])
    return References(checked, cited.more)


def _checked(
    cited: Sequence[Citation], files: Source, roots: Sequence[str], change: Comparison | None
) -> Iterator[CheckedReference]:
    now = look(cited, files, roots)
    doubtful = [each for each in cited if now[each.place].reason or now[each.place].moved]
    before = look(doubtful, change.before, roots) if change and doubtful else {}
    diff = change.diff() if change and any(now[each.place].path for each in doubtful) else None
    for each in cited:
        seen, earlier = now[each.place], before.get(each.place)
        there = earlier is not None and not earlier.reason
        if seen.reason == "file_not_found" and not there and _is_installed(each, roots):
            yield CheckedReference(each.place, "unverified", note=OUTSIDE)
        elif each.sure or seen.reason != "file_not_found" or there:
            yield _judged(each, seen, earlier, diff)


def _is_installed(cited: Citation, roots: Sequence[str]) -> bool:
    """Whether it stands in the standard library, or in a package: outside, and not made up."""
    content = installed_file(cited.path, roots)
    if content is None:
        return elsewhere(cited.path, roots)
    return not look_outside(cited, content).reason


def _judged(cited: Citation, seen: Seen, before: Seen | None, diff: Diff | None) -> CheckedReference:
    if seen.proven:
        return CheckedReference(cited.place, "verified" if cited.confident else "unverified")
    if before and not before.reason and (before.proven or before.moved or seen.reason in GONE):
        return CheckedReference(cited.place, "moved", note="stood there before the change", line=seen.moved)
    exceeds = seen.reason == "line_exceeds_file_length"
    line = diff.line(seen.path, cited.line, seen.needle) if diff and (exceeds or seen.needle) else 0
    note = f"the number counts lines of the diff; in the file it is line {line}" if line else seen.note
    if seen.moved or (line and seen.needle):
        return CheckedReference(cited.place, "moved", None, note, line or seen.moved)
    if seen.reason:
        return CheckedReference(cited.place, "invalid", seen.reason, note)
    return CheckedReference(cited.place, "unverified")


def examine_references(
    text: str,
    result: Result | None,
    *,
    git: Git,
    commit: str,
    base: str,
    copies: Sequence[Path],
    command: str,
) -> tuple[Evidence, ...]:
    """Holds what an agent's last words and its result cite against the commit of its work.

    `copies`: names of its working copy, below which absolute paths count. `command` repeats the check.
    """
    try:
        found = citations_of(text, result)
    except Exception as error:  # noqa: BLE001 - as in `check_references`
        return (evidence_of(References(fault=f"{type(error).__name__}: {error}"[:500]), command),)
    checked = check_references(
        found, CommitFiles(git, commit), roots_of(*copies), change_between(git, base, commit)
    )
    return (evidence_of(checked, command),)


def roots_of(*names: Path) -> tuple[str, ...]:
    """Returns how absolute paths in a folder with these names may begin."""
    return tuple(dict.fromkeys(str(path) for folder in names for path in (folder, folder.resolve())))


def change_between(git: Git, base: str, commit: str) -> Comparison | None:
    return Comparison(CommitFiles(git, base), lambda: Diff(git, base, commit)) if base != commit else None


def evidence_of(references: References, command: str) -> Evidence:
    bad, moved = references.invalid, references.having("moved")
    inside = [each for each in references.checked if each.note != OUTSIDE]
    verdict: Verdict = "proven" if inside else "unknown"
    found = f"{references.summary}{references.counts}" if references.checked else "it cites no line of a file"
    if references.blocks:
        verdict = "objected"
        remedy = (
            "cite only lines that you have read, as file:line from the repository's root, with their code"
        )
        found = f"what it cites is not there ({references.summary}): {remedy}" if bad else references.summary
    elif bad or moved:
        verdict = "flagged"
    assumed = references.having("unverified")
    details = tuple(each.told for each in (*bad[:SHOWN], *moved[:SHOWN], *assumed[:LABELLED]))
    return Evidence(
        "references", verdict, claim="what it cites is there", found=found, command=command, details=details
    )
