"""What cannot work is refused with one clear message, the right code, and nothing changed."""

import hashlib
import shutil
from pathlib import Path

import pytest
from tests.flows.support import Ended, Project, write


@pytest.fixture
def ready(project: Project) -> Project:
    """Everything is there for a start that works."""
    return project.task(1, [write("a.txt", "a\n")])


def everything(project: Project) -> dict[str, str]:
    """Every file of the user's, git's own included, by its content."""
    plan, script, commands = project.plan, project.script, project.place / "barriers"
    ours = {plan, script, commands}
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in sorted(project.place.rglob("*"))
        if path not in ours and not path.is_symlink()
    }


def refused(
    project: Project, code: int, *arguments: str | Path, cwd: Path | None = None, **env: str
) -> Ended:
    """The command ends with this code, says one thing, and leaves no trace."""
    before = everything(project)
    ended = project.teamlead(*arguments, cwd=cwd, **env)
    assert ended.code == code, ended.err
    assert ended.out == ""
    assert ended.err.startswith(("teamlead: ", "Not committed", "Usage: ", str(project.plan)))
    assert "Traceback" not in ended.err
    assert everything(project) == before
    return ended


def start(project: Project) -> list[str | Path]:
    return ["start", project.plan, "--agent", f"scripted:{project.script}"]


def test_a_folder_outside_every_repository(home: Project) -> None:
    home.task(1, [write("a.txt", "a\n")])
    folder = home.place / "elsewhere"
    folder.mkdir()
    for command in (start(home), ["status"], ["list"], ["init"]):
        ended = refused(home, 2, *command, cwd=folder, GIT_CEILING_DIRECTORIES=str(home.place))
        assert f"{str(folder)!r} is not in a git repository" in ended.err


def test_a_repository_without_a_commit(home: Project) -> None:
    home.task(1, [write("a.txt", "a\n")])
    home.root.mkdir()
    home.git("init", "--quiet", "--initial-branch=main")
    home.git("config", "user.name", "Ada")
    home.git("config", "user.email", "ada@example.com")
    assert "has no commit yet" in refused(home, 2, *start(home)).err


def test_a_bare_repository(ready: Project) -> None:
    bare = ready.place / "bare.git"
    ready.git("clone", "--quiet", "--bare", str(ready.root), str(bare))
    assert "is a bare repository" in refused(ready, 2, *start(ready), cwd=bare).err


def test_the_inside_of_the_git_folder(ready: Project) -> None:
    assert "not in a working tree" in refused(ready, 2, *start(ready), cwd=ready.root / ".git").err


def test_a_detached_head(ready: Project) -> None:
    ready.git("checkout", "--quiet", "--detach")
    assert "HEAD is detached" in refused(ready, 5, *start(ready)).err


def test_a_branch_that_is_named_teamlead(ready: Project) -> None:
    ready.git("branch", "teamlead")
    ended = refused(ready, 5, *start(ready))
    assert "a branch named 'teamlead' stands in the way" in ended.err
    assert "git branch -m teamlead" in ended.err


def test_a_machine_without_git(ready: Project) -> None:
    folder = ready.place / "empty"
    folder.mkdir()
    for command in (start(ready), ["status"]):
        assert "git is not installed" in refused(ready, 2, *command, PATH=str(folder)).err


def test_an_agent_that_is_not_installed(ready: Project) -> None:
    ended = refused(ready, 2, "start", ready.plan, "--agent", "codex", PATH="/usr/bin:/bin")
    assert ended.err.splitlines()[-2:] == [
        "teamlead: no program 'codex'",
        "install it, or name its file in TEAMLEAD_CODEX",
    ]


def test_an_agent_that_the_system_does_not_let_hold_its_commands(ready: Project) -> None:
    codex = ready.place / "codex"
    codex.write_text("#!/bin/sh\necho 'bwrap: no namespaces' >&2\nexit 1\n")
    codex.chmod(0o755)
    ended = refused(ready, 5, "start", ready.plan, "--agent", "codex", TEAMLEAD_CODEX=str(codex))
    told, remedy = ended.err.splitlines()[-2:]
    assert told == "teamlead: codex cannot hold its commands on this machine: bwrap: no namespaces"
    assert remedy.startswith("allow user namespaces, choose another agent")


def test_a_git_that_is_too_old(ready: Project) -> None:
    folder = ready.place / "old"
    folder.mkdir()
    real = shutil.which("git")
    (folder / "git").write_text(
        f'#!/bin/sh\ncase "$*" in *version) echo \'git version 2.30.2\';; *) exec {real} "$@";; esac\n'
    )
    (folder / "git").chmod(0o755)
    ended = refused(ready, 2, *start(ready), PATH=f"{folder}:{ready.environment['PATH']}")
    assert "git 2.38 or newer is needed; found '2.30.2'" in ended.err


def test_a_user_whom_git_does_not_know(ready: Project) -> None:
    ready.git("config", "--unset", "user.email")
    assert "git does not know who you are" in refused(ready, 2, *start(ready)).err


def test_a_plan_that_is_not_there(ready: Project) -> None:
    ended = refused(ready, 4, "start", "nowhere.md", "--agent", f"scripted:{ready.script}")
    assert "there is no plan file 'nowhere.md'" in ended.err


