"""What the outside reports or asks. Facts carry checked values: text is parsed before it becomes one.

Facts about an attempt name its number; one that is not the live attempt of its task is stale and changes
nothing. What an agent says while it works is different: it waits for the answer, so it is refused.
"""

from typing import Literal

from teamlead.core.answers import Answer
from teamlead.core.evidence.bisection import WholeCheck
from teamlead.core.evidence.values import CheckResult, Examined, Found
from teamlead.core.model import (
    Excerpt,
    Person,
    Question,
    SessionSpec,
    TaskSpec,
    Trespass,
    Value,
)
from teamlead.core.reports import Feedback, Result
from teamlead.core.runs import RunEnd

WorkStatus = Literal["working", "blocked", "done"]
"""An agent's own word about its task. It moves nothing."""


class Fact(Value, frozen=True, tag=True, tag_field="fact"):
    pass


class Wish(Fact, frozen=True, kw_only=True):
    """What a person wants. Nothing that an agent says is one."""

    who: Person | None = None
    """None: nobody in person, as where a demonstration answers itself."""


class Open(Wish, frozen=True):
    """The user started a session."""

    spec: SessionSpec


class LeaderArrived(Fact, frozen=True):
    epoch: int
    holder: str


class LeaderDraining(Fact, frozen=True):
    """Stop starting work; what runs may end."""

    reason: str


class LeaderLeft(Fact, frozen=True):
    reason: str


class CopyReady(Fact, frozen=True):
    task: str
    attempt: int
    base: str
    """The commit the copy started from, after merging its dependencies."""
    kept: str = ""
    """A ref that holds what an earlier copy of the task held and no branch does."""


class CopyConflict(Fact, frozen=True):
    """The dependencies of a task cannot be merged with each other."""

    task: str
    attempt: int
    paths: tuple[str, ...]


class RunOver(Fact, frozen=True):
    """Nothing of this run is alive any more."""

    run: str
    end: RunEnd
    answer: Answer | None = None
    """Of a model that was asked. None: it gave none that can be read."""
    problem: str = ""
    """What was wrong with its answer, for it to know."""


class WorkFound(Fact, frozen=True):
    """What the attempt left in its copy."""

    task: str
    attempt: int
    found: Found
    examined: Examined = Examined()


class CheckEnded(Fact, frozen=True):
    task: str
    attempt: int
    result: CheckResult


class Merged(Fact, frozen=True):
    task: str
    attempt: int
    commit: str
    tip: str
    """The integration branch after the merge."""


class MergeRefused(Fact, frozen=True):
    task: str
    attempt: int
    tip: str
    paths: tuple[str, ...]
    detail: str = ""
    """Both sides, for the next prompt."""


class EffectFailed(Fact, frozen=True):
    """Git or the machine would not do what a task needed."""

    task: str
    attempt: int
    what: str
    reason: str


class RunQuiet(Fact, frozen=True):
    """Confirmed: nothing of this run is alive any more, nor of its attempt, if it works on one."""

    run: str


class CopyReleased(Fact, frozen=True):
    task: str
    kept: str = ""
    """A ref or a place that holds work which is not on a branch; empty if there is none."""
    stayed: str = ""
    """The place of a copy that an earlier release had to leave there, and that is gone now."""


class ConflictSeen(Fact, frozen=True):
    """What two attempts at work have changed so far does not merge."""

    task: str
    attempt: int
    other: str
    """Empty: what was merged since it began."""
    other_attempt: int
    paths: tuple[str, ...]
    """Empty: it merges again."""


class Notified(Fact, frozen=True):
    """The user was told that a person is needed, or could not be."""

    about: str
    problem: str = ""


class TrialBegun(Fact, frozen=True):
    """A check of the whole plan runs somewhere now."""

    tip: str
    command: str
    where: str


class WholeEnded(Fact, frozen=True):
    """What the checks of the whole plan came to on the merged work."""

    tip: str
    checks: tuple[WholeCheck, ...]


