"""A session as it is when somebody looks: whether it is led, and so what it waits for. Loads little.

Rows are written when their task changes. What the session's own row decides is added here.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from teamlead.core import phases
from teamlead.core.transitions import FINAL_PHASES, PAUSED
from teamlead.views.moments import iso

if TYPE_CHECKING:
    from teamlead.core.transitions import TaskState
    from teamlead.views.documents.sessions import SessionPart, SessionRow, TaskPart, WaitPart

TO_START: "Final[frozenset[TaskState]]" = frozenset({"READY", "NEEDS_CONTINUATION"})
"""States of tasks that may wait for their stage."""
NEW: Final = 10.0
"""Seconds in which somebody may still be about to lead a session that nobody has led yet."""
STALE: Final = 4 * 3600.0
"""Seconds after which a session that nobody leads counts as left behind."""
BY_ITSELF: Final = "it goes on by itself"


def shown(row: "SessionRow", tasks: "Iterable[TaskPart]", *, led: bool, now: float) -> "SessionPart":
    """`tasks`: those that wait for something."""
    return {
        **row,
        "waiting": waits(row, tasks, led=led),
        "led": led,
        "interrupted": why_interrupted(row, led=led, now=now),
    }


def why_interrupted(row: "SessionRow", *, led: bool, now: float) -> str:
    """Empty if it is led, has ended, was paused or only just opened, or waits for a person."""
    if led or not row["under_way"] or row["stopped_because"] == PAUSED:
        return ""
    if row["leader"]:
        return "its leader ended without a word"
    if row["stopped_because"]:
        return "nobody leads it"
    return "nobody has led it yet" if row["created_at"] < iso(now - NEW) else ""


def waits_for_person(found: "SessionPart") -> bool:
    """Nothing else moves it, for days if need be."""
    steps = (item["next"] for item in found["waiting"])
    asked = any(step.startswith("teamlead ") and not step.startswith("teamlead resume") for step in steps)
    return asked or found["stopped_because"] == PAUSED


def is_stale(found: "SessionPart", now: float) -> bool:
    """Nobody leads it, nobody has for hours, and it waits for nobody."""
    return not found["led"] and not waits_for_person(found) and found["updated_at"] < iso(now - STALE)


def waits(row: "SessionRow", tasks: "Iterable[TaskPart]", *, led: bool) -> "list[WaitPart]":
    """What a session waits for. Where its leader died, nothing goes on by itself, whatever it wrote."""
    own = list(row["waiting"])
    if row["phase"] in FINAL_PHASES and not row["under_way"]:
        # What tasks waited for when their session ended stands in their rows for ever.
        return own
    listed = own + [task["waiting"] for task in tasks if task["waiting"] is not None]
    if led or not row["leader"]:
        return listed
    gone: WaitPart = {
        "what": "session",
        "reason": "its leader ended without a word",
        "since": row["updated_at"],
        "deadline": None,
        "next": f"teamlead resume {row['id']}",
    }
    return [gone, *(item for item in listed if item["next"].startswith("teamlead "))]


def stage_waits(row: "SessionRow") -> dict[str, str]:
    """What the tasks of stages that have not begun wait for, by the name of their stage."""
    found: dict[str, str] = {}
    unfinished = ""
    stages = () if row["phase"] in FINAL_PHASES else row["stages"]
    for number, stage in enumerate(stages):
        name = stage["name"]
        if number and stage["state"] == "waiting":
            found[name] = f"waits for stage {unfinished}" if unfinished else f"stage {name} has not begun"
        if stage["state"] == "open" or stage["tasks_unsettled"]:
            unfinished = name
    return found


def with_stage_wait(task: "TaskPart", found: Mapping[str, str]) -> "TaskPart":
    """`found`: by `stage_waits`. What a task waits for besides comes first."""
    if task["waiting"] is not None or task["state"] not in TO_START or task["stage"] not in found:
        return task
    wait: WaitPart = {
        "what": task["id"],
        "reason": found[task["stage"]],
        "since": task["since"],
        "deadline": None,
        "next": "it can start when its stage begins",
    }
    return {**task, "waiting": wait}


class NextStep(NamedTuple):
    why: str
    next: str
    """A command, `BY_ITSELF`, or empty: there is nothing more to do."""


def next_step(row: "SessionRow", paused: Sequence[str], *, led: bool) -> NextStep:
    """What moves the session on. `paused`: tasks that a person wants nobody to work on."""
    name, plans = row["id"], not row["integration_branch"]
    if phases.done(row["phase"]) and plans:
        return NextStep("Its plan is ready", f"teamlead start --session {name}")
    if row["phase"] in FINAL_PHASES:
        return NextStep(f"session {name} has ended ({row['phase']}: {row['phase_reason']})", "")
    if phases.awaits_approval(row["phase"]) and row["approval"] is None and not plans:
        if row["trespasses"]:
            return NextStep(
                "Everything is settled, but for changes in your repository", f"teamlead mend {name}"
            )
        return NextStep("Everything is settled", f"teamlead approve {name}, or teamlead reject {name}")
    if not row["under_way"] and any(question["to"] == "user" for question in row["questions"]):
        return NextStep("Nothing goes on before you answer", f"teamlead escalations {name}")
    if not row["under_way"] and paused:
        return NextStep(f"Paused: {', '.join(paused)}", f"teamlead retry {paused[0]} --session {name}")
    if led:
        return NextStep("", BY_ITSELF)
    return NextStep("Nobody leads this session", f"teamlead resume {name}")
