"""The order of a workflow's stages, and who works in each."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from teamlead.core.phases import OF_STAGES
from teamlead.core.transitions import PHASES, StagePhase
from teamlead.markup.values import Labelled
from teamlead.teams import workflow
from teamlead.teams.cards import nearest, program
from teamlead.teams.draft import Draft, DraftStage
from teamlead.teams.labels import begins_with_lead, is_gate, means_critical, phase_of
from teamlead.teams.members import Told
from teamlead.teams.preset import Reopening

TIMES = 3
"""A stage is done again, unless a preset says otherwise."""
MOST_TIMES = 10
_NAME = re.compile(r"[^\W_][^\x00-\x1f]{0,59}")
_REOPENS = re.compile(
    r"(?P<stages>.*?)(?:\s+(?:if|when)\s+(?P<when>.*?))?"
    r"(?:[,、，]?\s*(?:at most|最大で?|최대)\s*(?P<times>\d{1,4})\s*(?:times?|回|번|회)?)?\s*[.。]?",  # noqa: RUF001
    re.IGNORECASE | re.DOTALL,
)


@dataclass(slots=True)
class Placed:
    """A stage, and what became of its words."""

    draft: DraftStage
    phase: StagePhase
    members: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    doubtful: bool = False
    """Somebody is named who is no member."""
    led: bool = False
    """Only the lead or the user is named: it is passed without work."""

    @property
    def name(self) -> str:
        return self.draft.name


def placed(draft: Draft, members: Mapping[str, Told]) -> list[Placed]:
    """In the order in which they are carried out, those without members too."""
    found = _stages(draft)
    _staff(draft, found, members)
    _depend(draft, found)
    ordered = _ordered(draft, found)
    _check_phases(draft, ordered)
    return ordered


def _stages(draft: Draft) -> list[Placed]:
    found: dict[str, Placed] = {}
    gate: DraftStage | None = None
    for stage in draft.stages:
        if is_gate(stage.name):
            gate = gate or stage
            continue
        if gate is not None:
            draft.say(
                gate.line,
                f"the approval stands before {stage.name[:60]!r}, and there is one at the end only",
                "move it to the end; what you want to approve before is a member's: `**Approved by**: you`",
            )
            gate = None
        phase = _phase(draft, stage)
        if same := workflow.known(stage.name, found):
            first = found[same].draft.line
            draft.say(
                stage.line, f"the stage {stage.name!r} is there twice, first on line {first}", "rename one"
            )
        elif not _NAME.fullmatch(stage.name):
            draft.say(
                stage.line,
                f"{stage.name[:60]!r} cannot be the name of a stage",
                "begin with a letter or a digit",
            )
        else:
            found[stage.name] = Placed(stage, phase)
    return list(found.values())


def _phase(draft: Draft, stage: DraftStage) -> StagePhase:
    phase = phase_of(stage.phase or stage.name)
    if phase is None:
        word = stage.phase or stage.name
        near = nearest(word.upper(), OF_STAGES)
        hint = f"did you mean {near!r}?" if near else f"as in `1. **{word[:40]}** (PLANNING): …`"
        problem = "is no phase" if stage.phase else "does not say as which phase it counts"
        draft.say(stage.line, f"{word[:60]!r} {problem}", f"{hint}; phases: {', '.join(OF_STAGES)}")
    return phase or "EXECUTING"


def _staff(draft: Draft, stages: Sequence[Placed], members: Mapping[str, Told]) -> None:
    for stage in stages:
        written = stage.draft.members
        if written and begins_with_lead(written) and not _names_any(written, members):
            stage.led = True
            continue
        by_label = [name for name, member in members.items() if stage.name in member.phases]
        stage.members = _named(draft, stage, members) if written else by_label
        if not stage.members and not written:
            draft.say(
                stage.draft.line,
                f"nobody works in {stage.name!r}",
                "name members behind the colon, or remove the stage",
            )
        for name in by_label:
            if name not in stage.members and not stage.doubtful:
                draft.say(
                    members[name].member.line,
                    f"{name!r} names {stage.name!r} as its phase, and the workflow does not name it there",
                    "the workflow holds: name it there, too, or take the phase away",
                    "warning",
                )
        for name in stage.members:
            if members[name].phases and stage.name not in members[name].phases:
                draft.say(
                    stage.draft.line,
                    f"{name!r} works in {stage.name!r}, which its own phases do not name",
                    "the workflow holds: add the phase to the member",
                    "warning",
                )


def _names_any(written: str, members: Mapping[str, Told]) -> bool:
    return any(workflow.known(name, members) for named in workflow.members(written) for name in named.names)


def _named(draft: Draft, stage: Placed, members: Mapping[str, Told]) -> list[str]:
    found: list[str] = []
    for named in workflow.members(stage.draft.members):
        if begins_with_lead(named.written):
            continue
        name = _member(named, members)
        if not name:
            stage.doubtful = True
            near = nearest(named.names[0], members)
            hint = f"did you mean {near!r}?" if near else f"members: {', '.join(members) or 'none'}"
            draft.say(stage.draft.line, f"{named.written[:60]!r} is no member", hint)
        elif name in found:
            draft.say(stage.draft.line, f"{name!r} is named twice in {stage.name!r}", "keep one of them")
        else:
            found.append(name)
    if not found and not stage.doubtful:
        stage.led = True
    return found


def _member(named: workflow.Named, members: Mapping[str, Told]) -> str:
    for name in named.names:
        if found := workflow.known(name, members):
            return found
    agent = program(named.names[-1])
    of_agent = [name for name, each in members.items() if agent and each.member.agent == agent]
    return of_agent[0] if len(of_agent) == 1 and len(named.names) == 1 else ""


def _depend(draft: Draft, stages: Sequence[Placed]) -> None:
    names = [stage.name for stage in stages]
    for number, stage in enumerate(stages):
        if stage.draft.after is None:
            stage.after = names[max(0, number - 1) : number]
            continue
        for place, name in enumerate(stage.draft.after):
            if found := workflow.known(name, names):
                stage.after.append(found)
                continue
            near = nearest(name.upper() if name.islower() else name, names)
            # Behind the first one, other words may follow.
            if place == 0 or (near and near.casefold()[:-1] == name.casefold()[: len(near) - 1]):
                hint = f"did you mean {near!r}?" if near else f"stages: {', '.join(names)}"
                draft.say(
                    stage.draft.line, f"{stage.name!r} depends on {name[:60]!r}, which is no stage", hint
                )


def _ordered(draft: Draft, stages: Sequence[Placed]) -> list[Placed]:
    waiting = {stage.name: stage for stage in stages}
    done: dict[str, Placed] = {}
    while waiting:
        ready = next((s for s in waiting.values() if all(name in done for name in s.after)), None)
        if ready is None:
            circle = _circle(waiting)
            line = min(waiting[name].draft.line for name in circle)
            shown = " → ".join([*circle, circle[0]])
            draft.say(line, f"stages wait for each other: {shown}", "take one of these dependencies away")
            return [*done.values(), *waiting.values()]
        done[ready.name] = waiting.pop(ready.name)
    return list(done.values())


def _circle(waiting: Mapping[str, Placed]) -> list[str]:
    way = [next(iter(waiting))]
    while True:
        following = next(name for name in waiting[way[-1]].after if name in waiting)
        if following in way:
            return way[way.index(following) :]
        way.append(following)


def _check_phases(draft: Draft, stages: Sequence[Placed]) -> None:
    """A session passes phases in which it has no stage, forward; it comes back from a review only."""
    before: Placed | None = None
    passed: list[StagePhase] = []
    for stage in stages:
        if stage.led:
            passed.append(stage.phase)
            continue
        if before is not None and not _leads(before.phase, passed, stage.phase):
            back = ", ".join(phase for phase in OF_STAGES if stage.phase in PHASES[phase])
            draft.say(
                stage.draft.line,
                f"{stage.name!r} ({stage.phase}) cannot come after {before.name!r} ({before.phase})",
                f"no phase leads there but {back}: change the order, or the phases",
            )
        before, passed = stage, []


def _leads(before: StagePhase, passed: Sequence[StagePhase], after: StagePhase) -> bool:
    way = [before, *passed, after]
    return _moves(before, after) or all(_moves(*move) for move in pairwise(way))


def _moves(before: StagePhase, after: StagePhase) -> bool:
    return after in PHASES[before] or OF_STAGES.index(before) <= OF_STAGES.index(after)


def reopening(draft: Draft, stage: Placed, order: Sequence[str], entry: Labelled) -> Reopening | None:
    text = " ".join(value.text for value in entry.values)
    found = _REOPENS.fullmatch(text)
    names = [part.strip(" `*") for part in re.split(r"[,、，]|\s+and\s+", found["stages"])] if found else []  # noqa: RUF001
    remedy = "write it as in `- **Reopens**: EXECUTING if a critical finding stands, at most 3 times`"
    if not found or not all(names):
        draft.say(entry.line, f"{text[:80]!r} does not say what is done again", remedy)
        return None
    times = int(found["times"] or TIMES)
    if not 1 <= times <= MOST_TIMES:
        draft.say(entry.line, f"{times} times cannot be", f"use 1 to {MOST_TIMES}")
        return None
    if found["when"] and not means_critical(found["when"]):
        draft.say(entry.line, f"nobody can tell when {found['when'][:60]!r} holds", remedy)
        return None
    known = [workflow.known(name, order) for name in names]
    for name, stage_name in zip(names, known, strict=True):
        if not stage_name:
            near = nearest(name.upper() if name.islower() else name, order)
            hint = f"did you mean {near!r}?" if near else f"stages: {', '.join(order)}"
            draft.say(entry.line, f"{name[:60]!r}, which is to be done again, is no stage", hint)
        elif order.index(stage_name) > order.index(stage.name):
            draft.say(entry.line, f"{stage_name!r} comes after {stage.name!r}", "name a stage before it")
    return Reopening(tuple(known), times) if all(known) else None
