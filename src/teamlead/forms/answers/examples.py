"""The JSON that models are asked to end with: an example of each form, and what its fields mean."""

from typing import Final

from teamlead.core.forms import AnswerForm

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
- Where it helps: `context`, `branch`, `role`, `outputs` (files that have to be there at the end), `form`
  (what it hands in: summary, exploration, design, review or implementation)."""

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

EXAMPLES: Final[dict[AnswerForm, str]] = {
    "judgement": """\
```json
{
  "success": false,
  "reason": "The parser is there, but an empty file makes it crash",
  "fulfilled": [{"number": 1, "line": "src/parser.py:12", "test": "tests/test_parser.py::test_reads_a_list"}],
  "answers": [],
  "objections": [{"says": "`strict` is a parameter that nothing reads", "line": "src/parser.py:8"}],
  "statements": [{"says": "comments are skipped", "line": "src/parser.py:20"}],
  "missingRequirements": ["an empty file gives an empty list"],
  "shouldContinue": true,
  "shouldReplan": false,
  "alreadySatisfied": false,
  "contradictions": []
}
```

- `success`: every requirement is fulfilled. Then nothing else may be true, and nothing may be missing.
- `fulfilled`: for each number of the acceptance the line that fulfils it, and the test that would fail
  without it ("none" where none would). With `success`, each number has an entry. Code looks all places up.
- `answers`: one for each numbered question, if there are any: `number`, and as `sentence` the words of the
  plan or the task that ask for it, copied; or "none", where no sentence does: that makes it an objection.
- `objections`: what is wrong beside that, whatever `success` says: parameters, branches and error paths that
  are named and never used, and values in tests that contradict the plan. Each goes back to the worker.
- `statements`: what the worker's report says of code, one by one, each with the line that bears it out; or
  "none", where it is not so: that makes it an objection. Leave out what no line can show: what was run, and
  that something is not there.
- `reason`: goes to the worker, so say what to do differently.
- `shouldContinue`: the worker can mend it. `shouldReplan`: the task itself has to be cut or put differently.
- `alreadySatisfied`: what is asked for was there before, so that nothing had to be changed.
- `contradictions`: requirements that cannot all be fulfilled; a person decides.""",
    "examples": """\
```json
{
  "examples": [
    {
      "sentence": "`gross(99)` is 119",
      "file": "try_gross.py",
      "text": "from shop.tax import gross\\nprint(gross(99))",
      "command": "python3 try_gross.py",
      "output": "119",
      "exitCode": 0
    }
  ]
}
```

- `sentence`: of the plan or the task, copied, by which it must be so.
- `command`: one line for a shell in the repository's root. It needs no network and ends within seconds.
- `file`: one small new file that the command needs, and `text`, what stands in it. Leave both out where the
  command needs none.
- `output`: all that it prints on its standard output, to the letter. Leave it out where only the exit code
  counts.
- `exitCode`: 0 where it says nothing else.
- `examples`: at most five; an empty list where the words say nothing that a program could show.""",
    "proposal": _TASKS,
    "plan-review": _TASKS,
    "completion": f"""\
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
    "analysis": _ANALYSIS,
    "plan": _TASKS,
    "plan-quality": """\
```json
{
  "critical": [{"criterion": "The tasks fulfil the instruction", "met": true, "why": "Each part has a task"}],
  "important": [{"criterion": "Scopes do not overlap", "met": false, "why": "Two tasks change src/a.py"}],
  "nice": [{"criterion": "Tasks run at the same time where they can", "met": true, "why": "Two of three do"}]
}
```

- `why`: what to do about it, where it is not met.""",
}
