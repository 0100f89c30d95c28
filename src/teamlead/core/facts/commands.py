"""What a person asks of a session."""

from typing import Literal

from teamlead.core.facts.base import Wish
from teamlead.core.model import TaskSpec
from teamlead.core.transitions import Phase


class Resolve(Wish, frozen=True):
    escalation: str
    text: str
    by: str = "user"
    tasks: tuple[str, ...] = ()
    """Which of its tasks the answer is for; none: all."""


class Approve(Wish, frozen=True):
    commit: str
    """Of the merged work, as whoever approves it was shown it."""
    by: str = "user"
    squash: bool = False
    sign: bool = False


class Reject(Wish, frozen=True):
    reason: str
    by: str = "user"
    rollback: bool = False
    """The session's branches go, too: what they hold is kept aside."""


class ReviseWork(Wish, frozen=True):
    """What is to be different about the finished work: a stage, and all that was built on it, runs again."""

    text: str
    stage: str = ""
    """Empty: the last whose work is merged."""
    by: str = "user"


class MovePhase(Wish, frozen=True):
    """The session is to be in another phase, if the table of phases and the guard of the stages allow it."""

    phase: Phase
    reason: str
    by: str = "user"


class Cancel(Wish, frozen=True):
    reason: str
    by: str = "user"
    at_once: bool = False
    """Agents at work are ended, and not asked to leave."""


class AddTasks(Wish, frozen=True):
    """All of them, or none."""

    tasks: tuple[TaskSpec, ...]
    by: str = "user"
    before: tuple[str, ...] = ()
    """Tasks that are to wait for them."""


class SkipTask(Wish, frozen=True):
    task: str
    reason: str
    by: str = "user"


class PauseTask(Wish, frozen=True):
    """Its agent ends, and no other starts until somebody wants it again."""

    task: str
    by: str = "user"


BuiltOn = Literal["ask", "again", "keep"]
"""What becomes of tasks that were built on one which is done anew: they run again, too, or keep what they
have. ask: nobody has said."""


class RetryTask(Wish, frozen=True):
    """The task goes on, runs again, or is done anew, whatever kept it."""

    task: str
    advice: str = ""
    by: str = "user"
    built_on: BuiltOn = "ask"


class ReassignTask(Wish, frozen=True):
    """Another agent goes on with the task."""

    task: str
    agent: str
    model: str = ""
    by: str = "user"


class Revise(Wish, frozen=True):
    """What is to be different about the plan that is made here, or an answer to what its planner asks."""

    text: str
    """Empty: as it was proposed before."""
    discuss: bool = False
    """A person wants to accept the plan before it counts."""
    by: str = "user"


class PauseSession(Wish, frozen=True):
    """The leader is to end in order; a resume goes on."""

    by: str = "user"


class ReleaseAgent(Wish, frozen=True):
    """The user knows that a kind of agent may be used again."""

    kind: str
    by: str = "user"


class Tell(Wish, frozen=True):
    """A message to the agent of a task, or to the one that will work on it next."""

    task: str
    text: str
    by: str = "user"


class Mend(Wish, frozen=True):
    """What became of changes in the user's repository: it is so by now."""

    put_back: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    """The user takes them for their own."""
    gone: tuple[str, ...] = ()
    """They were as before when somebody looked."""
    by: str = "user"


Command = (
    Resolve
    | Approve
    | Reject
    | ReviseWork
    | MovePhase
    | Cancel
    | AddTasks
    | SkipTask
    | PauseTask
    | RetryTask
    | ReassignTask
    | Revise
    | PauseSession
    | ReleaseAgent
    | Tell
    | Mend
)
"""What another process may ask of a session through its inbox."""
