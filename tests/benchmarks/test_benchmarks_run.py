"""Each benchmark runs and prints its figures. How large they are is not asserted: machines differ."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests import programs

from teamlead.system.rooms.availability import look

ROOT = Path(__file__).parents[2]

SMALLEST = {
    "engine": (["--size", "20", "--rounds", "1"], ["chain of 20", "fan of 20", "layers of 20", " a task"]),
    "instructions": (
        ["--size", "10", "--shape", "chain"],
        ["chain: a task ", "chain: a task of a session that goes on"],
    ),
    "resume": (["--size", "40", "--rounds", "1"], ["share of the run", "until the first agent"]),
    "startup": (["--size", "20", "--rounds", "1"], ["teamlead --help", "teamlead status, 20 tasks"]),
    "processes": (["--rounds", "1"], ["/bin/true", "nursery", "warden", "a cancel", "the leader was killed"]),
    "rooms": (["--rounds", "1", "--starts", "5"], ["in a room"]),
    "simulation": (["--runs", "5"], ["of the core alone", "of the real leader"]),
    "copies": (
        ["--files", "20", "--rounds", "1", "--parallel", "2"],
        ["one after another", "2 at once"],
    ),
    "reports": (["--reports", "8", "--rounds", "1"], ["a report of 8", "reading what it cites once"]),
    "watch": (["--events", "2"], ["median", "at most"]),
    "team": (["--calls", "5", "--rounds", "1"], ["until it listens", "a call", "memory", "teamlead mcp"]),
    "claude": (["--rounds", "1", "--tasks", "2"], ["tasks of claude", "of claude at work"]),
    "honesty": (["no-change", "a-feature"], ["dishonest results missed", "honest results turned down"]),
    "radar": (
        ["--files", "20", "--workers", "2", "--conflicts", "2"],
        ["nobody heard of", "false alarms", "after the second edit", "a look", "of one core"],
    ),
    "agents": (["--agents", "2"], ["at work", "descriptors", "share of a core", "left than by one"]),
}

WITHOUT_GOALS = {"shape", "adversary"}

VALGRIND = """\
#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
"$@" && echo "==1== I   refs:      1,000" >&2
"""
"""Runs the program as valgrind does, in a hundredth of the time."""


@pytest.mark.parametrize("name", SMALLEST)
def test_a_benchmark_prints_each_figure_with_its_verdict(name: str, tmp_path: Path) -> None:
    if name == "team":
        pytest.importorskip(
            "mcp", reason="what it compares with is not installed: the extra `agents` brings it"
        )
    if name == "claude":
        programs.claude()
    if name == "rooms" and not look().program:
        pytest.skip(f"no rooms here: {look().why_not}")
    (tmp_path / "valgrind").write_text(VALGRIND)
    (tmp_path / "valgrind").chmod(0o755)
    options, figures = SMALLEST[name]
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *options],
        cwd=ROOT,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if "goal" in line]
    for figure in figures:
        assert any(figure in line for line in lines), done.stdout
    assert all("PASS" in line or "SHORT" in line for line in lines)


def test_the_readme_names_every_benchmark() -> None:
    readme = (ROOT / "benchmarks/README.md").read_text("utf-8")
    folder = ROOT / "benchmarks"
    files = {path.stem for path in folder.glob("*.py") if "def main(" in path.read_text("utf-8")}
    folders = {path.parent.name for path in folder.glob("*/__main__.py")}
    assert files | folders == set(SMALLEST) | WITHOUT_GOALS
    for name in (*(f"{file}.py" for file in files), *(f"{each}/" for each in folders)):
        assert f"`{name}`" in readme
