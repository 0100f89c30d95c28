"""In which form something is handed in, and how often a wrong one is read.

A task has the form that it names, else its role's. A model that is consulted has the form of what it is asked
for. What each form asks for, and how it is read, is told in the room `forms`.
"""

from typing import Literal

from teamlead.core.model import TaskForm, TaskSpec
from teamlead.core.roles import role_named
from teamlead.core.runs import Purpose

AnswerForm = Literal[
    "examples", "judgement", "proposal", "plan-review", "completion", "analysis", "plan", "plan-quality"
]
"""What models answer. examples: what programs must give by the words of a task. proposal: tasks in the place
of one that failed. plan-review: what to do about a plan whose tasks fail. completion: whether the merged
work fulfils the instruction. analysis: what is behind a difficulty. plan-quality: what is to be said of a
plan before it is used."""

FORM_OF_PURPOSE: dict[Purpose, AnswerForm] = {
    "tests": "examples",
    "examples": "examples",
    "judge": "judgement",
    "quality": "plan-quality",
    "replan": "proposal",
    "review": "plan-review",
    "complete": "completion",
    "validate": "analysis",
    "advise": "analysis",
}

READINGS: dict[TaskForm | AnswerForm, int] = {
    # In one run, where an agent hands it in with a tool.
    **dict.fromkeys(("summary", "exploration", "design", "review", "implementation"), 5),
    **dict.fromkeys(("proposal", "plan-review", "completion", "analysis"), 3),
    # It is asked about every task: one that cannot answer is a matter of all of them.
    "judgement": 2,
    # Work is judged without them as well.
    "examples": 2,
    # Unless the settings say otherwise.
    "plan": 5,
    # Who plans is asked for another plan instead.
    "plan-quality": 1,
}
"""How many wrong ones are read before it is given up: all but the last come back with what is wrong."""


def form_of(task: TaskSpec) -> TaskForm:
    return task.form or role_named(task.role).form
