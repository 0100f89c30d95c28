import subprocess
import sys
from pathlib import Path

import pytest

from teamlead.errors import ConfigError, NotFound, UsageError
from teamlead.runners.registry import runner_for, validate
from teamlead.runners.scripted import ScriptedRunner


def test_a_scripted_agent_is_found_by_its_kind() -> None:
    assert isinstance(runner_for("scripted:/some/team.toml"), ScriptedRunner)


@pytest.mark.parametrize("agent", ["clod:x", "", ":x", "Claude"])
def test_an_unknown_kind_is_refused_with_the_known_ones(agent: str) -> None:
    with pytest.raises(UsageError, match=rf"{agent!r}.*claude, codex, gemini, acp:COMMAND.*scripted:FILE"):
        runner_for(agent)


@pytest.mark.parametrize("agent", ["scripted", "scripted:", "scripted: "])
def test_a_scripted_agent_without_a_script_is_refused(agent: str) -> None:
    with pytest.raises(UsageError, match=r"needs a file.*scripted:FILE"):
        runner_for(agent)


def test_an_agent_that_takes_no_argument_is_refused_with_one() -> None:
    with pytest.raises(UsageError, match=r"'claude:opus'.*takes no argument"):
        runner_for("claude:opus")


def test_a_session_with_the_scripted_agent_imports_no_other() -> None:
    code = """
import sys
from teamlead.runners.registry import KINDS, runner_for
runner_for("scripted:x")
assert "teamlead.runners.scripted" in sys.modules
print([name for name in KINDS if f"teamlead.runners.{name}" in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['scripted']"


def test_a_missing_script_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="absent"):
        validate(f"scripted:{tmp_path}/absent.toml")


def test_a_script_that_is_not_text_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "team.toml").write_bytes(b"\xff")
    with pytest.raises(UsageError, match=r"cannot read.*team\.toml"):
        validate(f"scripted:{tmp_path}/team.toml")


def test_a_broken_script_is_refused_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "team.toml").write_text("[[default]]\nsteps = [\n  {dance = true},\n]\n")
    with pytest.raises(ConfigError, match=r"team\.toml: line 3: .*'dance'"):
        validate(f"scripted:{tmp_path}/team.toml")


def test_a_good_script_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "team.toml").write_text("[[default]]\nsteps = []\n")
    validate(f"scripted:{tmp_path}/team.toml")


def test_a_relative_script_is_looked_up_from_here_not_from_the_working_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "team.toml").write_text("[[default]]\nsteps = []\n")
    monkeypatch.chdir(tmp_path)
    runner = runner_for("scripted:team.toml")
    monkeypatch.chdir("/")
    runner.validate()
