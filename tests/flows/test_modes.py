"""Nobody but its user reads what a session keeps, and what is the user's own is as they like it."""

import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.flows.support import Project, done, run, write


@pytest.fixture(params=[0o022, 0o002], ids=oct)
def umask(request: pytest.FixtureRequest) -> int:
    mask: int = request.param
    return mask


def teamlead(project: Project, umask: int, *arguments: str | Path) -> int:
    command = [sys.executable, "-m", "teamlead", *map(str, arguments)]
    given = {**project.environment, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd=project.root, env=given, capture_output=True, check=False, umask=umask, timeout=80
    )
    return done.returncode


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def open_to_others(*places: Path) -> Iterator[str]:
    for place in places:
        for path in (place, *place.rglob("*")):
            if not path.is_symlink() and mode_of(path) & 0o077:
                yield f"{path} {mode_of(path):o}"


@pytest.fixture
def at_work(project: Project, umask: int) -> Project:
    """A session whose first task is merged, and whose second one is not accepted: its copy stays."""
    project.commit("code", {"src/deep/code.py": "a = 1\n", "run.sh": "#!/bin/sh\n"})
    (project.root / "settings/local").mkdir(parents=True)
    (project.root / "settings/local/.env").write_text("PORT=1\n")
    (project.root / ".git/info/exclude").write_text("settings/\n")
    project.settings(
        f'copy = ["settings/local/.env"]\npost_create = ["umask > {project.barrier("set-up")}"]\n'
    )
    steps = [run(f"umask > {project.barrier('agent')}; mkdir made; touch made/file"), write("a.txt", "a\n")]
    project.task(1, [*steps, done("made it")])
    project.task(2, [*steps, done("made it")], checks=[f"umask > {project.barrier('check')}; exit 1"])
    started = teamlead(
        project, umask, "start", project.plan, "--agent", f"scripted:{project.script}", "--attempts", "1"
    )
    assert started == 3
    assert project.states() == {"task-1": "DONE", "task-2": "BLOCKED"}
    return project


def copy_of(project: Project) -> Path:
    (copy,) = project.state_home.glob("*/copies/*/task-2")
    return copy


def test_what_a_session_keeps_is_for_its_user_alone(at_work: Project) -> None:
    copy = copy_of(at_work)
    # Closed, and in it are files that git has written.
    lead = copy.with_name(f".{copy.name}") / "lead"
    assert lead.parent.stat().st_mode & 0o777 == 0o700
    kept = [at_work.state_home, at_work.root / ".teamlead/sessions"]
    others = [found for found in open_to_others(*kept) if not found.startswith((str(copy), str(lead)))]
    assert others == []
    assert any((at_work.root / ".teamlead/sessions").rglob("session.json"))


def test_agents_checks_and_set_up_commands_run_under_the_users_umask(at_work: Project, umask: int) -> None:
    found = {name: int(at_work.barrier(name).read_text(), 8) for name in ("agent", "check", "set-up")}
    assert found == dict.fromkeys(found, umask)


def test_what_is_in_a_copy_has_the_modes_that_the_user_would_give_it(at_work: Project, umask: int) -> None:
    copy = copy_of(at_work)
    folders = ("", "src", "src/deep", "made", "settings", "settings/local")
    assert {name: mode_of(copy / name) for name in folders} == dict.fromkeys(folders, 0o777 & ~umask)
    files = ("src/deep/code.py", "run.sh", "made/file", "a.txt")
    assert {name: mode_of(copy / name) for name in files} == dict.fromkeys(files, 0o666 & ~umask)
    assert mode_of(copy / "settings/local/.env") == mode_of(at_work.root / "settings/local/.env")


def test_what_is_in_the_users_repository_has_the_modes_that_the_user_would_give_it(
    at_work: Project, umask: int
) -> None:
    git = at_work.root / ".git"
    files = (git / "info/exclude", git / "teamlead/id", *git.glob("teamlead/*.lock"))
    assert {str(path): mode_of(path) for path in files} == {str(path): 0o666 & ~umask for path in files}
    folders = (git / "teamlead", at_work.root / ".teamlead")
    assert {str(path): mode_of(path) for path in folders} == {str(path): 0o777 & ~umask for path in folders}
    made = [path for path in git.glob("objects/??/*") if path.is_file()]
    assert {mode_of(path) for path in made} == {0o444}
    assert teamlead(at_work, umask, "resolve", "--resolution", "skip") == 0
    assert teamlead(at_work, umask, "resume") == 3
    assert teamlead(at_work, umask, "approve") == 0
    assert mode_of(at_work.root / "made/file") == 0o666 & ~umask


def test_what_an_earlier_version_left_open_is_closed_when_the_session_is_opened(
    at_work: Project, umask: int
) -> None:
    copy = copy_of(at_work)
    places = [at_work.state_home, *at_work.state_home.rglob("*")]
    for path in places:
        if not path.is_relative_to(copy) and not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    before = {path: mode_of(path) for path in copy.rglob("*")}
    assert teamlead(at_work, umask, "tell", "2", "Mind the header.") == 0
    (session,) = at_work.sessions
    assert list(open_to_others(session)) == []
    assert {mode_of(folder) for folder in (*session.parents[:3],)} == {0o700}
    assert {path: mode_of(path) for path in copy.rglob("*")} == before


def test_a_file_with_a_plan_is_the_users(project: Project, umask: int) -> None:
    task = {
        "id": "task-1",
        "description": "Do it.",
        "scopePaths": ["a.txt"],
        "acceptance": ["it is there"],
    }
    project.plays("planner", [{"answer": {"title": "A plan", "tasks": [task]}}], purpose="plan")
    agent = ("--agent", f"scripted:{project.script}")
    assert teamlead(project, umask, "plan", "new", "Do it", *agent) == 0
    assert mode_of(project.root / "plan.md") == 0o666 & ~umask
    assert list(open_to_others(project.state_home)) == []


def test_a_copy_serves_another_session_whatever_the_users_umask(project: Project, umask: int) -> None:
    project.commit("many", {f"many/{number}.txt": "x\n" for number in range(300)})
    project.task(1, [write("a.txt", "a\n"), done("made it")])
    agent = ("--agent", f"scripted:{project.script}")
    assert teamlead(project, umask, "start", project.plan, *agent, "--approve") == 0
    assert len(list(project.state_home.glob("*/pool/*"))) == 1
