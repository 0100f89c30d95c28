"""The places that an agent cites, looked up in the commit that it speaks of."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from teamlead.core.evidence import Evidence, Verdict
from teamlead.core.paths import inside
from teamlead.core.references import SHOWN, CheckedReference, Reason, References
from teamlead.core.reports import Result
from teamlead.errors import DiskUnusable
from teamlead.evidence.diff_positions import Diff
from teamlead.evidence.quotes import FileText, Needle
from teamlead.evidence.sources import BINARY_WITHIN, CommitFiles, Entry, Source
from teamlead.reports.citation_blocks import Citation
from teamlead.reports.citations import Citations
from teamlead.reports.cited_results import citations_of
from teamlead.system.git import Git

FOLDERS = ("", "src/", "lib/", "app/")
"""Where a path may begin, in the order in which it is tried."""


class Change(NamedTuple):
    """What a report may speak of besides the files as they are: those before, and the diff."""

    before: Source
    diff: Callable[[], Diff]


class _Seen(NamedTuple):
    """What was found at a citation's place in one source."""

    reason: Reason | None = None
    note: str = ""
    path: str = ""
    proven: bool = False
    """Quoted code stands there."""
    moved: int = 0
    """The line where it stands instead."""
    needle: Needle | None = None
    """What moved, or is nowhere."""


def check_references(
    cited: Citations, files: Source, roots: Sequence[str] = (), change: Change | None = None
) -> References:
    """`roots`: absolute paths of the working copy. What fails here leaves nothing proven: it blocks."""
    try:
        checked = tuple(_checked(cited.found, files, roots, change))
    except DiskUnusable:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, nothing was checked
        return References(fault=f"{type(error).__name__}: {error}"[:500])
    return References(checked, cited.more)


def _checked(
    cited: Sequence[Citation], files: Source, roots: Sequence[str], change: Change | None
) -> Iterator[CheckedReference]:
    now = _look(cited, files, roots)
    doubtful = [each for each in cited if now[each.place].reason or now[each.place].moved]
    before = _look(doubtful, change.before, roots) if change and doubtful else {}
    diff = change.diff() if change and any(now[each.place].path for each in doubtful) else None
    for each in cited:
        seen, earlier = now[each.place], before.get(each.place)
        if each.sure or seen.reason != "file_not_found" or (earlier and not earlier.reason):
            yield _judged(each, seen, earlier, diff)


def _judged(cited: Citation, seen: _Seen, before: _Seen | None, diff: Diff | None) -> CheckedReference:
    if seen.proven:
        return CheckedReference(cited.place, "verified" if cited.confident else "unverified")
    if before and not before.reason and (before.proven or seen.reason == "file_not_found"):
        return CheckedReference(cited.place, "moved", note="stood there before the change", line=seen.moved)
    exceeds = seen.reason == "line_exceeds_file_length"
    line = diff.line(seen.path, cited.line, seen.needle) if diff and (exceeds or seen.needle) else 0
    note = f"the number counts lines of the diff; in the file it is line {line}" if line else seen.note
    if seen.moved or (line and seen.needle):
        return CheckedReference(cited.place, "moved", None, note, line or seen.moved)
    if seen.reason:
        return CheckedReference(cited.place, "invalid", seen.reason, note)
    return CheckedReference(cited.place, "unverified")


def _look(cited: Sequence[Citation], files: Source, roots: Sequence[str]) -> dict[str, _Seen]:
    wanted = {each.place: _candidates(each.path, roots) for each in cited}
    entries = files.look(list(dict.fromkeys(path for paths in wanted.values() for path in paths)))
    seen: dict[str, _Seen] = {}
    found: dict[Entry, list[Citation]] = {}
    for each in cited:
        entry = next((entries[path] for path in wanted[each.place] if path in entries), None)
        if entry is None:
            note = "" if wanted[each.place] else "outside of the working copy"
            seen[each.place] = _Seen("file_not_found", note)
        elif entry.problem:
            seen[each.place] = _Seen("file_read_error", f"{entry.path} {entry.problem}", entry.path)
        else:
            found.setdefault(entry, []).append(each)
    for (entry, here), content in zip(found.items(), files.read(list(found)), strict=True):
        if b"\0" in content[:BINARY_WITHIN]:
            unread = _Seen("file_read_error", f"{entry.path} is binary", entry.path)
            seen |= dict.fromkeys((each.place for each in here), unread)
            continue
        text = FileText(content)
        seen |= {each.place: _compared(each, text, entry.path) for each in here}
    return seen


