"""The phase of a session, and which sessions are there."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from teamlead.core.transitions import Phase
from teamlead.views.documents.reports import PhasePart
from teamlead.views.documents.sessions import UnreadablePart
from teamlead.views.documents.steering import SteeredDocument


class FixLoopPart(TypedDict):
    """How often finished work was to be different, and how often it may be."""

    attempt: int
    max_attempts: int


class StateDocument(TypedDict):
    """`teamlead state status`. `active`: it has not ended.

    `transitions`: the phases that may follow. `missing`: by each of them, what has to be there before.
    """

    id: str
    phase: Phase
    active: bool
    fix_loop: FixLoopPart
    transitions: Sequence[Phase]
    missing: Mapping[Phase, Sequence[str]]
    phase_history: Sequence[PhasePart]


class MovedDocument(SteeredDocument):
    """`teamlead state transition`. `phase`: the one that the session is in now."""

    phase: Phase


class OpenSessionPart(TypedDict):
    id: str
    title: str
    phase: Phase
    led: bool
    waits_for_person: bool


class LockDocument(TypedDict):
    """`teamlead state check-lock`. `stale`: nobody has led them for hours, and they wait for nobody."""

    active: Sequence[OpenSessionPart]
    stale: Sequence[OpenSessionPart]
    unreadable: Sequence[UnreadablePart]
