from pathlib import Path

import pytest

from teamlead.errors import GitFailed, UsageError
from teamlead.system.git import Git, as_user, read_settings, require_git


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.delenv("GIT_AUTHOR_NAME", raising=False)
    monkeypatch.delenv("GIT_AUTHOR_EMAIL", raising=False)
    (tmp_path / "gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    root = tmp_path / "project"
    root.mkdir()
    as_user(root, "init", "-q", "-b", "main")
    (root / "a.txt").write_text("a\n")
    as_user(root, "add", "-A")
    as_user(root, "commit", "-qm", "first")
    return root


@pytest.fixture
def git(root: Path) -> Git:
    return Git(root / ".git", root, read_settings(root))


def fake_git(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_the_output_comes_back_as_text(git: Git) -> None:
    assert git.text("show", "-s", "--format=%s", "HEAD") == "first"


def test_a_failure_says_what_git_said(git: Git) -> None:
    with pytest.raises(GitFailed, match=r"git cat-file blob nothing: fatal: Not a valid object name"):
        git.run("cat-file", "blob", "nothing")


def test_a_long_command_is_shortened_in_its_failure(git: Git) -> None:
    with pytest.raises(GitFailed) as caught:
        git.run("cat-file", "blob", "x" * 500)
    assert "x" * 200 not in str(caught.value).split(": fatal")[0]


def test_text_given_to_git_arrives(git: Git) -> None:
    assert git.text("hash-object", "--stdin", stdin=b"a\n") == git.text("rev-parse", "HEAD:a.txt")


def test_without_text_git_reads_nothing(git: Git) -> None:
    assert git.text("hash-object", "--stdin") == git.text("hash-object", "-t", "blob", "/dev/null")


def test_hooks_and_monitors_do_not_run(git: Git, root: Path, tmp_path: Path) -> None:
    hook = root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/hook\n")
    hook.chmod(0o755)
    as_user(root, "config", "core.fsmonitor", f"touch {tmp_path}/monitor; false")
    git.run("commit", "--allow-empty", "-m", "second")
    git.run("status")
    assert not (tmp_path / "hook").exists()
    assert not (tmp_path / "monitor").exists()


def test_the_network_is_out_of_reach_and_files_are_not(git: Git, root: Path) -> None:
    for address in ("https://example.org/x.git", "ssh://example.org/x.git", "ext::sh -c true"):
        with pytest.raises(GitFailed, match="not allowed"):
            git.run("ls-remote", address)
    assert "refs/heads/main" in git.text("ls-remote", str(root))


def test_variables_of_the_caller_do_not_redirect_git(
    git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = git.commit("HEAD")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path / "nowhere"))
    assert git.commit("HEAD") == head
    assert git.text("status", "--porcelain") == ""
    assert as_user(git.work_tree, "rev-parse", "HEAD").text == head


def test_settings_of_the_user_take_part_only_if_they_concern_content(root: Path) -> None:
    for key, value in (
        ("core.autocrlf", "input"),
        ("core.excludesFile", "~/ignore"),
        ("filter.lfs.clean", "git-lfs clean -- %f"),
        ("alias.status", "!false"),
        ("core.sshCommand", "false"),
    ):
        as_user(root, "config", "--global", key, value)
    settings = read_settings(root)
    assert (settings.name, settings.email) == ("Ada", "ada@example.org")
    assert dict(settings.options) == {
        "core.autocrlf": "input",
        "core.excludesfile": "~/ignore",
        "filter.lfs.clean": "git-lfs clean -- %f",
    }
    git = Git(root / ".git", root, settings)
    assert git.text("config", "core.autocrlf") == "input"
    assert git.run("config", "core.sshCommand", ok=(1,)).text == ""


def test_the_repository_overrules_the_user(root: Path) -> None:
    as_user(root, "config", "user.name", "Ada at work")
    assert read_settings(root).name == "Ada at work"


def test_commits_are_by_the_user(git: Git) -> None:
    tree = git.text("rev-parse", "HEAD^{tree}")
    commit = git.text("commit-tree", tree, "-m", "x")
    assert git.text("show", "-s", "--format=%an <%ae> %cn", commit) == "Ada <ada@example.org> Ada"


@pytest.mark.parametrize("missing", ["user.name", "user.email"])
def test_without_an_identity_the_two_commands_are_named(root: Path, missing: str) -> None:
    as_user(root, "config", "--global", "--unset", missing)
    with pytest.raises(UsageError, match=r"git config --global user\.name .*git config --global user\.email"):
        read_settings(root)


def test_names_without_a_commit_are_empty(git: Git) -> None:
    assert git.commit("refs/heads/none") == ""


def test_an_ancestor_is_contained_and_a_descendant_is_not(git: Git) -> None:
    first = git.commit("HEAD")
    second = git.text("commit-tree", "HEAD^{tree}", "-p", first, "-m", "second")
    assert git.contains(second, first)
    assert not git.contains(first, second)
    assert git.contains(first, first)


def test_the_git_of_this_machine_is_new_enough() -> None:
    require_git()


def test_an_old_git_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_git(tmp_path / "bin", "echo git version 2.34.1", monkeypatch)
    with pytest.raises(UsageError, match=r"git 2\.38 or newer is needed; found '2\.34\.1'"):
        require_git()


def test_a_missing_git_is_said_to_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="git is not installed"):
        require_git()


def test_a_folder_that_is_gone_is_not_taken_for_a_missing_git(tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match="is gone"):
        as_user(tmp_path / "gone", "status")
