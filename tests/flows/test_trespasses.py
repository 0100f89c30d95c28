"""Work of an agent that reached beyond its copy is refused, and nothing of it gets further.

Without rooms: in one it could not get there.
"""

import pytest
from tests.flows.support import ROOMLESS, USERS, Project, run, touch, until, wait_for, write

GOOD = write("a.txt", "good\n")
MOVED = "git update-ref {ref} $(git commit-tree -p HEAD -m sly HEAD^{{tree}})"


@pytest.fixture
def project(project: Project) -> Project:
    return project.settings(ROOMLESS)


@pytest.mark.parametrize(
    ("trespass", "reason"),
    [
        (MOVED.format(ref="refs/heads/topic"), "refs/heads/topic was moved from "),
        (MOVED.format(ref="refs/tags/v1"), "refs/tags/v1 was moved from "),
        (
            "git config core.hooksPath evil",
            "the repository's configuration was changed, leave that to the user: core.hookspath",
        ),
        (
            "echo true >.git/hooks/post-checkout",
            "files that steer git were changed, leave them to the user: hooks/post-checkout",
        ),
    ],
)
def test_what_an_agent_changes_beyond_its_copy_is_refused(
    project: Project, trespass: str, reason: str
) -> None:
    project.git("branch", "topic")
    project.git("tag", "v1")
    project.task(1, [GOOD, run(f"cd {USERS} && {trespass}")], [])

    assert project.start_in_background().end().code == 3

    assert project.outcomes(1) == ["refused", "accepted"]
    assert f"changed something outside of its copy: {reason}" in project.prompt(1, 2)


@pytest.mark.parametrize("merged_before", [True, False])
def test_nothing_that_an_agent_puts_on_the_integration_branch_gets_further(
    project: Project, *, merged_before: bool
) -> None:
    """Also where the lead merges something else before it looks at what the agent left."""
    sly = "echo sly >sly.txt && git add . && git -c user.name=x commit -q -m sly"
    branch = "$(git symbolic-ref HEAD | sed s,task-1,integration,)"
    move = f"git push -q {USERS} HEAD:{branch}"
    wait, go = project.barrier("moved"), project.barrier("merged")
    project.task(
        1,
        [
            run(f"{sly} && {move} && git reset -q --hard HEAD~1"),
            touch(wait),
            *([wait_for(go)] if merged_before else []),
        ],
        [GOOD],
    )
    project.task(2, [wait_for(wait), write("b.txt", "b\n")])
    running = project.start_in_background("--approve")
    if merged_before:
        until(lambda: project.happened("WorkIntegrated"), "the other task is merged")
        go.touch()
    assert running.end().code == 0

    assert project.outcomes(1) == ["refused", "accepted"]
    assert project.outcomes(2) == ["accepted"]
    assert {"a.txt", "b.txt"} <= project.files("main").keys()
    assert "sly.txt" not in project.files("main")
