"""What a task hands in is the task's: the same role designs in one, and reviews in another."""

from tests.flows.support import Project, done, run

from teamlead.core.model import TaskSpec
from teamlead.rehearsal.made_up_work import rehearsed_report

ARCHITECT = "Role: system-architect"
DESIGN = rehearsed_report(TaskSpec("task-1", "Design it", role="system-architect"))
REVIEW = rehearsed_report(TaskSpec("task-2", "Review it", role="system-architect", form="review"))


def test_an_architect_designs_in_one_task_and_reviews_in_another(project: Project) -> None:
    look = run("cat README.md")
    project.task(1, [look, done(DESIGN)], kind="investigation", fields=[ARCHITECT])
    project.task(
        2,
        [look, done(DESIGN)],
        [look, done(REVIEW)],
        kind="investigation",
        fields=[ARCHITECT, "Form: review"],
        after=[1],
    )
    ended = project.start()
    assert ended.code == 0, ended.err

    assert "Decision, alternatives, trade-offs" in project.prompt(1, 1)
    assert "A table with the columns finding" in project.prompt(2, 1)
    assert project.outcomes(1) == ["accepted"]
    assert project.outcomes(2) == ["returned", "accepted"]
    assert "the report breaks its contract" in project.prompt(2, 2)


def test_a_form_that_nobody_knows_is_told_with_its_line_and_the_nearest(project: Project) -> None:
    project.task(1, [done("done")], fields=[ARCHITECT, "Form: reveiw"])
    ended = project.start()
    assert ended.code == 2
    assert ".md:6: error: unknown form 'reveiw' (did you mean 'review'?)" in ended.err
