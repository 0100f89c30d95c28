"""How long a command takes that only reads, or a hook, against `python -c pass`.

`python -m benchmarks.startup [--size N] [--rounds N]`
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.sessions import graph, new_session, run_session, session_of
from benchmarks.support import Goal, in_turns, ratio, scratch, told

from teamlead.system.repository import claim, discover
from teamlead.system.sessions import sessions_folder
from teamlead.teams.library import BUILT_IN

TEAMLEAD = str(Path(sys.executable).with_name("teamlead"))
HOOK = [TEAMLEAD, "guard", "hook"]
SESSION = "20250101-000000-abcd"
SESSIONS = 200
"""Of one repository."""
DAY = 24 * 3600
PRESETS = 200
"""Of teams, in one repository."""


def environment(folder: Path) -> dict[str, str]:
    """Bytecode is cached, as it is for every user."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "XDG_STATE_HOME": str(folder / "state"), "NO_COLOR": "1"}


def repository_with(folder: Path, size: int) -> Path:
    """A repository with one session of `size` tasks, some of them done."""
    root = folder / f"of-{size}"
    identity = ["-c", "user.name=Benchmark", "-c", "user.email=benchmark@teamlead.invalid"]
    subprocess.run(["git", "init", "-q", root], check=True)
    subprocess.run(["git", *identity, "commit", "-q", "--allow-empty", "-m", "first"], cwd=root, check=True)
    sessions = sessions_folder(claim(discover(root)))
    sessions.mkdir(parents=True)
    session = new_session(sessions / SESSION, session_of(graph("layers", size)))
    run_session(session, durable=False, agents_until_killed=min(size, 100) // 2)
    return root


def with_more_sessions(root: Path, number: int) -> Path:
    """The same, with so many sessions beside its own that were over a day before."""
    sessions = sessions_folder(claim(discover(root)))
    for each in range(number):
        folder = sessions / f"20241231-000000-{each:04}"
        shutil.copytree(sessions / SESSION, folder)
        day_before = time.time() - DAY
        os.utime(folder / "journal.db", (day_before, day_before))
    return root


def with_presets(root: Path, number: int) -> Path:
    folder = root / ".teamlead" / "teams"
    folder.mkdir(parents=True)
    text = (BUILT_IN / "bugfix.md").read_text(encoding="utf-8")
    for each in range(number):
        path = folder / f"team-{each}.md"
        path.write_text(text.replace("name: bugfix", f"name: team-{each}"), encoding="utf-8")
    return root


def timed(argv: list[str], cwd: Path, env: dict[str, str], stdin: bytes = b"") -> Callable[[int], float]:
    def run(_: int) -> float:
        begun = time.perf_counter()
        subprocess.run(argv, cwd=cwd, env=env, check=True, input=stdin, stdout=subprocess.DEVNULL)
        return time.perf_counter() - begun

    return run


def call(root: Path, tool: str, **given: str) -> bytes:
    """What Claude Code asks before a lead uses a tool."""
    path = root / "notes.md"
    path.write_text("-   one\n")
    event = {"hook_event_name": "PreToolUse", "session_id": "benchmark", "cwd": str(root)}
    asked = {"tool_name": tool, "tool_input": {"file_path": str(path), **given}, "tool_use_id": "call"}
    return json.dumps({**event, **asked}).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=50_000, help="tasks of the larger session")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with scratch() as folder:
        env = environment(folder)
        os.environ["XDG_STATE_HOME"] = env["XDG_STATE_HOME"]
        small, large = repository_with(folder, 10), repository_with(folder, options.size)
        many = with_more_sessions(repository_with(folder, 11), SESSIONS - 1)
        cases = {
            "teamlead --help": (Goal(6), timed([TEAMLEAD, "--help"], small, env)),
            "teamlead status, 10 tasks": (Goal(8), timed([TEAMLEAD, "status"], small, env)),
            f"teamlead status, {options.size:,} tasks": (Goal(8), timed([TEAMLEAD, "status"], large, env)),
            f"teamlead status, {SESSIONS} sessions": (Goal(8), timed([TEAMLEAD, "status"], many, env)),
            "teamlead guard hook, a file is read": (Goal(6), timed(HOOK, small, env, call(small, "Read"))),
            "teamlead guard hook, a command is run": (
                Goal(6),
                timed(HOOK, small, env, call(small, "Bash", command="git status")),
            ),
            "teamlead guard hook, a document is edited": (
                Goal(6),
                timed(HOOK, small, env, call(small, "Edit", old_string="-   one", new_string="- one")),
            ),
            f"teamlead team select, {PRESETS} presets": (
                Goal(8),
                timed([TEAMLEAD, "team", "select", "fix the bug"], with_presets(small, PRESETS), env),
            ),
            "git rev-parse (status asks git once)": (None, timed(["git", "rev-parse"], small, env)),
        }
        nothing = timed([sys.executable, "-c", "pass"], small, env)
        measures = [nothing, *(measure for _, measure in cases.values())]
        in_turns(1, *measures)
        bare, *found = in_turns(options.rounds, *measures)
        for (what, (goal, _)), values in zip(cases.items(), found, strict=True):
            detail = f"{median(values) * 1e3:.0f} ms against {median(bare) * 1e3:.0f} ms of `python -c pass`"
            told(what, ratio(values, bare), goal, detail)


if __name__ == "__main__":
    main()
