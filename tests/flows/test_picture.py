"""Every flow compares what is the user's before and after each command: it would notice each of these."""

from collections.abc import Callable

import pytest
from tests.flows import picture
from tests.flows.support import Project


def hook(project: Project) -> None:
    (project.root / ".git/hooks/post-commit").write_text("#!/bin/sh\n")


def new_file(project: Project) -> None:
    (project.root / "new.txt").write_text("new")


def staged(project: Project) -> None:
    (project.root / "new.txt").write_text("new")
    project.git("add", "new.txt")


def stash(project: Project) -> None:
    (project.root / "README.md").write_text("changed")
    project.git("stash")


def back(project: Project) -> None:
    project.git("update-ref", "refs/heads/main", "main~1")


def worktree(project: Project) -> None:
    project.git("worktree", "add", "--detach", str(project.place / "other"))


DEEDS: dict[str, tuple[Callable[[Project], object], str]] = {
    "a setting": (lambda project: project.git("config", "user.name", "Eve"), "config"),
    "a hook": (hook, "hooks"),
    "a branch": (lambda project: project.git("branch", "mine"), "refs"),
    "a tag": (lambda project: project.git("tag", "v1"), "refs"),
    "a stash": (stash, "refs"),
    "a branch that went back": (back, "refs"),
    "another branch": (lambda project: project.git("checkout", "-q", "-b", "other"), "head"),
    "a working tree": (worktree, "worktrees"),
    "something staged": (staged, "staged"),
    "a file": (new_file, "files"),
    "a hidden file": (lambda project: project.git("update-index", "--skip-worktree", "README.md"), "staged"),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_what_is_done_to_a_repository_is_noticed(project: Project, deed: str) -> None:
    project.commit("second", {"second.txt": "2\n"})
    before = picture.take(project)
    act, part = DEEDS[deed]
    act(project)
    assert part in picture.changed(project, before, picture.take(project))


def test_a_branch_that_went_forward_and_names_of_ours_are_no_harm(project: Project) -> None:
    before = picture.take(project)
    project.commit("approved", {"approved.txt": "1\n"})
    project.git("branch", "teamlead/s1/task-1")
    project.git("update-ref", "refs/teamlead/kept/s1/task-1/1", "HEAD")
    assert picture.changed(project, before, picture.take(project)) == []
