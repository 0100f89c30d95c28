"""The JSON that models are asked to end with, an example each. `forms` reads what they make of it."""

from typing import Final, Literal

from teamlead.core.quoting import quoted
from teamlead.core.runs import Purpose

Drafting = Literal["plan", "interpret", "quality"]
"""What a planner is asked for before there is a session."""
Asked = Purpose | Drafting
"""What a model is asked for that is not at work on a task."""

_TASK: Final = """\
    {
      "id": "task-1",
      "summary": "A title of at most 50 characters",
      "description": "What is to be done, and all that its agent has to know",
      "scopePaths": ["src/auth/", "tests/auth/"],
      "acceptance": ["a wrong password is refused with status 401"],
      "checks": ["python -m pytest tests/auth"],
      "type": "implementation",
      "estimatedDuration": 1.5,
      "dependencies": []
    }"""

_FIELDS: Final = """\
- `id`: task-1, task-2 and so on. `dependencies`: ids of tasks of this very answer.
- `scopePaths`: files and folders it may change, relative to the repository's root; at least one.
- `acceptance`: how one can tell that it is done. `checks`: commands that must pass; such as can be run here.
- `type`: implementation, documentation, investigation or integration. `estimatedDuration`: hours, 0.5 to 8.
- Where it helps: `context`, `branch`, `role`, `outputs` (files that have to be there at the end)."""

_TASKS: Final = f"""\
```json
{{
  "title": "A name for all of it",
  "tasks": [
{_TASK}
  ],
  "questions": [],
  "reason": "Why these tasks"
}}
```

{_FIELDS}
- `questions`: what only the user can say. If you cannot go on without it, leave `tasks` empty."""

_ANALYSIS: Final = """\
```json
{
  "rootCause": "The test server takes a fixed port, which another test holds",
  "recommendation": "Bind port 0 in tests/server.py, and read the port from the socket",
  "confidence": "high",
  "requiresUserDecision": false,
  "reasoning": "The log shows EADDRINUSE only when both tests run",
  "contradiction": ""
}
```

- `confidence`: high, medium or low.
- `requiresUserDecision`: true if only the user can decide it.
- `contradiction`: the requirements that contradict each other, if some do."""

FORMS: Final[dict[Asked, str]] = {
    "judge": """\
```json
{
  "success": false,
  "reason": "The parser is there, but an empty file makes it crash",
  "missingRequirements": ["an empty file gives an empty list"],
  "shouldContinue": true,
  "shouldReplan": false,
  "alreadySatisfied": false,
  "contradictions": []
}
```

- `success`: every requirement is fulfilled. Then nothing else may be true, and nothing may be missing.
- `reason`: goes to the worker, so say what to do differently.
- `shouldContinue`: the worker can mend it. `shouldReplan`: the task itself has to be cut or put differently.
- `alreadySatisfied`: what is asked for was there before, so that nothing had to be changed.
- `contradictions`: requirements that cannot all be fulfilled; a person decides.""",
    "replan": _TASKS,
    "review": _TASKS,
    "complete": f"""\
```json
{{
  "fulfilled": false,
  "reason": "Logging in works, but nothing says how to set a password",
  "missing": ["documentation of passwords"],
  "tasks": [
{_TASK}
  ]
}}
```

{_FIELDS}
- `missing`: what the instruction asks for and is not there. If it is `fulfilled`, both lists are empty.""",
    "validate": _ANALYSIS,
    "advise": _ANALYSIS,
    "plan": _TASKS,
    "interpret": _TASKS,
    "quality": """\
```json
{
  "critical": [{"criterion": "The tasks fulfil the instruction", "met": true, "why": "Each part has a task"}],
  "important": [{"criterion": "Scopes do not overlap", "met": false, "why": "Two tasks change src/a.py"}],
  "nice": [{"criterion": "Tasks run at the same time where they can", "met": true, "why": "Two of three do"}]
}
```

- `why`: what to do about it, where it is not met.""",
}

ASKED: Final[dict[str, Asked]] = {
    "judge": "judge",
    "planner-new": "plan",
    "planner-interpret": "interpret",
    "planner-again": "plan",
    "planner-quality": "quality",
    "planner-replan": "replan",
    "planner-review": "review",
    "planner-complete": "complete",
    "validator": "validate",
    "advisor": "advise",
}
"""What each template asks for; workers are free to end as they like."""


def form_of(template: str) -> str:
    """Empty where no form is asked for."""
    return FORMS[ASKED[template]] if template in ASKED else ""


def answer_form(asked: Asked, problem: str = "") -> str:
    """What to end with. `problem`: why the last answer could not be read."""
    again = f"Your last answer could not be read:\n\n{quoted(problem)}\n\n" if problem else ""
    return f"{again}End with one JSON object of this form, and nothing after it:\n\n{FORMS[asked]}"
