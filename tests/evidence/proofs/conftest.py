from pathlib import Path

import pytest
from tests.evidence.proofs.world import Shop

from teamlead.evidence.proofs import selected_tests


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Shop:
    """Tries the proofs that the test's module names."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    # On a busy machine every check is slow.
    monkeypatch.setattr(selected_tests, "QUICK", 600.0)
    return Shop(tmp_path, request.module.PROOFS)
