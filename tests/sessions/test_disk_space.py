import subprocess
from pathlib import Path

import pytest
from tests.sessions.support import desk, opened

from teamlead.errors import DiskUnusable, Refused
from teamlead.sessions import disk_space
from teamlead.sessions.disk_space import require_disk_space, watch_disk_space
from teamlead.system import disk
from teamlead.system.disk import DiskSpace
from teamlead.system.repository import Repository
from teamlead.system.user_folders import state_home
from teamlead.wiring.leadership import lead

GIGABYTE = 1_000_000_000


class Disks:
    """File systems as the test wants them: that of the state folder, and that of the repository."""

    def __init__(self) -> None:
        self.state = DiskSpace(Path("/state"), 1, 100 * GIGABYTE, 10**6, read_only=False)
        self.repository = self.state

    def space(self, path: Path) -> DiskSpace:
        return self.state if path.is_relative_to(state_home()) else self.repository


@pytest.fixture
def disks(monkeypatch: pytest.MonkeyPatch) -> Disks:
    disks = Disks()
    monkeypatch.setattr(disk_space, "disk_space", disks.space)
    monkeypatch.setattr(disk, "disk_space", disks.space)
    return disks


@pytest.fixture
def commit(repository: Repository) -> str:
    """Two megabytes in two files."""
    for name in ("a", "b"):
        (repository.root / name).write_bytes(b"x" * 1_000_000)
    subprocess.run(["git", "add", "-A"], check=True)
    subprocess.run(["git", "commit", "--quiet", "-m", "two"], check=True)
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_what_copies_need_and_what_should_stay_free_must_be_there(
    repository: Repository, disks: Disks, commit: str
) -> None:
    disks.state = disks.repository = disks.state._replace(free=508_000_000)
    require_disk_space(repository, commit, 4, 500)
    with pytest.raises(Refused) as caught:
        require_disk_space(repository, commit, 5, 500)
    needed = "5 working copies need 10 MB (10 files), and 500 MB should stay free (min_free_space)"
    assert caught.value.message == f"too little disk space: '/state' has 508 MB free; {needed}"


@pytest.mark.parametrize("place", ["state", "repository"])
def test_both_places_must_have_what_should_stay_free(
    repository: Repository, disks: Disks, commit: str, place: str
) -> None:
    disks.repository = disks.state._replace(device=2, place=Path("/repository"))
    setattr(disks, place, getattr(disks, place)._replace(free=400_000_000))
    with pytest.raises(Refused, match=f"'/{place}' has 400 MB free"):
        require_disk_space(repository, commit, 1, 500)
    with pytest.raises(DiskUnusable, match="500 MB should stay free"):
        watch_disk_space(repository, 500)()
    watch_disk_space(repository, 300)()


def test_copies_count_only_where_they_are_made(repository: Repository, disks: Disks, commit: str) -> None:
    disks.repository = disks.state._replace(device=2, free=501_000_000)
    require_disk_space(repository, commit, 100, 500)


def test_files_are_counted_too(repository: Repository, disks: Disks, commit: str) -> None:
    disks.state = disks.repository = disks.state._replace(files=disk_space.FILES + 19)
    require_disk_space(repository, commit, 9, 500)
    with pytest.raises(Refused, match="takes 1019 more files"):
        require_disk_space(repository, commit, 10, 500)


def test_a_read_only_disk_has_no_space(repository: Repository, disks: Disks, commit: str) -> None:
    disks.state = disks.repository = disks.state._replace(read_only=True)
    with pytest.raises(Refused, match="read-only"):
        require_disk_space(repository, commit, 1, 500)
    with pytest.raises(DiskUnusable):
        watch_disk_space(repository, 500)()


def test_without_a_limit_nothing_is_asked(repository: Repository, disks: Disks, commit: str) -> None:
    disks.state = disks.repository = disks.state._replace(free=0)
    require_disk_space(repository, commit, 100, 0)
    watch_disk_space(repository, 0)()


def test_a_repository_that_takes_too_long_to_measure_needs_what_should_stay_free(
    repository: Repository, disks: Disks, commit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_space, "MEASURING", 1e-9)
    disks.state = disks.repository = disks.state._replace(free=501_000_000)
    require_disk_space(repository, commit, 100, 500)


def test_a_session_without_disk_space_is_refused_before_anything_exists(
    repository: Repository, disks: Disks
) -> None:
    disks.state = disks.repository = disks.state._replace(free=1)
    with pytest.raises(Refused, match="too little disk space"):
        opened(repository)
    assert not state_home().exists()
    assert not (repository.common_dir / "teamlead").exists()


def test_a_session_is_not_resumed_without_disk_space_and_nothing_of_it_changes(
    repository: Repository, disks: Disks
) -> None:
    folder = opened(repository)
    full = disks.state._replace(free=1)
    enough, disks.state, disks.repository = disks.state, full, full
    with pytest.raises(DiskUnusable, match="too little disk space to go on"):
        lead(desk(repository, folder), "teamlead")
    with pytest.raises(Refused, match="too little disk space"):
        lead(desk(repository, folder), "teamlead")
    disks.state = disks.repository = enough
    assert lead(desk(repository, folder), "teamlead").end == "waiting"


def test_a_session_in_which_nothing_is_left_to_do_needs_no_disk_space(
    repository: Repository, disks: Disks
) -> None:
    folder = opened(repository)
    assert lead(desk(repository, folder), "teamlead").end == "waiting"
    disks.state = disks.repository = disks.state._replace(free=1)
    assert lead(desk(repository, folder), "teamlead").end == "waiting"
