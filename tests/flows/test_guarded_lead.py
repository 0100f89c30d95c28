"""The real Claude Code as a lead, with the hooks of `teamlead guard install`. Only its model is scripted."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import programs

from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.script import check_script

Step = dict[str, Any]


def call(tool: str, **given: Any) -> Step:
    return {"call": tool, "input": given}


class Leading:
    """A person's own session of Claude Code in a repository."""

    def __init__(self, place: Path) -> None:
        self.program = programs.claude()
        self.root = place / "project"
        self.home = place / "home"
        self.home.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        for name in ("a.py", "b.py", "c.py", "d.py"):
            (self.root / name).write_text("TTL = 1\n")
        (self.root / "spec.md").write_text("# Spec\n\n-   one\n")
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(place / "state"),
            "ANTHROPIC_API_KEY": "not-a-key",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        }
        self.teamlead("guard", "install", "--project")

    def teamlead(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "teamlead", *arguments]
        done = subprocess.run(
            command, cwd=self.root, env=self.environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    def read(self, name: str) -> Step:
        return call("Read", file_path=str(self.root / name))

    def edit(self, name: str, old: str, new: str) -> Step:
        return call("Edit", file_path=str(self.root / name), old_string=old, new_string=new)

    def does(self, *steps: Step, agents: dict[str, list[Step]] | None = None) -> list[str]:
        """What the lead's model is told after each of its calls."""
        script = {"task-1": list(steps), **(agents or {})}
        text = "\n".join(f"[[{task}]]\nsteps = {toml(done)}" for task, done in script.items())
        with ScriptedModel(check_script(text, "script", "model")) as model:
            done = subprocess.run(
                [
                    *(str(self.program), "-p", "# task-1: lead", "--model", "scripted"),
                    *("--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits"),
                    *("--setting-sources", "project", "--strict-mcp-config"),
                ],
                cwd=self.root,
                env={**self.environment, "ANTHROPIC_BASE_URL": model.url},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=100,
            )
        assert done.returncode == 0, done.stderr
        return list(_results(done.stdout))

    def log(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.teamlead("guard", "log", "--json"))["entries"]
        return found


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def _results(stream: str) -> Iterator[str]:
    for line in stream.splitlines():
        event = json.loads(line)
        if event["type"] != "user" or event.get("parent_tool_use_id"):
            continue
        content = event["message"]["content"]
        for block in content if isinstance(content, list) else []:
            # Some tools it declares only after it was asked for them.
            if block.get("type") == "tool_result" and "aside" not in block["tool_use_id"]:
                yield json.dumps(block["content"], ensure_ascii=False)


@pytest.fixture
def leading(tmp_path: Path) -> Leading:
    return Leading(tmp_path.resolve())


def test_a_fourth_file_is_not_read_and_the_lead_is_told_what_to_do_instead(leading: Leading) -> None:
    *three, fourth = leading.does(*map(leading.read, ("a.py", "b.py", "c.py", "d.py")), {"done": "read"})
    assert all("TTL = 1" in told for told in three)
    assert "TTL" not in fourth
    assert "Delegate it to code-explorer with the Agent tool" in fourth


def test_a_lead_that_edits_code_is_stopped_by_every_way(leading: Leading) -> None:
    told = leading.does(
        leading.read("a.py"),
        leading.edit("a.py", "TTL = 1", "TTL = 2"),
        call("Write", file_path=str(leading.root / "new.py"), content="x = 1\n"),
        call("Bash", command="echo 'TTL = 3' > a.py", description="write"),
        call(
            "Monitor", command="echo 'TTL = 4' > a.py", description="watch", timeout_ms=1000, persistent=False
        ),
        call("Bash", command="teamlead guard install --project --remove", description="be free"),
        {"done": "edited"},
    )
    assert all("Delegate it to backend-specialist" in reason for reason in told[1:5])
    assert "that is for the user" in told[5]
    assert (leading.root / "a.py").read_text() == "TTL = 1\n"
    assert not (leading.root / "new.py").exists()
    assert "teamlead guard hook" in (leading.root / ".claude" / "settings.json").read_text()
    assert [entry["allowed"] for entry in leading.log()] == [True, *[False] * 5]


def test_a_trivial_edit_of_form_passes_and_is_verified(leading: Leading) -> None:
    leading.does(leading.read("spec.md"), leading.edit("spec.md", "-   one", "- one"), {"done": "formatted"})
    assert (leading.root / "spec.md").read_text() == "# Spec\n\n- one\n"
    assert leading.log()[-1]["exemption"] == "trivial-edit"
    assert leading.teamlead("guard", "verify") == ""


def test_an_agent_of_the_lead_is_free_and_what_it_read_is_not_read_again(leading: Leading) -> None:
    (leading.root / "long.py").write_text("TTL = 1\n" * 100)
    work = [
        *map(leading.read, ("a.py", "b.py", "c.py", "d.py", "long.py")),
        leading.edit("a.py", "TTL = 1", "TTL = 2"),
        # With this report the lead goes on.
        {"done": "TTL is 2 now\n# task-3: sum up"},
    ]
    delegate = call("Agent", description="change", subagent_type="general-purpose", prompt="# task-2: do it")
    sum_up = [leading.read("long.py"), {"done": "summed up"}]
    told = leading.does(delegate, {"done": "delegated"}, agents={"task-2": work, "task-3": sum_up})
    assert (leading.root / "a.py").read_text() == "TTL = 2\n"
    assert "general-purpose has read" in told[-1]
    assert [entry["rule"] for entry in leading.log()] == ["re-reading"]


def test_without_the_guard_all_of_it_would_happen(leading: Leading) -> None:
    leading.environment["TEAMLEAD_GUARD"] = "off"
    files = [*map(leading.read, ("a.py", "b.py", "c.py", "d.py"))]
    told = leading.does(*files, leading.edit("a.py", "TTL = 1", "TTL = 2"), {"done": "all done"})
    assert all("TTL = 1" in text for text in told[:4])
    assert (leading.root / "a.py").read_text() == "TTL = 2\n"
    assert leading.log() == []


def test_a_guard_that_cannot_be_started_lets_nothing_through(leading: Leading) -> None:
    leading.environment["PATH"] = "/usr/bin:/bin"
    (told,) = leading.does(leading.read("a.py"), {"done": "read"})
    assert "TTL = 1" not in told
