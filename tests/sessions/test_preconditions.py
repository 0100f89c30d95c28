from pathlib import Path

import pytest
from tests.sessions.support import desk, opened

from teamlead.errors import Refused
from teamlead.sessions import preconditions
from teamlead.system.repository import Repository
from teamlead.system.user_folders import state_home, user_config_file
from teamlead.wiring.leadership import lead


def without_network() -> None:
    file = Path(user_config_file())
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("check_network = false\n")


@pytest.fixture
def no_namespaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preconditions, "why_not", lambda: "this system allows no namespaces")


def test_a_session_whose_checks_cannot_be_kept_from_the_network_is_refused_before_it_exists(
    repository: Repository, no_namespaces: None
) -> None:
    without_network()
    with pytest.raises(Refused, match="this system allows no namespaces") as caught:
        opened(repository)
    assert "check_network = true" in caught.value.remedy
    assert not state_home().exists()


def test_it_is_not_resumed_either(repository: Repository, no_namespaces: None) -> None:
    folder = opened(repository)
    without_network()
    with pytest.raises(Refused, match="checks cannot be run without network"):
        lead(desk(repository, folder), "teamlead")


def test_who_lets_checks_use_the_network_needs_no_namespaces(
    repository: Repository, no_namespaces: None
) -> None:
    assert lead(desk(repository, opened(repository)), "teamlead").end == "waiting"