def _candidates(path: str, roots: Sequence[str]) -> list[str]:
    """Paths in the repository that may be meant, the likeliest first; none for one outside of it."""
    found = []
    for reading in _readings(path):
        if reading.startswith("/"):
            names = [inside(reading, root) for root in roots]
        elif reading[1:2] == ":":
            names = []
        else:
            names = [inside(folder + reading) for folder in FOLDERS]
        found += [name for name in names if name]
    return found


def _readings(path: str) -> Iterator[str]:
    """As it stands; without the words that ran into it; without what tools put before it."""
    yield path
    first, slash, rest = path.partition("/")
    glued = first.rstrip("".join(map(chr, range(33, 127))))
    if glued and len(glued) < len(first):
        yield first[len(glued) :] + slash + rest
    if " " in path:
        yield path.rpartition(" ")[2]
    if first in {"a", "b"} and rest:
        yield rest
    if path.startswith("@"):
        yield path[1:]


def _compared(cited: Citation, text: FileText, path: str) -> _Seen:
    if not 1 <= cited.line <= cited.end:
        return _Seen("invalid_line_number", path=path)
    needles = [(Needle(quote.text), quote.claimed) for quote in cited.quotes]
    if cited.end > text.length:
        needle = next((needle for needle, _ in needles if needle.parts), None)
        moved = text.find(needle, 1, 1) if needle and text.length else 0
        if moved:
            return _Seen(path=path, moved=moved, note=f"stands at line {moved}", needle=needle)
        return _Seen("line_exceeds_file_length", f"the file has {text.length} lines", path, needle=needle)
    return _quoted(cited, needles, text, path)


def _quoted(cited: Citation, needles: list[tuple[Needle, bool]], text: FileText, path: str) -> _Seen:
    elsewhere = _Seen(path=path)
    proven = False
    for needle, claimed in needles:
        if not needle.parts and not needle.short:
            continue
        line = text.find(needle, cited.line, cited.end)
        if line == cited.line:
            proven = True
        elif line and needle.parts:
            elsewhere = _Seen(path=path, moved=line, note=f"stands at line {line}", needle=needle)
        elif claimed and needle.parts:
            note = "the quoted code is not in the file"
            return _Seen("quote_mismatch", note, path, needle=needle)
    return _Seen(path=path, proven=True) if proven else elsewhere


def examine_references(
    text: str, result: Result | None, *, git: Git, commit: str, base: str, copy: Path, command: str
) -> tuple[Evidence, ...]:
    """What an agent's last words and its result cite, against the commit of its work.

    `copy`: its working copy, in which absolute paths count. `command` repeats the check.
    """
    try:
        found = citations_of(text, result)
    except Exception as error:  # noqa: BLE001 - as in `check_references`
        return (evidence_of(References(fault=f"{type(error).__name__}: {error}"[:500]), command),)
    checked = check_references(
        found, CommitFiles(git, commit), roots_of(copy), change_between(git, base, commit)
    )
    return (evidence_of(checked, command),)


def roots_of(folder: Path) -> tuple[str, ...]:
    """How absolute paths in it may begin."""
    return tuple(dict.fromkeys((str(folder), str(folder.resolve()))))


def change_between(git: Git, base: str, commit: str) -> Change | None:
    return Change(CommitFiles(git, base), lambda: Diff(git, base, commit)) if base != commit else None


def evidence_of(references: References, command: str) -> Evidence:
    bad, moved = references.invalid, references.having("moved")
    verdict: Verdict = "proven" if references.checked else "unknown"
    found = references.summary if references.checked else "it cites no line of a file"
    if references.blocks:
        verdict = "objected"
        listed = "; ".join(each.told for each in bad[:SHOWN])
        remedy = (
            "cite only lines that you have read, as file:line from the repository's root, with their code"
        )
        found = references.summary + (f"; {remedy}: {listed}" if bad else "")
    elif bad or moved:
        verdict = "flagged"
    shown = (bad, moved, references.having("unverified"))
    details = tuple(each.told for part in shown for each in part[:SHOWN])
    return Evidence("references", verdict, "what it cites is there", found, command, details)
