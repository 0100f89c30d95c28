"""A plan that nobody carries out yet."""

from teamlead.core.model import TaskSpec
from teamlead.plans.preview import Cost, Preview
from teamlead.views.documents.plans import EstimatePart, OverlapPart, PlannedTaskPart, PreviewPart
from teamlead.views.spending import limit_view


def planned_task_view(spec: TaskSpec) -> PlannedTaskPart:
    return PlannedTaskPart(
        id=spec.id,
        title=spec.title,
        description=spec.description,
        scope=spec.scope,
        acceptance=spec.acceptance,
        checks=spec.checks,
        depends_on=spec.depends_on,
        type=spec.type,
        role=spec.role,
        form=spec.form,
        agent=spec.agent,
        model=spec.model,
        effort=spec.effort,
        arguments=spec.arguments,
        budget=limit_view(spec.budget),
        branch=spec.branch,
        context=spec.context,
        hours=spec.hours,
        outputs=spec.outputs,
        critical=spec.critical,
        stage=spec.stage,
        protects=spec.protects,
        removes_tests=spec.removes_tests,
        hidden_checks=spec.hidden_checks,
        delivers=spec.delivery,
    )


def preview_view(found: Preview, cost: Cost) -> PreviewPart:
    return PreviewPart(
        agents_total=found.agents,
        hours=round(found.hours, 3),
        hours_of_one_agent=round(found.work, 3),
        overlaps=[OverlapPart(tasks=(each.first, each.second), place=each.where) for each in found.overlaps],
        tasks_without_scope=found.unscoped,
        estimate=EstimatePart(
            cost_usd=None if cost.usd is None else round(cost.usd, 4),
            tasks_known=cost.known,
            tasks_unknown=cost.unknown,
            tasks_earlier=cost.samples,
        ),
    )
