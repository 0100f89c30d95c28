"""That a person is needed, and what a stage found: told to them where they are, once for each such thing.

Told at least once: after a crash in between, again. What is settled by then is not told any more.
"""

from typing import NamedTuple

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core import phases
from teamlead.core.effects import Notify
from teamlead.core.state.indexes import make_due
from teamlead.core.state.records import Escalation
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState

DESKTOP = "desktop"
"""In the place of a command: whatever the desktop has for it."""
FAILED = "failed"


class Notice(NamedTuple):
    session: str
    about: str
    task: str
    message: str


def approval(state: TeamState) -> str:
    return f"approval:{state.integration_tip}"


def need(state: TeamState, about: str) -> None:
    if state.session.notify and about not in state.notices:
        make_due(state, Notify(about))


def settle(state: TeamState, about: str) -> None:
    state.due.pop(f"Notify:{about}", None)


def enter_phase(state: TeamState) -> None:
    if phases.awaits_approval(state.phase):
        need(state, approval(state))
    else:
        settle(state, approval(state))
    if phases.failed(state.phase):
        need(state, FAILED)


def findings(stage: Stage) -> str:
    return f"stage:{stage.closings}:{stage.spec.name}"


def show_findings(state: TeamState, stage: Stage) -> None:
    """What it found is shown before the next one has found more."""
    if stage.found:
        need(state, findings(stage))


def notified(state: TeamState, fact: f.Notified, now: float) -> list[e.AnyEvent]:
    if f"Notify:{fact.about}" not in state.due:
        return []
    return [e.PersonNotified(fact.about, fact.problem)]


def notice(state: TeamState, about: str) -> Notice | None:
    """None: nobody is needed for it any more."""
    name = state.session.id
    if about in state.open:
        record = state.open[about]
        return Notice(name, about, record.asker.task, _question(name, record))
    if about == FAILED and phases.failed(state.phase):
        return Notice(name, about, "", f"session {name} failed: {state.phases[-1].reason}")
    if about == approval(state) and phases.awaits_approval(state.phase):
        told = f"{state.session.plan.title}: the finished work waits for your approval"
        return Notice(name, about, "", f"{told}\nteamlead approve {name}, or teamlead reject {name}")
    shown = next((stage for stage in state.stages.values() if findings(stage) == about), None)
    if shown is not None:
        told = "\n".join((f"stage {shown.spec.name} of session {name} has closed:", *shown.found))
        return Notice(name, about, "", f"{told}\nteamlead report {name}")
    return None


def _question(session: str, record: Escalation) -> str:
    subject = f"{record.id} about {', '.join(record.tasks)}" if record.tasks else record.id
    text = record.question.text if record.question else record.reason
    options = (
        f"\nOptions: {', '.join(record.question.options)}"
        if record.question and record.question.options
        else ""
    )
    return f"{subject}: {text}{options}\nteamlead resolve {session} --escalation-id {record.id}"
