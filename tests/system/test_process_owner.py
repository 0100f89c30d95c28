import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from teamlead.errors import Refused
from teamlead.system.environment import BELONGS_TO, BELONGS_TO_REPOSITORY
from teamlead.system.git import as_user
from teamlead.system.process_owner import require_person, require_person_in
from teamlead.system.repository import claim, discover

OWNERS = (
    "import json; from teamlead.system.process_owner import owners; print(json.dumps([*map(str, owners())]))"
)
SCRUBBED = ["env", "-i", sys.executable, "-c"]


def below(*states: str) -> set[str]:
    """What a process finds that was started with an empty environment, below one of each of these states."""
    command = [*SCRUBBED, OWNERS]
    for state in states:
        # A shell that stays, since it has something left to do.
        command = ["env", f"{BELONGS_TO}={state}", "/bin/sh", "-c", '"$@"; true', "sh", *command]
    outside = {name: value for name, value in os.environ.items() if name != BELONGS_TO}
    done = subprocess.run(command, env=outside, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


@pytest.fixture
def around() -> set[str]:
    """The tests may be a check themselves."""
    return below()


def test_a_process_belongs_to_whatever_its_ancestors_were_started_for(around: set[str]) -> None:
    assert below("/state/one") - around == {"/state/one"}
    assert below("/state/inner", "/state/outer") - around == {"/state/inner", "/state/outer"}


def apart(mounting: str) -> subprocess.CompletedProcess[str]:
    """What it says to whom it belongs, where /proc was mounted in another way."""
    if subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "true"], check=False).returncode:
        pytest.skip("nobody may make namespaces here")
    script = f'{mounting} exec "$@"'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", *SCRUBBED, OWNERS]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc to hide")
@pytest.mark.parametrize(
    "more",
    ["", "ln -s $$ /proc/self &&", "mkdir /proc/9 && ln -s 9 /proc/self && echo '9 (x) S' > /proc/9/stat &&"],
)
def test_nobody_decides_whose_ancestors_are_hidden(more: str) -> None:
    said = apart(f"mount -t tmpfs none /proc && {more}")
    assert said.stdout == ""
    assert "/proc does not show which processes this command comes from" in said.stderr


SECRETIVE = f"""
import json, os, subprocess
subprocess.run(["mount", "-t", "proc", "-o", "hidepid={{}}", "proc", "/proc"], check=True)
from teamlead.system import process_owner
os.setresgid(12345, 12345, 12345)
os.setresuid(12345, 12345, 12345)
assert os.access("/proc/1/stat", os.R_OK) == (not {{}})
{OWNERS}
"""


@pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="only root gets such a /proc")
@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_a_person_decides_in_a_container_and_where_the_system_hides_the_processes_of_others(
    hidden: int,
) -> None:
    script = '"$@"; true'
    command = ["unshare", "--mount", "--pid", "--fork", "sh", "-c", script, "sh", *SCRUBBED]
    said = subprocess.run(
        [*command, SECRETIVE.format(hidden, hidden)], capture_output=True, text=True, check=False
    )
    if "permission denied" in said.stderr:
        pytest.skip("root may not mount here")
    assert json.loads(said.stdout) == []


def test_what_belongs_to_a_state_directory_decides_nothing_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, other = tmp_path / "state", tmp_path / "other"
    for folder in (state, other):
        folder.mkdir()
    monkeypatch.setenv(BELONGS_TO, str(state))
    require_person(other)
    with pytest.raises(Refused, match="only a person decides this") as refused:
        require_person(state)
    assert "TEAMLEAD_STATE" in refused.value.remedy


@pytest.mark.parametrize("name", ["state", "./state/", "link", "there/../state"])
def test_a_state_directory_by_another_name_is_the_same(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("state", "there"):
        (tmp_path / folder).mkdir()
    (tmp_path / "link").symlink_to("state")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(BELONGS_TO, str(tmp_path / "state"))
    with pytest.raises(Refused):
        require_person(Path(name))


def test_a_state_directory_that_is_out_of_sight_is_known_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BELONGS_TO, str(tmp_path / "hidden"))
    require_person(tmp_path / "other")
    with pytest.raises(Refused):
        require_person(tmp_path / "hidden")


def test_what_belongs_to_a_repository_decides_nothing_in_any_of_its_working_trees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("mine", "other"):
        as_user(tmp_path, "init", "--quiet", name)
        (tmp_path / name / "deeper").mkdir()
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    as_user(tmp_path / "mine", *identity, "commit", "--quiet", "--allow-empty", "--message=first")
    as_user(tmp_path / "mine", "worktree", "add", "--quiet", "../tree")
    (tmp_path / "link").symlink_to("mine")
    require_person_in(tmp_path / "mine")
    monkeypatch.setenv(BELONGS_TO_REPOSITORY, str(tmp_path / "mine/.git"))
    for free in ("", "other", "other/deeper"):
        require_person_in(tmp_path / free)
    for refused in ("mine", "mine/deeper", "tree", "link"):
        with pytest.raises(Refused, match="only a person decides this"):
            require_person_in(tmp_path / refused)


def test_a_repository_that_git_cannot_work_in_is_known_by_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_user(tmp_path, "init", "--quiet", "mine")
    claim(discover(tmp_path / "mine"))
    (tmp_path / "mine/.git/config").write_text("[[[")
    monkeypatch.setenv(BELONGS_TO_REPOSITORY, str(tmp_path / "mine/.git"))
    with pytest.raises(Refused):
        require_person_in(tmp_path / "mine")
