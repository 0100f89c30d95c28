import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from teamlead.runners.detection import PROGRAMS

Teamlead = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH on which only what a test puts there is found."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    for program in PROGRAMS:
        for name in (program.variable, *program.credentials):
            monkeypatch.delenv(name, raising=False)
    return folder


def install(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def listed(teamlead: Teamlead) -> tuple[str, dict[str, Any]]:
    done = teamlead("agents", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["schema_version"] == 1
    return document["default"], {row["agent"]: row for row in document["agents"]}


def test_what_is_installed_is_listed_with_what_it_can_do(
    tools: Path, teamlead: Teamlead, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tools / "claude", "echo '2.1.325 (Claude Code)'")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "s3cret")
    default, agents = listed(teamlead)
    assert default == "claude"
    claude = agents["claude"]
    assert (claude["path"], claude["version"], claude["usable"]) == (str(tools / "claude"), "2.1.325", True)
    assert claude["credentials"] == "ANTHROPIC_API_KEY"
    known = {
        "team",
        "steer",
        "cost",
        "structured",
        "resume",
        "tool_limits",
        "os_sandbox",
        "unheld",
        "roomless",
    }
    assert known == set(claude["capabilities"])
    assert claude["capabilities"]["team"] is True
    assert agents["command:COMMAND"]["capabilities"]["team"] is False
    assert "s3cret" not in teamlead("agents", "--json").stdout + teamlead("agents").stdout


def test_the_table_tells_the_same(tools: Path, teamlead: Teamlead) -> None:
    install(tools / "codex", "echo codex-cli 0.100.0")
    install(tools / "gemini", "echo 'Segmentation fault' >&2; exit 139")
    lines = teamlead("agents").stdout.splitlines()
    rows = {line.split("  ")[0]: line for line in lines}
    assert rows["AGENT"].split() == ["AGENT", "VERSION", "TEAM", "CAN", "LIMITS", "CREDENTIALS", "PROGRAM"]
    assert rows["claude"].split() == ["claude", "absent"]
    assert rows["gemini"].split() == ["gemini", "broken"]
    assert rows["codex"].split()[1:3] == ["0.100.0", "yes"]
    assert rows["codex"].endswith(str(tools / "codex"))
    assert "codex: 0.100.0 is older than 0.163, the oldest tried: update it" in lines
    assert "gemini: `--version` failed: Segmentation fault" in lines
    assert lines[-1] == "If you choose none, codex works."


def test_who_cannot_hold_its_commands_on_this_machine_is_told_with_the_reason(
    tools: Path, teamlead: Teamlead
) -> None:
    install(tools / "codex", '[ "$1" = sandbox ] && echo "no namespaces" >&2; echo codex-cli 0.163.0')
    _, agents = listed(teamlead)
    assert agents["codex"]["capabilities"]["unheld"] == "no namespaces"
    (told,) = [line for line in teamlead("agents").stdout.splitlines() if line.startswith("codex cannot")]
    assert told.startswith("codex cannot hold its commands on this machine: no namespaces. To use it: allow")
    install(tools / "codex", '[ "$1" = sandbox ] && : > inside; echo codex-cli 0.163.0')
    assert "codex cannot" not in teamlead("agents").stdout


def test_on_a_machine_without_agents_the_ways_to_name_one_are_listed(teamlead: Teamlead) -> None:
    default, agents = listed(teamlead)
    assert default == ""
    assert {name for name, row in agents.items() if row["usable"]} == {
        "acp:COMMAND",
        "command:COMMAND",
        "scripted:FILE",
    }
    last = teamlead("agents").stdout.splitlines()[-1]
    assert last.startswith("If you choose none, nobody can work: install claude, codex or gemini")
