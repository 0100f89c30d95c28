"""What every prompt of a model has in common that is not at work on a task."""

from collections.abc import Iterable
from textwrap import indent
from typing import NamedTuple

from teamlead.core.runs import Run
from teamlead.core.state import TeamState
from teamlead.prompts.fencing import CAUTION
from teamlead.prompts.forms import Asked
from teamlead.prompts.library import Templates


class Material(NamedTuple):
    """What it is asked about, besides what the session's state holds."""

    log: str = ""
    """What the agent in question did."""
    change: str = ""
    """What it changed, as a patch; about a whole plan, all that was merged."""
    templates: Templates = Templates()


def headed(name: str, asked: Asked, number: int, text: str) -> str:
    """Its first line is for code: by it, scripts and rehearsals know what is asked, and for which time."""
    times = f" ({number})" if number > 1 else ""
    return f"# {name}: {asked}{times}\n\n{CAUTION}\n\n{text}\n"


def time_of(state: TeamState, consultation: Run) -> int:
    """How often this was asked under this name, with this time."""
    named = (f"{consultation.name}-{number}" for number in range(1, consultation.number + 1))
    return sum(state.runs[name].purpose == consultation.purpose for name in named)


def bullets(texts: Iterable[str]) -> str:
    """Further lines of one are indented: none passes for a section of the prompt."""
    return "\n".join(f"- {indent(text, '  ').lstrip()}" for text in texts)
