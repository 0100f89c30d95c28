"""A preset and what the user wants → the tasks of a session, the stages they stand in, and its team."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from teamlead.core.model import Pipeline, Plan, Reopens, StageSpec, TaskSpec, TeamMember, TeamSpec
from teamlead.core.policy.calls import may_change
from teamlead.core.roles import role_named
from teamlead.core.state.staffing import ENGINE
from teamlead.core.transitions import StagePhase
from teamlead.teams.preset import FindingCard, Member, Part, Preset, Stage

CARDS: Final[Mapping[StagePhase, str]] = {
    "ANALYZING": "analysis",
    "PLANNING": "design",
    "EXECUTING": "implementation",
    "REVIEWING": "review",
}
"""The file of findings to which what a stage of each phase found belongs."""
LONGEST_TITLE: Final = 100

_COMMON = """\
The team {team} works on this:

{task}

Its lead is a program. It starts each member when their stage has opened and what they build on is there, so
begin with what you are told below, and wait for nobody. No member starts another one, nor any other agent.

Its members:

{members}

Its stages, each of which opens when those before it are settled:

{stages}{cards}"""


LEADER: Final = TeamMember("leader", "leader", ENGINE)
"""The lead is a program, in every team."""


_SECTIONS = """\
What is found in the stages is joined in files, each with these cards. What you have to say of one of them,
write at the end of your findings, below a heading such as `#### Card: {first}`:"""


class Formed(NamedTuple):
    plan: Plan
    pipeline: Pipeline
    team: TeamSpec


def formed(preset: Preset, task: str) -> Formed:
    """`preset`: one without errors."""
    return Formed(
        Plan(
            title=_title(task),
            text=preset.text,
            tasks=tuple(_Tasks(preset).all()),
            instruction=task,
            common=_common(preset, task),
        ),
        Pipeline(tuple(_stage(preset, stage) for stage in preset.stages)),
        TeamSpec(
            name="",
            preset=preset.name,
            task=task,
            members=(LEADER, *(_member(each) for each in preset.members)),
            text=preset.text,
        ),
    )


class _Tasks:
    """Numbered through the stages, one for each part of a member."""

    def __init__(self, preset: Preset) -> None:
        self._preset = preset
        self._members = {member.name: member for member in preset.members}
        self._ids: dict[tuple[str, str], str] = {}
        for stage in preset.stages:
            for part in stage.parts:
                self._ids[stage.name, part.member] = f"task-{len(self._ids) + 1}"

    def all(self) -> Iterator[TaskSpec]:
        for stage in self._preset.stages:
            for number, part in enumerate(stage.parts):
                yield self._task(stage, part, stage.parts[:number])

    def _task(self, stage: Stage, part: Part, before: tuple[Part, ...]) -> TaskSpec:
        member = self._members[part.member]
        writes = _writes(member, stage, part)
        builds = stage.phase == "EXECUTING" and bool(writes) and not member.function
        return TaskSpec(
            id=self._ids[stage.name, part.member],
            title=f"{part.member}: {stage.name}",
            description=part.instructions,
            scope=writes,
            checks=part.checks,
            depends_on=tuple(dict.fromkeys(self._depends_on(stage, part, before))),
            # Who may change something outside of the stage that builds need not.
            type="implementation" if builds else "investigation",
            role=member.role,
            form=part.form,
            agent=member.agent,
            model=part.model,
            outputs=part.outputs,
            delivers="change" if writes else "report",
            stage=stage.name,
            member=member.name,
            function=member.function,
            tools=part.tools,
            approved_by_user=part.approved_by_user,
        )

    def _depends_on(self, stage: Stage, part: Part, before: tuple[Part, ...]) -> Iterator[str]:
        for name in stage.after:
            for other in self._stage(name).parts:
                yield self._ids[name, other.member]
        for member in part.after:
            yield self._ids[stage.name, member]
        if not stage.parallel:
            yield from (self._ids[stage.name, other.member] for other in before)

    def _stage(self, name: str) -> Stage:
        return next(stage for stage in self._preset.stages if stage.name == name)


def _writes(member: Member, stage: Stage, part: Part) -> tuple[str, ...]:
    """What the preset says, and what has to be there anyway; who builds may change all that its role may."""
    if part.writes is not None:
        return tuple(dict.fromkeys((*part.writes, *part.outputs))) if part.writes else part.outputs
    policy = role_named(member.role).policy
    builds = stage.phase == "EXECUTING" and not member.function and may_change(policy, "any.file")
    return ("**",) if builds else part.outputs


def _member(member: Member) -> TeamMember:
    agent = f"{ENGINE}:{member.function}" if member.function else member.agent
    return TeamMember(member.name, member.role, agent)


def _stage(preset: Preset, stage: Stage) -> StageSpec:
    card = _card(preset, stage)
    reopens = stage.reopens
    return StageSpec(
        name=stage.name,
        phase=stage.phase,
        findings=card.name,
        sections=card.sections,
        reopens=Reopens(reopens.stages, reopens.times) if reopens else None,
    )


def _card(preset: Preset, stage: Stage) -> FindingCard:
    name = CARDS[stage.phase]
    return next((card for card in preset.cards if card.name == name), FindingCard(name, ()))


def _common(preset: Preset, task: str) -> str:
    members = (f"- {each.name}, the {each.role}" for each in preset.members)
    stages = (
        f"{number}. {stage.name}: {', '.join(part.member for part in stage.parts)}"
        for number, stage in enumerate(preset.stages, 1)
    )
    cards = "".join(f"\n- {card.name}: {', '.join(card.sections)}" for card in preset.cards if card.sections)
    first = next((section for card in preset.cards for section in card.sections), "")
    found = f"\n\n{_SECTIONS.format(first=first)}\n{cards}" if cards else ""
    return _COMMON.format(
        team=preset.name, task=task, members="\n".join(members), stages="\n".join(stages), cards=found
    )


def _title(task: str) -> str:
    line = " ".join(task.split())
    return line if len(line) <= LONGEST_TITLE else f"{line[:LONGEST_TITLE]} …"
