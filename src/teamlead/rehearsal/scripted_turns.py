"""A script and a request give the reply. Nothing is remembered: the request holds all that happened."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from teamlead.rehearsal.conversation import Conversation, Crash, Reply, Result, Saying, Silence, Trouble, What
from teamlead.rehearsal.declared_tools import Toolbox
from teamlead.runners.script import Script, completed, fill, last_answer, steps_for
from teamlead.runners.script_steps import Step, kind_of, last_words

DEEPEST = 20
ASIDE = Saying("All is well.")
"""For what programs ask beside the work: titles, quotas, summaries."""
PARKED = "No answer yet"
"""How the team's server begins its answer if the person takes longer than the call can wait."""
ANSWERED = "User's answer: "
"""And if there is one."""
_ENDINGS = {"done", "answer", "fail", "http", "break_stream", "silence", "hang", "crash"}


class Turn(NamedTuple):
    """What is said until the model acts, or ends."""

    text: str
    sleep: float
    usage: dict[str, Any]
    act: Step
    feedback: Sequence[dict[str, Any]]
    """All of it so far: last words hold it."""


def reply(script: Script, asked: Conversation, toolbox: Toolbox) -> Reply:
    part = asked.part
    if part is None or not asked.tools:
        return Reply(Saying(json.dumps(_sample(asked.schema))) if asked.schema else ASIDE)
    results = [result for result in asked.results if not result.aside]
    steps = completed(steps_for(script, part), part, asked.prompt)
    turns = _turns(steps)
    number = min(len(results), len(turns) - 1)
    past = list(zip(turns[:number], results, strict=False))
    if past and (said := _said_about(*past[-1], last=past[-1][0].act is steps[-1])):
        return Reply(said)
    answers = [
        last_answer(asked.prompt),
        *(_answer(result) for turn, result in past if "ask" in turn.act),
    ]
    values = {"task": part.task, "attempt": str(part.attempt), "answer": answers[-1]}
    turn = Turn(*fill(list(turns[number]), values))
    return Reply(_what(turn, asked, toolbox), turn.sleep)


def _answer(result: Result) -> str:
    """Returns only the answer itself: messages of others may follow it."""
    return result.text.removeprefix(ANSWERED).partition("\n")[0].strip()


def _said_about(turn: Turn, result: Result, *, last: bool) -> What | None:
    """Returns what the result of a call makes the model say in place of its next step."""
    match turn.act:
        case {"ask": _} if last or result.text.startswith(PARKED):
            return Saying("I have asked, and go on once there is an answer.")
        case {"run": command, "must_pass": True} if result.failed:
            return Trouble(400, f"{command!r} failed")
        case {"wait_for": path} if result.failed:
            return Trouble(400, f"waited for {path!r} in vain")
    return None


def _turns(steps: Sequence[Step]) -> list[Turn]:
    turns: list[Turn] = []
    text: list[str] = []
    feedback: list[dict[str, Any]] = []
    sleep = 0.0
    usage: dict[str, Any] = {}
    for step in [*steps, {"done": f"{{task}}: {len(steps)} steps done"}]:
        match step:
            case {"say": said}:
                text.append(said)
            case {"sleep": seconds}:
                sleep += seconds
            case {"usage": used}:
                usage = used
            case {"feedback": told}:
                feedback.append(told)
            case _:
                turns.append(Turn("\n".join(text), sleep, usage, step, feedback))
                if kind_of(step) in _ENDINGS:
                    break
                text, sleep, usage = [], 0.0, {}
    return turns


def _what(turn: Turn, asked: Conversation, toolbox: Toolbox) -> What:
    tokens = {key: turn.usage[key] for key in ("input_tokens", "output_tokens") if key in turn.usage}
    match turn.act:
        case {"done": _} | {"answer": _}:
            words = last_words(turn.act, turn.feedback)
            return Saying("\n".join(filter(None, [turn.text, words])), **tokens)
        case {"fail": reason}:
            return Trouble(400, reason)
        case {"http": status, **more}:
            return Trouble(status, **more)
        case {"break_stream": _}:
            return Saying(turn.text or "I was about to", broken=True)
        case {"silence": _} | {"hang": _}:
            return Silence()
        case {"crash": _}:
            return Crash()
    last = asked.results[-1] if asked.results else None
    return Saying(turn.text, toolbox.call(turn.act, asked.tools, last), **tokens)


def _sample(schema: object, depth: int = DEEPEST) -> Any:
    """Makes the plainest value that a JSON schema allows, for programs that want an answer of some shape."""
    if not isinstance(schema, Mapping) or depth == 0:
        return None
    if "const" in schema:
        return schema["const"]
    for choice in ("enum", "anyOf", "oneOf"):
        if isinstance(schema.get(choice), list) and schema[choice]:
            first = schema[choice][0]
            return first if choice == "enum" else _sample(first, depth - 1)
    match str(schema.get("type", "object")).lower():
        case "object":
            properties = schema.get("properties")
            known = properties if isinstance(properties, Mapping) else {}
            return {name: _sample(inside, depth - 1) for name, inside in known.items()}
        case "array":
            return []
        case "string":
            return "all is well"
        case "number" | "integer":
            return schema.get("minimum", 1)
        case "boolean":
            return True
    return None
