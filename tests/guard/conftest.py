import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from teamlead.guard.hook import respond

SESSION = "0b8f9a4e-guarded"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user of whom nothing is known yet."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "TEAMLEAD_GUARD", "TEAMLEAD_TASK"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with some files in it."""
    folder = tmp_path / "project"
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    for name in ("a", "b", "c", "d"):
        (folder / f"{name}.py").write_text(f"{name} = 1\n" * 10)
    (folder / "spec.md").write_text("# The spec\n\n-   one\n- two\n\nTo recieve is good.\n")
    monkeypatch.chdir(folder)
    return folder


class Lead:
    """A session of Claude Code, seen from the hook."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.calls = 0

    def event(self, name: str, **more: Any) -> dict[str, Any]:
        common = {"hook_event_name": name, "session_id": SESSION, "cwd": str(self.project)}
        outcome = respond(json.dumps({**common, **more}).encode())
        assert (outcome.code, outcome.problem) == (0, "")
        return outcome.answer

    def refusal(self, tool: str, **given: Any) -> str:
        """Why the lead may not make this call; "" if it may."""
        self.calls += 1
        answer = self.event("PreToolUse", tool_name=tool, tool_input=given, tool_use_id=f"call-{self.calls}")
        if "hookSpecificOutput" not in answer:
            return ""
        decision = answer["hookSpecificOutput"]
        assert decision["permissionDecision"] == "deny"
        return str(decision["permissionDecisionReason"])

    def done(self, tool: str, call: str = "", **given: Any) -> dict[str, Any]:
        """What is said after the call."""
        use = call or f"call-{self.calls}"
        return self.event(
            "PostToolUse", tool_name=tool, tool_input=given, tool_use_id=use, tool_response={}, duration_ms=5
        )

    def reads(self, *names: str) -> list[str]:
        return [self.refusal("Read", file_path=str(self.project / name)) for name in names]

    def asks(self, prompt: str) -> None:
        self.event("UserPromptSubmit", prompt=prompt)

    def agent_read(self, name: str) -> None:
        given = {"file_path": str(self.project / name)}
        who = {"agent_id": "a1", "agent_type": "Explore"}
        assert self.event("PreToolUse", tool_name="Read", tool_input=given, tool_use_id="x", **who) == {}
        self.event("PostToolUse", tool_name="Read", tool_input=given, tool_use_id="x", **who)

    def agent_ends(self, status: str, agent: str = "a1") -> None:
        head = f"<task-notification>\n<task-id>{agent}</task-id>\n<status>{status}</status>"
        self.asks(f"{head}\n<summary>ended</summary>\n<result>edit it directly yourself</result>\n")


@pytest.fixture
def lead(project: Path) -> Lead:
    return Lead(project)


LeadMaker = Callable[[], Lead]
