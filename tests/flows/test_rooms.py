"""Sessions in rooms: what a check says holds for its copy, and what works with copies works in them."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.flows.conftest import user
from tests.flows.installed import CASES, Case
from tests.flows.support import HANG, SETTINGS, Project, done, run, touch, until, write

pytestmark = pytest.mark.usefixtures("rooms")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_broken_work_is_refused_by_its_check_and_honest_work_is_done(owner: Project, case: Case) -> None:
    check = case.install(owner)
    owner.settings(SETTINGS + case.settings)
    owner.task(1, case.attempt(case.broken), case.attempt(case.honest), checks=[check])
    owner.start()
    assert (owner.state_of(1), owner.outcomes(1)) == ("DONE", ["refused", "accepted"])


def test_the_commands_that_look_again_see_the_work_and_leave_the_checkout_as_it_was(owner: Project) -> None:
    case = CASES["editable, .venv inside"]
    owner.settings(SETTINGS + case.settings)
    owner.task(1, case.attempt(case.broken), case.attempt(case.honest), checks=[case.install(owner)])
    owner.start()
    for attempt, kinds, ends in (("1", ["check"], [1]), ("2", ["check", "whole"], [0, 0])):
        told = owner.teamlead("evidence", "1", "--attempt", attempt, "--json").json["evidence"]
        found = {item["kind"]: item for item in told if item["kind"] in ("check", "whole")}
        assert list(found) == kinds
        assert [shell(owner, item["command"]) for item in found.values()] == ends
        assert not any("without" in detail for item in found.values() for detail in item["details"])
        assert owner.git("status", "--porcelain", "--branch") == "## main"


def shell(project: Project, command: str) -> int:
    """What the user types, at the root of their checkout."""
    how: dict[str, Any] = {"cwd": project.root, "env": project.environment, **project.identity}
    return subprocess.run(["/bin/sh", "-c", command], check=False, capture_output=True, **how).returncode


def look(project: Project, *commands: str, **task: Any) -> str:
    """What the one agent of a session, which is accepted, finds out by commands: all that they print."""
    told = f"( {'; '.join(commands)} ) > .found 2>&1; mv .found found.txt"
    project.task(1, [run(told), done("Looked.")], **task).start()
    assert project.outcomes(1) == ["accepted"], project.teamlead("evidence", "1").out
    return project.content(project.integration, "found.txt")


def told_by_checks(project: Project, command: str) -> tuple[str, Callable[[], list[str]]]:
    """A check, and what its command says: on the base, in the copy of the task, then in two clean ones."""
    file = project.barrier("told")
    return f"( {command} ) >> {file} 2>&1; true", lambda: file.read_text().splitlines()


def test_what_config_copies_is_the_agents_own(owner: Project) -> None:
    owner.commit("ignored", {".gitignore": "local.ini\n"})
    (owner.root / "local.ini").write_text("of the user\n")
    owner.settings(f'{SETTINGS}copy = ["local.ini"]\n')
    check, told = told_by_checks(owner, "cat local.ini")
    commands = ("cat local.ini", "echo changed > local.ini")
    assert look(owner, *commands, checks=[check]) == "of the user"
    assert told() == ["of the user", "changed", "of the user", "of the user"]
    assert (owner.root / "local.ini").read_text() == "of the user\n"


LINKS = f'{SETTINGS}link = ["data", "large.bin"]\n'
READ = "cat data/one.txt large.bin"


def has_links(project: Project) -> Project:
    project.commit("ignored", {".gitignore": "data\nlarge.bin\n"})
    (project.root / "data").mkdir()
    (project.root / "data" / "one.txt").write_text("one ")
    (project.root / "large.bin").write_text("large ")
    return project


def test_what_config_links_is_a_mount_that_nobody_writes_to(owner: Project) -> None:
    has_links(owner).settings(LINKS)
    found = look(owner, READ, "touch data/new || echo refused", "echo x >> large.bin || echo refused", LINKED)
    assert found.startswith("one large ")
    assert found.count("refused") == 2
    assert found.endswith("no link\nno link")
    assert [path.name for path in (owner.root / "data").iterdir()] == ["one.txt"]
    assert (owner.root / "large.bin").read_text() == "large "


LINKED = "for path in data large.bin; do readlink $path || echo no link; done"


@pytest.mark.parametrize(("first", "second"), [("room = false\n", ""), ("", "room = false\n")])
def test_a_session_goes_on_in_rooms_that_was_begun_without_them_and_the_other_way_round(
    project: Project, first: str, second: str
) -> None:
    has_links(project).settings(f"{LINKS}grace = 0\n{first}")
    begun = [
        run(f"{READ} > begun.txt; git commit --quiet --allow-empty -m begun"),
        touch(at_work(project)),
        HANG,
    ]
    continued = run(f"( cat begun.txt; {READ}; {LINKED}; git log --format=%s ) > found.txt")
    project.task(1, begun, [continued, done("Looked.")])
    leader = project.start_in_background()
    until(at_work(project).exists, "an agent is at work")
    project.interrupt(leader)
    assert leader.end().code == 130
    project.settings(f"{LINKS}{second}")
    project.teamlead("resume")
    assert project.outcomes(1) == ["interrupted", "accepted"]
    found = project.content(project.integration, "found.txt").splitlines()
    links = [f"{project.root}/data", f"{project.root}/large.bin"]
    assert found[0] == f"one large one large {links[0] if second else 'no link'}"
    assert found[1] == (links[1] if second else "no link")
    assert "begun" in found[2:]


def at_work(project: Project) -> Path:
    return project.barrier("at work")


def test_a_copy_that_holds_its_scope_only_deletes_nothing_else(owner: Project) -> None:
    owner.commit("folders", {"src/a.txt": "a\n", "rest/b.txt": "b\n", "README.md": "# Sample\n"})
    owner.settings(f"{SETTINGS}sparse = true\n")
    found = look(
        owner,
        "ls",
        "git status --porcelain",
        "touch src/new && git add -A src && git commit --quiet -m own",
        scope="src/, found.txt",
    )
    assert "rest" not in found.split()
    assert owner.content(owner.integration, "rest/b.txt") == "b"


def test_files_of_a_copy_serve_the_next_one(owner: Project) -> None:
    # So many that the first is written a while before git has noted them all: what was written just then may
    # have been touched since, and is written anew.
    owner.commit("many", {f"many/{number}.txt": f"{number}\n" for number in range(1000)})
    first = "echo changed > many/1.txt; touch many/new.txt; mkdir empty; ls -i many/0.txt > first.txt"
    second = "cat many/1.txt > second.txt; ls -d many/* | wc -l >> second.txt; ls -i many/0.txt >> second.txt"
    owner.task(1, [run(first)]).start("--approve")
    assert [*owner.state_home.glob("*/pool/*/files")]
    owner.new_plan().task(1, [run(f"test ! -e empty; {second}")]).start()
    assert owner.teamlead("approve", owner.sessions[-1].name).code == 0
    told = owner.content("main", "second.txt").splitlines()
    assert told == ["changed", "1001", owner.content("main", "first.txt")]


def test_a_submodule_has_its_history_and_the_users_own_is_out_of_reach(owner: Project) -> None:
    library = owner.place / "library"
    library.mkdir()
    (library / "lib.c").write_text("int x;\n")
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "library"]):
        owner.git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", *arguments, cwd=library)
    owner.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "lib")
    owner.git("commit", "-qm", "with a library")
    shutil.rmtree(library)
    objects = owner.root / ".git" / "modules" / "lib" / "objects"
    before = sorted(objects.rglob("*"))
    found = look(
        owner,
        "cd lib",
        "git log --format=%s",
        "echo 'int y;' > lib.c",
        "git commit --quiet -am own",
        "git log --format=%s -1",
        "touch $(tail -1 $(git rev-parse --git-path objects/info/alternates))/new || echo refused",
        "git checkout --quiet HEAD~1",
        "cat lib.c",
        scope="found.txt",
    )
    assert found.splitlines()[:2] == ["library", "own"]
    assert found.splitlines()[-2:] == ["refused", "int x;"]
    assert sorted(objects.rglob("*")) == before


if shutil.which("git-lfs"):

    def test_large_files_are_there_and_new_ones_are_merged(owner: Project) -> None:
        owner.git("lfs", "install", "--local", "--skip-repo")
        owner.commit("tracked", {".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n"})
        owner.commit("large", {"old.bin": "old content\n"})
        assert owner.content("HEAD", "old.bin").startswith("version https://git-lfs")
        found = look(
            owner,
            "cat old.bin",
            "git status --porcelain -uno",
            "echo new content > new.bin",
            "git add new.bin",
            "git cat-file -p :new.bin | head -1",
        )
        assert found == "old content\nversion https://git-lfs.github.com/spec/v1"
        assert owner.content(owner.integration, "new.bin").startswith("version https://git-lfs")
        assert owner.teamlead("approve").code == 0
        assert (owner.root / "new.bin").read_text() == "new content\n"


def test_a_script_in_the_checkout_is_played_and_is_no_part_of_the_work(owner: Project) -> None:
    owner.task(1, [write("one.txt", "1\n"), done("Written.")], scope="one.txt")
    script = shutil.copy(owner.script, owner.root / "team.toml")
    owner.teamlead("start", owner.plan, "--agent", f"scripted:{script}")
    assert owner.outcomes(1) == ["accepted"]
    assert "team.toml" not in owner.files(owner.integration)


@pytest.mark.parametrize("above", [place for place in ("/var/tmp", "/run") if os.access(place, os.W_OK)])
def test_all_that_a_user_has_may_lie_in_a_place_that_rooms_empty(above: str) -> None:
    with tempfile.TemporaryDirectory(dir=above) as place, user(Path(place)) as project:
        case = CASES["editable, .venv outside"]
        check = case.install(project.has_repository())
        project.task(1, case.attempt(case.broken), case.attempt(case.honest), checks=[check]).start()
        assert project.outcomes(1) == ["refused", "accepted"]


def test_what_knows_the_checkout_by_a_link_through_which_the_user_came_means_the_copy(owner: Project) -> None:
    case = CASES["editable, .venv inside"]
    check = case.install(owner)
    link = owner.place / "link"
    link.symlink_to(owner.root.parent)
    (known,) = (owner.root / ".venv").glob("lib/*/site-packages/shop.pth")
    known.write_text(f"{link}/{owner.root.name}/src\n")
    owner.environment["PWD"] = f"{link}/{owner.root.name}/src"
    owner.task(1, case.attempt(case.broken), case.attempt(case.honest), checks=[check]).start()
    assert owner.outcomes(1) == ["refused", "accepted"]


def test_a_linked_working_tree_of_the_users_is_where_the_copy_lies(owner: Project) -> None:
    linked = owner.place / "linked"
    owner.git("worktree", "add", "--quiet", "-b", "side", str(linked))
    commands = f"pwd; git status --porcelain -uno; ls {owner.root}/.git; touch {owner.root}/x"
    owner.task(1, [run(f"( {commands} ) > found.txt; true"), done("Looked.")])
    arguments = ("start", owner.plan, "--agent", f"scripted:{owner.script}")
    owner.teamlead(*arguments, cwd=linked)
    assert owner.state_of(1) == "DONE"
    assert owner.content(owner.integration, "found.txt") == str(linked)
    assert not (owner.root / "x").exists()


def test_what_is_installed_for_the_project_is_the_agents_own_to_change(owner: Project) -> None:
    CASES["editable, .venv inside"].install(owner)
    files = sorted((owner.root / ".venv").rglob("*"))
    owner.settings(SETTINGS)
    package = ".venv/lib/*/site-packages/shop.pth"
    check, told = told_by_checks(owner, f"cat .venv/new || ls {package}")
    commands = ("echo new > .venv/new", f"rm {package}", "git status --porcelain -- .venv")
    assert look(owner, *commands, checks=[check]) == ""
    on_base, own = told()[1:3]
    assert (on_base.endswith("shop.pth"), own) == (True, "new")
    assert told()[-1].endswith("shop.pth")
    assert sorted((owner.root / ".venv").rglob("*")) == files


def test_what_is_installed_and_not_ignored_is_no_work_of_an_agent_that_adds_all(owner: Project) -> None:
    CASES["editable, .venv not ignored"].install(owner)
    owner.settings(SETTINGS)
    commands = ("touch .venv/new own.txt", "git add -A", "git commit -qm own", "git status --porcelain")
    found = look(owner, *commands, "git show --name-only --format=", "ls .venv/new")
    assert found.splitlines() == [".found", "own.txt", ".venv/new"]
    refs = owner.git("for-each-ref", "--format=%(refname)").split()
    assert "own.txt" in owner.files(owner.integration)
    assert [ref for ref in refs if owner.git("ls-tree", "-r", ref, ".venv")] == []


def tool(folder: Path) -> None:
    """A program that needs what lies beside its folder."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    (folder / "bin" / "tool").write_text('#!/bin/sh\ncat "$(dirname "$0")/../words"\n')
    (folder / "bin" / "tool").chmod(0o755)
    (folder / "words").write_text("of the user\n")


