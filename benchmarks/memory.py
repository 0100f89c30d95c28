"""Memory of a leader with eight agents at work, and while it waits, against an idle Python.

`python -m benchmarks.memory [--agents N]`
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.startup import TEAMLEAD, environment
from benchmarks.support import Goal, scratch, told

PATIENCE = 60.0
MOST = Goal(80, " MB")

SCRIPT = """\
[[default]]
steps = [
  {write = "part-{task}.txt", text = "done\\n"},
  {touch = "@FOLDER@/working-{task}"},
  {wait_for = "@FOLDER@/go"},
]
"""


def resident(pid: int) -> float:
    """In megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise AssertionError(pid)


def wait_until(folder: Path, pattern: str, count: int) -> None:
    end = time.monotonic() + PATIENCE
    while len(list(folder.glob(pattern))) < count:
        assert time.monotonic() < end, f"{pattern} did not appear"
        time.sleep(0.02)


def idle_python() -> float:
    script = "import sys; sys.stdout.write('x'); sys.stdout.flush(); sys.stdin.read()"
    argv = [sys.executable, "-c", script]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.read(1)
        memory = resident(process.pid)
        process.communicate()
    return memory


def repository(folder: Path, agents: int) -> Path:
    root = folder / "repository"
    subprocess.run(["git", "init", "-q", root], check=True)
    for key, value in (("user.name", "Benchmark"), ("user.email", "benchmark@teamlead.invalid")):
        subprocess.run(["git", "config", key, value], cwd=root, check=True)
    tasks = "\n".join(f"### {number}. Part {number}\n- scope: **\n" for number in range(1, agents + 1))
    (root / "plan.md").write_text(f"# Measure\n\n{tasks}", "utf-8")
    (root / "script.toml").write_text(SCRIPT.replace("@FOLDER@", str(folder)), "utf-8")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "first"], cwd=root, check=True)
    return root


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, default=8)
    agents = parser.parse_args().agents
    bare = idle_python()
    with scratch() as folder:
        root = repository(folder, agents)
        argv = [
            TEAMLEAD,
            "start",
            "plan.md",
            "--agent",
            "scripted:script.toml",
            "--jobs",
            str(agents),
            "--wait",
        ]
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(argv, cwd=root, env=environment(folder), stdout=quiet, stderr=quiet)
        try:
            wait_until(folder, "working-*", agents)
            told(
                f"leader with {agents} agents at work",
                resident(process.pid),
                MOST,
                f"idle Python: {bare:.0f} MB",
            )
            (folder / "go").touch()
            wait_for_end(root, folder)
            told("leader that waits for approval", resident(process.pid), MOST)
        finally:
            process.terminate()
            process.wait()


def wait_for_end(root: Path, folder: Path) -> None:
    end = time.monotonic() + PATIENCE
    argv = [TEAMLEAD, "status", "--json"]
    while (
        b"AWAITING_APPROVAL"
        not in subprocess.run(argv, cwd=root, env=environment(folder), check=True, capture_output=True).stdout
    ):
        assert time.monotonic() < end, "the session does not end"
        time.sleep(0.1)


if __name__ == "__main__":
    main()
