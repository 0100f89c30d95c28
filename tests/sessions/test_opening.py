from functools import partial
from pathlib import Path

import pytest
from tests.sessions.support import opened

from teamlead.errors import ConfigError, Refused, StorageFailed
from teamlead.journal.filesystem import refuse_network_filesystem
from teamlead.sessions import opening
from teamlead.sessions.finding import all_sessions
from teamlead.sessions.replay import read_state
from teamlead.system import faults
from teamlead.system.git import as_user
from teamlead.system.repository import Repository, discover
from teamlead.system.sessions import sessions_folder
from teamlead.system.user_folders import state_home, user_config_file


def excluded(repository: Repository) -> str:
    path = repository.common_dir / "info" / "exclude"
    return path.read_text() if path.exists() else ""


def test_no_session_is_made_on_a_network_file_system(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mountinfo"
    place = state_home().resolve()
    mounts.write_text(f"1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:50 / {place} rw - nfs4 server:/state rw\n")
    monkeypatch.setattr(
        opening, "refuse_network_filesystem", partial(refuse_network_filesystem, mounts=mounts)
    )
    before = excluded(repository)
    with pytest.raises(Refused, match="nfs4"):
        opened(repository)
    assert list(sessions_folder(discover(repository.root)).iterdir()) == []
    assert excluded(repository) == before


def test_the_folder_that_is_asked_about_is_that_of_the_sessions(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(opening, "refuse_network_filesystem", asked.append)
    folder = opened(repository)
    assert asked == [folder.path.parent]
    assert folder.journal.exists()


@pytest.mark.parametrize("moment", ["create journal.db: written", "create journal.db: after"])
def test_a_journal_is_there_with_its_first_events_or_not_at_all(repository: Repository, moment: str) -> None:
    faults.arm(f"EIO {moment}#1")
    try:
        with pytest.raises(StorageFailed):
            opened(repository)
    finally:
        faults.arm("")
    phases = [read_state(session).phase for session in all_sessions(discover(repository.root))]
    assert phases == ([] if moment.endswith("written") else ["PLANNING"])


def test_nothing_is_made_of_a_session_whose_files_could_not_be_put_into_any_copy(
    repository: Repository,
) -> None:
    root = repository.root
    (root / "data").symlink_to("elsewhere")
    as_user(root, "add", "-A")
    as_user(root, "commit", "-qm", "a link")
    (root / "data").unlink()
    (root / "data").mkdir()
    user_config_file().parent.mkdir(parents=True)
    user_config_file().write_text('copy = ["data"]\n')
    with pytest.raises(ConfigError, match="'data' is a symbolic link"):
        opened(repository)
    assert not list(all_sessions(discover(root)))
