"""A person who is needed is told so, by a command of their own."""

import signal

from tests.flows.support import SETTINGS, Project, ask, until, write

COLOUR = ask("Which $(colour)?", "red", "blue")
ANSWERED = write("colour.txt", "{answer}\n")


def ringing(project: Project, command: str = "") -> Project:
    bell = project.place / "bell"
    rings = command or f'printf "%s %s\\\\n" "$TEAMLEAD_ABOUT" "$TEAMLEAD_TASK" >> {bell}; cat >> {bell}.text'
    project.settings(f"{SETTINGS}notify = ['''{rings}''']\n".replace("\\\\n", "\\n"))
    return project


def rung(project: Project) -> list[str]:
    bell = project.place / "bell"
    return [line.partition(":")[0].strip() for line in bell.read_text().splitlines()] if bell.exists() else []


def test_a_question_and_the_approval_are_told_once_each_whoever_leads(project: Project) -> None:
    ringing(project).task(1, [COLOUR], [ANSWERED])
    started = project.start()
    assert started.code == 3
    assert "When you are needed, you are notified: printf" in started.err
    assert rung(project) == ["esc-1 task-1"]
    assert "Which $(colour)?" in (project.place / "bell.text").read_text()

    assert project.teamlead("resume").code == 3
    assert rung(project) == ["esc-1 task-1"]

    project.resolve("red")
    assert project.teamlead("resume").code == 3
    assert rung(project) == ["esc-1 task-1", "approval"]
    assert project.teamlead("approve").code == 0
    assert rung(project) == ["esc-1 task-1", "approval"]


def test_a_leader_killed_while_it_notifies_is_followed_by_one_that_does_it_again(project: Project) -> None:
    bell = project.place / "bell"
    waits = f"echo $TEAMLEAD_ABOUT >> {bell}; test -e {bell}.broken && exit 0; sleep 600"
    ringing(project, waits).task(1, [COLOUR], [ANSWERED])
    leader = project.start_in_background()
    until(lambda: rung(project), "the command runs")
    leader.send(signal.SIGKILL).end()
    assert not project.happened("PersonNotified")

    (project.place / "bell.broken").touch()
    assert project.teamlead("resume").code == 3
    assert rung(project) == ["esc-1", "esc-1"]
    assert project.happened("PersonNotified", about="esc-1")
    assert project.teamlead("resume").code == 3
    assert rung(project) == ["esc-1", "esc-1"]


def test_a_command_that_fails_is_a_warning_and_no_failure_of_work(project: Project) -> None:
    ringing(project, "echo the line is dead; exit 9").task(1, [COLOUR], [ANSWERED])
    assert project.start().code == 3
    told = "esc-1: `echo the line is dead; exit 9` ended with 9: the line is dead"
    assert project.status()["session"]["not_notified"] == [told]
    assert f"not notified: {told}" in project.teamlead("status").out
    project.resolve("red")
    assert project.teamlead("resume").code == 3
    assert project.states() == {"task-1": "DONE"}
    assert told in project.teamlead("report").out


def test_a_session_that_ends_as_failed_is_told_by_whoever_ends_it(project: Project) -> None:
    ringing(project).task(1, [{"fail": "no"}])
    assert project.start("--attempts", "1").code == 3
    project.resolve("stop")
    assert rung(project) == ["esc-1 task-1", "failed"]
    assert project.teamlead("resume").code == 5


def test_the_repositorys_own_command_is_not_run_before_it_is_allowed(project: Project) -> None:
    bell = project.place / "bell"
    project.commit("configure", {".teamlead/config.toml": f'notify = ["touch {bell}"]\n'})
    project.task(1, [COLOUR], [ANSWERED])
    refused = project.start()
    assert refused.code == 5
    assert f'notify: [] -> ["touch {bell}"]' in refused.err
    assert project.teamlead("config", "allow", "--yes").code == 0
    assert project.start().code == 3
    assert bell.exists()


def test_a_desktop_that_is_not_there_is_told_at_the_start(project: Project) -> None:
    project.settings(f'{SETTINGS}notify = ["desktop"]\n').task(1, [ANSWERED])
    started = project.start()
    absent = "The desktop will not notify you: there is no" in started.err
    assert absent != ("you are notified: desktop" in started.err)
