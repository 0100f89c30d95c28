"""A leader with eight agents at work, and with many: its memory, descriptors and processor time.

`python -m benchmarks.agents [--agents N]`
"""

import argparse
import os
import subprocess
import time
from pathlib import Path

from benchmarks.startup import TEAMLEAD, environment
from benchmarks.support import Goal, scratch, told

PATIENCE = 600.0
MEMORY = Goal(80, " MB")
DESCRIPTORS = Goal(1024, "")
"""What a process may usually have open."""
CORE = Goal(5, " %")
LEFT = Goal(0, "")
WINDOW = 3.0
SETTLED = 20
"""Looks at the descriptors that find the same, until the leader's last calls of git are taken to be over."""

SETTINGS = 'expose = ["@FOLDER@/signs"]\n'
"""From their rooms, agents write there and wait for what comes."""
SCRIPT = """\
[[default]]
steps = [
  {write = "part-{task}.txt", text = "done\\n"},
  {touch = "@FOLDER@/signs/working-{task}"},
  {wait_for = "@FOLDER@/signs/go", seconds = 600},
]
"""


def resident(pid: int) -> float:
    """In megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    # It has ended, and nobody has asked it how.
    return 0.0


def descriptors(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def settled(pid: int) -> int:
    found = [descriptors(pid)]
    while len(found) < SETTLED or len({*found[-SETTLED:]}) > 1:
        time.sleep(0.05)
        found.append(descriptors(pid))
    return found[-1]


def processor_time(pid: int) -> float:
    """In seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until(folder: Path, pattern: str, count: int) -> None:
    end = time.monotonic() + PATIENCE
    while len(list(folder.glob(pattern))) < count:
        assert time.monotonic() < end, f"{pattern} did not appear"
        time.sleep(0.02)


def repository(folder: Path, agents: int) -> Path:
    root = folder / "repository"
    subprocess.run(["git", "init", "-q", root], check=True)
    for key, value in (("user.name", "Benchmark"), ("user.email", "benchmark@teamlead.invalid")):
        subprocess.run(["git", "config", key, value], cwd=root, check=True)
    tasks = "\n".join(f"### {number}. Part {number}\n- scope: **\n" for number in range(1, agents + 1))
    (root / "plan.md").write_text(f"# Measure\n\n{tasks}", "utf-8")
    (root / "script.toml").write_text(SCRIPT.replace("@FOLDER@", str(folder)), "utf-8")
    settings = folder / "config" / "teamlead" / "config.toml"
    for place in (folder / "signs", settings.parent):
        place.mkdir(parents=True)
    settings.write_text(SETTINGS.replace("@FOLDER@", str(folder)), "utf-8")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "first"], cwd=root, check=True)
    return root


def measure(agents: int, left_by_one: int) -> int:
    """Returns how many descriptors a leader has open when its agents have ended."""
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
        variables = {**environment(folder), "XDG_CONFIG_HOME": str(folder / "config")}
        process = subprocess.Popen(argv, cwd=root, env=variables, stdout=quiet, stderr=quiet)
        try:
            wait_until(folder / "signs", "working-*", agents)
            memory = resident(process.pid)
            held = descriptors(process.pid)
            spent = load(process.pid)
            (folder / "signs" / "go").touch()
            wait_for_end(root, folder)
            left = settled(process.pid)
            waiting = resident(process.pid)
        finally:
            process.terminate()
            process.wait()
    if agents > 1:
        who = f"leader with {agents} agents"
        told(f"{who} at work", memory, MEMORY)
        told(f"{who}, descriptors", held, DESCRIPTORS, f"{(held - left) / agents:.1f} for each")
        told(f"{who}, share of a core", spent * 100, CORE, "while they say nothing")
        told(f"{who}, when it waits for approval", waiting, MEMORY)
        told(f"{who}, more descriptors left than by one", left - left_by_one, LEFT, f"{left} in all")
    return left


def load(pid: int) -> float:
    """Processor time for each second, while the agents say nothing."""
    before, begun = processor_time(pid), time.monotonic()
    time.sleep(WINDOW)
    return (processor_time(pid) - before) / (time.monotonic() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, default=100)
    most = parser.parse_args().agents
    left = measure(1, 0)
    for agents in sorted({min(8, most), most}):
        measure(agents, left)


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
