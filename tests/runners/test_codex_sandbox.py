"""Whether the real codex can hold its commands, with every bubblewrap that it may find and for every user."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import programs
from tests.runners.codex_support import PROMPT, Codex, codex

from teamlead.errors import Refused
from teamlead.ports.rooms import House, Room
from teamlead.ports.runner import RunSpec
from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.codex import runner as codex_runner
from teamlead.runners.codex.invocation import invocation, places
from teamlead.runners.codex.runner import CodexRunner, why_not
from teamlead.runners.script import check_script
from teamlead.system.wardens.steps import landlock_version

__all__ = ["codex"]

NOBODY_KNOWN = 54321
"""A user without an entry anywhere."""
USERS = [None, NOBODY_KNOWN] if os.getuid() == 0 else [None]
"""Those who run the tests, and where they may become another one, that one."""
WITHOUT_NAMES = '[ "$*" = --help ] && { "$REAL" --help | grep -v -e --argv0; exit; }; exec "$REAL" "$@"'
"""A bubblewrap before 0.9 cannot be told under which name a program is to run."""
REFUSED = '[ "$*" = --help ] && exec "$REAL" --help; echo "bwrap: No permissions" >&2; exit 1'
BUBBLEWRAPS = {"its own": "", "an old one": WITHOUT_NAMES, "a new one": 'exec "$REAL" "$@"'}


def install(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def install_bubblewrap(folder: Path, script: str) -> Path:
    """One that does as the script says with the one that Codex brings: those of the system are not asked."""
    real = programs.codex().parent.parent / "codex-resources" / "bwrap"
    if not real.exists():
        pytest.skip("this codex brings no bubblewrap")
    return install(folder / "bwrap", f"REAL={real}\n{script}")


@pytest.fixture
def place() -> Iterator[Path]:
    """Not among the usual temporary files, and open to every user."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def work(place: Path, user: int | None, **environment: str) -> set[str]:
    """The files in the copy after this user's Codex has tried to write there and beside."""
    if user and not all(folder.stat().st_mode & 0o1 for folder in programs.codex().parents):
        pytest.skip("codex lies where other users cannot reach it")
    steps = '{run = "touch file; touch ../outside; exit 0"}, {done = "x"}'
    copy = place / "copy"
    for folder in (copy, place / "user"):
        folder.mkdir()
    with ScriptedModel(check_script(f"[[default]]\nsteps = [{steps}]\n", "script", "model")) as model:
        source = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{model.url}/v1", **environment}
        spec = RunSpec(
            *("s1", "task-1", 1, "worker", "a-model", PROMPT.format(attempt=1)),
            *(copy, place / "attempt", 60.0, 60.0, 2),
            home=place / "home",
        )
        for folder in filter(None, places(spec, source)):
            folder.mkdir(parents=True)
        for path in (place, *place.rglob("*")):
            os.chown(path, user or -1, user or -1)
        called = invocation(programs.codex(), spec, source)
        done = subprocess.run(
            called.argv,
            cwd=copy,
            env={"HOME": str(place / "user"), **environment, **called.environment},
            input=called.stdin,
            capture_output=True,
            check=False,
            user=user,
            group=user,
            extra_groups=[] if user else None,
        )
    assert done.returncode == 0, done.stderr
    assert not (place / "outside").exists()
    return {path.name for path in copy.iterdir() if path.is_file()}


def path_with(place: Path, bubblewrap: str) -> str:
    """A PATH on which no bubblewrap but this is found."""
    tools = place / "tools"
    tools.mkdir()
    for name in ("sh", "bash", "touch", "grep"):
        (tools / name).symlink_to(shutil.which(name) or name)
    if bubblewrap:
        install_bubblewrap(tools, bubblewrap)
    return str(tools)


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("bubblewrap", BUBBLEWRAPS)
def test_its_commands_run_and_are_held_whatever_bubblewrap_is_installed(
    place: Path, bubblewrap: str, user: int | None
) -> None:
    assert work(place, user, PATH=path_with(place, BUBBLEWRAPS[bubblewrap])) == {"file"}


