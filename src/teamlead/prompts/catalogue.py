"""Every template there is, and what can stand in it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from teamlead.core.forms import AnswerForm


class Slot(NamedTuple):
    meaning: str
    needed: bool = False
    """The lead counts on it: a template without it is refused."""


class TemplateSlots(NamedTuple):
    purpose: str
    slots: Mapping[str, Slot]
    form: AnswerForm | None = None
    """What it asks for; None: workers are told by their task."""


_ANSWER: Final = Slot("the JSON object to end with, and what was wrong with the last one", needed=True)
_ACCEPTANCE: Final = Slot("when the task is accepted, a line each")
_REPORT: Final = Slot("what the worker says about its work, and about what is in its way")
_CHANGE: Final = Slot("the patch")
_LOG: Final = Slot("what the agent did, the middle left out where it is long")
_INSTRUCTION: Final = Slot("what the user wants, word for word", needed=True)
_ABOUT: Final = Slot("why this is asked")
_DONE: Final = Slot("the tasks that are done, with what speaks for them")
_REST: Final = Slot("the tasks that are still to be done")
_TRIED: Final = Slot("each attempt, and why it was not accepted", needed=True)
_FACTS: Final = Slot("what is known about the repository")
_CONVERSATION: Final = Slot("what the user and the planner said so far", needed=True)
_PLAN_TEXT: Final = Slot("what the plan says for all of its tasks, such as what no task may do", needed=True)
_PROBLEMS: Final = Slot("why the last answer was not accepted", needed=True)

_DIFFICULT: Final = {
    "TASK": Slot("the task, its description and its context", needed=True),
    "ACCEPTANCE": _ACCEPTANCE,
    "DIFFICULTY": Slot("what the agent says is in its way", needed=True),
    "ABOUT": _ABOUT,
    "TRIED": _TRIED,
    "CHANGE": _CHANGE,
    "LOG": _LOG,
    "ANSWER": _ANSWER,
}

_BLIND = {
    "PLAN": Slot("the title of the plan"),
    "PLAN_TEXT": _PLAN_TEXT,
    "TASK": Slot("the task, its description and its context", needed=True),
    "ACCEPTANCE": Slot("when the task is accepted, by numbers", needed=True),
    "ANSWER": _ANSWER,
}
"""For whoever sees nothing of the work."""

CATALOGUE: Final[Mapping[str, TemplateSlots]] = {
    "worker": TemplateSlots(
        "begin a task",
        {
            "ROLE": Slot("its role"),
            "PLAN": Slot("the title of the plan"),
            "PLAN_TEXT": _PLAN_TEXT,
            "DESCRIPTION": Slot("what is to be done", needed=True),
            "CONTEXT": Slot("what the plan says about the task besides"),
            "CHARTER": Slot("what its role looks at, and with whom it talks"),
            "INSTRUCTIONS": Slot("files at the root that tell agents how to work, such as AGENTS.md"),
            "SCOPE": Slot("the paths it may change, a line each", needed=True),
            "SPARSE": Slot("that its copy holds only a part of the repository, where that is so"),
            "ACCEPTANCE": _ACCEPTANCE,
            "CHECKS": Slot("the commands that must pass, a line each"),
            "BUILDS_ON": Slot("what became of the tasks it depends on, and what they found"),
            "EXCERPTS": Slot("files that the lead read for it"),
            "ANSWERS": Slot("its questions with their answers, and advice", needed=True),
            "MESSAGES": Slot("messages of others", needed=True),
            "EARLIER": Slot("why earlier attempts were not accepted", needed=True),
            "TEAM": Slot("the tools of the team, where it has them", needed=True),
            "ENDING": Slot("how to end, and how to report", needed=True),
        },
    ),
    "worker-again": TemplateSlots(
        "go on in the same conversation",
        {
            "ANSWERS": Slot("answers that are new", needed=True),
            "MESSAGES": Slot("messages of others", needed=True),
            "EARLIER": Slot("why the last attempt was not accepted", needed=True),
            "ENDING": Slot("how to end, and how to report", needed=True),
        },
    ),
    "judge-examples": TemplateSlots(
        "think of inputs for a task, and what they must give, without its work",
        _BLIND,
        "examples",
    ),
    "tester": TemplateSlots(
        "write tests for a task, without its work",
        _BLIND,
        "examples",
    ),
    "judge": TemplateSlots(
        "judge an attempt's work",
        {
            "PLAN": Slot("the title of the plan"),
            "PLAN_TEXT": _PLAN_TEXT,
            "TASK": Slot("the task, its description and its context", needed=True),
            "ACCEPTANCE": Slot("when the task is accepted, by numbers", needed=True),
            "UNCHANGED": Slot("that nothing was changed, where that is so", needed=True),
            "EVIDENCE": Slot(
                "what code found for and against the work, and what it could not tell", needed=True
            ),
            "EARLIER": Slot("why earlier attempts were not accepted"),
            "REPORT": _REPORT,
            "CHANGE": _CHANGE,
            "SINCE": Slot("what is different from the attempt before, as a patch"),
            "LOG": _LOG,
            "ANSWER": _ANSWER,
        },
        "judgement",
    ),
    "planner-new": TemplateSlots(
        "make a plan",
        {
            "INSTRUCTION": _INSTRUCTION,
            "FACTS": _FACTS,
            "BOUNDS": Slot("how large a plan and a task may be", needed=True),
            "CONVERSATION": _CONVERSATION,
            "PROBLEMS": _PROBLEMS,
            "ANSWER": _ANSWER,
        },
        "plan",
    ),
    "planner-interpret": TemplateSlots(
        "find the tasks of a plan that is written freely",
        {
            "DOCUMENT": Slot("the plan", needed=True),
            "FACTS": _FACTS,
            "CONVERSATION": _CONVERSATION,
            "PROBLEMS": _PROBLEMS,
            "ANSWER": _ANSWER,
        },
        "plan",
    ),
    "planner-again": TemplateSlots(
        "go on with either in the same conversation",
        {
            "CONVERSATION": Slot("what was said since", needed=True),
            "PROBLEMS": _PROBLEMS,
            "ANSWER": _ANSWER,
        },
        "plan",
    ),
    "planner-quality": TemplateSlots(
        "review a plan before it is used",
        {"INSTRUCTION": _INSTRUCTION, "PLAN": Slot("the plan", needed=True), "ANSWER": _ANSWER},
        "plan-quality",
    ),
    "planner-replan": TemplateSlots(
        "replace a task that failed",
        {
            "INSTRUCTION": _INSTRUCTION,
            "TASK": Slot("the task, its description and its context", needed=True),
            "TRIED": _TRIED,
            "ABOUT": _ABOUT,
            "DONE": _DONE,
            "REST": _REST,
            "REPORT": _REPORT,
            "CHANGE": _CHANGE,
            "LOG": _LOG,
            "ANSWER": _ANSWER,
        },
        "proposal",
    ),
    "planner-review": TemplateSlots(
        "look at a plan whose tasks fail",
        {
            "INSTRUCTION": _INSTRUCTION,
            "ABOUT": _ABOUT,
            "FAILED": Slot("the tasks that failed, and why", needed=True),
            "DONE": _DONE,
            "REST": _REST,
            "ANSWER": _ANSWER,
        },
        "plan-review",
    ),
    "planner-complete": TemplateSlots(
        "say whether the merged work fulfils the instruction",
        {
            "INSTRUCTION": _INSTRUCTION,
            "ADVICE": Slot("what the user said when it was asked before", needed=True),
            "DONE": Slot("what was merged, task by task, with its evidence", needed=True),
            "LEFT_OUT": Slot("the tasks that were skipped, and why"),
            "WHOLE": Slot("the checks of the merged work"),
            "CHANGE": _CHANGE,
            "ANSWER": _ANSWER,
        },
        "completion",
    ),
    "validator": TemplateSlots("find out what is behind a difficulty", _DIFFICULT, "analysis"),
    "advisor": TemplateSlots("give advice where the validator could not", _DIFFICULT, "analysis"),
}


def named(role: str) -> tuple[str, ...]:
    """The one of this name, else all of the role; empty: there is none."""
    if role in CATALOGUE:
        return (role,)
    return tuple(name for name in CATALOGUE if name.startswith(f"{role}-"))
