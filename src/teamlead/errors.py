"""Every error a user may see, and the exit code it ends a command with.

TeamleadError
├── UsageError            2  wrong arguments, or a file of the user's that cannot be used
│   ├── PlanError            a plan with problems, each with its line
│   └── ConfigError          a config or script file, with its line
├── NotFound              4  no such session, task, escalation or file
├── Refused               5  a rule forbids it
│   ├── IllegalMove          a state machine has no such move
│   └── LeaseHeld            another leader runs this session
│       └── StaleLeader      another leader has taken the place of this one
└── Failed                1  it was allowed and did not work
    ├── GitFailed            git said no
    ├── MergeConflict        two changes touch the same lines
    ├── Unreadable           a model's answer is not what it was asked for
    ├── MachineUnable        the machine cannot, for now: nobody's work has failed
    │   ├── MachineBusy      it will be able to: what was to be done waits, and is done then
    │   │   ├── MachineExhausted  it is out of processes, descriptors or memory
    │   │   └── LockHeld          another process does not let go of what is needed
    │   └── DiskUnusable     see below
    └── StorageFailed        the journal or a state file cannot be read or written
        ├── ViewDoubtful     what the journal keeps ready for `status` may not be what was written
        └── DiskUnusable     the disk is full, read-only or failing: nothing more can be stored

A message names the thing and says what to do. It is one line, unless it lists problems.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

NEEDS_PERSON: Final = 3
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
"""Exit codes that no error stands for."""


def with_aside(text: str, aside: str) -> str:
    """As one sentence. The aside is in brackets, but for where brackets would meet or stand in others."""
    if not aside:
        return text
    return f"{text}; {aside}" if "(" in aside or text.endswith(")") else f"{text} ({aside})"


class TeamleadError(Exception):
    """The root: what the command line shows as one clear message."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return with_aside(self.message, self.remedy)


class UsageError(TeamleadError):
    exit_code = 2


class PlanError(UsageError):
    """A plan that cannot be carried out; `problems` are ready to print, one a line."""

    def __init__(self, message: str, problems: Sequence[str] = (), *, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *self.problems])


class ConfigError(UsageError):
    pass


class NotFound(TeamleadError):
    exit_code = 4


class Refused(TeamleadError):
    exit_code = 5


class IllegalMove(Refused):
    def __init__(self, machine: str, before: str, after: str, remedy: str = "") -> None:
        super().__init__(f"Invalid transition: {before} → {after} ({machine})", remedy=remedy)
        self.machine = machine
        self.before = before
        self.after = after


class LeaseHeld(Refused):
    pass


class StaleLeader(LeaseHeld):
    def __init__(self, session: str) -> None:
        super().__init__(
            f"another leader has taken over session {session!r}; this one ends, and changes nothing more",
            remedy=f"follow the other with `teamlead watch {session}`",
        )


class Failed(TeamleadError):
    exit_code = 1


class GitFailed(Failed):
    pass


class MergeConflict(Failed):
    def __init__(self, message: str, paths: Sequence[str], detail: str = "", *, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.paths = tuple(paths)
        self.detail = detail


class Unreadable(Failed):
    """The message goes back to the model that gave the answer, and may stand in other sentences."""

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


class StorageFailed(Failed):
    pass


class ViewDoubtful(StorageFailed):
    """The events tell the truth."""


class MachineUnable(Failed):
    """Nobody's work has failed: it goes on when the machine can again."""


class MachineBusy(MachineUnable):
    """It passes by itself."""


class MachineExhausted(MachineBusy):
    pass


class LockHeld(MachineBusy):
    """By a process that is alive."""


class DiskUnusable(StorageFailed, MachineUnable):
    pass
