"""Agents whose changes would conflict hear of it, and their user sees it, before either has ended."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.flows.support import SETTINGS, Project, Running, Step, until, wait_for, write

LINES = "".join(f"line {number}\n" for number in range(40))


@pytest.fixture
def watched(project: Project) -> Project:
    """The lead looks all the time."""
    return project.settings(f"{SETTINGS}radar = 0.05\n")


def changed(number: int, by: str) -> str:
    return LINES.replace(f"line {number}\n", f"line {number}, {by}\n")


def foreseen(project: Project) -> list[tuple[str, str, list[str]]]:
    bodies = [event["body"] for event in project.events() if event["kind"] == "ConflictForeseen"]
    return [(body["task"], body["other"], body["paths"]) for body in bodies]


def sees(project: Project, *what: object) -> Callable[[], bool]:
    return lambda: what in foreseen(project) if project.sessions else False


def start(project: Project, jobs: int = 2) -> Running:
    return project.start_in_background("--jobs", str(jobs))


def clash(project: Project, then: list[Step], *others: list[Step]) -> None:
    """Two agents that write the same line, and wait; `others`: their later attempts."""
    for number in (1, 2):
        project.task(number, [write("shared.txt", f"one\n{number}\nthree\n"), *then], *others)


def test_both_are_told_while_both_are_at_work_and_status_shows_it(watched: Project) -> None:
    go = watched.barrier("go")
    clash(watched, [wait_for(go)], [write("other-{task}.txt", "elsewhere\n")])
    before = watched.users_things()
    leader = start(watched)
    until(sees(watched, "task-1", "task-2", ["shared.txt"]), "the conflict is foreseen")
    sentence = "task-1 and task-2 change the same parts of shared.txt"
    assert f"conflict ahead: {sentence}" in watched.teamlead("status").out
    assert sentence in watched.teamlead("report").out
    (shown,) = watched.status()["session"]["conflicts_ahead"]
    assert (shown["task"], shown["other"], shown["paths"], shown["times_told"]) == (
        "task-1",
        "task-2",
        ["shared.txt"],
        1,
    )
    assert watched.users_things() == before
    go.touch()
    ended = leader.end()
    assert ended.code == 3
    assert f"ahead: {sentence}" in ended.out + ended.err
    kinds = [(event["kind"], event["body"].get("recipient")) for event in watched.events()]
    told = [kinds.index(("MessageSent", name)) for name in ("task-1", "task-2")]
    first_end = kinds.index(("WorkCollected", None))
    assert kinds.index(("ConflictForeseen", None)) < min(told) < max(told) < first_end
    assert watched.states() == {"task-1": "DONE", "task-2": "DONE"}
    assert watched.status()["session"]["conflicts_ahead"] == []


def test_a_radar_that_is_switched_off_tells_nobody(project: Project) -> None:
    """What the other tests see is its work, and nobody else's."""
    project.settings(f"{SETTINGS}radar = 0\n")
    clash(project, [], [write("other-{task}.txt", "elsewhere\n")])
    assert project.start("--jobs", "2").code == 3
    assert foreseen(project) == []
    assert project.outcomes(1) + project.outcomes(2) != ["accepted", "accepted"]


def test_a_conflict_that_is_over_before_the_end_is_cleared_and_nothing_runs_again(watched: Project) -> None:
    yields, go = watched.barrier("yields"), watched.barrier("go")
    watched.task(1, [write("shared.txt", "mine\n"), wait_for(go)])
    watched.task(
        2,
        [
            write("shared.txt", "also mine\n"),
            wait_for(yields),
            write("shared.txt", "one\ntwo\nthree\n"),
            write("elsewhere.txt", "mine\n"),
            wait_for(go),
        ],
    )
    leader = start(watched)
    until(sees(watched, "task-1", "task-2", ["shared.txt"]), "the conflict is foreseen")
    yields.touch()
    until(sees(watched, "task-1", "task-2", []), "it is over")
    assert watched.status()["session"]["conflicts_ahead"] == []
    go.touch()
    assert leader.end().code == 3
    assert watched.outcomes(1) + watched.outcomes(2) == ["accepted", "accepted"]


