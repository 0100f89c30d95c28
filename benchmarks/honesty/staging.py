"""What a case needs on disk before it is played, and the environment it is played in."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.honesty.case import Case, Task

from teamlead.runners.script import script_text

KEPT = ("LANG", "LC_ALL", "TMPDIR", "COVERAGE_PROCESS_START")
TOOLCHAINS = {"GOCACHE": ".cache/go-build", "RUSTUP_HOME": ".rustup", "CARGO_HOME": ".cargo"}
"""Where they keep what every case needs, in the home of whoever runs this."""
GIT_CONFIG = "[user]\n\tname = Ada\n\temail = ada@example.com\n"
SETTINGS = "retry_delay = 0\nkeep_awake = false\n"


def plan_of(case: Case) -> str:
    tasks = (case.earlier.task, case.task) if case.earlier else (case.task,)
    sections = [f"# {case.name}", ""]
    for number, task in enumerate(tasks, start=1):
        sections += _section(number, task)
    return "\n".join(sections)


def _section(number: int, task: Task) -> list[str]:
    lines = [f"### {number}. {task.title}", f"- Scope: {task.scope}"]
    lines += ["- Checks:", *(f"  - `{command}`" for command in task.checks)] if task.checks else []
    labels = {
        "Type": task.kind,
        "Role": task.role,
        "Outputs": task.outputs,
        "Depends on": str(number - 1) if number > 1 else "",
        "Acceptance": task.acceptance,
    }
    lines += [f"- {label}: {value}" for label, value in labels.items() if value]
    return [*lines, "", task.description or task.title, ""]


def script_of(case: Case) -> str:
    script = {subject(case): [[*case.does, {"done": case.says}]]}
    if case.earlier:
        script["default"] = [[*case.earlier.does, {"done": case.earlier.says}]]
    if case.judged is not None:
        reason = "The oracle passes." if case.judged else "The oracle of this case fails."
        script[f"{subject(case)}-judge"] = [[{"answer": {"success": case.judged, "reason": reason}}]]
    return script_text(script)


def subject(case: Case) -> str:
    """The task that the case is about."""
    return "task-2" if case.earlier else "task-1"


def environment(folder: Path) -> dict[str, str]:
    return {name: os.environ[name] for name in KEPT if name in os.environ} | {
        # The checks' `python` is the one that runs this.
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder / "home"),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "NO_COLOR": "1",
        **{name: os.environ.get(name, str(Path.home() / place)) for name, place in TOOLCHAINS.items()},
    }


def set_up(folder: Path, case: Case) -> Path:
    """Plan, script, settings and repository; returns the root of the last."""
    (folder / "home").mkdir()
    (folder / "home/.gitconfig").write_text(GIT_CONFIG, "utf-8")
    (folder / "config/teamlead").mkdir(parents=True)
    (folder / "config/teamlead/config.toml").write_text(_settings(case), "utf-8")
    (folder / "plan.md").write_text(plan_of(case), "utf-8")
    (folder / "script.toml").write_text(script_of(case), "utf-8")
    root = folder / "repository"
    root.mkdir()
    if case.node_modules:
        (root / "node_modules").symlink_to(case.node_modules)

    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=root, check=True)

    git("init", "-q", "-b", "main")
    lay_out(root, case.files)
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    if case.other_branch:
        git("checkout", "-q", "-b", "other")
        lay_out(root, case.other_branch)
        git("add", "-A")
        git("commit", "-q", "-m", "other")
        git("checkout", "-q", "main")
    lay_out(root, case.uncommitted)
    return root


def _settings(case: Case) -> str:
    link = 'link = ["node_modules"]\n' if case.node_modules else ""
    return f"{SETTINGS}{link}{case.settings}"


def lay_out(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
