"""Repositories as people have them: moved, copied, with several working trees, with files of every kind."""

import json
import shutil

from tests.flows.support import Project, ask, delete, run, write


def test_a_repository_that_was_moved_keeps_its_sessions_and_their_copies(project: Project) -> None:
    project.task(1, [write("half.txt", "half\n"), ask("Which?")], [run("grep -q half half.txt")])
    assert project.start().code == 3
    project.root = project.root.rename(project.place / "moved")

    assert project.resolve("this").code == 0
    resumed = project.teamlead("resume")

    assert resumed.code == 3, resumed.err
    assert project.outcomes(1) == ["asked", "accepted"]
    assert project.content(project.integration, "half.txt") == "half"
    assert project.teamlead("approve").code == 0
    assert (project.root / "half.txt").read_text() == "half\n"
    assert project.copies() == []


def test_a_repository_that_was_copied_has_sessions_of_its_own(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])
    assert project.start().code == 3
    twin = project.place / "twin"
    shutil.copytree(project.root, twin)

    assert project.teamlead("list", "--json", cwd=twin).json["sessions"] == []
    assert project.teamlead("approve", cwd=twin).code == 4
    assert project.teamlead("approve").code == 0
    assert not (twin / "a.txt").exists()


def test_a_session_of_a_linked_working_tree_works_for_its_branch(project: Project) -> None:
    linked = project.place / "linked"
    project.git("worktree", "add", "--quiet", "-b", "feature", str(linked))
    project.task(1, [write("a.txt", "a\n")])
    before = project.users_things()

    started = project.teamlead(
        "start", project.plan, "--agent", f"scripted:{project.script}", "--approve", cwd=linked
    )

    assert started.code == 0, started.err
    assert (linked / "a.txt").read_text() == "a\n"
    assert "a.txt" in project.files("feature")
    assert "a.txt" not in project.files("main")
    after = project.users_things()
    assert (after["files"], after["HEAD"], after["index"]) == (
        before["files"],
        before["HEAD"],
        before["index"],
    )
    assert project.copies() == []
    assert project.status()["session"]["target_branch"] == "feature"


def test_files_of_every_kind_arrive_as_the_agent_left_them(project: Project) -> None:
    project.commit("more", {"old name.txt": "moved\n", "gone.txt": "gone\n", ".gitignore": "*.log\n"})
    project.task(
        1,
        [
            write("dir with space/größe 大.txt", "wide\n"),
            write("tool.sh", "#!/bin/sh\n"),
            run("chmod +x tool.sh; printf '\\000\\377' > data.bin; git mv 'old name.txt' 'new name.txt'"),
            delete("gone.txt"),
            write("noise.log", "ignored\n"),
            write("crlf.txt", "a\r\nb\r\n"),
        ],
    )

    assert project.start("--approve").code == 0

    listed = project.git("ls-tree", "-r", "-z", "main").split("\0")[:-1]
    modes = {entry.split("\t")[1]: entry.split(" ")[0] for entry in listed}
    assert modes == {
        ".gitignore": "100644",
        "README.md": "100644",
        "crlf.txt": "100644",
        "data.bin": "100644",
        "dir with space/größe 大.txt": "100644",
        "new name.txt": "100644",
        "shared.txt": "100644",
        "tool.sh": "100755",
    }
    assert (project.root / "data.bin").read_bytes() == b"\x00\xff"
    assert (project.root / "crlf.txt").read_bytes() == b"a\r\nb\r\n"
    assert project.git("status", "--porcelain") == ""
    assert project.copies() == []


def test_hooks_and_monitors_of_the_user_do_not_run_for_the_lead(project: Project) -> None:
    fired = project.barrier("fired")
    for name in ("pre-commit", "post-checkout", "post-commit", "reference-transaction", "post-merge"):
        hook = project.root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\necho {name} >> {fired}\n")
        hook.chmod(0o755)
    project.git("config", "core.fsmonitor", f"touch {fired}; echo")
    project.task(1, [write("a.txt", "a\n")])

    assert project.start().code == 3

    assert not fired.exists(), fired.read_text()
    project.git("config", "--unset", "core.fsmonitor")
    assert project.content(project.integration, "a.txt") == "a"


def test_the_readable_files_of_a_session_are_in_one_place_for_all_working_trees(project: Project) -> None:
    linked = project.place / "linked"
    project.git("worktree", "add", "--quiet", "-b", "feature", str(linked))
    project.task(1, [write("a.txt", "a\n")])
    started = project.teamlead("start", project.plan, "--agent", f"scripted:{project.script}", cwd=linked)
    assert started.code == 3, started.err

    assert project.teamlead("approve").code == 0

    assert not (linked / ".teamlead").exists()
    folder = project.root / ".teamlead/sessions" / project.session
    assert json.loads((folder / "session.json").read_text())["phase"] == "DONE"


def test_a_checkout_whose_git_directory_lies_elsewhere_gets_the_work(project: Project) -> None:
    project.git("init", "--quiet", f"--separate-git-dir={project.place / 'elsewhere'}")
    project.task(1, [write("a.txt", "a\n")])

    started = project.start("--approve")

    assert started.code == 0, started.err
    assert (project.root / "a.txt").read_text() == "a\n"
    assert project.git("status", "--porcelain") == ""


def test_a_branch_that_is_checked_out_where_nobody_can_tell_is_not_moved(project: Project) -> None:
    linked = project.place / "linked"
    project.git("init", "--quiet", f"--separate-git-dir={project.place / 'elsewhere'}")
    project.git("worktree", "add", "--quiet", "-b", "feature", str(linked))
    project.task(1, [write("a.txt", "a\n")])
    assert project.start().code == 3
    tip = project.tip("main")

    refused = project.teamlead("approve", cwd=linked)

    assert refused.code == 1
    assert "'main' is checked out, but git does not know where" in refused.err
    assert project.tip("main") == tip
    assert project.teamlead("approve").code == 0
    assert project.git("status", "--porcelain") == ""
