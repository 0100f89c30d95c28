"""More than one session in a repository: they do not disturb each other, and each can be named."""

import pytest
from tests.flows.support import Project, until, wait_for, write


@pytest.fixture
def two(project: Project) -> tuple[str, str]:
    """Two sessions that ended one after the other; the ids of the first and the second."""
    project.task(1, [write("first.txt", "1\n")])
    assert project.start().code == 3
    (first,) = (path.name for path in project.sessions)
    project.new_plan().task(1, [write("second.txt", "2\n")])
    assert project.start().code == 3
    (second,) = (path.name for path in project.sessions if path.name != first)
    return first, second


def test_two_sessions_run_at_once_and_both_reach_the_branch(project: Project) -> None:
    both = project.barrier("both")
    project.task(1, [wait_for(both), write("first.txt", "1\n")])
    first = project.start_in_background("--approve")
    project.new_plan().task(1, [wait_for(both), write("second.txt", "2\n")])
    second = project.start_in_background("--approve")
    until(lambda: len(project.processes()) >= 4, "both teams work")

    both.touch()

    assert (first.end().code, second.end().code) == (0, 0), first.err + second.err
    assert {"first.txt", "second.txt"} <= set(project.files("main"))
    assert project.git("status", "--porcelain") == ""
    assert project.copies() == []
    integrations = [name for name in project.refs() if name.endswith("/integration")]
    assert len(integrations) == 2


def test_sessions_are_listed_with_the_latest_first(project: Project, two: tuple[str, str]) -> None:
    first, second = two
    listed = project.teamlead("list", "--json").json
    assert listed["schema_version"] == 1
    assert [view["id"] for view in listed["sessions"]] == [second, first]
    for view in listed["sessions"]:
        assert (view["state"], view["tasks_done"], view["led"]) == ("COMPLETED", 1, False)
    lines = project.teamlead("list").out.splitlines()
    assert [line.split()[0] for line in lines] == ["SESSION", second, first]


def test_without_a_name_the_latest_session_is_meant(project: Project, two: tuple[str, str]) -> None:
    assert project.status()["session"]["id"] == two[1]


def test_a_part_that_only_one_session_has_names_it(project: Project, two: tuple[str, str]) -> None:
    first, second = two
    assert project.status(first[-4:])["session"]["id"] == first
    assert project.status(second)["session"]["id"] == second
    assert project.teamlead("approve", first[-4:]).code == 0
    assert "first.txt" in project.files("main")
    assert "second.txt" not in project.files("main")


def test_a_part_that_both_sessions_have_is_refused_and_both_are_named(
    project: Project, two: tuple[str, str]
) -> None:
    unclear = project.teamlead("status", two[0][:4])
    assert unclear.code == 2
    assert all(name in unclear.err for name in two)


@pytest.mark.parametrize("command", ["status", "watch", "resume", "cancel", "approve", "reject", "report"])
def test_a_session_that_does_not_exist_is_not_found(project: Project, command: str) -> None:
    none = project.teamlead(command)
    assert (none.code, "there is no session in this repository" in none.err) == (4, True)
    assert not project.state_home.exists()
    assert not (project.root / ".git" / "teamlead").exists()


def test_a_name_that_no_session_has_is_not_found(project: Project, two: tuple[str, str]) -> None:
    unknown = project.teamlead("status", "nowhere")
    assert unknown.code == 4
    assert "there is no session 'nowhere' in this repository" in unknown.err
    assert "teamlead list" in unknown.err


def test_a_second_session_builds_on_the_approved_work_of_the_first(project: Project) -> None:
    project.task(1, [write("first.txt", "1\n")])
    assert project.start("--approve").code == 0
    project.new_plan().task(1, [{"run": "cp first.txt second.txt", "must_pass": True}])
    assert project.start("--approve").code == 0
    assert project.content("main", "second.txt") == "1"
