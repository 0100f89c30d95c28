"""Programs in rooms, against the same without: a start, and a session of eight tasks. Processor time.

`python -m benchmarks.rooms [--rounds N] [--starts N]`
"""

import argparse
import asyncio
import os
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.support import Goal, in_turns, ratio, scratch, told

from teamlead.ports.rooms import House, Room
from teamlead.system.processes import spawn
from teamlead.system.program_streams import Lines
from teamlead.system.rooms.availability import look, means

START = Goal(8)
SESSION = Goal(1.15)
TASKS = 8
START_SOME = "import sys; from benchmarks.rooms import start_some; start_some(*sys.argv[1:])"


def furnish(folder: Path) -> Room:
    """The room of a user with a few caches and secrets."""
    home = folder / "home"
    root, state = home / "project", home / ".local" / "state" / "teamlead"
    for name in (".ssh", ".aws", ".cache", ".npm", ".cargo"):
        (home / name).mkdir(parents=True, exist_ok=True)
    for path in (root / ".git" / "objects", state / "copy", state / "git"):
        path.mkdir(parents=True, exist_ok=True)
    house = House(root, root / ".git", state, state / "objects", home=home)
    return Room(house, state / "copy", state / "git", scratch=state / "scratch")


def start_some(folder: str, kind: str, count: str) -> None:
    room = furnish(Path(folder))
    asyncio.run(_start(room, int(count), in_room=kind == "room"))


async def _start(room: Room, count: int, *, in_room: bool) -> None:
    means(room.house.state.parent / "means.json")
    for _ in range(count):
        process = await spawn(
            ["/bin/true"],
            cwd=room.copy,
            env=os.environ,
            stdout=Lines(lambda _: None),
            room=room if in_room else None,
        )
        assert (await process.wait()).exit_code == 0


def spent(folder: Path, kind: str, count: int) -> float:
    """By a process that makes so many starts, and by all that it has started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", START_SOME, str(folder), kind, str(count)], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def each(folder: Path, kind: str, starts: int, _: int) -> float:
    """Without what the process itself costs."""
    return (spent(folder, kind, starts + 1) - spent(folder, kind, 1)) / starts


def session(folder: Path, kind: str, number: int) -> float:
    """Of the whole tree of processes: scripted agents, a check each, merges, approval."""
    place = folder / f"{kind}-{number}"
    root = place / "repository"
    root.mkdir(parents=True)
    numbers = range(1, TASKS + 1)
    tasks = (f"### {each}. Part {each}\n- Checks: `test -f {each}.txt`\n" for each in numbers)
    (place / "plan.md").write_text("# Parts\n\n" + "\n".join(tasks))
    steps = (f'[[task-{each}]]\nsteps = [{{write = "{each}.txt", text = "x"}}]\n' for each in numbers)
    (place / "script.toml").write_text("".join(steps))
    settings = place / "config" / "teamlead" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("room = false\n" if kind == "plain" else 'room = "default"\n')
    for command in (
        "init -q",
        "config user.name Benchmark",
        "config user.email benchmark@teamlead.invalid",
        "commit -q --allow-empty -m first",
    ):
        subprocess.run(["git", *command.split()], cwd=root, check=True)
    places = {"XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(place / "config")}
    start = ["start", str(place / "plan.md"), "--agent", f"scripted:{place / 'script.toml'}"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "teamlead", *start, "--jobs", "4", "--approve"],
        cwd=root,
        env={**os.environ, **places},
        check=True,
        capture_output=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--starts", type=int, default=40)
    given = parser.parse_args()
    if not look().program:
        print(f"no rooms here: {look().why_not}")
        return
    with scratch() as folder:
        measures = [partial(each, folder, kind, given.starts) for kind in ("room", "plain")]
        ours, theirs = in_turns(given.rounds, *measures)
        roomed, plain = in_turns(
            given.rounds, *(partial(session, folder, kind) for kind in ("room", "plain"))
        )
    detail = f"{median(ours) * 1e3:.2f} ms of a core against {median(theirs) * 1e3:.2f} ms without a room"
    told("/bin/true in a room", ratio(ours, theirs), START, detail)
    detail = f"{median(roomed):.2f} s of a core against {median(plain):.2f} s without rooms"
    told(f"a session of {TASKS} tasks in rooms", ratio(roomed, plain), SESSION, detail)


if __name__ == "__main__":
    main()