def test_a_plan_with_problems_is_refused_with_all_of_them(ready: Project) -> None:
    plan = ready.place / "broken.md"
    plan.write_text(
        "# Broken\n\n### 1. One\n- Depends on: 2\n- Scope: ../x\n\n"
        "### 2. Two\n- Depends on: 1, 7\n- Type: fun\n"
    )
    before = everything(ready)
    ended = ready.teamlead("start", plan, "--agent", f"scripted:{ready.script}")
    assert ended.code == 2
    for problem in (f"{plan}:5: error: ", f"{plan}:8: error: ", f"{plan}:9: error: "):
        assert problem in ended.err
    assert "unknown type 'fun'" in ended.err
    assert "leaves the repository" in ended.err
    assert everything(ready) == before


def test_a_plan_without_tasks(ready: Project) -> None:
    plan = ready.place / "free.md"
    plan.write_text("# Ideas\n\nPlease make it better.\n")
    before = everything(ready)
    assert ready.teamlead("start", plan, "--agent", f"scripted:{ready.script}").code == 2
    assert everything(ready) == before


def test_an_agent_that_does_not_exist(ready: Project) -> None:
    ended = refused(ready, 2, "start", ready.plan, "--agent", "hal9000")
    assert "hal9000" in ended.err


def test_no_agent_at_all(ready: Project) -> None:
    none = {f"TEAMLEAD_{program}": "/nowhere" for program in ("CLAUDE", "CODEX", "GEMINI")}
    ready.environment.update(none)
    assert "no agent was chosen" in refused(ready, 2, "start", ready.plan).err


def test_a_script_that_is_not_there(ready: Project) -> None:
    assert "no script" in refused(ready, 4, "start", ready.plan, "--agent", "scripted:nowhere.toml").err


def test_a_broken_script_is_refused_with_the_line(ready: Project) -> None:
    script = ready.place / "broken.toml"
    script.write_text('[[task-1]]\nsteps = [\n  {say = "hello"},\n  {shout = "HELLO"},\n]\n')
    ended = refused(ready, 2, "start", ready.plan, "--agent", f"scripted:{script}")
    assert "broken.toml: line 4: step 2: unknown step 'shout'" in ended.err


def test_a_broken_configuration_is_refused_with_its_lines(ready: Project) -> None:
    ready.commit("settings", {".teamlead/config.toml": "# mine\njobs = 0\n\nattemps = 3\n"})
    for command in (start(ready), ["config", "show"]):
        ended = refused(ready, 2, *command)
        assert ".teamlead/config.toml:2: " in ended.err
        assert ".teamlead/config.toml:4: " in ended.err


@pytest.mark.parametrize("option", [["--jobs", "0"], ["--jobs", "many"], ["--attempts", "-1"], ["--what"]])
def test_options_that_make_no_sense(ready: Project, option: list[str]) -> None:
    refused(ready, 2, *start(ready), *option)


def test_commands_of_a_repository_run_only_once_they_are_allowed(ready: Project) -> None:
    checked = ready.barrier("checked")
    config = f'checks = ["touch {checked}"]\n'
    ready.commit("settings", {".teamlead/config.toml": config})

    ended = refused(ready, 5, *start(ready))

    assert f'checks: [] -> ["touch {checked}"]' in ended.err
    assert "teamlead config allow" in ended.err
    assert not checked.exists()
    assert ready.teamlead("config", "allow").code == 5
    assert ready.teamlead("config", "allow", "--yes").code == 0
    assert ready.start().code == 3
    assert checked.exists()

    ready.commit("more", {".teamlead/config.toml": config.replace("touch", "touch -a")})
    assert ready.start().code == 5
    assert len(ready.sessions) == 1


def test_a_sub_directory_is_as_good_as_the_root(project: Project) -> None:
    project.task(1, [write("top.txt", "a\n")], scope="top.txt")
    inner = project.root / "inner" / "deeper"
    inner.mkdir(parents=True)

    started = project.teamlead(*start(project), cwd=inner)

    assert started.code == 3, started.err
    assert "top.txt" in project.files(project.integration)
    assert (project.root / ".teamlead" / "sessions" / project.session / "session.json").is_file()
    assert list(inner.iterdir()) == []
    assert project.teamlead("approve", cwd=inner).code == 0
    assert (project.root / "top.txt").read_text() == "a\n"


def test_what_is_not_committed_is_named_at_the_start(ready: Project) -> None:
    (ready.root / "draft.txt").write_text("draft\n")
    (ready.root / "README.md").write_text("# Changed\n")
    ended = ready.start()
    assert ended.code == 3
    assert "Not committed, so agents will not see it: README.md, draft.txt" in ended.err
    assert "draft.txt" not in ready.files(ready.integration)


def test_a_retry_that_is_to_run_what_builds_on_it_and_to_leave_it_is_told_to_choose(ready: Project) -> None:
    for options in (["--only", "--followers"], ["--followers", "--only"]):
        ended = refused(ready, 2, "retry", "1", *options)
        assert "--followers and --only contradict each other" in ended.err
        assert "choose one: --followers runs what was built on it again" in ended.err
