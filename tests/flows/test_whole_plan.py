"""What is right in each copy may be wrong together: the checks of the plan run on the merged work."""

import signal
from collections import Counter
from math import ceil, log2

from tests.flows.support import SETTINGS, Project, Running, delete, until, write

PAIR = "! { test -f a.txt && test -f b.txt; } || test -f glue.txt"
"""Two files that do not go together, unless a third one is there."""


def checked(project: Project) -> list[list[str]]:
    """The verdicts of each time that the whole was checked."""
    return [
        [check["verdict"] for check in event["body"]["checks"]]
        for event in project.events()
        if event["kind"] == "WholeChecked"
    ]


def counting(project: Project, command: str) -> str:
    """Notes in which files it ran."""
    return f"echo $(ls) >> {project.barrier('runs')}; {command}"


def runs(project: Project) -> Counter[str]:
    return Counter(project.barrier("runs").read_text().splitlines())


def test_work_that_breaks_together_goes_back_to_the_task_that_was_merged_last(project: Project) -> None:
    project.settings(f"{SETTINGS}checks = ['{PAIR}']\n")
    glue = [write("glue.txt", "glue\n")]
    project.task(1, [write("a.txt", "a\n")], glue).task(2, [write("b.txt", "b\n")], glue)

    ended = project.start("--approve", "--jobs", "2")

    assert ended.code == 0, ended.out + ended.err
    assert checked(project) == [["broken"], ["passed"]]
    assert f"checking the whole: `{PAIR}` on the merged work" in ended.err
    (culprit,) = [number for number in (1, 2) if len(project.outcomes(number)) == 2]
    told = project.prompt(culprit, 2)
    assert f"the check `{PAIR}` fails on the merged work of all tasks since yours was merged" in told
    assert set(project.files("main")) == {"README.md", "shared.txt", "a.txt", "b.txt", "glue.txt"}
    assert project.copies() == []


def test_a_plan_without_checks_is_not_checked_as_a_whole(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])
    assert project.start("--approve").code == 0
    assert checked(project) == []


def test_a_check_that_failed_before_the_session_is_told_and_is_nobodys(project: Project) -> None:
    project.settings(f"{SETTINGS}checks = ['case $(cat .git) in *trial-*) test -f never.txt;; esac']\n")
    project.task(1, [write("a.txt", "a\n")])

    ended = project.start("--approve")

    assert ended.code == 0, ended.out + ended.err
    assert checked(project) == [["failed before"]]
    assert project.outcomes(1) == ["accepted"]


def test_a_check_that_passes_when_it_is_repeated_is_called_flaky(project: Project) -> None:
    once = project.barrier("once")
    # Not where the base is tried: there it finds no work.
    fails = f"test ! -f a.txt || test -f {once} || {{ touch {once}; exit 1; }}"
    flaky = f"case $(cat .git) in *trial-*) {fails};; esac"
    project.task(1, [write("a.txt", "a\n")], checks=[flaky])
    assert project.start("--approve").code == 0
    assert checked(project) == [["flaky"]]


def test_a_check_that_passes_only_thanks_to_an_ignored_file_does_not_count(project: Project) -> None:
    project.commit("ignore", {".gitignore": "*.cache\n"})
    project.task(
        1,
        [write("a.txt", "a\n"), write("made.cache", "only here\n")],
        [write("made.txt", "for all\n")],
        checks=["test -f made.cache || test -f made.txt"],
    )

    assert project.start("--approve").code == 0

    assert checked(project) == [["broken"], ["passed"]]
    assert "its own check has never passed on the merged work" in project.prompt(1, 2)


def chain(project: Project, command: str, *, tasks: int = 9, guilty: int = 5) -> None:
    """Only the first one has a check, and a later one breaks it."""
    for number in range(1, tasks + 1):
        mended = [[delete(f"f{guilty}"), write("mended", "mended\n")]] if number == guilty else []
        project.task(
            number,
            [write(f"f{number}", f"{number}\n")],
            *mended,
            after=[number - 1] if number > 1 else [],
            checks=[command] if number == 1 else [],
        )


