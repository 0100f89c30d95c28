import os
import subprocess
from pathlib import Path

import pytest

from teamlead.errors import UsageError
from teamlead.rehearsal import rehearsal_clone


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    (root / "a").write_text("1")
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    for arguments in (["init", "-q", "-b", "trunk"], ["add", "-A"], [*who, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    return root


def test_it_is_a_clone_without_a_way_back_that_goes(root: Path) -> None:
    with rehearsal_clone.built(root, None) as built:
        assert (built.root / "a").read_text() == "1"
        for question in (["remote"], ["config", "--get-regexp", "remote|branch"]):
            asked = subprocess.run(["git", *question], cwd=built.root, capture_output=True, check=False)
            assert asked.stdout == b""
    assert not built.place.exists()


def test_it_goes_too_if_something_fails(root: Path) -> None:
    with pytest.raises(ZeroDivisionError), rehearsal_clone.built(root, None) as built:
        _ = 1 / 0
    assert not built.place.exists()


def test_a_chosen_folder_stays_and_must_be_empty(root: Path, tmp_path: Path) -> None:
    with rehearsal_clone.built(root, tmp_path / "here") as built:
        pass
    assert built.root.exists()
    with pytest.raises(UsageError, match="is not empty"), rehearsal_clone.built(root, tmp_path / "here"):
        pass


def test_no_credential_and_no_endpoint_of_the_user_is_passed_on(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = ("ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_API_KEY", "GOOGLE_API_KEY")
    for name in (*secrets, "ANTHROPIC_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "the user's own")
    before = dict(os.environ)
    with rehearsal_clone.built(root, None) as built, rehearsal_clone.environment(built, "http://127.0.0.1:9"):
        assert "the user's own" not in os.environ.values()
        assert os.environ["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:9"
        assert os.environ["XDG_STATE_HOME"].startswith(str(built.place))
        assert "PATH" in os.environ
    assert dict(os.environ) == before
