"""How an agent is told to report: in the form that its task hands in, and no more of it than that needs."""

from teamlead.core.forms import form_of
from teamlead.core.model import TaskSpec
from teamlead.core.rules import advice_for
from teamlead.forms.catalogue import REPORTS

TOOL = """\
Hand your result in with `submit_result`, with these parts as its fields; if it is refused, mend what it names
and hand it in again. Then end your turn."""

TEXT = "End with a report in exactly this form, under the heading `## {role} Result`."


def reporting(task: TaskSpec, *, team: bool, required: bool) -> str:
    """`required`: whoever may end with a summary reports all the same, on what it has implemented."""
    form = REPORTS[form_of(task)]
    if form.name == "summary" and not required:
        return form.asks
    asked = (REPORTS["implementation"] if form.name == "summary" else form).asks
    advice = "\n".join(f"- {text}" for text in advice_for(task.role))
    intro = TOOL if team else TEXT.format(role=task.role)
    return f"{intro}\n\n{asked}\n\nWhat makes a report better:\n\n{advice}"
