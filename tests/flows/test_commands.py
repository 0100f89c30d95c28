"""Every command that is announced is there, explains itself, and the demo keeps its promise."""

import json
import subprocess
import sys

import pytest
from tests.flows.support import Project

from teamlead.cli.main import COMMANDS

GROUPS = {"plan": ("check", "graph"), "config": ("show", "allow")}
ALL = [[name] for name in COMMANDS] + [[group, name] for group, names in GROUPS.items() for name in names]


@pytest.mark.parametrize("command", ALL, ids=" ".join)
def test_every_command_explains_itself_with_an_example(home: Project, command: list[str]) -> None:
    ended = home.teamlead(*command, "--help", cwd=home.place)
    assert (ended.code, ended.err) == (0, "")
    examples = ended.out.split("Examples:\n")[1].splitlines()
    assert examples[0].strip().startswith(f"teamlead {' '.join(command)}")


def test_the_demo_runs_a_whole_team_and_brings_its_work_to_main(home: Project) -> None:
    folder = home.place / "demo"

    ended = home.teamlead("demo", "--directory", folder, cwd=home.place)

    assert ended.code == 0, ended.err
    assert "The agents are scripted" in ended.out
    home.root = folder / "greeter"
    assert home.git("symbolic-ref", "--short", "HEAD") == "main"
    assert home.git("status", "--porcelain") == ""
    made = home.files("main")
    assert {"greeter/farewell.py", "greeter/languages.py", "greeter/__main__.py"} <= set(made)
    assert "Tone: friendly" in made["docs/greeter.md"]
    assert home.copies() == []
    assert not home.state_home.exists()
    (session,) = (home.root / ".teamlead" / "sessions").iterdir()
    events = [json.loads(line) for line in (session / "events.ndjson").read_text().splitlines()]
    outcomes = [(e["body"]["task"], e["body"]["outcome"]) for e in events if e["kind"] == "AttemptEnded"]
    for seen in (("task-1", "refused"), ("task-2", "refused"), ("task-3", "asked"), ("task-4", "accepted")):
        assert seen in outcomes
    (answer,) = (e["body"] for e in events if e["kind"] == "EscalationResolved")
    assert answer["by"] == "teamlead demo, in your place"


def test_the_demo_overwrites_nothing(home: Project) -> None:
    (home.place / "full").mkdir()
    (home.place / "full" / "mine.txt").write_text("mine\n")
    ended = home.teamlead("demo", "--directory", home.place / "full", cwd=home.place)
    assert ended.code == 2
    assert [path.name for path in (home.place / "full").iterdir()] == ["mine.txt"]


def test_a_repository_elsewhere_is_worked_on_by_its_path(project: Project) -> None:
    elsewhere = project.place / "elsewhere"
    elsewhere.mkdir()
    command = [sys.executable, "-m", "teamlead", "-C", str(project.root), "list"]
    done = subprocess.run(command, cwd=elsewhere, env=project.environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    named = {**project.environment, "TEAMLEAD_REPOSITORY": str(project.place / "nowhere")}
    done = subprocess.run([*command[:3], "list"], cwd=elsewhere, env=named, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"nowhere" in done.stderr
