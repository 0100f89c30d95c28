"""Draws the state machines of the core into docs/concepts/states.md: `python docs/generate_states.py`."""

from collections.abc import Mapping
from pathlib import Path

from teamlead.core.transitions import MACHINES

PAGE = Path(__file__).parent / "concepts" / "states.md"


def markers(machine: str) -> tuple[str, str]:
    return f"<!-- {machine}: drawn from the table -->", f"<!-- {machine}: end -->"


def diagram(table: Mapping[str, tuple[str, ...]]) -> str:
    first = next(iter(table))
    named = [f'    state "{state}" as {_id(state)}' for state in table if " " in state]
    lines = ["```mermaid", "stateDiagram-v2", *named, f"    [*] --> {_id(first)}"]
    for before, moves in table.items():
        lines += [f"    {_id(before)} --> {_id(after)}" for after in moves or ("[*]",)]
    return "\n".join([*lines, "```"])


def _id(state: str) -> str:
    """A diagram's own names have no blanks."""
    return state.replace(" ", "_")


def render(page: str) -> str:
    """The page with every diagram drawn anew; what people wrote around them stays."""
    for machine, table in MACHINES.items():
        begin, end = markers(machine)
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"{PAGE} has no place for {machine!r}: add {begin} and {end}")
        page = f"{before}{begin}\n\n{diagram(table)}\n\n{end}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(render(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
