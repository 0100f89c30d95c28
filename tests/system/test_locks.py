import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from teamlead.errors import Failed, StorageFailed
from teamlead.system import locks
from teamlead.system.locks import locked

HOLDER = """
import sys
from pathlib import Path
from teamlead.system.git import Git
from teamlead.system.locks import locked
folder = Path(sys.argv[1])
with locked(folder / "lock"):
    Git(folder, folder).run("-c", f"alias.stay=!echo > {folder}/begun; read line < {folder}/fifo", "stay")
"""


def test_a_lock_that_is_not_let_go_names_its_holder_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    path = tmp_path / "some.lock"
    with locked(path):
        with (
            pytest.raises(Failed, match=rf"process {os.getpid()} has held .*some\.lock") as caught,
            locked(path),
        ):
            pass
        assert "`fg`" in caught.value.remedy
        with pytest.raises(Failed), locked(path, shared=True):
            pass
    with locked(path, shared=True), locked(path, shared=True):
        pass


def test_a_lock_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageFailed, match="lock"), locked(tmp_path / "file" / "lock"):
        pass


def test_a_lock_is_held_until_git_has_ended_although_its_holder_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path)], check=True)
    fifo, begun = tmp_path / "fifo", tmp_path / "begun"
    os.mkfifo(fifo)
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, tmp_path])
    while not begun.exists():
        assert holder.poll() is None
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    with pytest.raises(Failed, match=f"process {holder.pid}"), locked(tmp_path / "lock"):
        pass
    monkeypatch.setattr(locks, "PATIENCE", 60.0)
    fifo.write_text("go\n")
    with locked(tmp_path / "lock"):
        pass
