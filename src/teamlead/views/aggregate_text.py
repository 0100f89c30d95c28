"""Aggregated results as a page that people read."""

from collections.abc import Iterator
from typing import Any

from teamlead.system.text import clip

NEXT = {
    "proceed": "go on to the next phase",
    "review": "review what was found, and decide how to go on",
    "handle-errors": "handle the errors; retry where it may help",
}
LONGEST = 300
"""Characters of what an agent wrote, in one line of the page."""


def aggregate_markdown(document: dict[str, Any]) -> str:
    return (
        "\n".join(
            [
                f"# {document['status']}: {NEXT[document['next']]}",
                "",
                *_part("Contradictions: a person has to decide", _contradictions(document)),
                *_part("Findings", (_finding(item) for item in document["findings"]), "None."),
                *_part("Blockers", (_blocker(item) for item in document["blockers"])),
                *_part("Results", (_report(item) for item in document["reports"]), "None."),
                *_part("Left out: they break the contract", _left_out(document)),
            ]
        ).rstrip()
        + "\n"
    )


def _part(title: str, items: Iterator[str], empty: str = "") -> list[str]:
    lines = list(items) or ([f"- {empty}"] if empty else [])
    return [f"## {title}", "", *lines, ""] if lines else []


def _contradictions(document: dict[str, Any]) -> Iterator[str]:
    for item in document["contradictions"]:
        yield f"- {_line(item['place']) or 'no place'}: {item['reason']}"
        yield from (f"  - {_said(opinion)}" for opinion in item["opinions"])


def _said(opinion: dict[str, Any]) -> str:
    verdict = "clear" if opinion["clears"] else opinion["severity"]
    return f"{_line(opinion['agent'])} ({verdict}, {opinion['confidence']:g}): {_line(opinion['text'])}"


def _finding(item: dict[str, Any]) -> str:
    agents = ", ".join(_line(agent) for agent in item["agents"])
    sure = f"max {item['max']:g}, combined {item['combined']:.4g}"
    where = " ".join(part for part in (_line(item["place"]), _line(item["category"])) if part)
    contested = ", contested" if item["contested"] else ""
    return f"- {item['severity']} {where}: {_line(item['text'])} ({sure}; {agents}{contested})"


def _blocker(item: dict[str, Any]) -> str:
    resolution = f"; needs: {_line(item['resolution'])}" if item["resolution"] else ""
    return f"- {_line(item['report'])}: {_line(item['text'])}{resolution}"


def _report(item: dict[str, Any]) -> str:
    agent = _line(item["agent"]) or "no role"
    return f"- {_line(item['report'])} ({agent}): {item['status']}, confidence {item['confidence']:g}"


def _left_out(document: dict[str, Any]) -> Iterator[str]:
    for item in document["left_out"]:
        yield f"- {_line(item['report'])}"
        yield from (f"  - {_line(problem)}" for problem in item["problems"])


def _line(text: str) -> str:
    return clip(" ".join(text.split()), LONGEST)