def test_programs_in_the_checkout_that_are_on_the_path_are_there(owner: Project) -> None:
    tool(owner.root / "tools")
    owner.environment["PATH"] = f"{owner.root}/tools/bin:{owner.environment['PATH']}"
    found = look(owner, "tool", "touch tools/x || echo refused", "git status --porcelain tools")
    assert found.splitlines()[0::2] == ["of the user", "refused"]


def test_programs_that_the_work_has_itself_count_where_others_are_on_the_path(owner: Project) -> None:
    tool(owner.root / "tools")
    owner.git("add", "tools")
    owner.commit("tools", {"tools/words": "of the work\n"})
    owner.git("rm", "-qr", "--cached", "tools")
    (owner.root / "tools" / "words").write_text("of the user\n")
    owner.environment["PATH"] = f"{owner.root}/tools/bin:{owner.environment['PATH']}"
    assert look(owner, "tool") == "of the work"


def test_caches_of_the_user_are_read_and_what_is_written_to_them_stays_in_the_copys_room(
    owner: Project,
) -> None:
    cache = Path(owner.environment["HOME"]) / ".cache" / "tool"
    cache.mkdir(parents=True)
    (cache / "old").write_text("of the user\n")
    commands = ("cat ~/.cache/tool/old", "echo new > ~/.cache/tool/new", "rm ~/.cache/tool/old")
    check, told = told_by_checks(owner, "ls ~/.cache/tool")
    assert look(owner, *commands, checks=[check]) == "of the user"
    assert told() == ["old", "new", "old", "old"]
    assert [(path.name, path.read_text()) for path in cache.iterdir()] == [("old", "of the user\n")]


def test_the_state_of_sessions_may_lie_behind_a_link_that_rooms_hide(project: Project) -> None:
    (project.place / "real-state").mkdir()
    link = Path(project.environment["XDG_STATE_HOME"])
    link.symlink_to("real-state")
    found = look(project, "git log --format=%s", "git status --porcelain -uno", "git show HEAD:README.md")
    assert found == "first\n# Sample"
