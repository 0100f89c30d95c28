"""Whether work goes round in circles: then more attempts would only cost more."""

from difflib import SequenceMatcher

from teamlead.core import events as e
from teamlead.core.asking import escalation
from teamlead.core.asking.escalation import OPTIONS
from teamlead.core.model import Question
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState

ALIKE = 0.95
COMPARED = 1000
"""Characters of last words, from their end."""
TELLING = 80
"""Characters. Shorter ones, such as "Done.", are alike without meaning anything."""

SAME_WORK = "it left the same work as before, which fails in the same way"
SAME_WORDS = "it fails in the same way as before, with nearly the same last words"
BACK_AND_FORTH = "its work goes back and forth between two states"


def repeats(task: Task, reasons: tuple[str, ...], tree: str) -> str:
    """In which way the live attempt, which fails for these reasons, repeats those before it; or empty.

    `tree`: a name for what its work holds, if that is known.
    """
    live = task.live
    assert live is not None
    earlier = [before for before in task.attempts[-3:-1] if before.guided == live.guided]
    last = earlier[-1] if earlier else None
    if last is None:
        return ""
    if last.reasons == reasons and tree and last.work.tree == tree:
        return SAME_WORK
    if last.reasons == reasons and _alike(last, live):
        return SAME_WORDS
    if len(earlier) == 2 and tree and last.work.tree and earlier[0].work.tree == tree != last.work.tree:
        return BACK_AND_FORTH
    return ""


def _alike(one: Attempt, other: Attempt) -> bool:
    a, b = one.run.summary.strip()[-COMPARED:], other.run.summary.strip()[-COMPARED:]
    if min(len(a), len(b)) < TELLING:
        return False
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE


def without_end(state: TeamState) -> list[e.AnyEvent]:
    """So many attempts in a row have settled no task: a person is asked, and nothing new starts meanwhile."""
    if state.rounds < state.session.limits.rounds:
        return []
    if any(record.kind == "rounds" for record in state.halts.values()):
        return []
    reason = f"{state.rounds} attempts in a row have settled no task"
    text = f"{reason}\nGo on for as many more, or stop the session?"
    return escalation.ask(state, "rounds", reason, Question(text, OPTIONS["rounds"]))
