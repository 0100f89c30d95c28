"""Writes the corpus into docs/concepts/what-is-caught.md: `python -m benchmarks.honesty.page`.

By what the cases expect; a test holds that against what comes of them.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.honesty.case import STOPPED, Case
from benchmarks.honesty.corpus import CASES, FAMILIES

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
    return {
        "figures": _figures(),
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
