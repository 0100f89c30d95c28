"""What came of the cases in projects, by family and by what spoke against the work."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.honesty.judging import Played
from benchmarks.honesty.studies import CATEGORIES

OWN_WORDS = frozenset({"check", "whole", "judge"})
"""The claims of these name the case's own commands or acceptance, so that their kind is their name."""
STOPS = frozenset({"refused", "objected"})


class Against(NamedTuple):
    """What spoke against a result."""

    kind: str
    claim: str
    verdict: str

    @property
    def mechanism(self) -> str:
        return self.kind if self.kind in OWN_WORDS or not self.claim else f"{self.kind}: {self.claim}"


class Row(NamedTuple):
    """A result, as it is kept: without what only this run knows."""

    name: str
    family: str
    project: str
    honest: bool
    outcome: str
    stopped: bool
    against: tuple[Against, ...]
    remarks: tuple[str, ...]
    check_seconds: float
    further_seconds: float
    further_runs: int

    @property
    def seen(self) -> bool:
        return self.stopped or self.outcome == "flagged"

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(f"{each.kind} {each.verdict}" for each in self.against))

    @property
    def alone(self) -> str:
        """What it would not be stopped or marked without, as it is; "" where there is more or nothing."""
        deciding = [each for each in self.against if not self.stopped or each.verdict in STOPS]
        found = {each.mechanism for each in deciding}
        return found.pop() if self.seen and len(found) == 1 else ""


class Sum(NamedTuple):
    cases: int
    stopped: int
    flagged: int
    kinds: Counter[str]
    """In how many cases each kind of evidence spoke against the work."""

    @property
    def seen(self) -> int:
        return self.stopped + self.flagged


class Force(NamedTuple):
    """What a mechanism did in some results."""

    spoke: int
    """In how many it had something to say."""
    stopped: int
    """That nothing else stopped."""
    marked: int
    """That nothing else marked, and nothing stopped."""


class Cost(NamedTuple):
    """Of the results whose checks ran, for each of them on average."""

    results: int
    check_seconds: float
    further_runs: float
    further_seconds: float

    @property
    def ratio(self) -> float:
        """Seconds of further runs, to the checks' own."""
        return self.further_seconds / self.check_seconds if self.check_seconds else 0.0


def row(played: Played) -> Row:
    case, seen = played
    against = dict.fromkeys(Against(item.kind, item.claim, item.verdict) for item in seen.remarks)
    return Row(
        name=case.name,
        family=case.family,
        project=case.project,
        honest=case.honest,
        outcome=seen.outcome,
        stopped=played.stopped,
        against=tuple(against),
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


def mechanisms(rows: Iterable[Row]) -> list[str]:
    """Of what stopped or marked something, what did so most often first."""
    found = Counter(name for each in rows if each.seen for name in _mechanisms(each))
    return [name for name, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))]


def force(name: str, rows: Iterable[Row]) -> Force:
    spoke = [each for each in rows if each.seen and name in _mechanisms(each)]
    stopped = sum(each.stopped for each in spoke if each.alone == name)
    return Force(len(spoke), stopped, sum(each.alone == name for each in spoke) - stopped)


def _mechanisms(row: Row) -> set[str]:
    return {each.mechanism for each in row.against}


def cost(rows: Iterable[Row]) -> Cost:
    ran = [each for each in rows if each.check_seconds]
    number = len(ran) or 1
    return Cost(
        len(ran),
        sum(each.check_seconds for each in ran) / number,
        sum(each.further_runs for each in ran) / number,
        sum(each.further_seconds for each in ran) / number,
    )


def document(rows: Sequence[Row]) -> dict[str, Any]:
    return {"schema_version": 1, "results": [each._asdict() for each in rows]}


def keep(rows: Sequence[Row], path: Path) -> None:
    """One line a result, without its remarks: to be read as a difference."""
    lines = (json.dumps({**each._asdict(), "remarks": ()}, ensure_ascii=False) for each in sorted(rows))
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def kept(path: Path) -> list[Row]:
    found = map(json.loads, path.read_text("utf-8").splitlines())
    return [Row(**{**each, "against": _against(each), "remarks": ()}) for each in found]


def _against(line: dict[str, Any]) -> tuple[Against, ...]:
    return tuple(Against(*each) for each in line["against"])


def told(rows: Sequence[Row]) -> str:
    lines = [f"{'family':30}{'cases':>6}{'seen':>7}{'stopped':>9}{'flagged':>9}   by"]
    for honest in (False, True):
        lines += ["", "honest" if honest else "dishonest"]
        lines += [_line(name, found) for name, found in by_family(rows, honest=honest).items()]
        lines.append(_line("all", summed(each for each in rows if each.honest == honest)))
    lines += ["", "as studies of cheating agents call it"]
    lines += [_line(name[:29], found) for name, found in by_category(rows).items() if found.cases]
    lines += ["", f"{'what alone stopped and marked':66}{'dishonest':>10}{'honest':>10}"]
    for name in mechanisms(rows):
        right, wrong = (
            force(name, (each for each in rows if each.honest == is_so)) for is_so in (True, False)
        )
        lines.append(f"{name[:65]:66}{wrong.stopped:>5}{wrong.marked:>5}{right.stopped:>5}{right.marked:>5}")
    lines += ["", f"further runs: {cost(rows).ratio:.2f}x the time of the checks themselves"]
    return "\n".join(lines)


def _line(name: str, found: Sum) -> str:
    by = ", ".join(f"{kind} {count}" for kind, count in found.kinds.most_common(4))
    seen = share(found.seen, found.cases)
    return f"{name:30}{found.cases:>6}{seen:>7}{found.stopped:>9}{found.flagged:>9}   {by}"
