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
    head = ("family", "results", "stopped", "marked", "accepted as they are", "what spoke against them")
    lines = []
    for honest in (False, True):
        for name, found in tally.by_family(rows, honest=honest).items():
            by = ", ".join(f"{kind} {count}" for kind, count in found.kinds.most_common())
            label = f"honest: {name}" if honest else name
            left = found.cases - found.seen
            lines.append((label, found.cases, found.stopped, found.flagged, left, by))
    return _table(head, lines)


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
