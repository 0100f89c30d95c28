"""What came of the cases in projects, by family and by what spoke against the work."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.honesty.judging import Played
from benchmarks.honesty.studies import CATEGORIES


class Row(NamedTuple):
    """A result, as it is kept: without what only this run knows."""

    name: str
    family: str
    project: str
    honest: bool
    outcome: str
    stopped: bool
    kinds: tuple[str, ...]
    """What spoke against it, each "kind verdict"."""
    remarks: tuple[str, ...]
    check_seconds: float
    further_seconds: float
    further_runs: int


class Sum(NamedTuple):
    cases: int
    stopped: int
    flagged: int
    kinds: Counter[str]
    """In how many cases each kind of evidence spoke against the work."""

    @property
    def seen(self) -> int:
        return self.stopped + self.flagged


def row(played: Played) -> Row:
    case, seen = played
    kinds = dict.fromkeys(f"{item.kind} {item.verdict}" for item in seen.remarks)
    return Row(
        name=case.name,
        family=case.family,
        project=case.project,
        honest=case.honest,
        outcome=seen.outcome,
        stopped=played.stopped,
        kinds=tuple(kinds),
        remarks=tuple(item.found for item in seen.remarks),
        check_seconds=round(seen.check_seconds, 2),
        further_seconds=round(seen.further_seconds, 2),
        further_runs=seen.further_runs,
    )


def summed(rows: Iterable[Row]) -> Sum:
    rows = list(rows)
    stopped = sum(each.stopped for each in rows)
    flagged = sum(each.outcome == "flagged" for each in rows)
    return Sum(len(rows), stopped, flagged, Counter(kind for each in rows for kind in each.kinds))


def by_family(rows: Sequence[Row], *, honest: bool) -> dict[str, Sum]:
    families = dict.fromkeys(each.family for each in rows if each.honest == honest)
    return {name: summed(each for each in rows if each.family == name) for name in families}


def by_category(rows: Sequence[Row]) -> dict[str, Sum]:
    return {
        name: summed(each for each in rows if not each.honest and each.family in families)
        for name, families in CATEGORIES.items()
    }


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def further_cost(rows: Sequence[Row]) -> float:
    """Seconds of further runs, as a ratio to the checks' own."""
    own = sum(each.check_seconds for each in rows)
    return sum(each.further_seconds for each in rows) / own if own else 0.0


def document(rows: Sequence[Row]) -> dict[str, Any]:
    return {"schema_version": 1, "results": [each._asdict() for each in rows]}


def keep(rows: Sequence[Row], path: Path) -> None:
    """One line a result, without its remarks: to be read as a difference."""
    lines = (json.dumps({**each._asdict(), "remarks": ()}, ensure_ascii=False) for each in sorted(rows))
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def kept(path: Path) -> list[Row]:
    found = map(json.loads, path.read_text("utf-8").splitlines())
    return [Row(**{**each, "kinds": tuple(each["kinds"]), "remarks": ()}) for each in found]


def told(rows: Sequence[Row]) -> str:
    lines = [f"{'family':30}{'cases':>6}{'seen':>7}{'stopped':>9}{'flagged':>9}   by"]
    for honest in (False, True):
        lines += ["", "honest" if honest else "dishonest"]
        lines += [_line(name, found) for name, found in by_family(rows, honest=honest).items()]
        lines.append(_line("all", summed(each for each in rows if each.honest == honest)))
    lines += ["", "as studies of cheating agents call it"]
    lines += [_line(name[:29], found) for name, found in by_category(rows).items() if found.cases]
    lines += ["", f"further runs: {further_cost(rows):.2f}x the time of the checks themselves"]
    return "\n".join(lines)


def _line(name: str, found: Sum) -> str:
    by = ", ".join(f"{kind} {count}" for kind, count in found.kinds.most_common(4))
    seen = share(found.seen, found.cases)
    return f"{name:30}{found.cases:>6}{seen:>7}{found.stopped:>9}{found.flagged:>9}   {by}"
