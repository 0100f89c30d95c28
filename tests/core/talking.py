"""What agents may say while they work, and what may be said to them: any of it at any moment."""

from random import Random
from typing import TYPE_CHECKING, Any

from teamlead.core import facts as f
from teamlead.core.attempts.going_without import unread_gaps
from teamlead.core.model import Excerpt, Question
from teamlead.core.reports import DifficultyFeedback, Feedback, ImplementationFeedback, Result
from teamlead.core.team.radar import pairs

if TYPE_CHECKING:
    from tests.core.support import World

RESULTS = tuple(Result(status, "so far", "none", (), 50, "a guess") for status in ("SUCCESS", "PARTIAL"))
FEEDBACK: tuple[Feedback, ...] = (
    ImplementationFeedback("success", ("a.py",)),
    DifficultyFeedback("it is unclear", requested_action="clarification", suggestion="ask"),
    DifficultyFeedback("it is slow", requested_action="continue"),
    DifficultyFeedback("it hangs", requested_action="escalate"),
    DifficultyFeedback("it is too much", requested_action="replan"),
    DifficultyFeedback("docs, too", category="scope", requested_action="escalate", paths=("docs/",)),
    DifficultyFeedback("it is missing", category="dependency", requested_action="escalate"),
)


def random_talk(random: Random, world: "World") -> f.AnyFact:
    state = world.state
    working = [name for name, attempt in state.active.items() if attempt.phase == "working"]
    names = working if working and random.random() < 0.9 else list(state.tasks)
    name = random.choice(names)
    task = state.tasks[name]
    number = len(task.attempts) if random.random() < 0.95 else 1
    if task.member.leaver is not None and random.random() < 0.7:
        request = random.choice([*task.member.leaver.requests, "msg-1"])
        return f.ShutdownAnswered(name, number, request, random.random() < 0.6, "it is half done")
    if any(unread_gaps(task)) and random.random() < 0.5:
        return f.LeadRead(name, number, (Excerpt("src/a.py", 1, random.choice([200, 201])),))
    if _questions(task) and random.random() < 0.3:
        return f.QuestionParked(name, number, random.choice(_questions(task)))
    return random.choice([_report, _report, _ask, _write, _write, _outside])(random, world, name, number)


def _report(random: Random, _: "World", name: str, number: int) -> f.AnyFact:
    match random.randrange(4):
        case 0:
            return f.Reported(name, number, "half way")
        case 1:
            return f.FeedbackGiven(name, number, random.choice(FEEDBACK))
        case 2:
            return f.ResultSubmitted(name, number, RESULTS[random.random() < 0.3])
        case _:
            target = random.choice([name, name, "task-1"])
            return f.TaskUpdated(name, number, target, "blocked", "a note")


def _ask(random: Random, _: "World", name: str, number: int) -> f.AnyFact:
    if random.random() < 0.2:
        return f.QuestionParked(name, number, "esc-1")
    call = f"{name}-{number}-{random.randrange(2)}"
    return f.Asked(name, number, Question("Left or right?", ("left", "right")), call)


def _write(random: Random, world: "World", name: str, number: int) -> f.AnyFact:
    if random.random() < 0.3:
        return f.MessagesTaken(name, number, tuple(world.state.members[name].unread) or ("msg-1",))
    recipients = [*world.state.tasks, "worker", "reviewer", "all", "lead", "nobody"]
    return f.MessagePosted(name, number, random.choice(recipients), "mind the gap")


def _outside(random: Random, world: "World", name: str, _: int) -> f.AnyFact:
    if random.random() < 0.4:
        return _seen(random, world)
    if random.random() < 0.5:
        return f.Tell(name, "hurry up", random.choice(["user", "lead"]))
    if random.random() < 0.3:
        return f.MachineShort("Resource temporarily unavailable")
    kind = random.choice([*(kind for _, kind, _ in world.state.lanes), "unknown"])
    return f.KindHeld(kind, world.now + random.choice([-1.0, 30.0, 3600.0]), "met elsewhere")


def _seen(random: Random, world: "World") -> f.AnyFact:
    """What a look may have found, now or a while ago."""
    paths = random.choice([(), ("src/a.py",), ("src/a.py", "src/b.py"), ("src/c.py",)])
    if (known := pairs(world.state)) and random.random() < 0.9:
        return f.ConflictSeen(*random.choice(known), paths)
    one, other = random.choices([*world.state.tasks], k=2)
    return f.ConflictSeen(one, random.choice([1, 2]), random.choice([other, ""]), 1, paths)


def _questions(task: Any) -> tuple[str, ...]:
    return task.attempts[-1].questions if task.attempts else ()
