"""The machine, what is settled on it, and which rules hold."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from teamlead.core.rules import Holds, Level
from teamlead.views.documents.base import Moment


class InitStepPart(TypedDict):
    path: str
    done: Literal["created", "added", "kept"]


class InitDocument(TypedDict):
    """`teamlead init`. `checks`: test commands that were found. `commands`: what to do next."""

    folder: str
    steps: Sequence[InitStepPart]
    checks: Sequence[str]
    commands: Sequence[str]


class DoctorPart(TypedDict):
    name: str
    level: Literal["ok", "warn", "fail"]
    found: str
    remedy: str


class DoctorDocument(TypedDict):
    """`teamlead doctor`. `ok`: everything required is there."""

    ok: bool
    findings: Sequence[DoctorPart]


class CapabilitiesPart(TypedDict):
    """What a kind of agent can do, and how far it can be held."""

    team: bool
    steer: bool
    cost: bool
    structured: bool
    resume: bool
    tool_limits: Literal["none", "kinds", "calls"]
    os_sandbox: bool
    unheld: str
    roomless: str


class AgentPart(TypedDict):
    agent: str
    usable: bool
    path: str
    version: str
    problem: str
    warning: str
    credentials: str
    capabilities: CapabilitiesPart


class AgentsDocument(TypedDict):
    """`teamlead agents`. `default` works where none is named; empty: none can."""

    default: str
    agents: Sequence[AgentPart]


class SettingPart(TypedDict):
    name: str
    value: Any
    origin: Literal["default", "user", "repository", "flag"]
    path: str
    line: int | None
    description: str


class AskedPart(TypedDict):
    """What the repository wants otherwise than you, and needs your consent for."""

    name: str
    own: str
    theirs: str
    allowed: bool


class ConfigDocument(TypedDict):
    """`teamlead config show`. `allowed`: you have allowed all that is asked for."""

    settings: Sequence[SettingPart]
    asked: Sequence[AskedPart]
    allowed: bool


class PlaceholderPart(TypedDict):
    """`needed`: a prompt without it is refused."""

    name: str
    meaning: str
    needed: bool


class PromptPart(TypedDict):
    """`path` is empty for ours."""

    name: str
    purpose: str
    path: str
    placeholders: Sequence[PlaceholderPart]


class PromptListDocument(TypedDict):
    """`teamlead prompts list`."""

    prompts: Sequence[PromptPart]


class ShownPromptPart(PromptPart):
    """`answer`: the form that it asks for; empty: it asks for none."""

    answer: str
    text: str


class PromptShowDocument(TypedDict):
    """`teamlead prompts show`."""

    prompts: Sequence[ShownPromptPart]


class PromptCheckDocument(TypedDict):
    """`teamlead prompts check`: of the files that replace our prompts here."""

    paths: Sequence[str]
    problems: Sequence[str]


class RulePart(TypedDict):
    """`holds`: for whom it is. `open_because`: why nothing enforces it yet."""

    id: str
    level: Level
    holds: Holds
    text: str
    enforced_by: str
    tested_by: str
    open_because: str


class ExemptionPart(TypedDict):
    """Something that a lead may do itself, if all `conditions` hold."""

    conditions: Mapping[str, str]
    cost: str
    alternative: str
    why: str


class RulesDocument(TypedDict):
    """`teamlead guard rules`."""

    rules: Sequence[RulePart]
    exemptions: Mapping[str, ExemptionPart]
    responsibilities: Mapping[str, str]


class GuardAnswerDocument(TypedDict):
    """`teamlead guard read` and `teamlead guard edit`. `role`: to whom it goes, where it is refused."""

    allowed: bool
    reason: str
    role: str
    rule: str
    exemption: str


class VerifiedEditPart(TypedDict):
    """`revert`: the command that takes it back."""

    file: str
    ok: bool
    found: str
    revert: str


class GuardVerifyDocument(TypedDict):
    """`teamlead guard verify`."""

    edits: Sequence[VerifiedEditPart]


class GuardEntryPart(GuardAnswerDocument):
    """What a lead did itself, or was kept from. `at` is null where the log does not tell it."""

    at: Moment | None
    action: str
    subjects: Sequence[str]
    session: str
    folder: str
    purpose: str
    context: str
    because: str


class GuardLogDocument(TypedDict):
    """`teamlead guard log`: the oldest first."""

    entries: Sequence[GuardEntryPart]