def test_the_task_that_broke_it_is_found_among_nine_with_few_runs(project: Project) -> None:
    chain(project, counting(project, "test ! -f f5"))

    assert project.start("--approve").code == 0

    assert checked(project) == [["broken"], ["passed"]]
    named, *others = [event["body"] for event in project.events() if event["kind"] == "TaskReopened"]
    assert named["task"] == "task-5"
    assert [other["task"] for other in others] == ["task-6", "task-7", "task-8", "task-9"], "built on it"
    in_copy, once_mended, base, tip, confirmed = 1, 1, 1, 2, 2
    looked_again = len(others)
    most = ceil(log2(9)) + in_copy + once_mended + base + tip + confirmed + looked_again
    assert runs(project).total() <= most


def hanging(project: Project) -> Running:
    """A leader that looks for the guilty task, in the middle of a trial."""
    waiting, go = project.barrier("waiting"), project.barrier("go")
    stop = f"touch {waiting}; while ! test -f {go}; do sleep 0.05; done"
    middle = f"case $(cat .git) in *trial-*) if test -f f1 && ! test -f f9; then {stop}; fi;; esac"
    chain(project, counting(project, f"{middle}; test ! -f f5"))
    leader = project.start_in_background()
    until(lambda: waiting.exists() or leader.over, "a trial is under way")
    return leader


def test_a_leader_killed_in_the_middle_goes_on_and_tries_nothing_twice(project: Project) -> None:
    leader = hanging(project)
    leader.send(signal.SIGKILL).end()
    before = runs(project)
    project.barrier("go").touch()

    ended = project.teamlead("resume")

    assert ended.code == 3, ended.out + ended.err
    assert checked(project) == [["broken"], ["passed"]]
    again = runs(project) - before
    known = [files for files in before if "f9" in files or "f1" not in files]
    assert [again[files] for files in known] == [0] * (len(known) - 1) + [again[known[-1]]]
    assert project.copies() == []


def test_cancelling_in_the_middle_of_it_ends_it_at_once(project: Project) -> None:
    leader = hanging(project)
    assert project.status()["session"]["state"] == "REVIEWING"
    assert project.teamlead("approve").code == 5
    assert project.teamlead("cancel").code == 0
    assert leader.end().code == 1
    assert checked(project) == []
    assert project.copies() == []


def test_what_was_sent_back_once_in_vain_is_for_a_person_to_decide(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")], checks=["test ! -f bad.txt"])
    project.task(2, [write("bad.txt", "bad\n")], [write("other.txt", "no better\n")], after=[1])

    ended = project.start()

    assert ended.code == 3
    assert "the merged work does not hold" in ended.out
    assert project.status()["session"]["state"] == "ESCALATING"
    assert project.teamlead("approve").code == 5
    assert project.resolve("accept").code == 0
    assert project.happened("WholeAccepted", by="user")
    assert project.teamlead("approve").code == 0
    assert "accepted by user" in project.teamlead("report").out


def test_a_persons_advice_goes_to_the_task_that_broke_it(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")], checks=["test ! -f bad.txt"])
    project.task(2, [write("bad.txt", "bad\n")], [write("more.txt", "\n")], [delete("bad.txt")], after=[1])
    project.start()

    assert project.resolve("remove bad.txt").code == 0

    assert project.teamlead("resume").code == 3
    assert "A person says: remove bad.txt" in project.prompt(2, 3)
    assert checked(project)[-1] == ["passed"]


def test_a_check_that_cannot_be_tried_is_not_taken_for_passed(project: Project) -> None:
    set_up = project.barrier("set-up")
    prepare = f"case $(cat .git) in *trial-*) test -f {set_up};; esac"
    project.settings(f"{SETTINGS}checks = ['true']\npost_create = ['{prepare}']\n")
    project.task(1, [write("a.txt", "a\n")])

    assert project.start().code == 3

    assert checked(project) == [["unknown"]]
    assert "it could not be tried" in project.status()["session"]["questions"][0]["text"]
    set_up.touch()
    assert project.resolve("retry").code == 0
    assert project.teamlead("resume", "--json").json["session"]["phase"] == "AWAITING_APPROVAL"
    assert checked(project) == [["unknown"], ["passed"]]