class RepositoryLooked(Fact, frozen=True):
    """All that was changed in the user's repository and is not put right."""

    trespasses: tuple[Trespass, ...] = ()


class ApprovalMade(Fact, frozen=True):
    commit: str
    branch: str
    before: str
    undo: str


class ApprovalImpossible(Fact, frozen=True):
    reason: str


class PlanWritten(Fact, frozen=True):
    """The plan that was made here stands in a file now."""

    path: str
    digest: str


class KindHeld(Fact, frozen=True):
    """Another session of this user met a limit of this kind of agent."""

    kind: str
    until: float
    reason: str


class MachineShort(Fact, frozen=True):
    """Something could not be started for want of processes, descriptors or memory."""

    reason: str


class CommandUnreadable(Fact, frozen=True):
    """Stands in the place of a command that nobody can read: it is kept, and nothing is done."""

    problem: str


class AttemptTalk(Fact, frozen=True):
    """What an agent says while it works."""

    task: str
    attempt: int


class Reported(AttemptTalk, frozen=True):
    """How far it is."""

    text: str


class FeedbackGiven(AttemptTalk, frozen=True):
    feedback: Feedback


class ResultSubmitted(AttemptTalk, frozen=True):
    result: Result


class Asked(AttemptTalk, frozen=True):
    question: Question
    id: str
    """The caller's own for this question: asked again with it, nothing new is raised."""


class QuestionParked(AttemptTalk, frozen=True):
    """The answer takes long: the agent was told to end its turn."""

    escalation: str


class PermissionAsked(AttemptTalk, frozen=True):
    """It waits for a person to allow one call of a tool."""

    question: Question
    id: str
    """The caller's own for this request."""


class PermissionLapsed(AttemptTalk, frozen=True):
    """Nobody has answered in time: the call was refused."""

    escalation: str


class MessagePosted(AttemptTalk, frozen=True):
    recipient: str
    """A task, a role, "all" or "lead"."""
    text: str


class MessagesTaken(AttemptTalk, frozen=True):
    """The agent has them now."""

    messages: tuple[str, ...]


class TaskUpdated(AttemptTalk, frozen=True):
    target: str
    """The task it speaks of: its own."""
    status: WorkStatus
    note: str = ""


class LeadRead(Fact, frozen=True):
    """The lead is about to put these lines into the prompt of an attempt."""

    task: str
    attempt: int
    excerpts: tuple[Excerpt, ...]


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


class Cancel(Wish, frozen=True):
    reason: str
    by: str = "user"


class AddTasks(Wish, frozen=True):
    """All of them, or none."""

    tasks: tuple[TaskSpec, ...]
    by: str = "user"
    before: tuple[str, ...] = ()
    """Tasks that are to wait for them."""
    talks: tuple[str, ...] = ()
    """Those of their agents that can talk with their team."""


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
    talks: bool = False
    """It can talk with its team."""


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
    | Cancel
    | AddTasks
    | SkipTask
    | PauseTask
    | RetryTask
    | ReassignTask
    | Revise
    | PauseSession
    | Tell
    | ReleaseAgent
    | Mend
)
"""What another process may ask of a session through its inbox."""

Talk = (
    Reported
    | FeedbackGiven
    | ResultSubmitted
    | Asked
    | QuestionParked
    | PermissionAsked
    | PermissionLapsed
    | MessagePosted
    | MessagesTaken
    | TaskUpdated
)
"""All that an agent can say to its team: none of it decides anything."""

AnyFact = (
    Open
    | LeaderArrived
    | LeaderDraining
    | LeaderLeft
    | CopyReady
    | CopyConflict
    | RunOver
    | WorkFound
    | CheckEnded
    | Merged
    | MergeRefused
    | EffectFailed
    | RunQuiet
    | CopyReleased
    | ConflictSeen
    | Notified
    | TrialBegun
    | WholeEnded
    | RepositoryLooked
    | ApprovalMade
    | ApprovalImpossible
    | PlanWritten
    | KindHeld
    | MachineShort
    | CommandUnreadable
    | Talk
    | LeadRead
    | Command
)
