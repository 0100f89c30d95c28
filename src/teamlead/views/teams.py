"""Teams as JSON tells them."""

from collections.abc import Iterable

from teamlead.markup.problems import Problem
from teamlead.teams.library import Found, Library
from teamlead.teams.preset import Part, Preset, Stage
from teamlead.views.documents.teams import (
    FindingCardPart,
    ReopeningPart,
    TeamMemberPart,
    TeamPart,
    TeamProblemPart,
    TeamStagePart,
    TeamTaskPart,
)


def team_view(found: Found) -> TeamPart:
    return TeamPart(
        name=found.name,
        description=found.head.description,
        keywords=found.head.keywords,
        origin=found.origin,
        path="" if found.origin == "built in" else found.shown,
        hides=found.hides,
        usable=found.usable,
    )


def problem_views(file: str, problems: Iterable[Problem]) -> list[TeamProblemPart]:
    return [
        TeamProblemPart(
            file=file, line=each.line, severity=each.severity, message=each.message, remedy=each.remedy
        )
        for each in problems
    ]


def unusable_views(teams: Library) -> list[TeamProblemPart]:
    """Why those cannot be used that cannot."""
    views = [view for each in teams.unusable for view in problem_views(each.shown, each.problems)]
    return [view for view in views if view["severity"] == "error"]


def member_views(preset: Preset) -> list[TeamMemberPart]:
    return [
        TeamMemberPart(name=each.name, role=each.role, agent=each.agent, function=each.function)
        for each in preset.members
    ]


def card_views(preset: Preset) -> list[FindingCardPart]:
    return [FindingCardPart(name=each.name, sections=each.sections) for each in preset.cards]


def stage_view(stage: Stage) -> TeamStagePart:
    reopens = stage.reopens
    return TeamStagePart(
        name=stage.name,
        phase=stage.phase,
        parallel=stage.parallel,
        depends_on=stage.after,
        tasks=list(map(_task, stage.parts)),
        reopens=ReopeningPart(stages=reopens.stages, times=reopens.times) if reopens else None,
    )


def _task(part: Part) -> TeamTaskPart:
    return TeamTaskPart(
        member=part.member,
        instructions=part.instructions,
        form=part.form,
        writes=part.writes,
        outputs=part.outputs,
        checks=part.checks,
        model=part.model,
        tools=part.tools,
        after=part.after,
        approved_by_user=part.approved_by_user,
    )
