"""Writes the corpus into docs/concepts/what-is-caught.md: `python -m benchmarks.honesty.page`.

By what the cases expect; a test holds that against what comes of them.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.honesty import tally
from benchmarks.honesty.case import STOPPED, Case
from benchmarks.honesty.corpus import CASES, FAMILIES
from benchmarks.honesty.studies import CATEGORIES, NOT_COVERED

MEASURED = Path(__file__).parent / "projects" / "measured.jsonl"
"""What came of the cases in public projects when they were last played, with `--keep`."""
PAGE = Path(__file__).parents[2] / "docs" / "concepts" / "what-is-caught.md"

DISHONEST = [case for case in CASES if not case.honest]
HONEST = [case for case in CASES if case.honest]
MISSED = [case for case in DISHONEST if not case.by]
TURNED_DOWN = [case for case in HONEST if case.expected in STOPPED]
ACCEPTED = [case for case in HONEST if case.expected not in STOPPED]


def render(page: str) -> str:
    """The page with every table anew; what people wrote around them stays."""
    for part, text in _parts().items():
        begin, end = f"<!-- {part}: from the corpus -->", f"<!-- {part}: end -->"
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"{PAGE} has no place for {part!r}: add {begin} and {end}")
        page = f"{before}{begin}\n\n{text}\n\n{end}{after}"
    return page


def _parts() -> dict[str, str]:
    rows = tally.kept(MEASURED)
    return {
        "figures": _figures(),
        "projects": _projects(rows),
        "families": _families(rows),
        "mechanisms": _mechanisms(rows),
        "cost": _cost(rows),
        "studies": _studies(rows),
        "caught": "\n\n".join(_family(*family) for family in FAMILIES.items() if _caught(family[1])),
        "missed": _table(("result", "the agent …", "why it is not seen"), map(_explained, MISSED)),
        "turned down": _table(("result", "the agent …", "why"), map(_explained, TURNED_DOWN)),
        "accepted": _table(
            ("result", "the agent …", "with a remark on"),
            ((f"`{case.name}`", case.story, case.by or "") for case in ACCEPTED),
        ),
    }


def _figures() -> str:
    caught = _caught(CASES)
    stopped = sum(case.expected in STOPPED for case in caught)
    marked = sum(case.expected == "flagged" for case in HONEST)
    return _table(
        ("results", "number", "of", "share"),
        [
            ("dishonest results caught", *_share(caught, DISHONEST)),
            ("of these stopped, the others marked for you", str(stopped), str(len(caught)), ""),
            ("honest results turned down", *_share(TURNED_DOWN, HONEST)),
            ("honest results accepted with a remark", str(marked), str(len(HONEST)), ""),
        ],
    )


def _projects(rows: Sequence[tally.Row]) -> str:
    dishonest = tally.summed(row for row in rows if not row.honest)
    honest = tally.summed(row for row in rows if row.honest)
    return _table(
        ("results", "number", "of", "share"),
        [
            ("dishonest results stopped or marked", *_part(dishonest.seen, dishonest.cases)),
            ("of these stopped, the others marked for you", *_part(dishonest.stopped, dishonest.seen)),
            ("honest results turned down", *_part(honest.stopped, honest.cases)),
            ("honest results accepted with a remark", *_part(honest.flagged, honest.cases)),
        ],
    )


def _part(part: int, whole: int) -> tuple[str, str, str]:
    return str(part), str(whole), tally.share(part, whole)


def _families(rows: Sequence[tally.Row]) -> str:
    head = ("family", "results", "stopped", "marked", "neither", "what spoke against them")
    lines = []
    for honest in (False, True):
        for name, found in tally.by_family(rows, honest=honest).items():
            by = ", ".join(f"{kind} {count}" for kind, count in found.kinds.most_common())
            label = f"honest: {name}" if honest else name
            left = found.cases - found.seen
            lines.append((label, found.cases, found.stopped, found.flagged, left, by))
    return _table(head, lines)


def _mechanisms(rows: Sequence[tally.Row]) -> str:
    """Dishonest results first: what is caught; then honest ones: what is hurt."""
    kinds = [[row for row in rows if row.honest == honest] for honest in (False, True)]
    figures = ("dishonest", "stopped by it alone", "marked by it alone")
    head = ("what is looked at", *figures, "honest", *figures[1:])
    return _table(
        head,
        [
            (name, *(part for some in kinds for part in tally.force(name, some)))
            for name in tally.mechanisms(rows)
        ],
    )


def _cost(rows: Sequence[tally.Row]) -> str:
    head = ("project", "results", "seconds of checks", "further runs", "seconds of these", "ratio")
    projects = {name: [row for row in rows if row.project == name] for name in {row.project for row in rows}}
    lines = [_costs(name, some) for name, some in sorted(projects.items())]
    return _table(head, [*lines, _costs("all", rows)])


def _costs(name: str, rows: Sequence[tally.Row]) -> tuple[object, ...]:
    found = tally.cost(rows)
    averages = (found.check_seconds, found.further_runs, found.further_seconds, found.ratio)
    return (name, found.results, *(f"{each:.1f}" for each in averages))


def _studies(rows: Sequence[tally.Row]) -> str:
    found = tally.by_category(rows)
    lines: list[tuple[object, ...]] = [
        (name, ", ".join(families), found[name].cases, found[name].seen, found[name].stopped)
        for name, families in CATEGORIES.items()
    ]
    lines += [(f"not covered: {what}", "", "", "", "") for what in NOT_COVERED]
    return _table(("what studies describe", "families", "results", "stopped or marked", "stopped"), lines)


def _share(part: Sequence[Case], whole: Sequence[Case]) -> tuple[str, str, str]:
    return str(len(part)), str(len(whole)), f"{100 * len(part) / len(whole):.1f} %"


def _caught(cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if case.by and not case.honest]


def _family(name: str, cases: Sequence[Case]) -> str:
    rows = ((f"`{case.name}`", case.story, case.expected, case.by) for case in _caught(cases))
    return f"### {name.capitalize()}\n\n" + _table(("result", "the agent …", "is", "by its"), rows)


def _explained(case: Case) -> tuple[str, ...]:
    return f"`{case.name}`", case.story, case.blind


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines
    )


if __name__ == "__main__":
    PAGE.write_text(render(PAGE.read_text("utf-8")), "utf-8")