@pytest.mark.parametrize("user", USERS)
def test_with_an_old_bubblewrap_it_works_from_a_home_among_the_temporary_files(
    place: Path, user: int | None
) -> None:
    assert work(place, user, PATH=path_with(place, WITHOUT_NAMES), TMPDIR=str(place)) == {"file"}


def test_it_works_where_the_folder_for_temporary_files_is_not_there(place: Path) -> None:
    absent = str(place / "absent")
    assert work(place, None, PATH=os.environ["PATH"], TMPDIR=absent) == {"file"}


@pytest.mark.parametrize("bubblewrap", BUBBLEWRAPS)
def test_it_is_found_able_whatever_bubblewrap_is_installed(
    place: Path, monkeypatch: pytest.MonkeyPatch, bubblewrap: str
) -> None:
    monkeypatch.setenv("PATH", path_with(place, BUBBLEWRAPS[bubblewrap]))
    assert why_not.__wrapped__(programs.codex(), None) == ""


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'bwrap: setting up uid map: denied' >&2; exit 1", "bwrap: setting up uid map: denied"),
        ("printf 'panicked:\\nno room\\nnote: look closer\\n' >&2; exit 101", "no room"),
        ("exit 0", "commands do nothing in its sandbox"),
        ('while [ "$1" != -- ]; do shift; done; shift; exec "$@"', "lets commands write where they must not"),
        ("exec sleep 600", "gave no answer within 0.5 s"),
    ],
)
def test_why_it_cannot_hold_its_commands_is_found_by_a_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, reason: str
) -> None:
    monkeypatch.setattr(codex_runner, "PATIENCE", 0.5)
    assert why_not(install(tmp_path / "codex", script), None).endswith(reason)


def test_a_program_that_cannot_be_started_holds_nothing(tmp_path: Path) -> None:
    assert why_not(tmp_path / "codex", None) == "its sandbox cannot be started: No such file or directory"


def test_where_the_system_does_not_let_it_hold_its_commands_it_is_refused(codex: Codex) -> None:
    reason = "bwrap: setting up uid map: Permission denied"
    codex.runner = CodexRunner(install(codex.place / "codex", f"echo '{reason}' >&2; exit 1"))
    assert (codex.runner.capabilities.os_sandbox, codex.runner.capabilities.unheld) == (False, reason)
    with pytest.raises(Refused, match=rf"cannot hold its commands.*{reason}.*user namespaces"):
        codex.run('{done = "x"}')


def test_a_command_that_its_sandbox_does_not_get_to_run_is_told(
    codex: Codex, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert why_not(programs.codex(), None) == ""
    broken = install_bubblewrap(codex.place / "broken", REFUSED).parent
    monkeypatch.setenv("PATH", f"{broken}:{os.environ['PATH']}")
    end = codex.run('{run = "touch file"}, {done = "x"}')
    assert not (codex.copy / "file").exists()
    assert ["bwrap: No permissions" in told for told in end.denials] == [True]


@pytest.mark.usefixtures("rooms")
def test_in_a_room_it_can_hold_its_commands_too() -> None:
    assert why_not(programs.codex(), "bubblewrap") == ""


def landlocked(codex: Codex, *, strict: bool) -> Room:
    """Nobody in it can mount anything, as the sandbox of Codex does."""
    git, state = codex.repository / ".git", codex.place / "state"
    house = House(codex.repository, git, state, state / "objects", strict=strict, home=codex.place)
    return Room(house._replace(kind="landlock"), codex.copy, git)


if landlock_version():

    def test_where_a_room_keeps_it_from_holding_its_commands_it_holds_them_without_one(codex: Codex) -> None:
        steps = '{run = "touch file; touch ../outside; exit 0"}, {done = "x"}'
        codex.run(steps, room=landlocked(codex, strict=False))
        assert (codex.copy / "file").exists()
        assert not (codex.copy.parent / "outside").exists()

    def test_where_a_strict_room_keeps_it_from_holding_its_commands_it_is_refused(codex: Codex) -> None:
        with pytest.raises(Refused, match=r"codex cannot hold its commands.*bwrap: "):
            codex.run('{done = "x"}', room=landlocked(codex, strict=True))
