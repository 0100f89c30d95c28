"""What a case needs on disk before it is played, and the environment it is played in."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.honesty.case import Case

from teamlead.runners.script import script_text

KEPT = ("LANG", "LC_ALL", "TMPDIR", "COVERAGE_PROCESS_START")
GIT_CONFIG = "[user]\n\tname = Ada\n\temail = ada@example.com\n"
SETTINGS = "retry_delay = 0\nkeep_awake = false\n"


def plan_of(case: Case) -> str:
    task = case.task
    lines = [f"# {case.name}", "", f"### 1. {task.title}", f"- Scope: {task.scope}"]
    lines += ["- Checks:", *(f"  - `{command}`" for command in task.checks)] if task.checks else []
    for label, value in (("Type", task.kind), ("Role", task.role), ("Outputs", task.outputs)):
        lines += [f"- {label}: {value}"] if value else []
    return "\n".join([*lines, "", task.description or task.title, ""])


def script_of(case: Case) -> str:
    return script_text({"default": [[*case.does, {"done": case.says}]]})


def environment(folder: Path) -> dict[str, str]:
    return {name: os.environ[name] for name in KEPT if name in os.environ} | {
        # The checks' `python` is the one that runs this.
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder / "home"),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "NO_COLOR": "1",
    }


def set_up(folder: Path, case: Case) -> Path:
    """Plan, script, settings and repository; returns the root of the last."""
    (folder / "home").mkdir()
    (folder / "home/.gitconfig").write_text(GIT_CONFIG, "utf-8")
    (folder / "config/teamlead").mkdir(parents=True)
    (folder / "config/teamlead/config.toml").write_text(SETTINGS + case.settings, "utf-8")
    (folder / "plan.md").write_text(plan_of(case), "utf-8")
    (folder / "script.toml").write_text(script_of(case), "utf-8")
    root = folder / "repository"
    root.mkdir()

    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=root, check=True)

    git("init", "-q", "-b", "main")
    _lay_out(root, case.files)
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    if case.other_branch:
        git("checkout", "-q", "-b", "other")
        _lay_out(root, case.other_branch)
        git("add", "-A")
        git("commit", "-q", "-m", "other")
        git("checkout", "-q", "main")
    _lay_out(root, case.uncommitted)
    return root


def _lay_out(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
