"""What has happened, one file a family. Events are written once and readable for ever.

A change of shape gets a new `VERSIONS` entry and an upgrade in `journal.codec`; a field may be added with a
default.

`LAZY` events may ride on a later commit: if a power cut takes them, looking at the world finds them again.
All others are on disk before anything acts on them.
"""

from teamlead.core.events.agents import *
from teamlead.core.events.agents import AgentEvent
from teamlead.core.events.attempts import *
from teamlead.core.events.attempts import (
    AttemptEvent,
    CheckFinished,
    CopyPrepared,
    CopyRemoved,
    ProvingBegan,
    ProvingEnded,
    WorkAccepted,
    WorkCollected,
)
from teamlead.core.events.base import *
from teamlead.core.events.escalations import *
from teamlead.core.events.escalations import EscalationEvent
from teamlead.core.events.leaving import *
from teamlead.core.events.leaving import LeavingEvent
from teamlead.core.events.people import *
from teamlead.core.events.people import PersonEvent
from teamlead.core.events.preflight import *
from teamlead.core.events.preflight import PreflightEvent
from teamlead.core.events.runs import *
from teamlead.core.events.runs import RunEnded, RunEvent
from teamlead.core.events.session import *
from teamlead.core.events.session import PhaseChanged, SessionEvent
from teamlead.core.events.talk import *
from teamlead.core.events.talk import TalkEvent
from teamlead.core.events.tasks import *
from teamlead.core.events.tasks import TaskEvent
from teamlead.core.events.whole_plan import *
from teamlead.core.events.whole_plan import WholePlanEvent
from teamlead.core.model import Value

AnyEvent = (
    SessionEvent
    | TaskEvent
    | AttemptEvent
    | RunEvent
    | EscalationEvent
    | AgentEvent
    | TalkEvent
    | LeavingEvent
    | WholePlanEvent
    | PreflightEvent
    | PersonEvent
)

LAZY = frozenset(
    {
        CopyPrepared,
        RunEnded,
        WorkCollected,
        CheckFinished,
        ProvingBegan,
        ProvingEnded,
        WorkAccepted,
        CopyRemoved,
        PhaseChanged,
    }
)

VERSIONS: dict[str, int] = {}
"""The current version of each event whose shape has changed; all others are at 1."""


class Recorded(Value, frozen=True):
    """An event in its place in the journal."""

    seq: int
    at: float
    event: AnyEvent
