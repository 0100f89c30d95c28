"""One-file tasks with the real Claude Code, four at once, merged; and the memory of its leader.

Against a bare shell loop that does the same with git worktrees and merges, and believes every word. Both ask
the same scripted model. Needs the program: `pip install -e '.[agents]'`, or TEAMLEAD_CLAUDE.

`python -m benchmarks.claude [--rounds N] [--tasks N]`
"""

import argparse
import os
import subprocess
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.agents import resident
from benchmarks.startup import TEAMLEAD, environment
from benchmarks.support import Goal, in_turns, ratio, scratch, told
from tests import programs

from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.script import check_script

AT_ONCE = 4
TIME = Goal(1.15)
MEMORY = Goal(80, " MB")
LOOK_EVERY = 0.05
TRIES = 5
"""Of git in the shell loop, which finds a lock of another task now and then."""

SCRIPT = """\
[[default]]
steps = [{write = "part-{task}.txt", text = "done\\n"}, {done = "written"}]
"""


def repository(folder: Path, tasks: int) -> Path:
    root = folder / "repository"
    subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
    for key, value in (("user.name", "Benchmark"), ("user.email", "benchmark@teamlead.invalid")):
        subprocess.run(["git", "config", key, value], cwd=root, check=True)
    (root / "README.md").write_text("# Sample\n", "utf-8")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "first"], cwd=root, check=True)
    config = folder / ".config/teamlead/config.toml"
    config.parent.mkdir(parents=True)
    # The loop asks nobody whether the work is all that was wanted.
    config.write_text("judge = false\nplanner = false\n", "utf-8")
    parts = "\n".join(f"### {number}. Part {number}\n- scope: part-*\n" for number in range(1, tasks + 1))
    (folder / "plan.md").write_text(f"# Measure\n\n{parts}", "utf-8")
    return root


def surroundings(folder: Path, model: ScriptedModel) -> dict[str, str]:
    return {
        **environment(folder),
        "HOME": str(folder),
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "not-a-key",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "IS_SANDBOX": "1",
        "TEAMLEAD_CLAUDE": str(programs.claude()),
    }


def merged(root: Path, branch: str) -> int:
    listed = subprocess.run(
        ["git", "ls-tree", "--name-only", branch], cwd=root, check=True, capture_output=True, text=True
    )
    return sum(name.startswith("part-") for name in listed.stdout.splitlines())


class Loop:
    """What one would write in a shell: a worktree a task, the agent in it, a commit, a merge."""

    def __init__(self, root: Path, env: Mapping[str, str]) -> None:
        self._root = root
        self._env = env
        self._changing = threading.Lock()

    def run(self, tasks: int) -> None:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(self._task, range(1, tasks + 1)))
        assert merged(self._root, "main") == tasks

    def _task(self, number: int) -> None:
        copy = self._root.parent / f"copy-{number}"
        # Two at once would now and then find the repository's configuration locked, and lose a task.
        with self._changing:
            self._git("worktree", "add", "-q", "-b", f"task-{number}", str(copy))
        prompt = f"# task-{number}: Part {number}\n\nThis is attempt 1.\n"
        argv = [self._env["TEAMLEAD_CLAUDE"], "-p", prompt, "--output-format", "stream-json", "--verbose"]
        argv += ["--permission-mode", "acceptEdits", "--setting-sources", "", "--model", "scripted"]
        quiet = subprocess.DEVNULL
        subprocess.run(argv, cwd=copy, env=self._env, check=True, stdin=quiet, stdout=quiet, stderr=quiet)
        self._git("add", "-A", cwd=copy)
        self._git("commit", "-q", "-m", f"Part {number}", cwd=copy)
        with self._changing:
            self._git("merge", "-q", "--no-edit", f"task-{number}")
            self._git("worktree", "remove", str(copy))

    def _git(self, *arguments: str, cwd: Path | None = None) -> None:
        for _ in range(TRIES):
            done = subprocess.run(
                ["git", *arguments], cwd=cwd or self._root, check=False, capture_output=True, text=True
            )
            if done.returncode == 0:
                return
        raise AssertionError(f"git {' '.join(arguments)}: {done.stderr}")


def loop(model: ScriptedModel, tasks: int) -> float:
    with scratch() as folder:
        root = repository(folder, tasks)
        begun = time.perf_counter()
        Loop(root, surroundings(folder, model)).run(tasks)
        return time.perf_counter() - begun


def team(model: ScriptedModel, tasks: int, memory: list[float], at_once: int = AT_ONCE) -> float:
    with scratch() as folder:
        root = repository(folder, tasks)
        argv = [TEAMLEAD, "start", str(folder / "plan.md"), "--agent", "claude", "--model", "scripted"]
        argv += ["--jobs", str(at_once), "--approve"]
        quiet = subprocess.DEVNULL
        begun = time.perf_counter()
        process = subprocess.Popen(
            argv, cwd=root, env=surroundings(folder, model), stdin=quiet, stdout=quiet, stderr=quiet
        )
        while process.poll() is None:
            memory.append(resident(process.pid))
            time.sleep(LOOK_EVERY)
        seconds = time.perf_counter() - begun
        assert process.returncode == os.EX_OK
        assert merged(root, "main") == tasks
        return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tasks", type=int, default=8)
    given = parser.parse_args()
    tasks: int = given.tasks
    memory: list[float] = []
    with ScriptedModel(check_script(SCRIPT, "script", "model")) as model:
        ours, theirs = in_turns(given.rounds, lambda _: team(model, tasks, []), lambda _: loop(model, tasks))
        team(model, tasks, memory, at_once=tasks)
    detail = f"{min(ours):.2f} s against {min(theirs):.2f} s at best"
    told(f"{tasks} tasks of claude, {AT_ONCE} at once", ratio(ours, theirs), TIME, detail)
    told(f"leader with {tasks} of claude at work, at most", max(memory), MEMORY)


if __name__ == "__main__":
    main()
