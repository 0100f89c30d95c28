"""Before the first agent: each check is tried once on a clean copy, and what cannot be run there is asked."""

from pathlib import Path

from tests.flows.support import Project, write


def counts(project: Project, name: str) -> tuple[str, Path]:
    """A command that leaves a line for each of its runs, where no copy is."""
    place = project.barrier(name)
    return f"echo ran in $(ls | tr '\\n' ' ') >> {place}", place


def asked(project: Project) -> list[dict[str, object]]:
    listed: list[dict[str, object]] = project.teamlead("escalations", "--json").json["questions"]
    return listed


def test_a_program_that_is_missing_is_asked_about_once_before_any_agent_is_paid_for(project: Project) -> None:
    for number in (1, 2):
        project.task(number, [write(f"{number}.txt", "made\n")], checks=["nosuchrunner --all"])
    project.task(3, [write("3.txt", "made\n")])
    ended = project.start()
    assert ended.code == 3
    assert [project.state_of(n) for n in (1, 2, 3)] == ["BLOCKED", "BLOCKED", "DONE"]
    started = [event["body"]["task"] for event in project.events() if event["kind"] == "AttemptStarted"]
    assert started == ["task-3"]
    [question] = asked(project)
    assert [task["id"] for task in question["tasks"]] == ["task-1", "task-2"]  # type: ignore[attr-defined]
    assert "`nosuchrunner` is not there" in str(question)
    assert "cannot hold in a fresh copy" in ended.err

    assert project.resolve("check: test -f 1.txt || test -f 2.txt").code == 0
    assert project.teamlead("resume").code == 3
    assert set(project.states().values()) == {"DONE"}
    assert project.happened("CheckCorrected", before="nosuchrunner --all")


def test_what_git_ignores_and_only_the_checkout_has_is_named_with_the_setting_that_brings_it(
    project: Project,
) -> None:
    project.commit("ignore it", {".gitignore": "generated/\n", "use.sh": ". generated/settings.sh\n"})
    place = project.root / "generated"
    place.mkdir()
    (place / "settings.sh").write_text("true\n")
    project.task(1, [write("1.txt", "made\n")], checks=["sh ./use.sh"])
    assert project.start().code == 3
    [question] = asked(project)
    assert "it needs the folder `generated`" in str(question)
    assert 'Set `link = ["generated"]`' in str(question)

    project.settings('link = ["generated"]\n')
    assert project.resolve("retry").code == 0
    assert project.teamlead("resume").code == 3
    assert project.state_of(1) == "DONE"


def test_a_check_that_never_ends_is_asked_about_and_go_on_leaves_it_as_it_is(project: Project) -> None:
    project.settings("check_timeout = 1\nattempts = 1\n")
    project.task(1, [write("1.txt", "made\n")], checks=["test -f 1.txt || sleep 100"])
    assert project.start().code == 3
    [question] = asked(project)
    assert "it did not end within 1 seconds" in str(question)
    assert project.resolve("go on").code == 0
    assert project.teamlead("resume").code == 3
    assert project.state_of(1) == "DONE"


def test_a_check_that_only_fails_or_wants_a_file_of_the_task_is_no_question(project: Project) -> None:
    project.task(1, [write("run.sh", "exit 0\n")], checks=["sh run.sh", "./nothing.sh || true"])
    assert project.start().code == 3
    assert (asked(project), project.state_of(1)) == ([], "DONE")


def test_what_passed_is_believed_by_the_next_session_and_by_plan_check(project: Project) -> None:
    command, place = counts(project, "runs")
    project.task(1, [write("1.txt", "made\n")], checks=[command])
    first = project.teamlead("plan", "check", "--run", project.plan, "--json")
    assert (first.code, place.read_text()) == (0, "ran in README.md shared.txt\n")
    [trial] = first.json["trials"]
    assert (trial["command"], trial["tasks"], trial["exit_code"], trial["obstacle"]) == (
        command,
        ["task-1"],
        0,
        "",
    )
    assert project.start("--approve").code == 0
    on_base = [line for line in place.read_text().splitlines() if "1.txt" not in line]
    assert len(on_base) == 1


def test_preflight_false_starts_agents_at_once(project: Project) -> None:
    project.settings("preflight = false\n")
    project.task(1, [write("1.txt", "made\n")], checks=["test -f 1.txt"])
    assert project.start().code == 3
    assert not project.happened("PreflightStarted")


def test_plan_check_says_what_cannot_be_run_without_a_session(project: Project) -> None:
    project.task(1, [write("1.txt", "made\n")], checks=["nosuchrunner", "test -f 1.txt"])
    ended = project.teamlead("plan", "check", "--run", project.plan)
    assert ended.code == 1
    assert "cannot be run `nosuchrunner`: `nosuchrunner` is not there" in ended.out
    assert "can be run `test -f 1.txt`: it fails now, with exit code 1" in ended.out
    assert "trying `nosuchrunner` on a clean copy" in ended.err
    assert project.sessions == []


def test_while_checks_are_tried_a_look_says_so(project: Project) -> None:
    go = project.barrier("go")
    project.task(1, [write("1.txt", "made\n")], checks=[f"while ! test -e {go}; do sleep 0.05; done"])
    leader = project.start_in_background()
    leader.says("trying on the base, before agents start")
    told = project.teamlead("status").out
    assert "checks are tried on the base before agents start" in told
    go.touch()
    assert leader.end().code == 3
    assert project.state_of(1) == "DONE"
