"""The kinds of faults a rehearsal knows. Light: the command's help lists them."""

from collections.abc import Mapping
from typing import NamedTuple

from teamlead.runners.script_steps import Step

RESET_IN = 3
"""Seconds until a rehearsed limit is lifted."""
QUESTION = "A rehearsal asks: go on?"
ANSWERS = ("yes", "no")
REFUSAL = {
    "success": False,
    "reason": "A rehearsal wants it done twice.",
    "missingRequirements": ["a second attempt"],
    "shouldContinue": True,
}


class FaultKind(NamedTuple):
    help: str
    steps: tuple[Step, ...]
    outcomes: tuple[str, ...]
    """How its attempt may end, if the lead does as it should."""
    role: str = ""
    """Whom it strikes of those who are consulted about the task; empty: the worker."""


KINDS: Mapping[str, FaultKind] = {
    "limit": FaultKind(
        f"the usage limit is reached, and lifted after {RESET_IN} s",
        ({"http": 429, "reset_in": RESET_IN},),
        ("held",),
    ),
    "overloaded": FaultKind("the service is overloaded", ({"http": 529},), ("held",)),
    "denied": FaultKind("the credential is refused", ({"http": 401},), ("held",)),
    "hang": FaultKind("the model never answers", ({"hang": True},), ("held", "failed")),
    "false-done": FaultKind("it says it is done, and did nothing", ({"done": "All done."},), ("refused",)),
    "crash": FaultKind("the program is killed in the middle", ({"crash": True},), ("failed",)),
    "break-stream": FaultKind("the connection breaks off", ({"break_stream": True},), ("held", "failed")),
    "out-of-scope": FaultKind("it changes what its task may not", (), ("refused",)),
    "question": FaultKind(
        "it asks you something", ({"ask": QUESTION, "options": list(ANSWERS)},), ("asked", "accepted")
    ),
    "judge-refuses": FaultKind(
        "the judge finds something missing", ({"answer": REFUSAL},), ("refused",), role="judge"
    ),
    "judge-unreadable": FaultKind(
        "the judge's answer is none", ({"done": "Well, it depends."},), ("unreadable",), role="judge"
    ),
}
