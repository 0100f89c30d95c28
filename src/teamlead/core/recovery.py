"""What follows when an agent failed or ran out of time. The primary path is always another agent.

| in this order | what is done |
| --- | --- |
| what it left can be used | go on with it |
| critical, or it was to read for others, and not yet retried | once more, with a smaller scope |
| it was to read for others | the lead reads itself, within the limits of a fallback |
| not critical | go on, and write the gap down |
| critical | ask the person |
"""

from typing import Literal, NamedTuple

from teamlead.core.roles import role_named

Step = Literal["use-partial", "retry-smaller", "read-directly", "go-on", "escalate"]


class Failure(NamedTuple):
    role: str
    critical: bool
    retried: bool
    """It has been tried again once."""
    usable: bool = False
    """What it left behind is of use."""


class Recovery(NamedTuple):
    step: Step
    warning: str = ""
    """For the user and the progress file; "" while nothing is missing yet."""


def recover(failure: Failure) -> Recovery:
    warning = f"Agent {failure.role} failed, results may be incomplete"
    reads = role_named(failure.role).reads_for_others
    if failure.usable:
        return Recovery("use-partial", warning)
    if not failure.retried and (failure.critical or reads):
        return Recovery("retry-smaller")
    if reads:
        return Recovery("read-directly", warning)
    return Recovery("escalate" if failure.critical else "go-on", warning)
