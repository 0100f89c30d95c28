"""What the outside must do next. Each has a stable key: the same key is never carried out twice at once.

| effect      | key              | how the world tells that it happened already        |
| ----------- | ---------------- | --------------------------------------------------- |
| PrepareCopy | task, attempt    | the copy is there, on the right base                |
| RunAgent    | run              | its result file is complete, or its start is marked |
| StopAgent   | run              | nothing of it runs                                  |
| Deliver     | attempt, message | it is not unread any more                           |
| AwaitAnswer | attempt, request | it has left, or was asked again                     |
| Collect     | task, attempt    | the branch tip carries the attempt's trailer        |
| Check       | commit, command  | a stored result                                     |
| Prove       | task, attempt    | remembered trials                                   |
| Integrate   | task, commit     | the integration branch contains it                  |
| Release     | copy             | the copy is gone                                    |
| CheckWhole  | merged work      | remembered trials                                   |
| Preflight   | command          | remembered trials                                   |
| Notify      | what about       | it is answered already                              |
| ApplyWork   | session, commit  | the target branch contains it                       |
"""

from teamlead.core.model import Value


class Effect(Value, frozen=True, tag=True):
    @property
    def key(self) -> str:
        raise AssertionError


class AttemptEffect(Effect, frozen=True):
    task: str
    attempt: int

    @property
    def key(self) -> str:
        return f"{type(self).__name__}:{self.task}:{self.attempt}"


class PrepareCopy(AttemptEffect, frozen=True):
    bases: tuple[str, ...]
    """Commits to start from; several are merged in this order."""
    fallback: str
    """A commit that holds all of them, resolved, for when they do not merge with each other; or empty."""
    fresh: bool
    """Start anew from `bases`, also where an earlier attempt left a copy."""


class RunAgent(Effect, frozen=True):
    """Start an agent or a model, and wait for its end."""

    run: str

    @property
    def key(self) -> str:
        return f"RunAgent:{self.run}"


class StopAgent(Effect, frozen=True):
    """End what is alive of a run, and with an attempt's all that is done for the attempt."""

    run: str
    reason: str

    @property
    def key(self) -> str:
        return f"StopAgent:{self.run}"


class Deliver(AttemptEffect, frozen=True):
    """Send a message into the run, where its program has a way for it. Else the agent finds it by itself."""

    message: str

    @property
    def key(self) -> str:
        return f"Deliver:{self.task}:{self.attempt}:{self.message}"


class AwaitAnswer(AttemptEffect, frozen=True):
    """Give a member that was asked to leave its time."""

    request: str
    seconds: float
    """In which the machine is awake."""

    @property
    def key(self) -> str:
        return f"AwaitAnswer:{self.task}:{self.attempt}:{self.request}"


class Collect(AttemptEffect, frozen=True):
    base: str
    summary: str


class Check(AttemptEffect, frozen=True):
    commit: str
    command: str

    @property
    def key(self) -> str:
        return f"Check:{self.task}:{self.attempt}:{self.commit}:{self.command}"


class Prove(AttemptEffect, frozen=True):
    """Find out by further runs whether work whose checks have passed is done."""

    commit: str
    examples: str = ""
    """The run that gave those which are tried on it; empty: its checks are run on variants of it."""

    @property
    def key(self) -> str:
        return f"{super().key}:{self.examples}" if self.examples else super().key


class Integrate(AttemptEffect, frozen=True):
    commit: str


class Release(Effect, frozen=True):
    task: str

    @property
    def key(self) -> str:
        return f"Release:{self.task}"


class Notify(Effect, frozen=True):
    """Tell the user that a person is needed."""

    about: str
    """An escalation, or a phase of the session."""

    @property
    def key(self) -> str:
        return f"Notify:{self.about}"


class CheckWhole(Effect, frozen=True):
    """Run the checks of the whole plan on the merged work."""

    tip: str
    turn: int = 0
    """How often a person wanted it again."""

    @property
    def key(self) -> str:
        return f"CheckWhole:{self.tip}:{self.turn}"


class Preflight(Effect, frozen=True):
    """Try a check on a clean copy of the base, before agents work."""

    command: str
    turn: int = 0
    """How often a person wanted it again."""

    @property
    def key(self) -> str:
        return f"Preflight:{self.turn}:{self.command}"


class ApplyWork(Effect, frozen=True):
    """Bring the integrated work onto the user's branch."""

    commit: str
    branch: str
    squash: bool
    sign: bool

    @property
    def key(self) -> str:
        return f"ApplyWork:{self.commit}"


class RollBack(Effect, frozen=True):
    """Take the session's branches away, and keep what they hold."""

    @property
    def key(self) -> str:
        return "RollBack"


AnyEffect = (
    PrepareCopy
    | RunAgent
    | StopAgent
    | Deliver
    | AwaitAnswer
    | Collect
    | Check
    | Prove
    | Integrate
    | Release
    | Notify
    | CheckWhole
    | Preflight
    | ApplyWork
    | RollBack
)