def test_edits_apart_in_one_file_are_no_conflict_and_new_and_binary_files_are(home: Project) -> None:
    project = home.has_repository({"long.txt": LINES}).settings(f"{SETTINGS}radar = 0.05\n")
    (project.root / "picture.bin").write_bytes(bytes(range(256)))
    project.git("add", "-A")
    project.git("commit", "-qm", "a picture")
    go = project.barrier("go")
    binary = {"run": r"printf '\000{task}' > picture.bin", "must_pass": True}
    project.task(1, [write("long.txt", changed(3, "a")), write("new.txt", "one\n"), wait_for(go)])
    project.task(2, [write("long.txt", changed(33, "b")), binary, wait_for(go)])
    project.task(3, [write("new.txt", "another\n"), binary, wait_for(go)])
    leader = start(project, jobs=3)
    until(sees(project, "task-1", "task-3", ["new.txt"]), "the new files are seen")
    until(sees(project, "task-2", "task-3", ["picture.bin"]), "the binary files are seen")
    assert {found[:2] for found in foreseen(project)} == {("task-1", "task-3"), ("task-2", "task-3")}
    leader.send(signal.SIGINT)
    leader.send(signal.SIGINT).end()


def test_an_agent_is_told_of_what_was_merged_since_it_began(watched: Project) -> None:
    go = watched.barrier("go")
    watched.task(1, [write("shared.txt", "mine\n")])
    watched.task(2, [write("shared.txt", "also mine\n"), wait_for(go)], [write("other.txt", "else\n")])
    leader = start(watched)
    until(sees(watched, "task-2", "", ["shared.txt"]), "it is held against merged work")
    assert watched.state_of(1) == "DONE"
    assert "task-2 and what was merged since it began change" in watched.teamlead("status").out
    go.touch()
    assert leader.end().code == 3


def snapshot_of(place: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


def test_what_is_looked_at_stays_as_it_is_and_unfinished_work_reaches_no_repository(
    watched: Project,
) -> None:
    """A copy with a lock, a staged file and an unfinished merge."""
    go = watched.barrier("go")
    mess = (
        "git config user.email a@b.c; git config user.name A; "
        "git checkout -q -b side; echo side > shared.txt; git commit -qam side; "
        "git checkout -q -; echo main > shared.txt; git commit -qam main; git merge -q side; "
        "echo unfinished-{task} > shared.txt; touch $(git rev-parse --git-path index.lock)"
    )
    watched.task(1, [{"run": mess}, wait_for(go)])
    watched.task(2, [write("shared.txt", "unfinished-two\n"), wait_for(go)])
    leader = start(watched)
    until(sees(watched, "task-1", "task-2", ["shared.txt"]), "the conflict is foreseen")
    places = [*map(Path, watched.copies()), watched.root / ".git"]
    before = [snapshot_of(place) for place in places]
    known = len(watched.events())
    for place in places[:2]:
        (place / "new.txt").write_text(f"in {place.name}\n")
    until(lambda: len(watched.events()) > known, "it has looked again")
    for place in places[:2]:
        (place / "new.txt").unlink()
    assert [snapshot_of(place) for place in places] == before
    name = watched.git("hash-object", str(places[1] / "shared.txt"))
    assert name not in watched.git("cat-file", "--batch-all-objects", "--batch-check")
    leader.send(signal.SIGINT)
    leader.send(signal.SIGINT).end()


def test_nothing_is_left_of_a_leader_that_was_killed_in_the_middle(watched: Project) -> None:
    go = watched.barrier("go")
    clash(watched, [wait_for(go)], [write("other-{task}.txt", "elsewhere\n")])
    leader = start(watched)
    until(sees(watched, "task-1", "task-2", ["shared.txt"]), "the conflict is foreseen")
    place = watched.sessions[-1] / "copies/trial_merge"
    assert (place / "objects").is_dir()
    leader.send(signal.SIGKILL).end()
    until(lambda: not watched.processes(), "everything has ended")
    assert place.is_dir()
    (folder,) = watched.sessions
    assert watched.teamlead("cancel").code == 0
    assert not place.exists()
    (place / "objects/aa").mkdir(parents=True)
    (place / "objects/aa/torn").write_text("by one that was killed at the very end")
    assert watched.teamlead("clean", "--yes", "--older-than", "0").code == 0
    assert not folder.exists()
