"""What every prompt of a model has in common that is not at work on a task."""

from collections.abc import Iterable
from textwrap import indent
from typing import Literal, NamedTuple

from teamlead.core.forms import AnswerForm
from teamlead.core.quoting import quoted
from teamlead.core.runs import Purpose, Run
from teamlead.core.state.team_state import TeamState
from teamlead.forms.catalogue import FORMS
from teamlead.prompts.fencing import CAUTION
from teamlead.prompts.library import Templates

Drafting = Literal["plan", "interpret"]
"""What a planner is asked for whose task delivers a plan."""


class Material(NamedTuple):
    """What it is asked about, besides what the session's state holds."""

    log: str = ""
    """What the agent in question did."""
    change: str = ""
    """What it changed, as a patch; about a whole plan, all that was merged."""
    plan: str = ""
    """As a document, where one that was proposed is in question."""
    templates: Templates = Templates()


def headed(name: str, asked: Purpose | Drafting, number: int, text: str) -> str:
    """Its first line is for code: by it, scripts and rehearsals know what is asked, and for which time."""
    times = f" ({number})" if number > 1 else ""
    return f"# {name}: {asked}{times}\n\n{CAUTION}\n\n{text}\n"


def answer_form(form: AnswerForm, problem: str = "") -> str:
    """What to end with. `problem`: why the last answer could not be read."""
    again = f"Your last answer could not be read:\n\n{quoted(problem)}\n\n" if problem else ""
    return f"{again}End with one JSON object of this form, and nothing after it:\n\n{FORMS[form].asks}"


def time_of(state: TeamState, consultation: Run) -> int:
    """How often this was asked under this name, with this time."""
    named = (f"{consultation.name}-{number}" for number in range(1, consultation.number + 1))
    return sum(state.runs[name].purpose == consultation.purpose for name in named)


def bullets(texts: Iterable[str]) -> str:
    """Further lines of one are indented: none passes for a section of the prompt."""
    return "\n".join(f"- {indent(text, '  ').lstrip()}" for text in texts)
