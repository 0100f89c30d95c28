"""What an agent leaves is looked at, not believed."""

import pytest
from tests.flows.support import CRASH, HANG, Project, Step, delete, done, run, until, write

GOOD = write("a.txt", "good\n")


def test_a_claim_of_done_without_a_change_is_not_accepted(project: Project) -> None:
    project.task(1, [done("it is all implemented")], [GOOD])

    assert project.start().code == 3

    assert project.outcomes(1) == ["refused", "accepted"]
    assert "nothing was changed, although the task requires a change" in project.prompt(1, 2)
    assert project.content(project.integration, "a.txt") == "good"


def test_a_change_outside_the_scope_is_refused_and_its_paths_are_named(project: Project) -> None:
    project.task(
        1,
        [GOOD, write("src/b.txt", "b\n"), write("README.md", "# Mine\n")],
        [delete("src/b.txt"), write("README.md", "# Sample\n")],
        scope="a.txt, docs/",
    )
    project.task(2, [write("docs/deep/page.md", "page\n")], scope="docs/")

    assert project.start().code == 3

    assert project.outcomes(1) == ["refused", "accepted"]
    told = project.prompt(1, 2)
    assert "changed outside the task's scope (a.txt, docs/): README.md, src/b.txt" in told
    assert project.outcomes(2) == ["accepted"]
    made = project.files(project.integration)
    assert set(made) == {"README.md", "shared.txt", "a.txt", "docs/deep/page.md"}
    assert made["README.md"] == "# Sample"


EMPTY_COMMIT = "git -c user.name=x -c user.email=x@y commit -q --allow-empty -m x"


@pytest.mark.parametrize(
    ("bad", "mended", "reason"),
    [
        (
            run("ln -s /etc/passwd link"),
            run("rm link"),
            "added symbolic links, which the scope must name explicitly: link",
        ),
        (
            run(f"git init -q inner && cd inner && {EMPTY_COMMIT}"),
            run("rm -rf inner"),
            "added or changed a nested repository or submodule, which the scope must name explicitly: inner",
        ),
        (
            write("sub/.gitattributes", "* filter=evil\n"),
            delete("sub/.gitattributes"),
            "changed sub/.gitattributes, which the scope must name explicitly",
        ),
        (
            write(".teamlead/config.toml", 'checks = ["true"]\n'),
            delete(".teamlead/config.toml"),
            "changed outside the task's scope (**): .teamlead/config.toml",
        ),
    ],
    ids=["symbolic link", "nested repository", "attributes", "teamlead's own folder"],
)
def test_what_could_mislead_git_or_the_lead_is_refused(
    project: Project, bad: Step, mended: Step, reason: str
) -> None:
    project.task(1, [GOOD, bad], [mended])

    assert project.start().code == 3

    assert project.outcomes(1) == ["refused", "accepted"]
    assert reason in project.prompt(1, 2)
    assert set(project.files(project.integration)) == {"README.md", "shared.txt", "a.txt"}
    assert project.copies() == []


def test_commits_of_an_agent_become_one_commit_of_the_user_with_trailers(project: Project) -> None:
    project.task(1, [GOOD, {"commit": "wip"}, write("b.txt", "b\n"), {"commit": "more"}, write("c.txt", "")])

    assert project.start().code == 3

    branch = f"teamlead/{project.session}/task-1"
    assert project.git("rev-list", "--count", f"main..{branch}") == "1"
    shown = project.git("show", "-s", "--format=%an <%ae> %cn <%ce>%n%(trailers:only)", branch)
    assert shown.splitlines() == [
        "Ada <ada@example.com> Ada <ada@example.com>",
        f"Teamlead-Session: {project.session}",
        "Teamlead-Task: task-1",
        "Teamlead-Attempt: 1",
    ]
    assert set(project.files(branch)) == {"README.md", "shared.txt", "a.txt", "b.txt", "c.txt"}
    own = f"refs/teamlead/kept/{project.session}/task-1/attempt-1"
    assert project.git("log", "--format=%s", f"main..{own}").splitlines() == ["more", "wip"]


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (CRASH, "the agent failed: killed by SIGKILL"),
        ({"exit": 3}, "the agent failed: exit code 3"),
        ({"exit": 0}, "the agent failed: the agent ended without saying that it finished"),
        ({"fail": "out of paper"}, "the agent failed: out of paper"),
    ],
    ids=["crash", "exit code", "silence", "failure"],
)
def test_a_run_that_does_not_end_well_is_tried_again_in_the_same_copy(
    project: Project, end: Step, reason: str
) -> None:
    project.task(1, [write("half.txt", "half\n"), end], [run("test -f half.txt"), GOOD])

    assert project.start().code == 3

    assert project.outcomes(1) == ["failed", "accepted"]
    assert reason in project.prompt(1, 2)
    assert {"a.txt", "half.txt"} <= set(project.files(project.integration))


def test_an_agent_that_falls_silent_is_ended_and_tried_again(project: Project) -> None:
    project.settings("retry_delay = 0\nidle_timeout = 3\n")
    project.task(1, [{**HANG, "stubborn": True}], [GOOD])

    assert project.start().code == 3

    assert project.outcomes(1) == ["failed", "accepted"]
    assert "the agent ran out of time: idle time-out: no output for 3 s" in project.prompt(1, 2)


def test_what_an_agent_leaves_running_ends_with_it(project: Project) -> None:
    pid_file = project.barrier("stubborn")
    project.task(1, [{"spawn_stubborn": True, "pid_file": str(pid_file)}, GOOD])

    assert project.start().code == 3

    until(lambda: int(pid_file.read_text()) not in project.processes(), "the stubborn process is gone")
    project.require_nothing_runs()
    assert project.state_of(1) == "DONE"
